"""`const` before a local that the function changes: `const Polygon left = f(); left = cut(left);`."""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.scopes import declaration_of, declared_names
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def without_const_on_what_changes(program: Program) -> str | None:
    """The text without `const` in each declaration of values of which one is assigned to later; None where there is none."""
    edits = set()
    for function in program.unit.functions:
        constants = _constants(function)
        for node in walk(function.body) if constants else ():
            name = _changed(node)
            declaration = declaration_of(name, node, function) if name in constants else None
            if declaration is None or declaration.type != "declaration" or not _holds_values(declaration):
                continue
            for child in declaration.children:
                if child.type == "type_qualifier" and text_of(child) == "const":
                    edits.add(Edit(child.start_byte, child.end_byte, ""))
    return program.edited(edits) if edits else None


def _constants(function: FunctionDefinition) -> set[str]:
    """Names that are declared `const` anywhere in the body: nothing else has to be looked for from where it is used."""
    found: set[str] = set()
    for node in walk(function.body):
        if node.type == "declaration" and any(text_of(one) == "const" for one in node.children):
            found |= declared_names(node)
    return found


def _changed(node: "Node") -> str:
    """The name of the value that an assignment, `++` or `--` changes, or a part of it; empty for all else."""
    field = {"assignment_expression": "left", "update_expression": "argument"}.get(node.type)
    to = node.child_by_field_name(field) if field else None
    while to is not None and to.type in ("field_expression", "subscript_expression"):
        if to.type == "field_expression" and any(text_of(child) == "->" for child in to.children):
            return ""
        to = to.child_by_field_name("argument")
    return text_of(to) if to is not None and to.type == "identifier" else ""


def _holds_values(declaration: "Node") -> bool:
    """Whether none of its names is a pointer or a reference, whose `const` is another's, nor an array of such."""
    held = [
        one.child_by_field_name("declarator") if one.type == "init_declarator" else one
        for one in declaration.children_by_field_name("declarator")
    ]
    return not any(
        part.type in ("pointer_declarator", "reference_declarator")
        for one in held
        if one is not None
        for part in walk(one)
    )
