"""Pairs of two numbers in arrays: a plain struct stands for them in the flat file, which lies as they do."""

import re
from typing import Any

from regrapht.source.c_types import scalar_type

_WRITTEN = re.compile(r"(?:\bconst\s+)?\bstd\s*::\s*pair\s*<\s*([\w:\s]+?)\s*,\s*([\w:\s]+?)\s*>")


def pair_name(kind: Any) -> str | None:
    """The struct in the place of a pair of two numbers; None for another type."""
    found = _WRITTEN.fullmatch(kind.get_canonical().spelling)
    return _name(found) if found is not None else None


def pair_text(kind: Any) -> str:
    """The definition of that struct."""
    first, second = (kind.get_template_argument_type(at).get_canonical().spelling for at in (0, 1))
    return f"struct {pair_name(kind)} {{ {first} first; {second} second; }};"


def with_pairs(text: str, declared: set[str]) -> str:
    """A text with the structs in the place of the pairs, as far as these are declared."""

    def named(found: re.Match[str]) -> str:
        name = _name(found)
        const = "const " if found.group().startswith("const") else ""
        return const + name if name is not None and name in declared else found.group()

    return _WRITTEN.sub(named, text)


def _name(found: re.Match[str]) -> str | None:
    parts = [scalar_type(found.group(at)) for at in (1, 2)]
    return "pair_" + "_".join(one.name for one in parts if one is not None) if None not in parts else None
