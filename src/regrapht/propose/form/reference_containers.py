"""What stands in a kernel for a growing array of the reference's function: a `std::vector` or `std::deque` is not there on the device."""

import re

from regrapht.records.task import Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import declarators, declared_name, text_of, walk

_CONTAINER = re.compile(r"(?:std::)?(vector|deque)\s*<\s*([\w:\s]+?)\s*>")
_CONSTANT = re.compile(r"(?:\d+|k[A-Z]\w*|[A-Z][A-Z0-9_]*)(?:\s*[-+*]\s*(?:\d+|k[A-Z]\w*|[A-Z][A-Z0-9_]*))*")
"""A length of numbers and names that are written as constants."""
_MOST = 3


def container_advice(task: Task) -> list[str]:
    """A line for each such array that the entry declares, a few at most: what to write instead."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    lines = []
    for node in walk(entries[0].body) if len(entries) == 1 else ():
        kind = node.child_by_field_name("type") if node.type == "declaration" else None
        found = _CONTAINER.fullmatch(" ".join(text_of(kind).split())) if kind is not None else None
        if found is None:
            continue
        for one in declarators(node):
            name, element = text_of(declared_name(one)), found[2]
            length = _length(text_of(node), name)
            if length is not None and _CONSTANT.fullmatch(length):
                lines.append(f"Not `std::{found[1]} {name}`, which the device lacks, but: {element} {name}[{length}];")
            else:
                lines.append(
                    f"The device has no `std::{found[1]} {name}`: do without it, use an array of a constant length that is enough, or the "
                    "thread's own part of an output."
                )
    return lines[:_MOST]


def _length(declaration: str, name: str) -> str | None:
    """What the declaration gives in parentheses first; None where that is no length."""
    found = re.search(rf"\b{name}\s*\(\s*([^(),]+?)\s*[,)]", declaration)
    return found[1] if found is not None else None
