"""Variables and pointers that loops move: by constants, as a polynomial over the loops' variables, or by halving a range."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.values.bounds import ZERO, Unbounded
from regrapht.tasks.inference.values.loops import (
    LOOPS,
    Loop,
    has_break,
    is_unconditional,
    loop_nodes_around,
    loop_of,
    step_of,
    stores_below,
)

if TYPE_CHECKING:
    from tree_sitter import Node

Turn = Callable[[Loop], tuple[Polynomial, Polynomial, str]]
"""A loop -> turns before the present one, turns in all, the symbol of its variable."""
Value = Callable[["Node"], Polynomial]


def moved_by(use: "Node", stores: Sequence["Node"], within: "Node", *, turn: Turn, value: Value) -> Polynomial:
    """How far a variable that is declared in `within` has moved where `use` stands.

    Args:
        use: An expression inside `within`.
        stores: All that moves the variable: steps by `++`, `+=` and the like, on one chain of loops.
        within: The block, or the loop, whose every run starts with the variable at its first value.
        turn: What is known of a loop's turns.
        value: The value of a step.

    Raises:
        Unbounded: It does not move by the same amount every turn, a loop of its steps may be left early, or `use` stands in a loop's head.
    """
    chains = [_loops_of(store, within) for store in stores]
    chain = max(chains, key=len)
    for store, own in zip(stores, chains, strict=True):
        if [node.id for node in own] != [node.id for node in chain[: len(own)]]:
            raise Unbounded(f"{text_of(store)!r}, in one loop of several,", line_of(store))
        body = own[-1].child_by_field_name("body") if own else within
        head = own[-1].child_by_field_name("update") if own else None
        in_head = head is not None and head.start_byte <= store.start_byte < head.end_byte
        if body is None or not (in_head or is_unconditional(store, body)):
            raise Unbounded(f"{text_of(store)!r}, which only some turns do,", line_of(store))
    if all(store.start_byte >= use.end_byte for store in stores) and not any(
        node.start_byte <= use.start_byte < node.end_byte for node in chain
    ):
        return ZERO
    first = chain[0].child_by_field_name("initializer") if chain and all(chains) else None
    if first is not None and first.start_byte <= use.start_byte < first.end_byte:
        return ZERO  # before any turn
    if any(part.start_byte <= use.start_byte < part.end_byte for node in chain for part in _head(node)):
        raise Unbounded(f"{text_of(use)!r}, in the head of the loop that moves it,", line_of(use))
    loops = [loop_of(node) for node in chain]
    return _at(use, loops, [len(own) for own in chains], stores, within, turn=turn, value=value)


def _loops_of(store: "Node", within: "Node") -> "list[Node]":
    """The loops whose every turn makes a step, a `for` in whose head it stands included."""
    outer = store.parent
    while outer is not None and outer.type in ("comma_expression", "parenthesized_expression", "assignment_expression"):
        outer = outer.parent
    if outer is not None and outer.type == "for_statement":
        body = outer.child_by_field_name("body")
        return loop_nodes_around(body or outer, within.parent or within)
    return loop_nodes_around(store, within)


def _at(
    use: "Node",
    loops: Sequence[Loop],
    depths: Sequence[int],
    stores: Sequence["Node"],
    within: "Node",
    *,
    turn: Turn,
    value: Value,
) -> Polynomial:
    steps = [_amount(store, value) for store in stores]
    advance = [ZERO] * (len(loops) + 2)
    """By one run of the body at each depth, the outermost block being depth 0."""
    for depth in range(len(loops), -1, -1):
        advance[depth] = sum((step for step, own in zip(steps, depths, strict=True) if own == depth), start=ZERO)
        if depth < len(loops):
            _, turns, variable = turn(loops[depth])
            factor, _ = advance[depth + 1].split(variable)
            if not factor.is_never_negative():
                raise Unbounded(f"{text_of(use)!r}, which moves by less in later turns,", line_of(use))
            advance[depth] = advance[depth] + turns * advance[depth + 1]
    around = {node.id for node in loop_nodes_around(use, within)}
    shared = 0
    while shared < len(loops) and loops[shared].node.id in around:
        shared += 1
    if any(has_break(loop.node) for loop in (*loops[1:shared], *loops[shared:])):
        raise Unbounded(f"{text_of(use)!r}, moved by a loop that may be left early,", line_of(use))
    total = ZERO
    for depth in range(shared):
        total = total + turn(loops[depth])[0] * advance[depth + 1]
    for step, own, store in zip(steps, depths, stores, strict=True):
        if own <= shared and store.end_byte <= use.start_byte and _in_body(store, loops[own - 1] if own else None):
            total = total + step
    if shared < len(loops) and loops[shared].node.end_byte <= use.start_byte:
        total = total + turn(loops[shared])[1] * advance[shared + 1]
    return total


def _head(loop: "Node") -> "list[Node]":
    """The condition of a loop, and what a `for` does behind each turn."""
    return [part for part in map(loop.child_by_field_name, ("condition", "update")) if part is not None]


def _in_body(store: "Node", loop: Loop | None) -> bool:
    """Whether a step happens in the order of the text: one in a loop's head comes after the body."""
    head = loop.node.child_by_field_name("update") if loop is not None else None
    return head is None or not head.start_byte <= store.start_byte < head.end_byte


def _amount(store: "Node", value: Value) -> Polynomial:
    step = step_of(store)
    if step is not None:
        return Polynomial.constant(step)
    operator, right = store.child_by_field_name("operator"), store.child_by_field_name("right")
    if operator is None or right is None or text_of(operator) not in ("+=", "-="):
        raise Unbounded(f"{text_of(store)!r}, which is no step,", line_of(store))
    amount = value(right)
    return amount if text_of(operator) == "+=" else ZERO - amount


_NAME = r"([A-Za-z_]\w*)"
_MIDDLES = (
    re.compile(rf"\({_NAME}\+{_NAME}\)(?:/2|>>1)u?"),
    re.compile(rf"{_NAME}\+\({_NAME}-\1\)(?:/2|>>1)u?"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisection:
    """A loop that halves the range between two variables."""

    loop: "Node"
    low: str
    high: str
    middle: str
    is_open: bool
    """Whether the loop ends when the two meet, so that the middle stays below the upper one: `lo < hi`."""
    leaps: bool
    """Whether the upper one goes to `mid - 1`: it may end one below the lower one's start."""


def bisections(body: "Node") -> Mapping[str, Bisection]:
    """Each variable of such a loop in a function's body -> the loop.

    Only loops that test `lo < hi`, `lo <= hi` or `hi - lo > 1`, and set the two to nothing but the middle, one above or one below it.
    """
    found: dict[str, Bisection] = {}
    for loop in walk(body):
        if loop.type in LOOPS and (one := _bisection(loop)) is not None:
            found |= dict.fromkeys((one.low, one.high, one.middle), one)
    return found


def _bisection(loop: "Node") -> Bisection | None:
    condition, inside = loop.child_by_field_name("condition"), loop.child_by_field_name("body")
    if condition is None or inside is None:
        return None
    made = next((part for part in walk(inside) if _middle_of(part) is not None), None)
    ends = _middle_of(made) if made is not None else None
    named = made.child_by_field_name("declarator") or made.child_by_field_name("left") if made is not None else None
    if ends is None or named is None:
        return None
    middle, (low, high) = text_of(named), ends
    test = _tight(condition).strip("();")
    if test in (f"{high}<{low}", f"{high}<={low}", f"{high}>{low}", f"{high}>={low}") and (low, high) == ends:
        low, high = (high, low) if test.startswith(f"{high}<") else (low, high)
    is_open = test in (f"{low}<{high}", f"{high}>{low}", f"{low}!={high}", f"{high}-{low}>1", f"{low}+1<{high}")
    if not is_open and test not in (f"{low}<={high}", f"{high}>={low}"):
        return None
    moves = {name: {_moved(store, middle) for store in stores_below(inside, name)} for name in (low, high)}
    if not moves[low] <= {0, 1} or not moves[high] <= {0, -1} or len(stores_below(inside, middle)) > 1:
        return None
    return Bisection(loop=loop, low=low, high=high, middle=middle, is_open=is_open, leaps=-1 in moves[high])


def _middle_of(part: "Node") -> tuple[str, str] | None:
    value = part.child_by_field_name("value" if part.type == "init_declarator" else "right")
    if part.type not in ("init_declarator", "assignment_expression") or value is None:
        return None
    text = _tight(value)
    match = next((match for pattern in _MIDDLES if (match := pattern.fullmatch(text))), None)
    return (match[1], match[2]) if match else None


def _moved(store: "Node", middle: str) -> int | None:
    right, operator = store.child_by_field_name("right"), store.child_by_field_name("operator")
    if right is None or operator is None or text_of(operator) != "=":
        return None
    return {middle: 0, f"{middle}+1": 1, f"{middle}-1": -1}.get(_tight(right).replace(" ", ""))


def _tight(node: "Node") -> str:
    return re.sub(r"\s+", "", text_of(node))
