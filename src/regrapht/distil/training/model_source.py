"""The model that is tuned: a folder of Hugging Face's format or a GGUF file, its licence, its size, and how it is opened."""

import importlib.util
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regrapht.distil.training.gguf_weights import KIND, read_gguf, value
from regrapht.errors import ConfigError, PrerequisiteMissing
from regrapht.llm.gguf_header import read_header

PERMISSIVE = frozenset({"apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "cc0-1.0", "unlicense", "isc", "bsl-1.0"})
"""Licences that allow a tuned copy without conditions on what it is tuned for."""
_NEEDED = ("torch", "transformers", "peft", "accelerate")
_LICENCE_LINE = re.compile(r"^license:\s*['\"]?([\w.+-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What of a model decides how much memory it takes."""

    parameters: int
    layers: int
    hidden: int
    inner: int
    """Width of the middle of a feed-forward layer."""
    vocabulary: int


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model on this machine's disk."""

    path: Path
    licence: str
    """Its SPDX name in lower case as the model tells it; empty where it tells none."""
    shape: Shape
    tokenizer: Path | None = None
    """A folder where it was saved; None for the model's own."""

    @property
    def is_gguf(self) -> bool:
        return self.path.is_file()

    @property
    def name(self) -> str:
        return self.path.name

    def opening(self) -> tuple[str, dict[str, Any]]:
        """What `from_pretrained` takes."""
        if self.is_gguf:
            return str(self.path.parent), {"gguf_file": self.path.name, "local_files_only": True}
        return str(self.path), {"local_files_only": True}


def model_source(path: Path, *, tokenizer: Path | None = None, accept_licence: bool) -> ModelSource:
    """The model at a path, if its licence is one that lets it be tuned or the user has accepted it.

    Raises:
        ConfigError: There is no model, or its licence is another one, or none is told; the message names it and the option.
        PrerequisiteMissing: The extra `distil` is not installed.
    """
    require_packages(gguf=path.is_file())
    found = _gguf(path) if path.is_file() else _folder(path)
    if found.licence not in PERMISSIVE and not accept_licence:
        told = f"the licence of {path} is {found.licence!r}" if found.licence else f"{path} tells no licence"
        raise ConfigError(f"{told}, which may forbid a tuned copy: read it, and say --accept-licence if it does not")
    return replace(found, tokenizer=tokenizer)


def require_packages(*, gguf: bool) -> None:
    """Do nothing where what training needs is installed.

    Raises:
        PrerequisiteMissing: It is not.
    """
    missing = [name for name in (*_NEEDED, *(["gguf"] if gguf else [])) if importlib.util.find_spec(name) is None]
    if missing:
        raise PrerequisiteMissing(f'training needs {", ".join(missing)}: pip install "regrapht[distil]"')


def _gguf(path: Path) -> ModelSource:
    read_header(path)  # says in one line what is wrong with a damaged file
    reader = read_gguf(path)
    numbers = [value(reader, f"{KIND}.{key}") for key in ("block_count", "embedding_length", "feed_forward_length")]
    words = reader.get_field("tokenizer.ggml.tokens")
    shape = Shape(
        parameters=sum(int(tensor.n_elements) for tensor in reader.tensors),
        layers=numbers[0],
        hidden=numbers[1],
        inner=numbers[2],
        vocabulary=len(words.data) if words is not None else 0,
    )
    return ModelSource(path, str(value(reader, "general.license") or "").lower(), shape)


def _folder(path: Path) -> ModelSource:
    if not (path / "config.json").is_file():
        raise ConfigError(
            f"there is no model in {path}: give a GGUF file, or a folder with config.json and *.safetensors"
        )
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
        shape = Shape(
            parameters=_parameters(path),
            layers=int(config["num_hidden_layers"]),
            hidden=int(config["hidden_size"]),
            inner=int(config.get("intermediate_size") or 4 * config["hidden_size"]),
            vocabulary=int(config["vocab_size"]),
        )
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ConfigError(f"{path}/config.json is not one of a language model: {error!r}") from error
    return ModelSource(path, _licence(path, config), shape)


def _parameters(folder: Path) -> int:
    """From the headers of the weights' files, which are not read."""
    total = 0
    for file in folder.glob("*.safetensors"):
        with file.open("rb") as opened:
            header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
        for name, tensor in header.items():
            if name != "__metadata__":
                count = 1
                for extent in tensor["shape"]:
                    count *= extent
                total += count
    if not total:
        raise ConfigError(f"there are no *.safetensors in {folder}: weights of other forms are not read")
    return total


def _licence(folder: Path, config: dict[str, Any]) -> str:
    """As the model's card or its configuration tells it."""
    card = folder / "README.md"
    if card.is_file() and (found := _LICENCE_LINE.search(card.read_text(encoding="utf-8", errors="replace"))):
        return found[1].lower()
    return str(config.get("license") or "").lower()
