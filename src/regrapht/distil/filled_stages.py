"""The kernels of a skeleton of several nests, each with the reference's own turn in its hole: a first program as its author would write it.

    sum += image[i];    ->    atomicAdd(&sum, image[i]);

where several threads add to one place, as the comment above such a hole asks for. The judge says whether it is right.
"""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.skeleton import HOLE
from regrapht.propose.form.stage_skeleton import Kernel, kernels_of_stages
from regrapht.records.task import Task
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_BASE = re.compile(r"\w+")


def with_turns_in_the_holes(file: str, task: Task) -> str | None:
    """The skeleton with every hole filled; None where a place that several threads add to is not added to in a plain statement."""
    for kernel in kernels_of_stages(task, HOLE):
        lines = _turn(kernel, task)
        if lines is None:
            return None
        file = file.replace(HOLE, "\n    ".join(lines), 1)
    return None if HOLE in file else file


def _turn(kernel: Kernel, task: Task) -> list[str] | None:
    """What a thread does, with atomics where several add to one place."""
    if not kernel.added_to:
        return list(kernel.turn)
    program = Program("void turn() {\n" + "\n".join(kernel.turn) + "\n}\n", task)
    edits, atomic = [], set[str]()
    for node in walk(program.root):
        name, added = _added(node)
        if name in kernel.added_to:
            place, value = added
            edits.append(Edit(node.start_byte, node.end_byte, f"atomicAdd(&{place}, {value})"))
            atomic.add(name)
    return program.edited(edits).split("\n")[1:-2] if atomic == kernel.added_to else None


def _added(node: "Node") -> tuple[str, tuple[str, str]]:
    """The array or number that an expression adds to; the place in it, and the value."""
    if node.type == "assignment_expression" and text_of(node.child_by_field_name("operator")) == "+=":  # type: ignore[arg-type]
        place, value = node.child_by_field_name("left"), text_of(node.child_by_field_name("right"))  # type: ignore[arg-type]
    elif node.type == "update_expression" and text_of(node.child_by_field_name("operator")) == "++":  # type: ignore[arg-type]
        place, value = node.child_by_field_name("argument"), "1"
    else:
        return "", ("", "")
    found = _BASE.match(text_of(place)) if place is not None else None
    return (found[0], (text_of(place), value)) if found is not None and place is not None else ("", ("", ""))
