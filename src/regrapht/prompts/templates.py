"""The templates: Markdown files with `{{name}}` holes, filled strictly, and hashed so that a run can say which words it used."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from regrapht.errors import TemplateError

_HOLE = re.compile(r"\{\{(\w+)\}\}")
_LONE_HOLE = re.compile(r"\{\{(\w+)\}\}\n?")


def fill(name: str, values: Mapping[str, str]) -> str:
    """The template `name` with its holes filled, without a final line end.

    A hole that stands alone on its line takes the line and the blank line after it along when its value is empty. Values are put in as
    they are: braces inside them mean nothing.

    Raises:
        TemplateError: There is no such template, or its holes and the values do not match one to one.
    """
    text = _texts().get(name)
    if text is None:
        raise TemplateError(f"there is no template {name!r}")
    holes = set(_HOLE.findall(text))
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


@cache
def templates_hash() -> str:
    """SHA-256 over the names and texts of all templates."""
    return hashlib.sha256(repr(sorted(_texts().items())).encode()).hexdigest()


@cache
def _texts() -> dict[str, str]:
    folder = files("regrapht.prompts").joinpath("templates")
    return {
        file.name.removesuffix(".md"): file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".md")
    }
