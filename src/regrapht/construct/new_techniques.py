"""Techniques that collected trajectories declare new, kept in their corpus as `techniques.toml`, in the form of the vocabulary."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from regrapht.errors import SchemaError
from regrapht.graph.vocabulary import SCHEMA_VERSION, Vocabulary, parse_vocabulary
from regrapht.records.technique import Technique
from regrapht.store.blobs import write_atomically

TECHNIQUES_FILE = "techniques.toml"
MAX_FILE_BYTES = 4 * 1024 * 1024
_HEAD = "# Techniques that collected trajectories declare new, in the form of the vocabulary. Read by `regrapht graph build`."


def corpus_vocabulary(vocabulary: Vocabulary, corpora: Iterable[Path]) -> Vocabulary:
    """The vocabulary with the new techniques of these corpora.

    Raises:
        SchemaError: A file is damaged, or a new technique takes a name that another technique has.
    """
    techniques = dict(vocabulary.techniques)
    for corpus in corpora:
        for slug, technique in read_new_techniques(corpus, vocabulary.features).items():
            if techniques.setdefault(slug, technique) != technique:
                raise SchemaError(f"{corpus / TECHNIQUES_FILE}: technique {slug!r} means something else elsewhere")
    if len(techniques) == len(vocabulary.techniques):
        return vocabulary
    return Vocabulary(techniques=techniques, features=vocabulary.features)


def read_new_techniques(corpus: Path, features: tuple[str, ...]) -> Mapping[str, Technique]:
    """The new techniques of one corpus by slug; empty when it declares none.

    Raises:
        SchemaError: The file is damaged.
    """
    file = corpus / TECHNIQUES_FILE
    if not file.is_file():
        return {}
    if file.stat().st_size > MAX_FILE_BYTES:
        raise SchemaError(f"{file} has more than {MAX_FILE_BYTES} bytes")
    try:
        found = parse_vocabulary(file.read_bytes().decode("utf-8"))
    except (SchemaError, UnicodeDecodeError, RecursionError) as error:
        raise SchemaError(f"{file}: {error}") from error
    if unknown := sorted({need for one in found.techniques.values() for need in one.needs} - set(features)):
        raise SchemaError(f"{file}: {unknown[0]!r} is no feature of the vocabulary")
    return found.techniques


def write_new_techniques(corpus: Path, techniques: Mapping[str, Technique], features: tuple[str, ...]) -> None:
    """Replace a corpus's list of new techniques, as one step.

    Raises:
        StoreUnavailable: The folder cannot be written.
    """
    lines = [_HEAD, "", f"schema = {SCHEMA_VERSION}", f"features = {_value(features)}"]
    for slug in sorted(techniques):
        one = techniques[slug]
        lines += ["", "[[technique]]"]
        for key in ("slug", "title", "area", "meaning", "condition", "aliases", "needs"):
            value = getattr(one, key)
            lines.append(f"{key} = {_value(value.value if key == 'area' else value)}")
    write_atomically(corpus / TECHNIQUES_FILE, ("\n".join(lines) + "\n").encode())


def _value(value: object) -> str:
    """A TOML text or list of texts. JSON's strings are TOML's, but for the one control character that TOML escapes and JSON does not."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
