"""What pointers a function has, and where it hands one to another: what the mends of their types look at."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Program, calls_of
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Pointee:
    """What a pointer points to."""

    type_text: str
    """As written, without `const` and `std::`."""
    is_const: bool


@dataclass(frozen=True, slots=True)
class Handed:
    """A pointer that becomes another one: an argument and its parameter, or a value and the local that it initialises or is assigned to."""

    value: "Node"
    given: Pointee
    wanted: Pointee


def pointers_of(function: FunctionDefinition) -> dict[str, Pointee]:
    """The function's parameters and locals that are pointers or arrays of one dimension; a name with two declarations is left out."""
    found: dict[str, Pointee | None] = {}
    for one in function.parameters:
        if one.pointer_depth == 1 and not one.is_reference:
            found[one.name] = Pointee(bare(one.type_text), one.is_const)
    for node in walk(function.body):
        if node.type != "declaration":
            continue
        pointee = _declared(node)
        for declarator in node.children_by_field_name("declarator"):
            name, depth = _name_and_depth(declarator)
            if name:
                found[name] = pointee if depth == 1 and name not in found else None
    return {name: pointee for name, pointee in found.items() if pointee is not None}


def handed(program: Program) -> Iterator[Handed]:
    """Every place of the text where a pointer of known type becomes one of another known type."""
    by_name: dict[str, list[FunctionDefinition]] = {}
    for function in program.unit.functions:
        by_name.setdefault(function.name, []).append(function)
    for function in program.unit.functions:
        own = pointers_of(function)
        yield from _arguments(function, own, {name: all_[0] for name, all_ in by_name.items() if len(all_) == 1})
        yield from _locals(function, own)


_ONE_TYPE = {
    "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short",
    "int32_t": "int", "uint32_t": "unsigned int", "unsigned": "unsigned int",
}  # fmt: skip
"""Two spellings of one type on every machine with CUDA, declared heads have the second."""


def bare(type_text: str) -> str:
    """The type without `const`, `std::` and `struct`, those of up to 32 bits in one spelling."""
    text = " ".join(type_text.replace("const", "").split()).removeprefix("std::").removeprefix("struct ")
    return _ONE_TYPE.get(text, text)


def _declared(node: "Node") -> Pointee:
    type_node = node.child_by_field_name("type")
    const = any(text_of(child) in ("const", "constexpr") for child in node.children)
    return Pointee(bare(text_of(type_node)) if type_node is not None else "", const)


def _name_and_depth(declarator: "Node | None") -> tuple[str, int]:
    depth = 0
    while declarator is not None and declarator.type != "identifier":
        if declarator.type == "reference_declarator":
            return "", 0
        depth += declarator.type in ("pointer_declarator", "array_declarator")
        declarator = declarator.child_by_field_name("declarator")
    return (text_of(declarator), depth) if declarator is not None else ("", 0)


def _arguments(
    function: FunctionDefinition, own: Mapping[str, Pointee], known: Mapping[str, FunctionDefinition]
) -> Iterator[Handed]:
    for name, _, arguments in calls_of(function.body):
        callee = known.get(name)
        if callee is None or callee.is_template or len(arguments) != len(callee.parameters):
            continue
        for argument, parameter in zip(arguments, callee.parameters, strict=True):
            given = pointee_of(argument, own)
            if given is not None and parameter.pointer_depth == 1 and not parameter.is_reference:
                yield Handed(argument, given, Pointee(bare(parameter.type_text), parameter.is_const))


def _locals(function: FunctionDefinition, own: Mapping[str, Pointee]) -> Iterator[Handed]:
    for node in walk(function.body):
        if node.type == "init_declarator":
            declarator = node.child_by_field_name("declarator")
            name, value = _name_and_depth(declarator)[0], node.child_by_field_name("value")
            if declarator is None or declarator.type != "pointer_declarator":
                continue
        elif node.type == "assignment_expression" and text_of(node.children[1]) == "=":
            left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            name = text_of(left) if left is not None and left.type == "identifier" else ""
        else:
            continue
        given = pointee_of(value, own) if value is not None else None
        if given is not None and name in own and value is not None:
            yield Handed(value, given, own[name])


def pointee_of(node: "Node", own: Mapping[str, Pointee]) -> Pointee | None:
    """What an expression points to: `p`, `p + 3`, `&p[i]`, `c ? p : q`; None where that cannot be told."""
    if node.type == "identifier":
        return own.get(text_of(node))
    if node.type == "parenthesized_expression":
        return pointee_of(node.named_children[0], own) if node.named_children else None
    if node.type == "pointer_expression" and text_of(node.children[0]) == "&":
        element = node.named_children[-1]
        array = element.child_by_field_name("argument") if element.type == "subscript_expression" else None
        return pointee_of(array, own) if array is not None and array.type == "identifier" else None
    if node.type == "binary_expression" and text_of(node.children[1]) in ("+", "-"):
        sides = [pointee_of(side, own) for side in node.named_children]
        return next((side for side in sides if side is not None), None) if sides.count(None) == 1 else None
    if node.type == "conditional_expression":
        sides = [pointee_of(side, own) for side in node.named_children[1:]]
        found = [side for side in sides if side is not None]
        if len(found) != 2 or found[0].type_text != found[1].type_text:
            return None
        return Pointee(found[0].type_text, any(side.is_const for side in found))
    return None
