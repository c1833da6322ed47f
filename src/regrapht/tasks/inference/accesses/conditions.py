"""The conditions that hold where a piece of code runs, and the bounds that they put on symbols."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import text_of
from regrapht.tasks.inference.values.bounds import ONE, Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.loops import loop_of
from regrapht.tasks.inference.values.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_EMPTY_CASE = re.compile(r"\w+\s*(<=|<|==)\s*(0|nullptr|NULL)|\w+\s*<\s*1|!\s*\w+")
_LEAVING = ("return_statement", "continue_statement", "break_statement")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A test whose outcome is known where the code runs."""

    test: "Node"
    holds: bool
    place: "Node"
    """The statement or expression that branches."""
    leaves: bool = False
    """Whether the other branch leaves the loop or the function."""


def conditions_around(node: "Node", within: "Node") -> list[Condition]:
    """What must have been tested for `node` to run, up to the node `within`."""
    found: list[Condition] = []
    inside, outer = node, node.parent
    while outer is not None and inside.id != within.id:
        if outer.type in ("if_statement", "conditional_expression") or (
            outer.type == "while_statement" and not _counts(outer)
        ):
            test = outer.child_by_field_name("condition")
            taken, other = outer.child_by_field_name("consequence"), outer.child_by_field_name("alternative")
            taken = taken or outer.child_by_field_name("body")
            if test is not None and taken is not None and _same(taken, inside):
                found.append(Condition(test=_bare(test), holds=True, place=outer))
            elif test is not None and other is not None and _same(other, inside):
                found.append(Condition(test=_bare(test), holds=False, place=outer))
        elif (
            outer.type == "binary_expression"
            and text_of(outer.children[1]) == "&&"
            and _same(outer.children[2], inside)
        ):
            found.append(Condition(test=outer.children[0], holds=True, place=outer))
        elif outer.type == "compound_statement":
            found.extend(_early_exits(outer, inside))
        inside, outer = outer, outer.parent
    return found


def _counts(loop: "Node") -> bool:
    """Whether a `while` is a counting loop, whose range says all that its test does."""
    try:
        loop_of(loop)
    except Unbounded:
        return False
    return True


def tighter_bounds(conditions: list[Condition], values: IndexValues, at: Activation) -> dict[str, Polynomial]:
    """Upper bounds of symbols, by name, under the conditions; only those below the symbol's own range."""
    bounds: dict[str, Polynomial] = {}
    for condition in conditions:
        for left, operator, right in inequalities(condition.test, holds=condition.holds):
            try:
                low, high = values.value(left, at), values.value(right, at)
            except Unbounded:
                continue  # a test of data or floats says nothing about a subscript
            if operator in (">", ">="):
                low, high, operator = high, low, "<" if operator == ">" else "<="
            room = high - low if operator == "<=" else high - low - ONE
            for symbol in values.symbols.of(room):
                _tighten(symbol.name, room, values, bounds)
        for left, right in _unequal(condition.test, holds=condition.holds):
            try:
                difference = values.value(left, at) - values.value(right, at)
            except Unbounded:
                continue
            for symbol in values.symbols.of(difference):
                _without_the_last(symbol.name, difference, values, bounds)
    return bounds


def kept_from_below(conditions: list[Condition], values: IndexValues, at: Activation) -> frozenset[str]:
    """The symbols, by name, that the conditions keep from being negative."""
    found = set()
    for condition in conditions:
        for left, operator, right in inequalities(condition.test, holds=condition.holds):
            try:
                low, high = values.value(left, at), values.value(right, at)
                if operator in (">", ">="):
                    low, high, operator = high, low, "<" if operator == ">" else "<="
                room = high - low if operator == "<=" else high - low - ONE
                for symbol in values.symbols.of(room):
                    factor, rest = room.split(symbol.name)
                    if factor == ONE and values.symbols.lower(-rest).is_never_negative():
                        found.add(symbol.name)
            except Unbounded:
                continue  # a test of data or floats says nothing about a subscript
    return frozenset(found)


def _tighten(name: str, room: Polynomial, values: IndexValues, bounds: dict[str, Polynomial]) -> None:
    """From `room >= 0`: where the symbol stands in it as -1 * symbol, it is at most the rest."""
    factor, rest = room.split(name)
    if factor.as_constant != -1:
        return
    try:
        bound = values.symbols.upper(rest)
    except Unbounded:
        return  # no bound is seen, and the symbol keeps its own
    try:
        own: Polynomial | None = bounds.get(name) or values.symbols.upper(Polynomial.name(name))
    except Unbounded:
        own = None
    if own is None or (own - bound).is_never_negative():
        bounds[name] = bound


def _without_the_last(name: str, difference: Polynomial, values: IndexValues, bounds: dict[str, Polynomial]) -> None:
    """From `difference != 0`: where that leaves out the symbol's highest value, it is at most the one before."""
    factor, rest = difference.split(name)
    if factor.as_constant not in (1, -1):
        return
    left_out = -rest if factor.as_constant == 1 else rest
    try:
        own = bounds.get(name) or values.symbols.upper(Polynomial.name(name))
    except Unbounded:
        return
    if (own - left_out).as_constant == 0:
        bounds[name] = own - ONE


def _early_exits(block: "Node", inside: "Node") -> list[Condition]:
    """Tests before `inside` that leave: `if (i >= n) return;`."""
    found = []
    for sibling in block.named_children:
        if sibling.end_byte > inside.start_byte:
            break
        test, body = sibling.child_by_field_name("condition"), sibling.child_by_field_name("consequence")
        if (
            sibling.type == "if_statement"
            and test is not None
            and body is not None
            and _leaves(body)
            and not _is_empty_case(test)
        ):
            found.append(Condition(test=_bare(test), holds=False, place=sibling, leaves=True))
    return found


def _is_empty_case(test: "Node") -> bool:
    """Whether a test only catches calls without work: `if (n <= 0 || !a) return;`. No declared size is one."""
    return all(_EMPTY_CASE.fullmatch(part.strip()) for part in text_of(_bare(test)).split("||"))


def _leaves(body: "Node") -> bool:
    statements = body.named_children if body.type == "compound_statement" else [body]
    return bool(statements) and statements[-1].type in _LEAVING


def inequalities(test: "Node", *, holds: bool) -> "list[tuple[Node, str, Node]]":
    """The comparisons that are certain: the parts of `a && b` that holds, or of `a || b` that does not."""
    test = _bare(test)
    if test.type != "binary_expression":
        return []
    left, operator, right = test.children[0], text_of(test.children[1]), test.children[2]
    if operator == ("&&" if holds else "||"):
        return [*inequalities(left, holds=holds), *inequalities(right, holds=holds)]
    if operator not in _NEGATED:
        return []
    return [(left, operator if holds else _NEGATED[operator], right)]


def _unequal(test: "Node", *, holds: bool) -> "list[tuple[Node, Node]]":
    """What is certain to differ: both sides of an `a != b` that holds, or of an `a == b` that does not."""
    test = _bare(test)
    if test.type != "binary_expression":
        return []
    left, operator, right = test.children[0], text_of(test.children[1]), test.children[2]
    if operator == ("&&" if holds else "||"):
        return [*_unequal(left, holds=holds), *_unequal(right, holds=holds)]
    return [(left, right)] if operator == ("!=" if holds else "==") else []


def _bare(test: "Node") -> "Node":
    while test.type in ("condition_clause", "parenthesized_expression"):
        test = test.child_by_field_name("value") or test.named_children[0]
    return test


def _same(first: "Node", second: "Node") -> bool:
    return first.start_byte <= second.start_byte and second.end_byte <= first.end_byte
