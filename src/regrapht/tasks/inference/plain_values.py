"""Values for integers that are no sizes and no subscripts: flags, thresholds, marks."""

import ast
import re
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition, SourceUnit
from regrapht.source.syntax import bare, text_of, walk
from regrapht.tasks.inference.accesses.accesses import Reading
from regrapht.tasks.inference.accesses.modes import Mode
from regrapht.tasks.inference.element_types import is_truth
from regrapht.tasks.inference.values.scope import file_constant
from regrapht.tasks.inference.whole_ranges import Care, care_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TESTS = ("if_statement", "conditional_expression", "switch_statement", "while_statement")
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")


def flag_values(name: str, function: FunctionDefinition, unit: SourceUnit) -> tuple[int, ...] | None:
    """The values of a parameter that only decides between branches: 0, 1 and those that it is compared with; None for another.

    A `bool` has no others, whatever it does.
    """
    if any(one.name == name and is_truth(one, unit) for one in function.parameters):
        return 0, 1
    values = {0, 1}
    uses = [node for node in walk(function.body) if node.type == "identifier" and text_of(node) == name]
    for use in uses:
        inside, outer = use, use.parent
        while outer is not None and (outer.type == "condition_clause" or bare(outer) == use):
            inside, outer = outer, outer.parent
        if outer is not None and outer.type == "argument_list":
            handed = _handed(use, outer, unit)
            if handed is None:
                return None
            values |= set(handed)
            continue
        if outer is None or not _is_tested(use):
            return None
        if outer.type == "switch_statement":
            values |= {value for value in (_constant(case, unit) for case in _cases(outer)) if value is not None}
        elif outer.type == "binary_expression" and text_of(outer.children[1]) in ("==", "!="):
            other = outer.children[2] if outer.children[0] == inside else outer.children[0]
            if (value := _constant(other, unit)) is None:
                return None
            values.add(value)
        elif outer.type == "binary_expression" and text_of(outer.children[1]) not in ("&&", "||"):
            return None
    return tuple(sorted(values)) if uses else None


def is_threshold(name: str, function: FunctionDefinition) -> bool:
    """Whether a parameter is compared with other than constants: with what arrays hold, as a rule."""
    for node in walk(function.body):
        if node.type == "binary_expression" and text_of(node.children[1]) in ("<", "<=", ">", ">="):
            sides = [bare(node.children[0]), bare(node.children[2])]
            if any(text_of(side) == name for side in sides) and not any(
                side.type == "number_literal" for side in sides
            ):
                return True
    return False


def marks(array: str, reading: Reading, unit: SourceUnit) -> tuple[int, ...] | None:
    """A few values for integers that are states rather than numbers: compared for equality, with -1, or for their sign where their other
    uses do not take any number. None for others.

    What they are compared with is among them.
    """
    is_state, below_zero, named = False, False, set[int]()
    for access in reading.accesses:
        outer = access.node.parent
        if access.array != array or access.mode is not Mode.READ or outer is None or outer.type != "binary_expression":
            continue
        operator = text_of(outer.children[1])
        is_left = outer.children[0] == access.node
        other = outer.children[2] if is_left else outer.children[0]
        if operator not in _COMPARED:
            continue
        if operator in ("==", "!="):
            is_state = True
            named |= {value for value in (_constant(other, unit),) if value is not None}
        if re.fullmatch(r"-\s*1", text_of(other)):
            is_state = below_zero = True
        elif text_of(other) == "0" and operator in (("<", ">=") if is_left else (">", "<=")):
            below_zero = True
    if not is_state and (not below_zero or care_of(array, reading) is Care.ANYTHING):
        return None
    return tuple(sorted({*range(-1 if below_zero else 0, 4), *named}))


def _is_tested(use: "Node") -> bool:
    inside, outer = use, use.parent
    while outer is not None and outer.type in (
        "parenthesized_expression",
        "cast_expression",
        "condition_clause",
        "binary_expression",
        "unary_expression",
    ):
        inside, outer = outer, outer.parent
    if outer is None or outer.type not in _TESTS:
        return False
    condition = outer.child_by_field_name("condition")
    return condition is not None and condition.start_byte <= inside.start_byte < condition.end_byte


def _handed(use: "Node", listed: "Node", unit: SourceUnit) -> tuple[int, ...] | None:
    """What a helper of the file tests the parameter for that it gets here."""
    call = listed.parent
    called = call.child_by_field_name("function") if call is not None else None
    found = unit.named(text_of(called).rpartition("::")[2]) if called is not None else ()
    given = [child for child in listed.named_children if child.type != "comment"]
    if len(found) != 1 or len(given) != len(found[0].parameters) or use not in given:
        return None
    return flag_values(
        found[0].parameters[given.index(use)].name,
        found[0],
        SourceUnit(functions=(), structs=unit.structs, aliases=unit.aliases, error_line=None),
    )


def _cases(switch: "Node") -> "list[Node]":
    found = [part.child_by_field_name("value") for part in walk(switch) if part.type == "case_statement"]
    return [value for value in found if value is not None]


def _constant(node: "Node", unit: SourceUnit) -> int | None:
    value = node.child_by_field_name("value") if node.type == "cast_expression" else None
    if value is not None:
        return _constant(value, unit)
    text = text_of(node).strip("() ")
    if node.type == "identifier":
        constant = file_constant(text, unit, node)
        text = constant if isinstance(constant, str) else text_of(constant) if constant is not None else ""
    if node.type == "char_literal":
        return ord(ast.literal_eval(text)) if re.fullmatch(r"'(\\.|[^\\])'", text) else None
    number = re.fullmatch(r"(-?\s*(?:0[xX][\da-fA-F]+|[1-9]\d*|0))[uUlL]*", text)
    return int(number[1].replace(" ", ""), 0) if number is not None else None
