"""Local variables that are set more than once, and those that a halving loop moves, as symbols with a range."""

from contextlib import suppress
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of
from regrapht.tasks.inference.bisection import bisections
from regrapht.tasks.inference.bounds import ONE, ZERO, Symbol, Unbounded
from regrapht.tasks.inference.index_syntax import field_of
from regrapht.tasks.inference.loops import bounds_tested, is_unconditional, loop_of, stores_below
from regrapht.tasks.inference.scope import Activation, Declaration, find_declaration, stores_to
from regrapht.tasks.inference.signs import is_never_negative
from regrapht.tasks.inference.stored_values import reach_of, version_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from regrapht.tasks.inference.index_values import IndexValues


def stored(
    reader: "IndexValues", node: "Node", key: str, held: "tuple[str, Node | None, list[Node], Node]", at: Activation
) -> Polynomial:
    """A variable that is set more than once, or a local array's element: by the range of all that is stored there."""
    name, first, stores, block = held
    key += version_of(node, stores, block)
    if key in reader.symbols.known:
        return Polynomial.name(key)
    if key in reader.settling:
        raise Unbounded(f"{name!r}, which changes its value,", line_of(node))
    reader.settling.add(key)
    try:
        reach = reach_of(
            node,
            name,
            first,
            stores,
            block,
            value=lambda part: reader.value(part, at),
            turns=lambda loop: _turns(reader, loop, at),
            never_negative=lambda part: is_never_negative(part, at),
            symbols=reader.symbols,
        )
    finally:
        reader.settling.discard(key)
    line = line_of(stores[0]) if stores else line_of(node)
    what = f"{name!r}, which changes its value," if stores else f"{name!r}"
    return reader.symbols.add(Symbol(name=key, low=reach.low, high=reach.high, line=line, what=what, is_loose=True))


def halved(reader: "IndexValues", node: "Node", name: str, key: str, at: Activation) -> Polynomial | None:
    """A variable of a loop that halves a range: it stays between the two values that the range starts with."""
    if at.prefix not in reader.bisections:
        reader.bisections[at.prefix] = bisections(at.function.body)
    found = reader.bisections[at.prefix].get(name)
    if found is None:
        return None
    starts = []
    for end in (found.low, found.high):
        declared = find_declaration(found.loop, end, at.function)
        outside = [
            s for s in stores_to(end, at.function) if not found.loop.start_byte <= s.start_byte < found.loop.end_byte
        ]
        if declared is None or declared.value is None or any(is_stored(s, end, declared, at) for s in outside):
            return None
        starts.append(reader.value(declared.value, at))
    low, high = reader.symbols.lower(starts[0]), reader.symbols.upper(starts[1])
    if name == found.middle and found.is_open:
        high = high - ONE
    elif name == found.low and not found.is_open:
        high = high + ONE
    elif name == found.high and found.leaps:
        low = low - ONE
    key += version_of(node, stores_to(name, at.function), at.function.body)
    return reader.symbols.add(
        Symbol(
            name=key,
            low=low,
            high=high,
            line=line_of(node),
            what=f"{name!r}",
            is_loose=True,
            is_middle=name == found.middle,
        )
    )


def _turns(reader: "IndexValues", node: "Node", at: Activation) -> Polynomial:
    """The most turns of a loop statement.

    Raises:
        Unbounded: They are not known.
    """
    with suppress(Unbounded):
        low, high, _ = reader.loop_range(loop_of(node), at)
        return reader.symbols.upper(high - low) + ONE
    body = node.child_by_field_name("body")
    for name, bound, reaches in bounds_tested(node):
        for store in stores_below(body, name) if body is not None else []:
            amount = store.child_by_field_name("right")
            operator = store.child_by_field_name("operator")
            if amount is None or operator is None or text_of(operator) != "+=" or body is None:
                continue
            grows = (reader.symbols.lower(reader.value(amount, at)) - ONE).is_never_negative()
            start = reader.symbols.lower(reader.value(field_of(store, "left"), at))
            if grows and start.is_never_negative() and is_unconditional(store, body):
                return reader.symbols.upper(reader.value(bound, at)) + (ONE if reaches else ZERO)
    raise Unbounded("a loop whose turns are not counted", line_of(node))


def is_stored(store: "Node", name: str, declared: Declaration, at: Activation) -> bool:
    """Whether a store to `name` is one to this declaration of it."""
    found = find_declaration(store, name, at.function)
    return found is not None and found.node.id == declared.node.id
