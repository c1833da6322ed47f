"""One function or type defined twice, as where each block of a reply repeats what came before: the last function, the first type count."""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, head_start
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of

if TYPE_CHECKING:
    from tree_sitter import Node


def without_repeated_definitions(program: Program) -> str | None:
    """The text with each function of the same parameters, and each type, once; None where none is there twice."""
    edits: list[Edit] = []
    last: dict[tuple[object, ...], FunctionDefinition] = {}
    for function in program.unit.functions:
        if function.node.parent is None or not _is_unconditional(function.node):
            continue
        parameters = (
            [one.pointer_depth for one in function.parameters]
            if function.name == program.task.entry  # its types are spelled anew in any case
            else [(one.type_text, one.pointer_depth, one.is_const) for one in function.parameters]
        )
        key = (function.name, "__global__" in function.qualifiers, *parameters)
        if not function.is_template and (before := last.get(key)) is not None:
            edits.append(Edit(head_start(before), before.node.end_byte, ""))
        if not function.is_template:
            last[key] = function
    seen: set[str] = set()
    for node in program.root.children:
        name = _type_name(node)
        if name and name in seen:
            edits.append(Edit(node.start_byte, node.end_byte, ""))
        seen.add(name)
    return program.edited(edits) if edits else None


def _is_unconditional(node: "Node") -> bool:
    """Whether it stands at file scope: in no branch of `#if`, no namespace, no other function."""
    parent = node.parent
    while parent is not None and parent.type == "linkage_specification":
        parent = parent.parent
    return parent is not None and parent.type == "translation_unit"


def _type_name(node: "Node") -> str:
    """The name of a type that is defined at file scope; empty for all else."""
    if node.type == "declaration":
        node = node.child_by_field_name("type") or node
    if node.type not in ("struct_specifier", "enum_specifier", "class_specifier"):
        return ""
    name = node.child_by_field_name("name")
    return text_of(name) if name is not None and node.child_by_field_name("body") is not None else ""
