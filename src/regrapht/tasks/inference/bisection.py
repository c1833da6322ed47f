"""Two variables that close in on each other: `mid = (lo + hi) / 2; if (...) lo = mid + 1; else hi = mid;`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.loops import LOOPS, stores_below

if TYPE_CHECKING:
    from tree_sitter import Node

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
