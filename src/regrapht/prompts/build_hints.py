"""What a compiler's error means where small models do not see it: a local of the sequential code, an array without a length."""

import re

from regrapht.records.task import Task
from regrapht.source.functions import read_unit
from regrapht.source.syntax import declarators, declared_name, text_of, walk

_UNDEFINED = re.compile(
    r"identifier \"(\w+)\" is undefined|undeclared identifier '(\w+)'|[^\w\s](\w+)[^\w\s] was not declared in this scope"
)
_NO_LENGTH = re.compile(
    r"expression must have a constant value|variable length array|array bound is not an integer constant"
)
_MOST = 3


def build_hints(task: Task, feedback: str) -> list[str]:
    """Sentences about a compiler's errors, a few at most; none where there is nothing to add to them."""
    names = (next(filter(None, found.groups())) for found in _UNDEFINED.finditer(feedback))
    undefined = [name for name in dict.fromkeys(names) if name in _locals(task)][:_MOST]
    hints = []
    if undefined:
        listed = ", ".join(f"`{name}`" for name in undefined)
        hints.append(
            f"The sequential code declares {listed} in its function, and a kernel does not have that: compute in the thread what it needs "
            "of it, or allocate it in the entry with cudaMalloc, fill it by a kernel that is launched before, and pass it on."
        )
    if _NO_LENGTH.search(feedback):
        hints.append(
            "An array in a kernel, `__shared__` or not, has a constant length. Use the output or memory of cudaMalloc for a length that is "
            "known at run time alone."
        )
    return hints


def _locals(task: Task) -> set[str]:
    """The names that the reference's entry declares."""
    entries = read_unit(task.reference.source.text).named(task.entry)
    nodes = walk(entries[0].body) if len(entries) == 1 else ()
    return {text_of(declared_name(one)) for node in nodes if node.type == "declaration" for one in declarators(node)}
