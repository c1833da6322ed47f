"""Methods of a struct that device code calls and that are written as for the host."""

from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, is_host
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_methods_for_the_device(program: Program) -> str | None:
    """The text whose methods that device code may call are `__host__ __device__`; None where all are marked, or none is called."""
    device = [function.node for function in program.unit.functions if not is_host(function)]
    methods = [node for node in walk(program.root) if node.type == "function_definition" and _is_method(node)]
    called = {name for node in device for name in (*_method_calls(node), *_types(node))}
    marked: set[int] = set()
    grown = True
    while grown:
        new = [
            one for one in methods if one.start_byte not in marked and _is_called(one, called) and _is_for_the_host(one)
        ]
        grown = bool(new)
        for one in new:
            marked.add(one.start_byte)
            called |= _method_calls(one) | _types(one)
    return program.edited(Edit(start, start, "__host__ __device__ ") for start in marked) if marked else None


def _is_method(node: "Node") -> bool:
    parent = node.parent
    return parent is not None and parent.type == "field_declaration_list"


def _is_called(method: "Node", called: set[str]) -> bool:
    """Whether device code may call a method: by its name, or as an operator of a type that it has."""
    if (name := _name(method)) in called:
        return True
    holder = method.parent.parent if method.parent is not None else None
    of = holder.child_by_field_name("name") if holder is not None else None
    return name.startswith("operator") and of is not None and text_of(of) in called


def _is_for_the_host(method: "Node") -> bool:
    body = method.child_by_field_name("body")
    head = text_of(method)[: body.start_byte - method.start_byte] if body is not None else ""
    return not any(word in head for word in ("__device__", "constexpr", "= default", "= delete"))


def _name(method: "Node") -> str:
    declarator = method.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or declarator.named_children[-1]
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    return text_of(name) if name is not None else ""


def _types(node: "Node") -> set[str]:
    """Names of types, whose constructors have them too."""
    return {text_of(one) for one in walk(node) if one.type == "type_identifier"}


def _method_calls(node: "Node") -> set[str]:
    """Names after `.` and `->` that are called, and, inside of a struct, plain ones."""
    found = set()
    for call in walk(node):
        if call.type == "call_expression" and (function := call.child_by_field_name("function")) is not None:
            field = function.child_by_field_name("field")
            found.add(text_of(field if field is not None else function))
    return found
