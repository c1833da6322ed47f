"""What is told of a growing array of the reference's for which nothing can stand in a kernel: the device has no `std::vector`."""

import re

from regrapht.propose.form.reference_arrays import arrays_of
from regrapht.records.task import Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import declarators, declared_name, text_of, walk

_CONTAINER = re.compile(r"(?:std::)?(vector|deque)\s*<.*>")
_MOST = 3


def container_advice(task: Task) -> list[str]:
    """A line for each such array that the entry declares, a few at most: what to do without it."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    lines, given = [], arrays_of(task).keys()
    for node in walk(entries[0].body) if len(entries) == 1 else ():
        kind = node.child_by_field_name("type") if node.type == "declaration" else None
        found = _CONTAINER.fullmatch(" ".join(text_of(kind).split())) if kind is not None else None
        names = [text_of(declared_name(one)) for one in declarators(node)] if found is not None else []
        lines += [
            f"The device has no `std::{found[1]} {name}`: do without it, use an array of a constant length that is enough, or the "
            "thread's own part of an output."
            for name in names
            if found is not None and name not in given
        ]
    return lines[:_MOST]
