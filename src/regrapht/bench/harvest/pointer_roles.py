"""Which arrays a function writes and which it only reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition, SourceUnit
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Use:
    """What is done to one array."""

    read: bool
    written: bool

    def __or__(self, other: "Use") -> "Use":
        return Use(self.read or other.read, self.written or other.written)


_NONE, _READ, _WRITTEN, _BOTH = Use(False, False), Use(True, False), Use(False, True), Use(True, True)


def array_uses(function: FunctionDefinition, unit: SourceUnit, *, depth: int = 0) -> Mapping[str, Use]:
    """Pointer parameter -> what becomes of its elements, through pointers set to it and helpers of the file that it is handed to.

    What cannot be followed counts as read and written.
    """
    return {
        parameter.name: _use_of({parameter.name}, function, unit, depth)
        for parameter in function.parameters
        if parameter.pointer_depth
    }


def _use_of(names: set[str], function: FunctionDefinition, unit: SourceUnit, depth: int) -> Use:
    names = _with_aliases(names, function.body)
    found = _NONE
    for node in walk(function.body):
        if node.type == "identifier" and text_of(node) in names:
            found |= _one_use(node, function, unit, depth)
    return found


def _with_aliases(names: set[str], body: "Node") -> set[str]:
    """The names, and those of pointers that are set to one of them."""
    while True:
        more = set()
        for node in walk(body):
            named = value = None
            if node.type == "init_declarator":
                named, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
                named = named if named is not None and "pointer" in named.type else None
                while named is not None and named.type != "identifier":
                    named = named.child_by_field_name("declarator") or named.named_children[-1]
            elif node.type == "assignment_expression":
                named, value = node.child_by_field_name("left"), node.child_by_field_name("right")
                named = named if named is not None and named.type == "identifier" else None
            if named is not None and value is not None and _reaches(value, names):
                more.add(text_of(named))
        if more <= names:
            return names
        names = names | more


def _reaches(value: "Node", names: set[str]) -> bool:
    """Whether a pointer's value is made of one of the names: `p`, `p + i`, `&p[i]`."""
    match value.type:
        case "identifier":
            return text_of(value) in names
        case "parenthesized_expression" | "cast_expression":
            return _reaches(value.child_by_field_name("value") or value.named_children[0], names)
        case "binary_expression":
            return _reaches(value.children[0], names) or _reaches(value.children[2], names)
        case "conditional_expression":
            return any(_reaches(part, names) for part in value.named_children[1:])
        case "pointer_expression" if value.children[0].type == "&":
            inner = value.named_children[0]
            return inner.type == "subscript_expression" and _reaches(inner.named_children[0], names)
    return False


def _one_use(node: "Node", function: FunctionDefinition, unit: SourceUnit, depth: int) -> Use:
    """What one mention of a pointer does."""
    inside, outer = node, node.parent
    while outer is not None and outer.type in ("parenthesized_expression", "cast_expression", "binary_expression"):
        if outer.type == "binary_expression" and text_of(outer.children[1]) not in "+-":
            return _NONE  # a comparison of pointers
        inside, outer = outer, outer.parent
    if outer is None:
        return _BOTH
    if outer.type == "argument_list":
        return _handed(inside, outer, unit, depth)
    if outer.type == "subscript_expression" and outer.named_children[0].id == inside.id:
        return _element(outer, function, unit, depth)
    if outer.type == "pointer_expression" and outer.children[0].type == "*":
        return _element(outer, function, unit, depth)
    moves = (
        "init_declarator",
        "assignment_expression",
        "update_expression",
        "conditional_expression",
        "pointer_declarator",
    )
    return (
        _NONE
        if outer.type in (*moves, "declaration", "unary_expression", "subscript_argument_list", "condition_clause")
        else _BOTH
    )


def _element(place: "Node", function: FunctionDefinition, unit: SourceUnit, depth: int) -> Use:
    """What is done to one element."""
    inside, outer = place, place.parent
    while outer is not None and outer.type in ("field_expression", "parenthesized_expression"):
        inside, outer = outer, outer.parent
    if outer is None:
        return _BOTH
    if outer.type == "assignment_expression" and outer.child_by_field_name("left") == inside:
        return _WRITTEN if text_of(outer.children[1]) == "=" else _BOTH
    if outer.type == "update_expression":
        return _BOTH
    if outer.type == "pointer_expression" and outer.children[0].type == "&":
        holder = outer.parent
        if holder is not None and holder.type in ("init_declarator", "assignment_expression"):
            return _NONE  # another pointer into the array: its uses are followed
        return _handed(outer, holder, unit, depth) if holder is not None and holder.type == "argument_list" else _BOTH
    return _READ


def _handed(argument: "Node", listed: "Node", unit: SourceUnit, depth: int) -> Use:
    """What the function of the file does to what it is handed."""
    call = listed.parent
    called = call.child_by_field_name("function") if call is not None else None
    name = text_of(called).split("<")[0] if called is not None else ""
    if name == "__ldg":
        return _READ
    given = [part for part in listed.named_children if part.type != "comment"]
    found = [one for one in unit.named(name) if len(one.parameters) == len(given)]
    if len(found) != 1 or depth >= _DEPTH:
        return _BOTH
    place = next((i for i, part in enumerate(given) if part.id == argument.id), None)
    if place is None:
        return _BOTH
    parameter = found[0].parameters[place]
    if not parameter.pointer_depth:
        return _BOTH if parameter.is_reference else _READ
    if parameter.is_const:
        return _READ
    return _use_of({parameter.name}, found[0], unit, depth + 1)
