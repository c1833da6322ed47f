"""What a helper of the file returns: its one expression, or the range of several returns, each under the tests that lead to it."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import bare, line_of, plain_text, text_of
from regrapht.tasks.inference.values.bounds import ONE, ZERO, Unbounded
from regrapht.tasks.inference.values.index_syntax import field_of, shortened
from regrapht.tasks.inference.values.machine_integers import Values
from regrapht.tasks.inference.values.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node

_CHOICE = "conditional_expression"
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
Fact = tuple["Node", str, "Node"]
"""A comparison that holds where a value is returned: the left side, the operator, the right side."""


def returned(
    values: Values,
    call: "Node",
    function: FunctionDefinition,
    given: "list[Node]",
    at: Activation,
    *,
    captured: Mapping[str, Polynomial] | None = None,
    outer: Activation | None = None,
) -> Polynomial:
    """What a call of a helper is in the caller's terms, where that does no more than to declare locals, test and return.

    Args:
        captured: The names that a lambda has besides its parameters.
        outer: Of a lambda, what it stands in.

    Raises:
        Unbounded: It does more, or one of the values has no range.
    """
    if len(given) != len(function.parameters):
        raise Unbounded(f"the result of {shortened(call)!r}", line_of(call))
    known = dict(captured or {})
    for parameter, part in zip(function.parameters, given, strict=True):
        with suppress(Unbounded):  # a float, or an integer that the result may not use
            known[parameter.name] = values.value(part, at)
    prefix = f"{at.prefix}{function.name}{call.start_byte}."
    inside = Activation(function=function, unit=at.unit, arrays={}, values=known, prefix=prefix, outer=outer)
    statements = [child for child in function.body.named_children if child.type != "comment"]
    if len(statements) == 1 and statements[0].type == "return_statement":
        expression = statements[0].named_children[0]
        if bare(expression).type != _CHOICE:
            return values.value(expression, inside)
        with suppress(Unbounded):
            value = values.value(expression, inside)
            if values.symbols.lower(value).is_never_negative():
                return value
    low, high = _range_of_all(values, call, inside)
    return values.range_of(call, at, high=high, low=low)


def _range_of_all(values: Values, call: "Node", inside: Activation) -> tuple[Polynomial | None, Polynomial]:
    """The least and the largest of all that a helper returns; None where it may be negative."""
    ends = [
        _range(values, value, facts, inside) for value, facts in _returns(list(inside.function.body.named_children), ())
    ]
    if not ends:
        raise Unbounded(f"the result of {shortened(call)!r}", line_of(call))
    low, high = ends[0]
    for least, most in ends[1:]:
        high = values.symbols.largest(high, most)
        low = None if low is None or least is None else values.symbols.smallest(low, least)
    return low, high


def _returns(statements: "list[Node]", facts: tuple[Fact, ...]) -> "Iterator[tuple[Node, tuple[Fact, ...]]]":
    """Every value that is returned, with what holds there.

    Raises:
        Unbounded: A statement is none of those that this reads, or the end is reached without a return.
    """
    for statement in statements:
        if statement.type in ("comment", "declaration"):
            continue
        if statement.type == "return_statement" and statement.named_children:
            yield from _chosen(statement.named_children[0], facts)
            return
        if statement.type != "if_statement":
            raise Unbounded(f"{shortened(statement)!r}", line_of(statement))
        test = field_of(statement, "condition")
        yield from _returns(_block(field_of(statement, "consequence")), (*facts, *_holding(test, True)))
        facts = (*facts, *_holding(test, False))
        if (otherwise := statement.child_by_field_name("alternative")) is not None:
            yield from _returns(_block(otherwise.named_children[-1]), facts)
            return
    raise Unbounded("what is returned at the end of a helper", line_of(statements[-1]) if statements else 0)


def _block(statement: "Node") -> "list[Node]":
    return list(statement.named_children) if statement.type == "compound_statement" else [statement]


def _chosen(value: "Node", facts: tuple[Fact, ...]) -> "Iterator[tuple[Node, tuple[Fact, ...]]]":
    """The sides of `test ? a : b`, each with what holds there; another value as it is."""
    inner = _unwrapped(value)
    if inner.type != _CHOICE:
        yield value, facts
        return
    test = field_of(inner, "condition")
    yield from _chosen(field_of(inner, "consequence"), (*facts, *_holding(test, True)))
    yield from _chosen(field_of(inner, "alternative"), (*facts, *_holding(test, False)))


def _holding(test: "Node", outcome: bool) -> tuple[Fact, ...]:
    """The comparisons that hold where a test came out as `outcome`."""
    test = _unwrapped(test)
    if test.type != "binary_expression":
        return ()
    left, operator, right = (field_of(test, name) for name in ("left", "operator", "right"))
    written = text_of(operator)
    if written == ("&&" if outcome else "||"):
        return (*_holding(left, outcome), *_holding(right, outcome))
    if written not in _OPPOSITE:
        return ()
    return ((left, written if outcome else _OPPOSITE[written], right),)


def _range(
    values: Values, value: "Node", facts: tuple[Fact, ...], inside: Activation
) -> tuple[Polynomial | None, Polynomial]:
    """The ends of one value: by the comparisons of it that hold, else its own."""
    low: Polynomial | None = None
    high: Polynomial | None = None
    own: Polynomial | None = None
    with suppress(Unbounded):
        own = values.value(value, inside)
        if not values.symbols.of(own):  # a number or a size: no comparison says more
            facts = ()
    asked = plain_text(bare(value))
    for left, operator, right in facts:
        for one, relation, other in ((left, operator, right), (right, _TURNED[operator], left)):
            if plain_text(bare(one)) != asked:
                continue
            with suppress(Unbounded):
                bound = values.value(other, inside)
                if relation in ("<", "<=", "=="):
                    high = values.symbols.upper(bound) - (ONE if relation == "<" else ZERO)
                if relation in (">", ">=", "=="):
                    low = values.symbols.lower(bound) + (ONE if relation == ">" else ZERO)
    if low is None and own is not None:
        with suppress(Unbounded):
            low = values.symbols.lower(own)
    if high is None:
        high = values.symbols.upper(own if own is not None else values.value(value, inside))
    if (low is None or not low.is_never_negative()) and (own is None or own.as_constant is None):
        raise Unbounded(f"{shortened(value)!r}, which may be negative,", line_of(value))
    return low, high


def _unwrapped(node: "Node") -> "Node":
    while node.type in ("condition_clause", "parenthesized_expression"):
        node = node.named_children[-1]
    return node
