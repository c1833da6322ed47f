"""Calls in which a scalar is a number that programs treat apart: 0, 1, -1, the ends of its range, a power of two.

Even draws hardly ever have one, and a way that a program takes for it alone (`if (beta == 0)`) would be judged by nobody. Each is within
the declared range, so that the reference says what is right there. Elements of whole arrays are multiples of a whole scalar in part: what
divides by a reciprocal is wrong at some of those alone.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from regrapht.evaluate.inputs.drawing import Inputs, raw_value
from regrapht.evaluate.inputs.element_arrays import storage_dtype
from regrapht.evaluate.inputs.init_kinds import chosen_values, limits
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, Sizes, Task

SCALAR = "the scalar "
"""Before a scalar's name and its value, in the place of what a case is near by."""
_SET_APART = (0, 1, -1)
_BADLY_INVERTED = (49, 41)
"""What a double and a float say of 1 / 49 and 1 / 41 is below it, and so are products of a multiple and that."""
_DEVIATIONS = 2
_PARTS = 4
"""One element in so many is a multiple of the scalar."""


def scalar_changes(task: Task, sizes: Sizes) -> list[str]:
    """What calls at `sizes` are near by: each drawn scalar with each number of its range that is apart, the scalars in turn."""
    drawn = [arg for arg in task.parameters if arg.kind is ArgKind.SCALAR and arg.init is not None]
    changes = [[f"{SCALAR}{arg.name} = {value}" for value in dict.fromkeys(_apart(arg, sizes))] for arg in drawn]
    return [change for turn in zip_longest(*changes) for change in turn if change is not None]


def with_scalar(task: Task, base: Inputs, rng: np.random.Generator) -> Inputs:
    """`base` with the scalar of its case."""
    name, value = base.case.near.removeprefix(SCALAR).split(" = ")
    scalar = next(arg for arg in task.parameters if arg.name == name)
    changed = replace(
        base, values={**base.values, name: raw_value(float(value) if "." in value else int(value), scalar)}
    )
    return changed if "." in value else with_multiples(task, changed, int(value), rng)


def with_multiples(task: Task, base: Inputs, value: int, rng: np.random.Generator) -> Inputs:
    """`base` with multiples of `value` for some elements of its arrays of whole numbers, as far as their ranges have any."""
    arrays = dict(base.arrays)
    for arg in task.inputs if abs(value) > 1 else ():
        if (
            arg.init is None
            or arg.init.kind != "integers"
            or not isinstance(arg.dtype, ScalarType)
            or arg.dtype.is_float
        ):
            continue
        low, high = limits(arg.init, base.case.sizes)
        least, most = -(-low // abs(value)), (high - 1) // abs(value)
        count = base.arrays[arg.name].size // _PARTS
        if least >= most or not count or high > 2**63:
            continue
        changed = base.arrays[arg.name].copy()
        factors = rng.integers(least, most, count, endpoint=True)
        changed[rng.choice(changed.size, count, replace=False)] = (factors * abs(value)).astype(
            storage_dtype(arg.dtype)
        )
        arrays[arg.name] = changed
    return replace(base, arrays=arrays)


def _apart(arg: Arg, sizes: Sizes) -> Iterator[float]:
    init = arg.init
    assert init is not None and isinstance(arg.dtype, ScalarType), "drawn scalars have scalar types"
    if init.kind == "integers":
        low, high = limits(init, sizes)
        powers = [2**power for power in range(1, 63) if low <= 2**power < high]
        apart = (low, high - 1, *_SET_APART, *_BADLY_INVERTED, *powers[len(powers) // 2 :][:1])
        yield from (one for one in apart if low <= one < high)
    elif init.kind == "choice":
        yield from (int(one) if one == int(one) and not arg.dtype.is_float else one for one in chosen_values(init))
    elif init.kind in ("uniform", "normal"):
        if init.kind == "normal":
            mean, spread = init.number("mean", sizes, 0.0), _DEVIATIONS * init.number("std", sizes, 1.0)
            low_, high_ = mean - spread, mean + spread
        else:
            low_, high_ = init.number("low", sizes, 0.0), init.number("high", sizes, 1.0)
        yield from (float(one) for one in _SET_APART if low_ <= one <= high_)
