"""A pointer that is kept in a number: `int at = text + i * width;`, of which the program then reads `*at`. No other type builds."""

from typing import TYPE_CHECKING

from regrapht.propose.form.pointers import Pointee, pointee_of, pointers_of
from regrapht.propose.form.program import Edit, Program
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_pointers_kept_as_such(program: Program) -> str | None:
    """The text with `auto` for the type of such locals; None where there is none."""
    edits = []
    for function in program.unit.functions:
        own = pointers_of(function)
        for node in walk(function.body):
            type_node = node.child_by_field_name("type") if node.type == "declaration" else None
            if type_node is not None and _holds_pointers(node, type_node, own):
                edits.append(Edit(type_node.start_byte, type_node.end_byte, "auto"))
    return program.edited(edits) if edits else None


def _holds_pointers(node: "Node", kind: "Node", own: dict[str, Pointee]) -> bool:
    """Whether all that a declaration of numbers declares begins as a pointer. A pointer is a `bool` too."""
    if text_of(kind) in ("bool", "auto") or kind.type not in ("primitive_type", "sized_type_specifier"):
        return False
    found: dict[str, Pointee] = {}
    for one in node.children_by_field_name("declarator"):
        name, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
        if one.type != "init_declarator" or name is None or name.type != "identifier" or value is None:
            return False
        pointee = pointee_of(value, own | found)
        if pointee is None:
            return False
        found[text_of(name)] = pointee
    return bool(found)
