"""Two loops that wait for each other, skewed: points of one time `a * i + b * j` do not depend on each other, and times run in order.

A nest is taken as it is, perfect or with statements before its inner loops. Its points are the pairs (i, j); a statement outside the inner
loops counts as the point just before them. isl is asked for each pair of accesses to one element whether any two points would change
their order: the legality condition of Lamport's hyperplane method (Communications of the ACM 17, 1974, theorem 1), asked of every conflict.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.plan.nest import Kind, Nest, has_atomic
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, Access, Leaf, Loop, leaves
from regrapht.transform.polyhedral.scop import Scop

WEIGHTS = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3))
"""Weights of the two loops in the time, those that take the fewest steps first."""
OTHER = "__other"
"""Ends the dimensions of the second of two points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """The skewed order of a nest."""

    outer: str
    weights: tuple[int, int]
    column: Mapping[str, str]
    """For each leaf the isl text of its place along the inner loops, in the order of execution."""
    row: str
    """The isl text of a point's row, in the order of execution."""
    atomics: Mapping[str, str]
    """What points of one time update together, with the operator."""

    def time(self, leaf: Leaf, end: str = "") -> str:
        """isl's text of the time of a leaf's points, its dimensions ending in `end`."""
        a, b = self.weights
        return f"{a}*({_ending(self.row, leaf, end)}) + {b}*({_ending(self.column[leaf.name], leaf, end)})"


def wave_of(nest: Nest, scop: Scop, *, atomics_vary: bool) -> Wave | str:
    """The wavefront that a nest is; a text that says why it is none."""
    if nest.kind is not Kind.SERIAL:
        return "its iterations need no order"
    root = nest.root
    inner = [child for child in root.children if isinstance(child, Loop)]
    if not inner:
        return "it is one loop"
    if abs(root.step) != 1 or any(abs(loop.step) != 1 for loop in inner):
        return "its loops do not step one by one"
    columns = _columns(root)
    if isinstance(columns, str):
        return columns
    kept = {name for name in scop.shared_locals if len(scop.locals[name].loops) == len(nest.host_loops) + 1}
    if used := sorted(kept & {access.array for access in nest.accesses}):
        return f"'{used[0]}' lives through a whole turn of its outer loop"
    row = root.variable if root.step > 0 else f"-{root.variable}"
    pairs = _pairs(nest, scop)
    for weights in WEIGHTS:
        wave = Wave(outer=root.variable, weights=weights, column=columns, row=row, atomics={})
        atomics = _atomics(wave, nest, scop, pairs, atomics_vary=atomics_vary)
        if atomics is not None:
            return Wave(outer=root.variable, weights=weights, column=columns, row=row, atomics=atomics)
    return "no skewed order of its two outer loops keeps what depends on each other apart"


def _columns(root: Loop) -> dict[str, str] | str:
    """The place along the inner loops of each leaf; a text where a statement has none."""
    found: dict[str, str] = {}
    waiting: list[Leaf] = []
    for child in root.children:
        if isinstance(child, Leaf):
            waiting.append(child)
            continue
        if child.start is None:
            return f"the first value of '{child.variable}' is a minimum or maximum"
        sign = "" if child.step > 0 else "-"
        for leaf in waiting:
            found[leaf.name] = f"{sign}({child.start}) - 1"
        waiting.clear()
        for leaf in leaves(child):
            found[leaf.name] = f"{sign}{child.variable}"
    if waiting:
        return "statements follow its inner loop"
    return found


def _pairs(nest: Nest, scop: Scop) -> list[tuple[Access, Access, Any]]:
    """Ordered pairs of accesses, one of them writing, with the points at which they touch one element."""
    seen: dict[tuple[Any, ...], Access] = {}
    for access in nest.accesses:
        key = (access.leaf.name, access.kind, access.operator, access.expression, access.conditions, access.bounds)
        seen.setdefault(key, access)
    found = []
    for first in seen.values():
        for second in seen.values():
            if first.array != second.array or (first.kind == READ and second.kind == READ):
                continue
            if first.array in first.leaf.own and first.array not in scop.shared_locals:
                continue
            touched = first.map.apply_range(second.map.reverse())
            if not touched.is_empty():
                found.append((first, second, touched))
    return found


def _atomics(
    wave: Wave, nest: Nest, scop: Scop, pairs: Sequence[tuple[Access, Access, Any]], *, atomics_vary: bool
) -> dict[str, str] | None:
    """What is to be updated by atomics for the order to be right; None where it is wrong all the same."""
    order = {leaf.name: place for place, child in enumerate(nest.root.children) for leaf in leaves(child)}
    atomics: dict[str, str] = {}
    for first, second, touched in pairs:
        if not _breaks(wave, first.leaf, second.leaf, touched, order):
            continue
        type_name = scop.element_type(first.array)
        allowed = has_atomic(first.operator, type_name) and (is_integer(type_name) or atomics_vary)
        if first.kind != UPDATE or second.kind != UPDATE or first.operator != second.operator or not allowed:
            return None
        atomics[first.array] = first.operator
    return atomics


def _breaks(wave: Wave, first: Leaf, second: Leaf, touched: Any, order: Mapping[str, int]) -> bool:
    """Whether a point of `first` that comes before one of `second` and touches the same element would not be earlier.

    Points of one row and time run in one thread, in their order; along one inner loop time grows.
    """
    here, there = _ending(wave.row, first, ""), _ending(wave.row, second, OTHER)
    one, other = wave.time(first), wave.time(second, OTHER)
    late = [f"({here} < {there} and {one} >= {other})"]
    if order[first.name] < order[second.name]:
        late.append(f"({here} = {there} and {one} > {other})")
    names = sorted({*first.parameters.split(", "), *second.parameters.split(", ")} - {""})
    source = f"{first.name}[{', '.join(first.dims)}]"
    target = f"{second.name}[{', '.join(dim + OTHER for dim in second.dims)}]"
    wrong = isl().Map(f"[{', '.join(names)}] -> {{ {source} -> {target} : {' or '.join(late)} }}")
    return not touched.intersect(wrong).is_empty()


def _ending(text: str, leaf: Leaf, end: str) -> str:
    """An isl text with a leaf's dimensions ending in `end`."""
    return re.sub(r"[A-Za-z_]\w*", lambda word: word[0] + end if word[0] in leaf.dims else word[0], text)
