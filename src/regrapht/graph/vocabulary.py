"""The canonical techniques, read from `vocabulary.toml`, and the way from an author's words to one of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from regrapht.errors import SchemaError
from regrapht.records.technique import INIT, Area, Technique
from regrapht.records.toml_text import parse_toml

SCHEMA_VERSION = 1
_SLUG = re.compile(r"[a-z][a-z0-9_]{0,63}")
_REQUIRED = ("slug", "title", "area", "meaning", "condition", "aliases", "needs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """A closed set of techniques.

    Raises:
        SchemaError: A slug is malformed or met twice, a feature is unknown, or one name would mean two techniques.
    """

    techniques: Mapping[str, Technique]
    features: tuple[str, ...]
    """The words that `Technique.needs` may use."""
    _by_name: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for slug, technique in self.techniques.items():
            if slug != technique.slug or slug == INIT or not _SLUG.fullmatch(slug):
                raise SchemaError(
                    f"technique {slug!r}: a slug is lower case letters, digits and underscores, and not {INIT!r}"
                )
            if unknown := sorted(set(technique.needs) - set(self.features)):
                raise SchemaError(
                    f"technique {slug!r} needs {', '.join(unknown)}, which is no feature of the vocabulary"
                )
        object.__setattr__(self, "_by_name", technique_names(self.techniques))

    def resolve(self, text: str) -> str | None:
        """The slug that an author's name for a technique means: by slug, title or alias, whatever its case, spaces and punctuation.

        None when the vocabulary does not know the name; nothing is guessed.
        """
        return self._by_name.get(name_key(text))


@cache
def load_vocabulary() -> Vocabulary:
    """The vocabulary that ships with regrapht.

    Raises:
        SchemaError: The installed file is damaged.
    """
    return parse_vocabulary(files("regrapht.graph").joinpath("vocabulary.toml").read_text(encoding="utf-8"))


def parse_vocabulary(text: str) -> Vocabulary:
    """The vocabulary that a TOML text in the form of `vocabulary.toml` describes.

    Raises:
        SchemaError: It is no TOML, of another schema, or breaks a rule; the message names the technique and the key.
    """
    try:
        document = parse_toml(text)
    except ValueError as error:
        raise SchemaError(f"vocabulary: not TOML: {error}") from error
    if document.get("schema") != SCHEMA_VERSION:
        raise SchemaError(
            f"vocabulary of schema {document.get('schema')!r}; this regrapht reads {SCHEMA_VERSION}: upgrade it"
        )
    if unknown := sorted(set(document) - {"schema", "features", "technique"}):
        raise SchemaError(f"vocabulary: unknown key {unknown[0]!r}")
    techniques: dict[str, Technique] = {}
    for index, entry in enumerate(_list_of(document.get("technique"), dict, "technique")):
        technique = _technique(entry, f"technique {entry.get('slug', index + 1)!r}")
        if technique.slug in techniques:
            raise SchemaError(f"technique {technique.slug!r} is defined twice")
        techniques[technique.slug] = technique
    return Vocabulary(techniques=techniques, features=_list_of(document.get("features"), str, "features"))


def _technique(entry: dict[str, Any], where: str) -> Technique:
    if wrong := sorted(set(entry) ^ set(_REQUIRED)):
        raise SchemaError(f"{where}: {wrong[0]!r} is {'missing' if wrong[0] in _REQUIRED else 'no key of a technique'}")
    texts = {}
    for key in ("slug", "title", "area", "meaning", "condition"):
        if not isinstance(entry[key], str) or not entry[key].strip():
            raise SchemaError(f"{where}: {key} must be a text")
        texts[key] = entry[key]
    try:
        area = Area(texts["area"])
    except ValueError as error:
        raise SchemaError(f"{where}: area {texts['area']!r} is none of {', '.join(Area)}") from error
    return Technique(
        slug=texts["slug"],
        title=texts["title"],
        area=area,
        meaning=texts["meaning"],
        condition=texts["condition"],
        aliases=_list_of(entry["aliases"], str, f"{where}: aliases"),
        needs=_list_of(entry["needs"], str, f"{where}: needs"),
    )


def technique_names(techniques: Mapping[str, Technique]) -> dict[str, str]:
    """Slugs by the `name_key` of every slug, title and alias.

    Raises:
        SchemaError: One name would mean two techniques.
    """
    names: dict[str, str] = {}
    for technique in techniques.values():
        for name in (technique.slug, technique.title, *technique.aliases):
            key = name_key(name)
            if not key:
                raise SchemaError(f"technique {technique.slug!r}: {name!r} holds no letter and no digit")
            if names.setdefault(key, technique.slug) != technique.slug:
                raise SchemaError(f"{name!r} names both {names[key]!r} and {technique.slug!r}")
    return names


def name_key(name: str) -> str:
    """A name without case, spaces and punctuation: `Warp-Shuffle` and `warp shuffle` are one."""
    return re.sub(r"[\W_]+", "", name.casefold())


def _list_of(value: Any, kind: type, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list) or not all(type(item) is kind for item in value):
        raise SchemaError(f"vocabulary: {where} must be a list of {'tables' if kind is dict else 'texts'}")
    return tuple(value)
