"""Calls in which elements of an input are the very number that a scalar is, and near it: `>` in the place of `>=` is wrong at the one
alone, and a comparison with a tolerance, or in a narrower type, near it alone.

Even draws of floats, or of whole numbers from a long range, hardly ever have such a pair. A float scalar is made a power of two for it:
products with it, quotients by it and what is computed of it alone are exact, so that an honest program that divides where the reference
multiplies, or adds without rounding between, has the same answer. Where moving everything else by some of its last bits changes the answer,
rounding decides it, and there is no such call.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from regrapht.evaluate.cases.edge_cases import JUMP, MOVED_BIT, jumps_between, with_element
from regrapht.evaluate.cases.steadiness import moved_bits
from regrapht.evaluate.inputs.drawing import Inputs, raw_value
from regrapht.evaluate.inputs.element_arrays import mantissa_bits, numbers, storage_dtype, stored
from regrapht.evaluate.inputs.families import domain_of, is_widened
from regrapht.evaluate.inputs.init_kinds import limits
from regrapht.evaluate.reference.expected import ReferenceFailed, ReferenceProgram
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, Sizes, Task

MET = "an element that is equal to "
"""Before a scalar's name, in the place of what a case is near by."""
_POWERS = tuple(sign * 2.0**power for power in range(-10, 11) for sign in (1, -1))
_TRIES = 8
_BESIDE = 2.0**-16
"""From the scalar to the elements below and above it, relative: what is continuous there does not jump."""
_MOVES = 12
_PLACES = 4
"""Elements of each array of whole numbers."""
_STEPS = (1, 2, 5, 17, 100)
"""From the scalar to whole numbers near it."""
_BITS = (4, 16, 64)
"""From the scalar to floats near it, in units of its last bit: one would be rounding's to decide."""


def met_scalars(task: Task) -> tuple[Arg, ...]:
    """The scalars that elements of some input may be equal to."""
    return tuple(arg for arg in task.parameters if arg.kind is ArgKind.SCALAR and _partners(task, arg))


def met(task: Task, reference: ReferenceProgram, base: Inputs, rng: np.random.Generator) -> list[Inputs]:
    """`base` with elements that are equal to the scalar of its case; nothing where that is so already, or decides nothing."""
    scalar = next(arg for arg in task.parameters if MET + arg.name == base.case.near)
    partners = [arg for arg in _partners(task, scalar) if base.arrays[arg.name].size]
    if not _type_of(scalar).is_float:
        return _with_whole(base, scalar, partners, rng)
    try:
        return _with_power(task, reference, base, scalar, partners, rng)
    except ReferenceFailed:
        return []


def _partners(task: Task, scalar: Arg) -> list[Arg]:
    """The inputs that a scalar may be compared with, by their types."""
    if _type_of(scalar).is_float:
        return [arg for arg in task.inputs if is_widened(arg) and _type_of(arg).name in ("float32", "float64")]
    if scalar.init is not None and scalar.init.kind != "integers":
        return []
    drawn = [arg for arg in task.inputs if arg.init is not None and arg.init.kind == "integers"]
    return [arg for arg in drawn if isinstance(arg.dtype, ScalarType) and not arg.dtype.is_float]


def _with_whole(base: Inputs, scalar: Arg, partners: Sequence[Arg], rng: np.random.Generator) -> list[Inputs]:
    """With the scalar that was drawn, and with the one beside it: a comparison by all but the last digits is right at every 2^k-th."""
    value = int(np.frombuffer(base.values[scalar.name], storage_dtype(scalar.dtype))[0])
    calls = [_met_at(base, value, partners, rng)]
    if calls[0] is not None and scalar.init is not None:
        low, high = limits(scalar.init, base.case.sizes)
        beside = value + 1 if value + 1 < high else value - 1
        if low <= beside < high:
            there = replace(base, values={**base.values, scalar.name: raw_value(beside, scalar)})
            calls.append(_met_at(there, beside, partners, rng))
    return [call for call in calls if call is not None]


def _met_at(base: Inputs, value: int, partners: Sequence[Arg], rng: np.random.Generator) -> Inputs | None:
    """`base` with elements at and near this value; nothing where every partner has some already."""
    arrays = dict(base.arrays)
    for arg in partners:
        assert arg.init is not None, "partners are drawn"
        low, high = limits(arg.init, base.case.sizes)
        near = [value + sign * step for step in _STEPS for sign in (1, -1)]
        placed = [one for one in (value, *near, *[value] * (_PLACES - 1)) if low <= one < high][
            : base.arrays[arg.name].size
        ]
        if placed and not (base.arrays[arg.name] == value).any():
            changed = base.arrays[arg.name].copy()
            changed[rng.choice(changed.size, len(placed), replace=False)] = placed
            arrays[arg.name] = changed
    return replace(base, arrays=arrays) if any(arrays[name] is not kept for name, kept in base.arrays.items()) else None


def _with_power(
    task: Task,
    reference: ReferenceProgram,
    base: Inputs,
    scalar: Arg,
    partners: Sequence[Arg],
    rng: np.random.Generator,
) -> list[Inputs]:
    """Of a few pairs of a power of two and a place the first where the answer changes from there to either side."""
    sizes = base.case.sizes
    pairs = [(arg, value) for arg in partners for value in powers_of(scalar, sizes) if _has(arg, value, sizes)]
    tried = [pairs[place] for place in rng.permutation(len(pairs))[:_TRIES]]
    sides: list[Inputs] = []
    for arg, value in tried:
        there = replace(base, values={**base.values, scalar.name: raw_value(value, scalar)})
        place = int(rng.integers(base.arrays[arg.name].size))
        sides += [with_element(there, arg, place, value * (1 + beside)) for beside in (-_BESIDE, 0, _BESIDE)]
    if not sides:
        return []
    jumps = jumps_between(task, reference, sides)
    for first in range(0, len(sides), 3):
        at = sides[first + 1]
        if max(jumps[first], jumps[first + 1]) > JUMP and _is_decided(task, reference, at, sides[first], rng):
            arg, value = tried[first // 3]
            return [at, *_near(task, at, arg, value, rng)]
    return []


def _near(task: Task, at: Inputs, arg: Arg, value: float, rng: np.random.Generator) -> list[Inputs]:
    """`at` with numbers just below and just above its pair's among the elements beside it; nothing where narrower types are allowed."""
    array = at.arrays[arg.name]
    others = np.flatnonzero(array != value)
    if task.tolerance.allow or not others.size:
        return []
    last = 2.0 ** -mantissa_bits(_type_of(arg))
    near = [value * (1 + sign * count * last) for count in _BITS for sign in (1, -1)][: others.size]
    changed = array.copy()
    changed[rng.choice(others, len(near), replace=False)] = near
    return [replace(at, arrays={**at.arrays, arg.name: changed})]


def powers_of(scalar: Arg, sizes: Sizes) -> list[float]:
    """The powers of two that a float scalar may be."""
    if scalar.value is not None:
        return [value for value in _POWERS if value == scalar.value]
    assert scalar.init is not None, "a scalar has a value or an init"
    if scalar.init.kind == "normal":
        mean, deviation = scalar.init.number("mean", sizes, 0.0), scalar.init.number("std", sizes, 1.0)
        low, high = mean - 2 * deviation, mean + 2 * deviation
    elif scalar.init.kind == "uniform":
        low, high = scalar.init.number("low", sizes, 0.0), scalar.init.number("high", sizes, 1.0)
    else:
        return []
    return [value for value in _POWERS if low <= value <= high]


def _has(arg: Arg, value: float, sizes: Sizes) -> bool:
    low, high = domain_of(arg, sizes)
    return low <= value * (1 - _BESIDE) and value * (1 + _BESIDE) <= high


def _is_decided(task: Task, reference: ReferenceProgram, at: Inputs, other: Inputs, rng: np.random.Generator) -> bool:
    """Whether the answer stays where all but the pair move by some of their last bits; `other` differs from `at` in the pair's element."""
    moved = []
    for _ in range(_MOVES):
        one = moved_bits(task, at, rng, bit=MOVED_BIT)
        arrays = {
            name: np.where(at.arrays[name] == other.arrays[name], one.arrays[name], at.arrays[name])
            for name in at.arrays
        }
        moved.append(replace(one, arrays=arrays, values=_moved_scalars(task, at, rng)))
    return max(jumps_between(task, reference, [at, *moved], to_first=True)) <= JUMP


def _moved_scalars(task: Task, at: Inputs, rng: np.random.Generator) -> dict[str, bytes]:
    """Float scalars that are drawn, but for the one of the pair, times a number beside 1."""
    values = dict(at.values)
    for arg in task.parameters:
        if arg.kind is ArgKind.SCALAR and arg.init is not None and MET + arg.name != at.case.near:
            scalar = _type_of(arg)
            if scalar.is_float:
                value = numbers(np.frombuffer(values[arg.name], storage_dtype(scalar)), scalar)
                values[arg.name] = stored(value * (1 + rng.uniform(-1, 1) * _BESIDE), scalar).tobytes()
    return values


def _type_of(arg: Arg) -> ScalarType:
    assert isinstance(arg.dtype, ScalarType), "structs are neither compared nor widened"
    return arg.dtype
