"""Families of whole numbers, indices and sorted arrays: repetition, order and the ends of the range, which an even draw never shows.

All of them lie inside the declared range and are draws that the declared init could give: counters that overflow when a key repeats,
buckets sized for an even spread, the best few all in one thread's share.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from regrapht.evaluate.inputs.element_arrays import Array, fields_of, storage_dtype, stored
from regrapht.evaluate.inputs.families import SKEWED, WHOLE, Family, skewed_parts
from regrapht.evaluate.inputs.init_kinds import CHUNK_ELEMENTS, Draw, chosen_values, default_init, fits, limits
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, Init, Sizes, Task

_KINDS = frozenset({"integers", "sorted", "choice", "permutation", "csr_row_ptr", "csr_col_idx"})
_FREE = frozenset({"integers", "sorted", "csr_col_idx"})
"""Of these any element may be any number of the range, but for its order."""
SHARED = frozenset({Family.EIGHT_VALUES})
"""Families in which arrays of whole numbers have numbers in common."""
_STEPS = 2**20
"""As fine as floats are drawn here, in parts of their range."""
_MOST_ELEMENTS = 4 * CHUNK_ELEMENTS
"""Drawing all families of longer arrays takes long."""


def whole_init(arg: Arg, scalar: ScalarType) -> Init | None:
    """The init of one field of an input that families of whole numbers apply to; None where they do not."""
    if arg.kind is not ArgKind.ARRAY or not arg.is_input:
        return None
    init = arg.init if arg.init is not None and fits(arg, scalar) else default_init(scalar)
    return init if init.kind in _KINDS else None


def whole_families(task: Task, sizes: Sizes) -> tuple[Family, ...]:
    """The families of whole numbers that make a difference at `sizes`."""
    fields = [one for one in _whole_fields(task) if one[0].element_count(sizes) <= _MOST_ELEMENTS]
    widest = max((_width(*one, sizes) for one in fields), default=0)
    least = {Family.TWO_VALUES: 3, Family.ENDS: 3, Family.EIGHT_VALUES: 9, Family.CLUSTERED: 16}
    return tuple(family for family in WHOLE if widest >= least.get(family, 2))


def can_be_skewed(task: Task, sizes: Sizes) -> bool:
    """Whether some whole number can repeat otherwise than an even draw has it."""
    return any(_width(*one, sizes) > 1 for one in _whole_fields(task))


def draw_whole(family: Family, request: Draw) -> Array:
    """`request.count` values of `family` in storage type.

    Raises:
        ValueError: A parameter of the init makes no sense at these sizes.
    """
    values = _BY_KIND[request.init.kind](family, request)
    return stored(values, request.scalar) if request.scalar.is_float else values.astype(storage_dtype(request.scalar))


def with_shared_values(
    task: Task, arrays: Mapping[str, Array], sizes: Sizes, rng: np.random.Generator
) -> dict[str, Array]:
    """`arrays` with half of each array of whole numbers from the one before, where its own range has those: what is looked for among equal
    keys is there. Order, where the init has one, stays."""
    shared, earlier = dict(arrays), None
    for arg in task.inputs:
        init = whole_init(arg, arg.dtype) if isinstance(arg.dtype, ScalarType) and not arg.dtype.is_float else None
        if init is None or init.kind not in _FREE or not arrays[arg.name].size:
            continue
        if earlier is not None:
            low, high = limits(init, sizes)
            there = shared[earlier.name]
            there = there[(there >= low) & (there < high)]
            count = arrays[arg.name].size // 2
            if there.size and count:
                changed = shared[arg.name].copy()
                changed[rng.choice(changed.size, count, replace=False)] = rng.choice(there, count)
                shared[arg.name] = np.sort(changed) if init.kind == "sorted" else changed
        earlier = arg
    return shared


def _whole_fields(task: Task) -> Iterator[tuple[Arg, ScalarType, Init]]:
    for arg in task.args:
        if arg.kind is not ArgKind.ARRAY:
            continue
        for field in fields_of(arg.dtype):
            if (init := whole_init(arg, field.scalar)) is not None:
                yield arg, field.scalar, init


def _width(arg: Arg, scalar: ScalarType, init: Init, sizes: Sizes) -> int:
    """How many different values a field has at most; 0 where there are too few elements."""
    count = arg.element_count(sizes)
    if count < 2:
        return 0
    if init.kind == "choice":
        return len(set(chosen_values(init)))
    if init.kind in ("permutation", "csr_row_ptr"):
        return count - 1
    if init.kind == "sorted" and scalar.is_float:
        return _STEPS
    low, high = limits(init, sizes)
    return high - low


def _spread(family: Family, rng: np.random.Generator, count: int, low: int, high: int) -> Array:
    """`count` whole numbers of `family` from `low` up to, but not including, `high`."""
    kind = np.uint64 if high > 2**63 else np.int64

    def evenly(number: int) -> Array:
        return rng.integers(low, high, number, dtype=kind)

    def different(number: int) -> Array:
        found = np.unique(evenly(4 * number))
        return rng.permutation(found)[:number]

    if family is Family.ONE_VALUE:
        return np.full(count, evenly(1)[0])
    if family is Family.TWO_VALUES:
        return rng.choice(different(2), count)
    if family is Family.EIGHT_VALUES:
        return rng.choice(different(8), count)
    if family is Family.MOSTLY_ONE:
        return np.where(rng.random(count) < 0.9, evenly(1)[0], evenly(count))
    if family is Family.ENDS:
        return rng.choice(np.array([low, high - 1], kind), count)
    if family is Family.ASCENDING:
        return np.sort(evenly(count))
    if family is Family.DESCENDING:
        return np.sort(evenly(count))[::-1]
    if family is Family.CLUSTERED:
        return _clustered(rng, count, low, high, kind)
    if family in SKEWED:
        return _skewed(rng, count, low, high, kind)
    assert family is Family.RUNS, family
    lengths = rng.geometric(1 / max(2.0, count**0.5), count)
    return np.repeat(evenly(count), lengths)[:count]


def _clustered(rng: np.random.Generator, count: int, low: int, high: int, kind: type) -> Array:
    """In up to three windows, each a two hundred and fiftieth of the range."""
    width = max(1, (high - low) // 250)
    starts = rng.integers(low, high - width + 1, rng.integers(1, 4), dtype=kind)
    return rng.choice(starts, count) + rng.integers(0, width, count, dtype=kind)


def _skewed(rng: np.random.Generator, count: int, low: int, high: int, kind: type) -> Array:
    """One value, among the largest in magnitude: counters of it overflow, and so do sums; all others at either end of the array."""
    first, last = skewed_parts(count)
    near = (high - low) // 16
    one = (
        rng.integers(low, low + near, dtype=kind, endpoint=True)
        if -low >= high
        else rng.integers(high - 1 - near, high, dtype=kind)
    )
    values: Array = np.full(count, one, kind)
    values[:first] = np.sort(rng.integers(low, high, first, dtype=kind))[::-1]
    values[last:] = rng.choice(np.array([low, high - 1], kind), count - last)
    return values


def _integers(family: Family, r: Draw) -> Array:
    return _spread(family, r.rng, r.count, *limits(r.init, r.sizes))


def _sorted(family: Family, r: Draw) -> Array:
    if not r.scalar.is_float:
        return np.sort(_integers(family, r))
    low, high = r.number("low", 0.0), r.number("high", 1.0)
    return np.sort(low + (high - low) * _spread(family, r.rng, r.count, 0, _STEPS) / _STEPS)


def _choice(family: Family, r: Draw) -> Array:
    values = np.unique(np.asarray(chosen_values(r.init)))
    return values[_spread(family, r.rng, r.count, 0, values.size)]


def _permutation(family: Family, r: Draw) -> Array:
    """Orders that a random one is not: in order, backwards, interleaved, blocks that changed places, and what is nearly in order."""
    order = np.arange(r.count)
    if family is Family.ASCENDING:
        return order
    if family is Family.DESCENDING or family in SKEWED:
        return order[::-1]
    if family is Family.TWO_VALUES:
        return np.concatenate([order[::2], order[1::2]])
    if family is Family.RUNS:
        blocks = np.array_split(order, max(2, int(r.count**0.5)))
        return np.concatenate([blocks[i] for i in r.rng.permutation(len(blocks))])
    if family is Family.CLUSTERED:
        return np.argsort(order + r.rng.uniform(0, 4, r.count))
    if family is Family.MOSTLY_ONE:
        return np.roll(order, int(r.rng.integers(1, max(2, r.count))))
    return r.rng.permutation(r.count)


def _csr_row_ptr(family: Family, r: Draw) -> Array:
    """Row starts where the entries choose their rows by `family`: one row has all, the first and the last have, and so on."""
    rows, total = r.count - 1, int(r.number("nnz"))
    if rows < 0 or total < 0 or (rows == 0 and total):
        raise ValueError(f"{rows} rows cannot hold {total} entries")
    chosen = _spread(family, r.rng, total, 0, rows) if rows and total else np.zeros(0, np.int64)
    return np.concatenate([[0], np.cumsum(np.bincount(chosen, minlength=rows))])


_BY_KIND: dict[str, Callable[[Family, Draw], Array]] = {
    "integers": _integers,
    "sorted": _sorted,
    "choice": _choice,
    "permutation": _permutation,
    "csr_row_ptr": _csr_row_ptr,
    "csr_col_idx": _integers,
}
