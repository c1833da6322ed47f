"""Calls on both sides of an edge between two answers, so near to it that less precision than the reference's gives one answer for both.

Where an index, a bin, a count or a mask is chosen by comparing doubles, an even draw hardly ever has two that are equal as floats, and a
program that compares floats is right by chance. Such an edge is searched for: of one element of an input two values with different answers
are narrowed down on the reference alone, until less precision does not tell them apart. They still are far enough apart for honest
programs, whatever way these round: a million times further than the last bits of a double, five hundred times than those of a float. Where
moving all inputs by some of their last bits changes the answer, rounding does decide it, and there is no such call.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from regrapht.evaluate.cases.steadiness import moved_bits
from regrapht.evaluate.compare.column import is_exact
from regrapht.evaluate.compare.outputs import defined
from regrapht.evaluate.inputs.drawing import Inputs, drawn_array
from regrapht.evaluate.inputs.element_arrays import Array, column, fields_of, numbers
from regrapht.evaluate.inputs.families import domain_of, half_is_allowed, is_widened
from regrapht.evaluate.reference.expected import ReferenceFailed, ReferenceProgram
from regrapht.records.element import SCALAR_TYPES, ScalarType
from regrapht.records.task import Arg, Task

EDGE = "an element beside an edge between two answers of "
"""Before an argument's name, in the place of what a case is near by."""
_APART = {"float64": 2.0**-33, "float32": 2.0**-15}
"""Of a side from the edge, relative to it: doubles tell 2^-53 apart, floats 2^-24, halves 2^-11."""
MOVED_BIT, _MOVES = 6, 4
_POINTS, _TRIES, _ROUNDS = 16, 12, 12
"""Sixteen times narrower a round: nine are enough where the edge is not at zero, and there floats tell the sides apart. Counted, not timed:
what is drawn does not depend on how fast a machine is."""
_NARROWER = frozenset({"float", "float32", "tf32", "bfloat16"})
JUMP = 2.0**-10
"""What a float output jumps by at an edge, relative to its largest element."""


def edge_arrays(task: Task) -> tuple[Arg, ...]:
    """The inputs of a task that may have edges which less precision than theirs misses: doubles, where nothing narrower is allowed, and
    floats, where an output is exact."""
    if half_is_allowed(task, SCALAR_TYPES["float64"]) or not _NARROWER.isdisjoint(task.tolerance.allow):
        return ()
    exact = any(is_exact(task, arg, field.scalar) for arg in task.outputs for field in fields_of(arg.dtype))
    names = ("float64", "float32") if exact else ("float64",)
    types = [SCALAR_TYPES[name] for name in names]
    return tuple(arg for arg in task.inputs if is_widened(arg) and arg.dtype in types)


def beside_edge(task: Task, reference: ReferenceProgram, base: Inputs, rng: np.random.Generator) -> list[Inputs]:
    """`base` twice, with one element on either side of an edge; nothing where a few tries find none."""
    arg = next(arg for arg in task.inputs if EDGE + arg.name == base.case.near)
    if not base.arrays[arg.name].size:
        return []
    try:
        return _narrowed(task, reference, base, arg, rng)
    except ReferenceFailed:
        return []


def _narrowed(
    task: Task, reference: ReferenceProgram, base: Inputs, arg: Arg, rng: np.random.Generator
) -> list[Inputs]:
    place = int(rng.integers(base.arrays[arg.name].size))
    low = float(base.arrays[arg.name][place])
    fresh = drawn_array(task, arg, base.case, rng)
    others = [float(value) for value in rng.permutation([*rng.choice(fresh, _TRIES), *_extremes(base, arg)])]
    jumps = jumps_between(
        task, reference, [with_element(base, arg, place, value) for value in (low, *others)], to_first=True
    )
    if max(jumps) <= JUMP:
        return []
    high = others[int(np.argmax(jumps))]
    for _ in range(_ROUNDS):
        if _is_narrow(arg, low, high):
            break
        points = np.linspace(low, high, _POINTS + 1)
        jumps = jumps_between(task, reference, [with_element(base, arg, place, float(value)) for value in points])
        found = int(np.argmax(jumps))
        if jumps[found] <= JUMP:
            return []
        low, high = float(points[found]), float(points[found + 1])
    if not _is_narrow(arg, low, high):
        return []
    middle, away = (low + high) / 2, _apart(arg) * max(abs(low), abs(high)) * (1 if high > low else -1)
    sides = [with_element(base, arg, place, value) for value in (middle - away, low, high, middle + away)]
    jumps = jumps_between(task, reference, sides)
    if jumps[0] > JUMP or jumps[1] <= JUMP or jumps[2] > JUMP:
        return []
    ends = [sides[0], sides[3]]
    return ends if all(_is_decided(task, reference, end, rng) for end in ends) else []


def _extremes(base: Inputs, arg: Arg) -> tuple[float, float]:
    """Values below and above all elements, inside the domain as far as it has an end: the largest alone decides some answers."""
    values, (low, high) = base.arrays[arg.name].astype(np.float64), domain_of(arg, base.case.sizes)
    least, most = float(values.min()), float(values.max())
    below = (least + low) / 2 if np.isfinite(low) else least - abs(least) / 2
    return below, (most + high) / 2 if np.isfinite(high) else most + abs(most) / 2


def _is_decided(task: Task, reference: ReferenceProgram, side: Inputs, rng: np.random.Generator) -> bool:
    moved = [moved_bits(task, side, rng, bit=MOVED_BIT) for _ in range(_MOVES)]
    return max(jumps_between(task, reference, [side, *moved], to_first=True)) <= JUMP


def _is_narrow(arg: Arg, low: float, high: float) -> bool:
    return abs(high - low) <= _apart(arg) * max(abs(low), abs(high))


def _apart(arg: Arg) -> float:
    assert isinstance(arg.dtype, ScalarType), "structs are not widened"
    return _APART[arg.dtype.name]


def with_element(base: Inputs, arg: Arg, place: int, value: float) -> Inputs:
    """`base` with another number at one place of an input."""
    changed = base.arrays[arg.name].copy()
    changed[place] = value
    return replace(base, arrays={**base.arrays, arg.name: changed})


def jumps_between(
    task: Task, reference: ReferenceProgram, inputs: Sequence[Inputs], *, to_first: bool = False
) -> list[float]:
    """How far the outputs go from each of `inputs` to the next, or from the first to each other."""
    runs = reference.written(inputs)
    return [_jump(task, runs[0] if to_first else before, after) for before, after in pairwise(runs)]


def _jump(task: Task, one: Mapping[str, Array], other: Mapping[str, Array]) -> float:
    """The largest change of an element, relative to the output's largest; 1 where exact outputs differ at all."""
    most = 0.0
    for arg in task.outputs:
        a, b = defined(arg, one), defined(arg, other)
        if a.size != b.size:
            return 1.0
        for field in fields_of(arg.dtype):
            most = max(
                most, _change(column(a, field), column(b, field), field.scalar, is_exact(task, arg, field.scalar))
            )
    return most


def _change(a: Array, b: Array, scalar: ScalarType, exact: bool) -> float:
    if a.tobytes() == b.tobytes():
        return 0.0
    if exact and not scalar.is_float:
        return 1.0
    first, second = numbers(a, scalar), numbers(b, scalar)
    usable = np.isfinite(first) & np.isfinite(second)
    size = float(np.abs(first[usable]).max(initial=0.0))
    return float(np.abs(first[usable] - second[usable]).max(initial=0.0)) / size if size else 0.0
