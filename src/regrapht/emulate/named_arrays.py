"""Findings in the words of the task: an argument's name and element instead of its number and bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from regrapht.records.task import Arg
from regrapht.records.verdict import Finding

_PLACE = re.compile(r"at byte (-?\d+) of argument (\d+) of (\d+) bytes")


@dataclass(frozen=True, slots=True)
class ArrayName:
    """What a task calls one argument of its entry."""

    name: str
    element: str
    element_bytes: int
    shape: str
    """`n * 3`."""


def array_names(parameters: Sequence[Arg]) -> tuple[ArrayName, ...]:
    """One for each argument of the entry, in order; of those that are no arrays only the name means anything."""
    return tuple(ArrayName(p.name, p.dtype.c_name, p.dtype.size_bytes, shape_of(p)) for p in parameters)


def with_names(finding: Finding, arrays: Sequence[ArrayName]) -> Finding:
    """The finding with its place told by array, element and shape."""

    def told(match: re.Match[str]) -> str:
        at, number, size = (int(part) for part in match.groups())
        if number >= len(arrays):
            return match.group()
        array = arrays[number]
        count = size // array.element_bytes
        return f"at element {at // array.element_bytes} of {array.name}, an array of {count} {array.element} (shape {array.shape})"

    message = _PLACE.sub(told, finding.message)
    return finding if message == finding.message else replace(finding, message=message)


def shape_of(parameter: Arg) -> str:
    """The shape as the task writes it."""
    return " x ".join(part.text for part in parameter.shape) or "1"
