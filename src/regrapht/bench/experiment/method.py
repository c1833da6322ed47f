"""What an experiment compares: a method is a search with its proposer, its model and its prompts, under one name.

mcgs                                                  a search, with the proposer and model of the whole experiment
small=search:mcgs,proposer:hybrid,model:gguf:FILE     what it names is its own, the rest the experiment's
terse=search:mcgs,prompts:FOLDER
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.records.run import RunOptions

_PARTS = ("search", "proposer", "model", "prompts")
_NAME = re.compile(r"[\w.+:/-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method as an experiment keeps it: everything that makes it this one."""

    name: str
    search: str
    proposer: str
    model: str | None = None
    prompts_hash: str | None = None
    """Of the templates that the model is asked with; None without a model."""

    def differs_in(self, other: "Method") -> tuple[str, ...]:
        """The parts that are not the same."""
        parts = ("search", "proposer", "model", "prompts_hash")
        return tuple(part for part in parts if getattr(self, part) != getattr(other, part))


def read_methods(texts: Sequence[str], options: RunOptions) -> dict[str, RunOptions]:
    """The options of each method's cells by its name, in the order given.

    Args:
        texts: As `--method` has them.
        options: The experiment's, for what a method does not name.

    Raises:
        ConfigError: A text makes no sense, or a name is given twice.
    """
    found: dict[str, RunOptions] = {}
    for text in texts:
        name, chosen = _read(text, options)
        if name in found:
            raise ConfigError(f"--method names {name} twice: give each a name of its own, NAME=search:...,model:...")
        found[name] = chosen
    return found


def _read(text: str, options: RunOptions) -> tuple[str, RunOptions]:
    name, equals, parts = text.partition("=")
    if not equals:
        return text, replace(options, search=text)
    if not _NAME.fullmatch(name):
        raise ConfigError(f"--method {text}: a name is made of letters, digits and . _ + - / :")
    said: dict[str, str] = {}
    for part in parts.split(","):
        kind, _, value = part.strip().partition(":")
        if kind not in _PARTS or not value:
            raise ConfigError(f"--method {text}: {part!r} is none of {', '.join(f'{known}:...' for known in _PARTS)}")
        if kind in said:
            raise ConfigError(f"--method {text}: {kind} is given twice")
        said[kind] = value
    model = said.get("model", options.model)
    proposer = said.get("proposer", "hybrid" if "model" in said and options.model is None else options.proposer)
    if proposer not in ("hybrid", "language_model") and "model" not in said:
        model = None  # the experiment's is for those that ask one
    prompts = Path(said["prompts"]) if "prompts" in said else options.prompts
    return name, replace(
        options, search=said.get("search", options.search), proposer=proposer, model=model, prompts=prompts
    )
