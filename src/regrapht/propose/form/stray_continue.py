"""`continue` where the loop that it was in has become the threads: what ended a turn of it ends the thread."""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.source.syntax import LOOPS, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_returns_for_turns(program: Program) -> str | None:
    """The text with `return` for each `continue` of a kernel that is in no loop; None where there is none."""
    edits = [
        Edit(node.start_byte, node.end_byte, "return;")
        for kernel in program.kernels
        for node in walk(kernel.body)
        if node.type == "continue_statement" and not _is_in_a_loop(node)
    ]
    return program.edited(edits) if edits else None


def _is_in_a_loop(node: "Node") -> bool:
    """Lambdas count as loops do: a `return` there would end the lambda."""
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        if parent.type in (*LOOPS, "lambda_expression"):
            return True
        parent = parent.parent
    return False
