"""A reply of launches alone: each takes the place of the launch of its kernel in the program that was shown."""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.records.task import Task
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_launches_replaced(part: str, parent: str, task: Task) -> str | None:
    """The parent with the part's launches; None where the part holds anything else, or a kernel that is not launched once in each."""
    old, new = Program(parent, task), Program(f"void written() {{\n{part}\n}}\n", task)
    written, shown = _launches(new), _launches(old)
    functions = new.unit.functions
    if len(functions) != 1 or new.root.has_error or not written:
        return None
    statements = [one for one in functions[0].body.named_children if one.type != "comment"]
    if len(statements) != sum(map(len, written.values())) or any(
        one.named_children[0].type != "call_expression" for one in statements
    ):
        return None
    if any(len(written[name]) != 1 or len(shown.get(name, ())) != 1 for name in written):
        return None
    return old.edited(
        Edit(shown[name][0].start_byte, shown[name][0].end_byte, text_of(calls[0])) for name, calls in written.items()
    )


def _launches(program: Program) -> dict[str, list["Node"]]:
    """Kernel -> the calls that launch it."""
    found: dict[str, list[Node]] = {}
    for node in walk(program.root):
        if node.type == "call_expression" and any(one.type == "kernel_call_syntax" for one in node.named_children):
            found.setdefault(text_of(node.named_children[0]), []).append(node)
    return found
