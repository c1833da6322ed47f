"""`std::max(x, 0)` with two types, which does not compile: one of the two is written as the other's number."""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_EXTREMES = ("std::max", "std::min")
_SUFFIXES = {
    "u": "unsigned",
    "l": "long",
    "ul": "unsigned long",
    "ll": "long long",
    "ull": "unsigned long long",
    "z": "ptrdiff_t",
}


def with_one_type_in_extremes(program: Program) -> str | None:
    """The text with the type of `std::max` and `std::min` named where one argument is a number and the other is not; None without any.

    The type is the one that both have in common: where they have one type already, nothing changes.
    """
    edits = []
    for called, call, arguments in calls_of(program.root):
        if called in _EXTREMES and len(arguments) == 2 and _is_number(arguments[0]) != _is_number(arguments[1]):
            first, second = map(text_of, arguments)
            number, other = (first, arguments[1]) if _is_number(arguments[0]) else (second, arguments[0])
            if _is_known(program.text, other, _type_of(number)):
                continue
            function = call.child_by_field_name("function")
            if function is not None:
                common = f"std::common_type_t<std::decay_t<decltype({first})>, std::decay_t<decltype({second})>>"
                edits.append(Edit(function.start_byte, function.end_byte, f"{called}<{common}>"))
    return program.edited(edits) if edits else None


def _is_number(node: "Node") -> bool:
    if node.type in ("unary_expression", "parenthesized_expression") and node.named_children:
        return _is_number(node.named_children[-1])
    return node.type == "number_literal"


def _type_of(number: str) -> str:
    low = number.lower().strip("()+- ")
    if "." in low or ("e" in low and not low.startswith("0x")):
        return "float" if low.endswith("f") else "double"
    return _SUFFIXES.get(low.lstrip("0123456789x"), "int")


def _is_known(text: str, argument: "Node", type_name: str) -> bool:
    """Whether every variable of the other argument is declared with the number's own type, as far as the text shows."""
    names = [text_of(node) for node in walk(argument) if node.type == "identifier"]
    numbers = [text_of(node) for node in walk(argument) if node.type == "number_literal"]
    if any(_type_of(number) != type_name for number in numbers):
        return False
    return bool(names) and all(
        re.search(rf"\b{type_name}\s(?:[^;(){{}}=]|=[^;,]*,)*?\b{re.escape(name)}\b", text) for name in names
    )
