"""`std::max(x, 0)` with two types, which does not compile: one of the two is written as the other's number.

`std::max(0, threadIdx.x - 1)` is of an `int` and what CUDA counts threads with, which is `unsigned` and would never be below zero.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_EXTREMES = ("std::max", "std::min")
_COUNTED = ("threadIdx", "blockIdx", "blockDim", "gridDim")
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
        function = call.child_by_field_name("function")
        if called not in _EXTREMES or len(arguments) != 2 or function is None:
            continue
        first, second = map(text_of, arguments)
        counted = [list(_counted(one)) for one in arguments]
        if bool(counted[0]) != bool(counted[1]):
            if _is_int(program.text, arguments[0] if counted[1] else arguments[1]):
                edits += [Edit(node.start_byte, node.start_byte, "(int)") for node in (*counted[0], *counted[1])]
                first, second = (re.sub(rf"\b({'|'.join(_COUNTED)})\b", r"(int)\1", one) for one in (first, second))
                edits.append(Edit(function.start_byte, function.end_byte, _in_common(called, first, second)))
        elif _is_number(arguments[0]) != _is_number(arguments[1]):
            number, other = (first, arguments[1]) if _is_number(arguments[0]) else (second, arguments[0])
            if not _is_known(program.text, other, _type_of(number)):
                edits.append(Edit(function.start_byte, function.end_byte, _in_common(called, first, second)))
    return program.edited(edits) if edits else None


def _in_common(called: str, first: str, second: str) -> str:
    return f"{called}<std::common_type_t<std::decay_t<decltype({first})>, std::decay_t<decltype({second})>>>"


def _counted(node: "Node") -> Iterator["Node"]:
    """Threads' numbers and counts in an expression, but for those that only say where something is, or that have another type there."""
    if node.type == "field_expression" and text_of(node).startswith(_COUNTED):
        yield node
    elif node.type not in ("subscript_expression", "call_expression", "cast_expression"):
        for child in node.named_children:
            yield from _counted(child)


def _is_int(text: str, argument: "Node") -> bool:
    """Whether an argument is an `int`, as far as the text shows it."""
    if _is_number(argument):
        return _type_of(text_of(argument)) == "int"
    names = [text_of(node) for node in walk(argument) if node.type == "identifier"]
    unsigned = any(
        re.search(rf"\b(?:unsigned|size_t|long|auto)\b[^;(){{}}=,]*\b{re.escape(name)}\b", text) for name in names
    )
    return not unsigned and _is_known(text, argument, "int")


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
