"""What a program of its own ends with and a function of a library must not: lines printed to follow what happens, the device reset.

printf("kernel launched\\n");    std::cout << "done" << std::endl;    cudaDeviceReset();
"""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_HABITS = ("printf", "puts", "putchar", "cudaDeviceReset")
_OF_A_STREAM = ("fprintf", "fputs", "fflush")
_CHANGES = ("assignment_expression", "update_expression")
_STREAM = "cout"


def without_habits_of_whole_programs(program: Program) -> str | None:
    """The text without such statements; None where there is none. A statement that changes something on the way stays."""
    edits = []
    for node in walk(program.root):
        if node.type != "expression_statement" or not node.named_children or not _is_habit(node.named_children[0]):
            continue
        if any(one.type in _CHANGES for one in walk(node)):
            continue
        is_alone = node.parent is not None and node.parent.type == "compound_statement"
        edits.append(Edit(node.start_byte, node.end_byte, "" if is_alone else ";"))
    return program.edited(edits) if edits else None


def _is_habit(node: "Node") -> bool:
    if node.type == "call_expression":
        called, _, arguments = next(calls_of(node), ("", node, ()))
        name = called.removeprefix("std::")
        return name in _HABITS or (name in _OF_A_STREAM and any(text_of(one) == "stdout" for one in arguments))
    while node.type == "binary_expression" and text_of(node.children[1]) == "<<":
        node = node.named_children[0]
    return text_of(node).removeprefix("std::") == _STREAM
