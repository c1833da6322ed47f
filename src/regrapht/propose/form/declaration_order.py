"""A kernel or helper below the function that uses it: C++ reads a file from its top."""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of, head_start
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_functions_declared_first(program: Program) -> str | None:
    """The text with a declaration of each such function before the first that uses it; None where all are known in time."""
    functions = [one for one in program.unit.functions if _is_at_file_scope(one)]
    declared = _declared_names(program)
    first = {one.name: one for one in reversed(functions)}
    late: dict[str, FunctionDefinition] = {}
    at: dict[str, int] = {}
    for user in functions:
        used = {name for name, _, _ in calls_of(user.body)} - _own_names(user)
        for name in used & first.keys():
            meant = first[name]
            if meant.node.start_byte > user.node.start_byte and name not in declared and _can_be_declared(meant):
                late[name] = meant
                at.setdefault(name, head_start(user))
    data = program.text.encode("utf-8", "replace")
    edits: list[Edit] = []
    for name, one in sorted(late.items(), key=lambda item: item[1].node.start_byte):
        head = data[head_start(one) : one.body.start_byte].decode("utf-8", "replace").rstrip()
        edits.append(Edit(at[name], at[name], f"{head};\n\n"))
    return program.edited(edits) if edits else None


def _is_at_file_scope(function: FunctionDefinition) -> bool:
    parent = function.node.parent
    while parent is not None and parent.type in ("linkage_specification", "template_declaration", "declaration_list"):
        parent = parent.parent
    return parent is not None and parent.type == "translation_unit"


def _can_be_declared(function: FunctionDefinition) -> bool:
    """Not a template, and without default arguments, which may stand once only."""
    head = bytes(function.node.text or b"")[: function.body.start_byte - function.node.start_byte]
    return not function.is_template and b"=" not in head


def _declared_names(program: Program) -> set[str]:
    """Names of functions that are declared without a body anywhere."""
    return {
        text_of(name) for node in walk(program.root) if node.type == "declaration" for name in _function_names(node)
    }


def _function_names(declaration: "Node") -> list["Node"]:
    found = (one.child_by_field_name("declarator") for one in walk(declaration) if one.type == "function_declarator")
    return [one for one in found if one is not None]


def _own_names(function: FunctionDefinition) -> set[str]:
    """Names that the function gives to its parameters and locals, lambdas among them."""
    found = {one.name for one in function.parameters}
    for node in walk(function.body):
        if node.type == "init_declarator" and (name := node.child_by_field_name("declarator")) is not None:
            found.add(text_of(name).lstrip("*& "))
    return found
