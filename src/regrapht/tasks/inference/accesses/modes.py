"""Whether an access reads or changes its element, as the text around it says."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.values.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node


class Mode(StrEnum):
    READ = "read"
    WRITE = "write"
    UPDATE = "update"
    """Read and written in one: `+=`, `++`, an atomic."""


def mode_of(place: "Node", at: Activation) -> Mode:
    parent, inside = place.parent, place
    if place.type == "field_expression":  # `p->x`, of which the element is the pointer's
        parent, inside = place, place
    if parent is not None and parent.type == "init_declarator" and parent.parent is not None:
        return (
            Mode.UPDATE
            if reference_to(parent) is not None and "const" not in text_of(parent.parent).split("=")[0]
            else Mode.READ
        )
    while parent is not None and (
        parent.type in ("field_expression", "parenthesized_expression")
        or _is_element_of_member(parent, inside)
        or _is_of_an_operator(parent, inside, place)
    ):
        inside, parent = parent, parent.parent
    if parent is None:
        return Mode.READ
    if inside.type == "field_expression" and _is_array_member(inside, at) and _hands_pointer(parent):
        return Mode.UPDATE
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == inside:
        operator = parent.child_by_field_name("operator")
        return Mode.WRITE if operator is not None and text_of(operator) == "=" and inside == place else Mode.UPDATE
    if parent.type == "call_expression" and _changes_its_object(inside):
        return Mode.UPDATE
    if _is_changed_by_call(parent) or _is_set_by_call(parent, inside, at):
        return Mode.UPDATE
    if parent.type == "update_expression" or (
        parent.type == "pointer_expression" and text_of(parent.children[0]) == "&"
    ):
        return Mode.UPDATE
    return Mode.READ


def _is_element_of_member(node: "Node", inside: "Node") -> bool:
    """Whether `inside`, an array that is a member or an element of one, is subscripted: `cells[i].f[k]`, `.m[j][k]`."""
    subscripted = node.type == "subscript_expression" and node.child_by_field_name("argument") == inside
    while inside.type == "subscript_expression" and (argument := inside.child_by_field_name("argument")) is not None:
        inside = argument
    return subscripted and inside.type == "field_expression"


def _is_of_an_operator(node: "Node", inside: "Node", place: "Node") -> bool:
    """Whether an element's own `operator[]` or `operator()` gives what is read or changed: `v[i][k]`, `m[i](r, c)`."""
    by = {"subscript_expression": ("argument", "operator[]"), "call_expression": ("function", "operator()")}.get(
        node.type
    )
    return (
        by is not None and inside == place and node.child_by_field_name(by[0]) == inside and bool(_methods(by[1], node))
    )


def _changes_its_object(called: "Node") -> bool:
    """Whether a function that is called for an element may change it: one of that name in the file is not const."""
    name = called.child_by_field_name("field") if called.type == "field_expression" else None
    return name is not None and any(
        not any(child.type == "type_qualifier" for child in one.children) for one in _methods(text_of(name), called)
    )


def _methods(name: str, within: "Node") -> list["Node"]:
    """What declares functions of that name in classes of the file, static ones left out."""
    while within.parent is not None:
        within = within.parent
    found = []
    for one in walk(within):
        declared = one.child_by_field_name("declarator") if one.type == "function_declarator" else None
        if declared is not None and text_of(declared).rpartition("::")[2].replace(" ", "") == name:
            around = one.parent
            while around is not None and around.type.endswith("_declarator"):
                around = around.parent
            if around is None or "static" not in map(text_of, around.children):
                found.append(one)
    return found


def _is_array_member(member: "Node", at: Activation) -> bool:
    """Whether a member is an array, as any struct of the file has it."""
    name = member.child_by_field_name("field")
    kinds = [kind for fields in at.unit.structs.values() for field, kind in fields if name and field == text_of(name)]
    return any("[" in kind or "array<" in kind.replace(" ", "") for kind in kinds)


def _hands_pointer(parent: "Node") -> bool:
    """Whether an array in an element is handed on by its name, so that what follows may change it."""
    if parent.type == "init_declarator" and parent.parent is not None:
        return "const" not in text_of(parent.parent).split("=")[0]
    return parent.type in ("argument_list", "binary_expression")


def _is_changed_by_call(listed: "Node") -> bool:
    """Whether an element is exchanged with another one: `std::swap(a[i], a[j])`."""
    call = listed.parent if listed.type == "argument_list" else None
    called = call.child_by_field_name("function") if call is not None else None
    return called is not None and text_of(called).rpartition("::")[2] in ("swap", "iter_swap")


def _is_set_by_call(listed: "Node", argument: "Node", at: Activation) -> bool:
    """Whether an element is handed to a function or a named lambda of the file that takes it by a reference that is not const."""
    call = listed.parent if listed.type == "argument_list" else None
    called = call.child_by_field_name("function") if call is not None else None
    if called is None or argument not in listed.named_children:
        return False
    place, name = listed.named_children.index(argument), text_of(called)
    heads = [node.child_by_field_name("parameters") for node in _declarators_of(name, at)]
    taken = [head.named_children[place] for head in heads if head is not None and len(head.named_children) > place]
    return any(re.search(r"&(?!&)", text_of(one)) and "const" not in text_of(one).split() for one in taken)


def _declarators_of(name: str, at: Activation) -> "Iterator[Node]":
    """What declares the parameters of the functions and named lambdas of a name."""
    for function in at.unit.named(name):
        yield from (one for one in walk(function.node) if one.type == "function_declarator")
    for node in walk(at.function.body):
        declarator, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        is_lambda = value is not None and value.type == "lambda_expression"
        if value is not None and is_lambda and declarator is not None and text_of(declarator) == name:
            head = value.child_by_field_name("declarator")
            yield from [head] if head is not None else []


def reference_to(declarator: "Node") -> str | None:
    """The name that `float& x = a[i]` gives to an element."""
    made = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else None
    return text_of(made.named_children[-1]) if made is not None and made.type == "reference_declarator" else None
