"""Inputs that differ from others in a single element: what shows results that are kept under a weak key.

A program that keeps an answer and knows its inputs again by address and length, by a sample of their elements or by a sum over them, gives
the old answer where one element in a place of the judge's choice has changed, or two have changed places.
"""

from dataclasses import replace

import numpy as np

from regrapht.evaluate.inputs.drawing import Inputs, drawn_array, drawn_scalar
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.records.task import Arg, ArgKind, Task

SWAP = "two elements of "
"""Before an argument's name: two of its elements change places."""
_TRIES = 16
_FIXED = frozenset({"zeros", "ones", "arange", "file"})
_ORDERED = frozenset({"sorted", "csr_row_ptr"})


def near_changes(task: Task) -> tuple[str, ...]:
    """What can be changed by itself in a call of `task`: each input that is drawn, each scalar that is, and two elements' places."""
    arrays = [arg for arg in task.args if arg.is_input and (arg.init is None or arg.init.kind not in _FIXED)]
    scalars = [arg for arg in task.args if arg.kind is ArgKind.SCALAR and arg.init is not None]
    swaps = [SWAP + arg.name for arg in arrays if arg.exchangeable]
    return (*(arg.name for arg in (*arrays, *scalars)), *swaps)


def near(task: Task, base: Inputs, change: str, rng: np.random.Generator) -> Inputs | None:
    """`base` with one element redrawn, within the declared range; None where that comes out the same, or there is no element."""
    arg = next(arg for arg in task.args if arg.name == change.removeprefix(SWAP))
    if change.startswith(SWAP):
        return _with_array(base, arg, _swapped(base.arrays[arg.name], rng))
    if arg.kind is ArgKind.SCALAR:
        values = {**base.values, change: drawn_scalar(task, arg, base.case.sizes, rng)}
        return None if values == base.values else replace(base, values=values)
    kept = base.arrays[change]
    if not kept.size:
        return None
    kind = arg.init.kind if arg.init is not None else ""
    if kind in _ORDERED:
        return _with_array(base, arg, _between_neighbours(kept, rng))
    if kind == "permutation":
        return _with_array(base, arg, _swapped(kept, rng))
    fresh = drawn_array(task, arg, base.case, rng)
    places = rng.permutation(np.flatnonzero(_differ(kept, fresh)))[:1]
    changed = kept.copy()
    changed[places] = fresh[places]
    return _with_array(base, arg, changed)


def _with_array(base: Inputs, arg: Arg, array: Array) -> Inputs | None:
    if array.tobytes() == base.arrays[arg.name].tobytes():
        return None
    return replace(base, arrays={**base.arrays, arg.name: array})


def _differ(one: Array, other: Array) -> Array:
    """Of each element, whether its bytes differ."""
    pair = [np.ascontiguousarray(each).view(np.uint8).reshape(each.size, -1) for each in (one, other)]
    return np.asarray((pair[0] != pair[1]).any(axis=1))


def _swapped(kept: Array, rng: np.random.Generator) -> Array:
    """Two elements that are not the same have changed places, where chance finds such."""
    for _ in range(_TRIES):
        if kept.size < 2:
            break
        places = rng.choice(kept.size, 2, replace=False)
        if kept[places[0]].tobytes() != kept[places[1]].tobytes():
            changed = kept.copy()
            changed[places] = kept[places[::-1]]
            return changed
    return kept


def _between_neighbours(kept: Array, rng: np.random.Generator) -> Array:
    """One element is another, but not below the one before it nor above the one behind it: still in order, and between the same ends."""
    if kept.size < 3:
        return kept
    room = np.flatnonzero(kept[2:] > kept[:-2]) + 1
    if not room.size:
        return kept
    place = int(rng.choice(room))
    low, high, changed = kept[place - 1], kept[place + 1], kept.copy()
    if kept.dtype.kind == "f":
        changed[place] = rng.uniform(low, high)
    else:
        others = int(high) - int(low)  # of the values that may be there, one is there now
        value = int(low) + int(rng.integers(others))
        changed[place] = value + (value >= int(kept[place]))
    return changed
