"""`out[y][x]` on a parameter that is a flat array: the contract says how long its rows are."""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.records.task import ArgKind
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_one_index(program: Program) -> str | None:
    """The text with such an index as one, `out[y * cols + x]`; None without any.

    Only where the function has the array under the task's name, as a plain pointer, with as many indices as the contract has dimensions,
    and all sizes that a row's length is made of.
    """
    shapes = {
        arg.name: [one.c_text for one in arg.shape]
        for arg in program.task.parameters
        if arg.kind is ArgKind.ARRAY and len(arg.shape) > 1
    }
    edits = []
    for function in program.unit.functions if shapes else ():
        flat = {one.name for one in function.parameters if one.pointer_depth == 1 and not one.is_reference}
        sizes = {one.name for one in function.parameters if not one.pointer_depth}
        for node in walk(function.body):
            name, indices = _indices(node)
            shape = shapes.get(name, [])
            needed = set(re.findall(r"[A-Za-z_]\w*", " ".join(shape[1:])))
            if shape and name in flat and len(indices) == len(shape) and needed <= sizes:
                edits.append(Edit(node.start_byte, node.end_byte, f"{name}[{_joined(indices, shape)}]"))
    return program.edited(edits) if edits else None


def _indices(node: "Node") -> tuple[str, list[str]]:
    """The array and its indices, outermost first, of a whole chain of subscripts; no name for anything else."""
    found: list[str] = []
    if node.parent is not None and node.parent.type == "subscript_expression":
        return "", found
    while node.type == "subscript_expression":
        listed = node.child_by_field_name("indices")
        if listed is None or len(listed.named_children) != 1:
            return "", []
        found.insert(0, text_of(listed.named_children[0]))
        node = node.child_by_field_name("argument")  # type: ignore[assignment]
    return (text_of(node), found) if node.type == "identifier" else ("", [])


def _joined(indices: list[str], shape: list[str]) -> str:
    """Row-major: ((i * n1 + j) * n2 + k) of indices i, j, k into shape n0, n1, n2."""
    whole = _operand(indices[0])
    for index, extent in zip(indices[1:], shape[1:], strict=True):
        whole = f"({whole} * {_operand(extent)} + {_operand(index)})"
    return whole[1:-1]


def _operand(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"
