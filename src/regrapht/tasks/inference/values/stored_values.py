"""Local variables and array elements that are set more than once, and those that a halving loop moves, as symbols with a range."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.values.bounds import ONE, ZERO, Symbol, Symbols, Unbounded
from regrapht.tasks.inference.values.index_syntax import field_of, is_never_negative
from regrapht.tasks.inference.values.loops import (
    LOOPS,
    Loop,
    bounds_tested,
    is_unconditional,
    loop_nodes_around,
    loop_of,
    step_of,
    stores_below,
)
from regrapht.tasks.inference.values.moving import Bisection, bisections
from regrapht.tasks.inference.values.scope import Activation, Declaration, find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node

_Range = tuple[Polynomial | None, Polynomial | None]
_LARGER, _SMALLER = ("max", "fmax"), ("min", "fmin")


class ValueReader(Protocol):
    """What reads the values that are stored, as `IndexValues` does."""

    symbols: Symbols
    bisections: dict[str, Mapping[str, Bisection]]
    settling: set[str]

    def value(self, node: "Node", at: Activation) -> Polynomial: ...

    def loop_range(self, loop: Loop, at: Activation) -> tuple[Polynomial, Polynomial, bool]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a variable lies between; None: that side is not known."""

    low: Polynomial | None
    high: Polynomial | None


@dataclass(frozen=True, slots=True)
class _Clamp:
    """A store that only keeps a variable on one side of a value: `if (v > n) v = n;`, `v = max(v, 0);`."""

    store: "Node"
    bound: "Node"
    is_high: bool
    place: "Node"
    """The statement that makes sure of it."""


def reach_of(
    use: "Node",
    name: str,
    first: "Node | None",
    stores: "Sequence[Node]",
    within: "Node",
    *,
    value: "Callable[[Node], Polynomial]",
    turns: "Callable[[Node], Polynomial]",
    never_negative: "Callable[[Node], bool]",
    symbols: Symbols,
) -> Reach:
    """The range of the variable (or element) spelled `name` where `use` stands, whichever of its stores came last.

    All stores together bound it, wherever they stand; what clamps it between them and the use narrows that.

    Args:
        use: Where it is read.
        name: Its text: `lo`, or `lo[c]` for the elements of an array.
        first: The value that it is declared with.
        stores: All that changes it.
        within: The block in which it lives.
        value: The value of an expression.
        turns: The most turns that a loop statement makes.
        never_negative: Whether an expression that has no value, such as a float's, is at least not negative.
        symbols: What the values are made of.
    """
    clamps = [clamp for store in stores if (clamp := _clamp(store)) is not None]
    clamping = {clamp.store.id for clamp in clamps}
    plain = [store for store in stores if store.id not in clamping]
    ranges: list[_Range] = [_range_of(first, value, symbols, never_negative)] if first is not None else []
    steps = []
    for store in plain:
        right = _plain_value(store)
        if right is None:
            steps.append(store)
            continue
        low, high = _range_of(right, value, symbols, never_negative)
        for clamp in clamps if "[" in name else ():
            if _follows(clamp, store, use):
                low, high = _clamped(low, high, clamp, value, symbols)
        ranges.append((low, high))
    low, high = _hull(ranges, symbols)
    up, down = _moved(use, steps, within, value=value, turns=turns, symbols=symbols)
    low = low - down if low is not None and down is not None else None
    high = high + up if high is not None and up is not None else None
    for clamp in clamps:
        if _target(clamp.store) != name or not _holds_at(clamp, use, plain):
            continue
        low, high = _clamped(low, high, clamp, value, symbols)
    return Reach(low=low, high=high)


def _range_of(
    node: "Node",
    value: "Callable[[Node], Polynomial]",
    symbols: Symbols,
    never_negative: "Callable[[Node], bool]",
) -> "_Range":
    found = _quiet(value, node)
    low = _quietly(symbols.lower, found) if found is not None else None
    high = _quietly(symbols.upper, found) if found is not None else None
    return (Polynomial.constant(0) if low is None and never_negative(node) else low), high


def _clamped(
    low: Polynomial | None,
    high: Polynomial | None,
    clamp: _Clamp,
    value: "Callable[[Node], Polynomial]",
    symbols: Symbols,
) -> "_Range":
    bound = _quiet(value, clamp.bound)
    if bound is None:
        return low, high
    if clamp.is_high:
        return low, _quietly(symbols.upper, bound) or high
    return _quietly(symbols.lower, bound) or low, high


def _follows(clamp: _Clamp, store: "Node", use: "Node") -> bool:
    """Whether a clamp of the same element stands behind a store, in its block, and nothing reads the element in between."""
    block = store.parent.parent if store.parent is not None else None
    same = block is not None and clamp.place.parent == block and _target(clamp.store) == _target(store)
    return (
        same
        and store.end_byte <= clamp.place.start_byte
        and not store.end_byte <= use.start_byte < clamp.place.end_byte
    )


def _target(store: "Node") -> str:
    target = store.child_by_field_name("left") or store.child_by_field_name("argument")
    return text_of(target) if target is not None else ""


def version_of(use: "Node", stores: "Sequence[Node]", within: "Node") -> str:
    """Tells apart the values that a variable has at different places: where it is equal, no store lies between them.

    A loop's own test counts as a part of each turn, so that what it says still holds at the start of the body.
    """
    before = sum(1 for store in stores if store.end_byte <= use.start_byte)
    loops: list[str] = []
    outer = use.parent
    while outer is not None and outer.id != within.id:
        if outer.type in LOOPS and any(outer.start_byte <= store.start_byte < outer.end_byte for store in stores):
            loops.append(f"L{outer.start_byte}")
        outer = outer.parent
    return f"#{before}" + "".join(loops)


def _plain_value(store: "Node") -> "Node | None":
    operator = store.child_by_field_name("operator")
    if store.type != "assignment_expression" or operator is None or text_of(operator) != "=":
        return None
    right, left = store.child_by_field_name("right"), store.child_by_field_name("left")
    moves = step_of(store) is not None and left is not None and right is not None and right.type == "binary_expression"
    while right is not None and right.type == "assignment_expression":  # `a = b = 0`
        right = right.child_by_field_name("right")
    return None if moves else right


def _clamp(store: "Node") -> _Clamp | None:
    right, name = _plain_value(store), _target(store)
    if right is None or store.parent is None:
        return None
    if right.type == "call_expression":
        called, given = right.child_by_field_name("function"), right.child_by_field_name("arguments")
        kept = re.sub(r"<.*", "", text_of(called)).rpartition("::")[2] if called is not None else ""
        parts = [part for part in given.named_children if part.type != "comment"] if given is not None else []
        others = [part for part in parts if text_of(part) != name]
        if kept in (*_LARGER, *_SMALLER) and len(parts) == 2 and len(others) == 1:
            return _Clamp(store, others[0], kept in _SMALLER, store)
        return None
    outer: Node | None = store.parent
    while outer is not None and outer.type in ("expression_statement", "compound_statement"):
        outer = outer.parent
    condition = outer.child_by_field_name("condition") if outer is not None and outer.type == "if_statement" else None
    if outer is None or condition is None or outer.child_by_field_name("alternative") is not None:
        return None
    test = condition.child_by_field_name("value") or condition.named_children[0]
    if test.type != "binary_expression" or text_of(test.children[0]) != name:
        return None
    operator = text_of(test.children[1])
    return _Clamp(store, right, operator in (">", ">="), outer) if operator in ("<", "<=", ">", ">=") else None


def _holds_at(clamp: _Clamp, use: "Node", plain: "Sequence[Node]") -> bool:
    """Whether every way to `use` passes the clamp, and nothing sets the variable in between."""
    block: Node | None = clamp.place.parent
    while block is not None and block.type == "expression_statement":
        block = block.parent
    if block is None or not (block.start_byte <= use.start_byte < block.end_byte):
        return False
    if clamp.place.end_byte > use.start_byte:
        return False
    inner = [loop for loop in loop_nodes_around(use, block) if loop.start_byte >= clamp.place.end_byte]
    return not any(
        clamp.place.end_byte <= store.start_byte < use.start_byte
        or any(loop.start_byte <= store.start_byte < loop.end_byte for loop in inner)
        for store in plain
    )


def _hull(ranges: "Sequence[_Range]", symbols: Symbols) -> "_Range":
    if not ranges:
        return None, None
    low, high = ranges[0]
    for least, most in ranges[1:]:
        high = symbols.largest(high, most) if high is not None and most is not None else None
        if low is not None and least is not None:
            below = (least - low).is_never_negative()
            low = low if below else least if (low - least).is_never_negative() else None
        else:
            low = None
    return low, high


def _moved(
    use: "Node",
    steps: "Sequence[Node]",
    within: "Node",
    *,
    value: "Callable[[Node], Polynomial]",
    turns: "Callable[[Node], Polynomial]",
    symbols: Symbols,
) -> tuple[Polynomial | None, Polynomial | None]:
    """How far up and down the steps have moved the variable at `use`, at most: each as often as the loops around it turn.

    A step behind the use, in the loops that the use is in, has been made once less by then.
    """
    around = [loop.id for loop in loop_nodes_around(use, within)]
    ways: list[Polynomial | None] = [Polynomial.constant(0), Polynomial.constant(0)]
    for store in steps:
        for way, most in enumerate(_step(store, value, symbols)):
            if most is None or most.terms:
                loops = loop_nodes_around(store, within)
                behind = store.end_byte > use.start_byte and [loop.id for loop in loops] == around[: len(loops)]
                counts = [_quiet(turns, loop) for loop in loops]
                ways[way] = _sum_of_turns(ways[way], most, counts, once_less=behind)
    return ways[0], ways[1]


def _step(
    store: "Node", value: "Callable[[Node], Polynomial]", symbols: Symbols
) -> tuple[Polynomial | None, Polynomial | None]:
    """How far one step moves up and down at most; None where that is not known."""
    none = Polynomial.constant(0)
    step = step_of(store)
    if step is not None:
        return (Polynomial.constant(step), none) if step > 0 else (none, Polynomial.constant(-step))
    operator, right = store.child_by_field_name("operator"), store.child_by_field_name("right")
    if right is None or operator is None or text_of(operator) not in ("+=", "-="):
        return None, None
    amount = _quiet(value, right)
    most = _quietly(symbols.upper, amount) if amount is not None else None
    least = _quietly(symbols.lower, amount) if amount is not None else None
    if least is None or not least.is_never_negative():
        return None, None
    return (most, none) if text_of(operator) == "+=" else (none, most)


def _sum_of_turns(
    so_far: Polynomial | None, step: Polynomial | None, counts: "Sequence[Polynomial | None]", *, once_less: bool
) -> Polynomial | None:
    most = step
    for count in counts:
        most = most * count if most is not None and count is not None else None
    if once_less and most is not None and step is not None:
        most = most - step
    return so_far + most if so_far is not None and most is not None else None


def _quiet(value: "Callable[[Node], Polynomial]", node: "Node") -> Polynomial | None:
    try:
        return value(node)
    except Unbounded:
        return None


def _quietly(bound: Callable[[Polynomial], Polynomial], value: Polynomial) -> Polynomial | None:
    try:
        return bound(value)
    except Unbounded:
        return None


def stores_to_elements(name: str, body: "Node") -> "list[Node]":
    """Every assignment and step of an element of the array `name`, however it is subscripted."""
    found = []
    for part in walk(body):
        if part.type not in ("assignment_expression", "update_expression"):
            continue
        target = part.child_by_field_name("left") or part.child_by_field_name("argument")
        while target is not None and target.type == "subscript_expression":
            target = target.child_by_field_name("argument")
            if target is not None and target.type == "identifier" and text_of(target) == name:
                found.append(part)
    return found


def stored(
    reader: "ValueReader", node: "Node", key: str, held: "tuple[str, Node | None, list[Node], Node]", at: Activation
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


def halved(reader: "ValueReader", node: "Node", name: str, key: str, at: Activation) -> Polynomial | None:
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


def _turns(reader: "ValueReader", node: "Node", at: Activation) -> Polynomial:
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
