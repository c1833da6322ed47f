"""The templates: Markdown files with `{{name}}` holes, filled strictly, and hashed so that a run can say which words it used.

A user's own texts take the place of ours while `using` is open: those of a folder, read and checked by `read_folder`.
"""

import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path

from regrapht.errors import ConfigError, TemplateError

_HOLE = re.compile(r"\{\{(\w+)\}\}")
_LONE_HOLE = re.compile(r"\{\{(\w+)\}\}\n?")
_OWN: ContextVar[Mapping[str, str]] = ContextVar("own templates", default={})  # noqa: B039, never changed
_LONGEST = 2**20


def read_folder(folder: Path) -> Mapping[str, str]:
    """The texts of a user's templates, by name: `NAME.md` files that are called as ours, with none but their holes. A hole may be left out.

    Raises:
        ConfigError: There is no such folder, it has no template, or one has another name or a hole that nothing fills.
    """
    if not folder.is_dir():
        raise ConfigError(f"--prompts {folder}: there is no such folder")
    own: dict[str, str] = {}
    for file in sorted(folder.glob("*.md")):
        name = file.stem
        if name not in _shipped():
            near = difflib.get_close_matches(name, _shipped(), n=1)
            hint = f"did you mean {near[0]}.md?" if near else f"known: {', '.join(sorted(_shipped()))}"
            raise ConfigError(f"{file}: there is no template of this name; {hint}")
        try:
            own[name] = file.read_bytes()[:_LONGEST].decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: cannot be read as UTF-8 text: {error}") from error
        known = set(_HOLE.findall(_shipped()[name]))
        if unknown := sorted(set(_HOLE.findall(own[name])) - known):
            raise ConfigError(
                f"{file}: nothing fills {{{{{unknown[0]}}}}}; {name} has {', '.join(sorted(known)) or 'no holes'}"
            )
    if not own:
        raise ConfigError(f"--prompts {folder}: it has no NAME.md of a template: {', '.join(sorted(_shipped()))}")
    return own


@contextmanager
def using(own: Mapping[str, str]) -> Iterator[None]:
    """Fill these texts, by name, in the place of ours, in this thread, until it is left."""
    token = _OWN.set(own)
    try:
        yield
    finally:
        _OWN.reset(token)


def fill(name: str, values: Mapping[str, str]) -> str:
    """The template `name` with its holes filled, without a final line end.

    A hole that stands alone on its line takes the line and the blank line after it along when its value is empty. Values are put in as
    they are: braces inside them mean nothing.

    Raises:
        TemplateError: There is no such template, or its holes and the values do not match one to one.
    """
    text = _OWN.get().get(name, _shipped().get(name))
    if text is None:
        raise TemplateError(f"there is no template {name!r}")
    holes = set(_HOLE.findall(_shipped()[name]))
    if holes != set(values):
        missing, unused = sorted(holes - set(values)), sorted(set(values) - holes)
        raise TemplateError(f"template {name!r}: no value for {missing}, no hole for {unused}")
    kept: list[str] = []
    skip_blank = False
    for line in text.splitlines(keepends=True):
        alone = _LONE_HOLE.fullmatch(line)
        if alone and not values[alone[1]]:
            skip_blank = True
        elif not (skip_blank and not line.strip()):
            kept.append(_HOLE.sub(lambda hole: values[hole[1]], line))
            skip_blank = False
        else:
            skip_blank = False
    return "".join(kept).rstrip("\n")


def templates_hash() -> str:
    """SHA-256 over the names and texts of all templates, as they are filled here and now."""
    return hashlib.sha256(repr(sorted({**_shipped(), **_OWN.get()}.items())).encode()).hexdigest()


@cache
def _shipped() -> dict[str, str]:
    folder = files("regrapht.prompts").joinpath("templates")
    return {
        file.name.removesuffix(".md"): file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".md")
    }
