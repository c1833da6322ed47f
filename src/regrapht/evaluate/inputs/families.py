"""Value families: the same shapes with harder numbers than the declared ones.

Float arrays declared `normal` or `uniform` are widened inside their domain: a task whose numbers must be positive says so, and never sees
a negative one. Whole numbers, indices and sorted arrays stay inside the declared range (`whole_families`): there it is repetition and order
that an even draw never shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from regrapht.evaluate.inputs.element_arrays import Array, fields_of, mantissa_bits, smallest_subnormal
from regrapht.records.element import SCALAR_TYPES, ScalarType
from regrapht.records.task import Arg, ArgKind, Compare, Sizes, Task


class Family(StrEnum):
    """Which numbers a case is made of."""

    DECLARED = "declared"
    SIGNED = "signed"
    """Standard normals: the family that tolerances are calibrated on, because cancellation tells precisions apart."""
    WIDE = "wide"
    """Magnitudes spread evenly in the logarithm over eight decades."""
    ZEROS = "zeros"
    """Zeros of both signs."""
    DENORMALS = "denormals"
    SMALL = "small"
    """Normals, all of them small: what is dropped below a threshold or rounded to a grid is lost beside larger ones, whatever is allowed
    relative to these."""
    EQUAL = "equal"
    SORTED = "sorted"
    """Normals in ascending order; every second case of a judgement has them descending."""
    OUTLIER = "outlier"
    """Normals with two elements about a million times larger, one of either sign."""
    NEGATIVE = "negative"
    """Normals, all below zero."""
    INTEGERS = "integers"
    """Small whole numbers: their products and sums are exact in any order, so an honest output is right to the last bit or nearly."""
    CANCELLING = "cancelling"
    """Normals with a few huge numbers at random places, each of them a second time with the other sign."""
    LEVELS = "levels"
    """Two to eight different numbers: ties. They have few digits, so that sums and products of them are exact, and are odd multiples of
    1/64, so that they lie on no edge between two answers."""

    CLOSE = "close"
    """Groups of doubles that are equal as floats: what sorts, selects or merges them by narrower keys takes one for another."""

    # Of whole numbers inside their declared range; floats are as declared.
    ONE_VALUE = "one_value"
    TWO_VALUES = "two_values"
    EIGHT_VALUES = "eight_values"
    MOSTLY_ONE = "mostly_one"
    """Nine of ten are the same."""
    ENDS = "ends"
    """The lowest and the highest alone."""
    ASCENDING = "ascending"
    DESCENDING = "descending"
    CLUSTERED = "clustered"
    """In a few narrow windows of the range."""
    RUNS = "runs"
    """The same number many times in a row."""

    # Of bench shapes.
    SKEWED = "skewed"
    """One value in a row, but for a 64th at either end, of whole numbers and of floats: what has room for an even spread overflows."""
    SKEWED_WHOLE = "skewed_whole"
    """The same of whole numbers alone; floats are as declared."""


WHOLE = (
    *(Family.ONE_VALUE, Family.TWO_VALUES, Family.EIGHT_VALUES, Family.MOSTLY_ONE, Family.ENDS),
    *(Family.ASCENDING, Family.DESCENDING, Family.CLUSTERED, Family.RUNS),
)
"""Families of whole numbers."""
SKEWED = (Family.SKEWED, Family.SKEWED_WHOLE)
"""Families of bench shapes alone."""
WIDENED = tuple(family for family in Family if family not in (Family.DECLARED, *WHOLE, *SKEWED))
"""Families of floats at check shapes."""
REPEATING = frozenset({Family.EQUAL, Family.LEVELS, *WHOLE, *SKEWED})
"""Families whose sums add the same few terms again and again, so that rounding may go one way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far values of an element type go: by the type, or by the precision that the task accepts in its place."""

    decades: float
    """Of wide values, to either side of 1."""
    outlier: float
    """How many times larger than the others an outlier is."""
    below: float
    """How many decades below 1 small values lie at most; half as many at least."""
    smallest: float
    bits: int
    """Of the mantissa."""


_Maker = Callable[[np.random.Generator, int, Reach], Array]


def widened_arrays(task: Task) -> tuple[Arg, ...]:
    """The inputs that families of floats apply to."""
    return tuple(arg for arg in task.inputs if is_widened(arg))


def is_widened(arg: Arg) -> bool:
    """Whether families of floats apply to an argument."""
    plain = arg.kind is ArgKind.ARRAY and isinstance(arg.dtype, ScalarType) and arg.dtype.is_float
    return plain and arg.is_input and (arg.init is None or arg.init.kind in ("normal", "uniform"))


def families_of(task: Task) -> tuple[Family, ...]:
    """Every family of floats that can differ from the declared values of this task, the declared one first.

    A task that allows float atomics is spared denormals: a GPU's atomic addition to global memory flushes them to zero. A task with exact
    outputs (a bin, an index) is spared integers and small values, which lie on the very edges between two answers, as (x + 1) * 16 does
    near 0: honest rounding decides there. Close values are of doubles; where an output is exact, calls beside its edges are in their place.
    """
    if not widened_arrays(task):
        return (Family.DECLARED,)
    spared = set() if task.tolerance.deterministic else {Family.DENORMALS}
    if not _has_doubles(task):
        spared.add(Family.CLOSE)
    if any(_is_exact(task, arg) for arg in task.outputs):
        spared |= {Family.INTEGERS, Family.SMALL, Family.CLOSE}
    if any(
        _is_exact(task, arg) and any(member.scalar.is_float for member in fields_of(arg.dtype)) for arg in task.outputs
    ):
        spared.add(Family.ZEROS)  # which of -0 and +0 comes first is nobody's to say
    return (Family.DECLARED, *(family for family in WIDENED if family not in spared))


def _has_doubles(task: Task) -> bool:
    double = SCALAR_TYPES["float64"]
    return not half_is_allowed(task, double) and any(arg.dtype == double for arg in widened_arrays(task))


def domain_of(arg: Arg, sizes: Sizes) -> tuple[float, float]:
    """The values that make sense for an array: its domain, else its own range for `uniform`, else everything."""
    if arg.domain is not None:
        return arg.domain
    if arg.init is not None and arg.init.kind == "uniform":
        return float(arg.init.number("low", sizes, 0.0)), float(arg.init.number("high", sizes, 1.0))
    return -np.inf, np.inf


def changes_floats(family: Family) -> bool:
    """Whether a family draws floats otherwise than they are declared."""
    return family in WIDENED or family is Family.SKEWED


def half_is_allowed(task: Task, scalar: ScalarType) -> bool:
    """Whether a candidate may keep what is declared as `scalar` in half precision, which ends at 65504."""
    return scalar.size_bytes > 2 and not {"half", "float16"}.isdisjoint(task.tolerance.allow)


def reach_of(task: Task, scalar: ScalarType) -> Reach:
    """How far values go. Where half is allowed, products of two and sums of many of them must fit into it."""
    if half_is_allowed(task, scalar):
        half = SCALAR_TYPES["float16"]
        return Reach(decades=1.0, outlier=32.0, below=1.0, smallest=smallest_subnormal(half), bits=mantissa_bits(half))
    narrow = scalar.name == "float16"
    return Reach(
        decades=2.0 if narrow else 4.0,
        outlier=1e3 if narrow else 1e6,
        below=2.0 if narrow else 8.0,
        smallest=smallest_subnormal(scalar),
        bits=mantissa_bits(scalar),
    )


def family_values(family: Family, rng: np.random.Generator, count: int, reach: Reach) -> Array:
    """`count` values of a family of floats as float64, before the domain is applied."""
    return _MAKERS[family](rng, count, reach)


def fitted(family: Family, values: Array, domain: tuple[float, float]) -> Array:
    """Values of a family brought into a domain so that they keep what the family is for: its sign, its order."""
    low, high = domain
    if family is Family.NEGATIVE and low < 0:
        return inside(values, (low, min(high, 0.0)))
    if family is Family.SORTED:
        return np.sort(inside(values, domain))
    return inside(values, domain)


def inside(values: Array, domain: tuple[float, float]) -> Array:
    """Values brought into a domain: negative ones mirrored where only the sign is wrong, the rest folded into the range.

    Clipping would pile them up at the borders; folding keeps their spread.
    """
    low, high = domain
    if low >= 0 and np.isinf(high):
        return np.maximum(np.abs(values), low)
    if np.isinf(low) or np.isinf(high):
        return np.clip(values, low, high)
    outside = (values < low) | (values > high)
    width = high - low
    if width <= 0:
        return np.full_like(values, low)
    folded = np.abs(np.mod(values - low, 2 * width))
    folded = np.where(folded > width, 2 * width - folded, folded) + low
    return np.where(outside, np.clip(folded, low, high), values)


def _is_exact(task: Task, arg: Arg) -> bool:
    """Whether any part of an output is compared bitwise."""
    kind = arg.compare or task.tolerance.kind
    return kind is not Compare.FLOAT or any(not member.scalar.is_float for member in fields_of(arg.dtype))


def _signed(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return rng.standard_normal(count)


def _wide(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return rng.choice([-1.0, 1.0], count) * 10.0 ** rng.uniform(-reach.decades, reach.decades, count)


def _zeros(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return rng.choice([0.0, -0.0], count)


def _denormals(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return rng.choice([-1.0, 1.0], count) * rng.integers(1, 100, count) * reach.smallest


def _small(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return rng.standard_normal(count) * 10.0 ** -rng.uniform(reach.below / 2, reach.below)


def _equal(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return np.full(count, rng.uniform(0.1, 1.0))


def _sorted(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return np.sort(rng.standard_normal(count))


def _outlier(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    values = rng.standard_normal(count)
    places = rng.choice(count, min(count, 2), replace=False)
    values[places] = (rng.permutation([1.0, -1.0]) * rng.uniform(0.5, 2.0, 2) * reach.outlier)[: places.size]
    return values


def _negative(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return -np.abs(rng.standard_normal(count))


def _integers(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    return rng.integers(-16, 17, count).astype(np.float64)


def _cancelling(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    """The huge ones are about the square root of what the type can tell apart: half of the digits are lost when a pair cancels."""
    values = rng.standard_normal(count)
    pairs = min(max(1, count // 64), 8) if count >= 4 else 0
    places = rng.choice(count, 2 * pairs, replace=False)
    huge = rng.uniform(1, 2, pairs) * 2.0 ** (reach.bits // 2 + 1)
    values[places] = np.concatenate([huge, -huge])
    return values


def _levels(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    levels = (2 * rng.choice(200, rng.integers(2, 9), replace=False) - 199) / 64
    return rng.choice(levels, count)


def _close(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    groups = rng.standard_normal(max(1, count // 4))
    return rng.choice(groups, count) * (1 + rng.integers(-8, 9, count) * 2.0 ** -min(33, reach.bits - 4))


def skewed_parts(count: int) -> tuple[int, int]:
    """Where the one value of a skewed array begins and ends."""
    few = count // 128
    return few, count - few


def _skewed(rng: np.random.Generator, count: int, reach: Reach) -> Array:
    """One number of few digits, so that a reference's own sums of it stay exact for millions of terms; what cancels at the ends."""
    first, last = skewed_parts(count)
    values = np.full(count, rng.choice([0.375, 0.625, 0.875]))
    values[:first] = np.sort(rng.standard_normal(first))[::-1]
    values[last:] = rng.choice([-1.0, 1.0], count - last) * values[first : first + 1]
    return values


_MAKERS: dict[Family, _Maker] = {
    Family.SIGNED: _signed,
    Family.WIDE: _wide,
    Family.ZEROS: _zeros,
    Family.DENORMALS: _denormals,
    Family.SMALL: _small,
    Family.EQUAL: _equal,
    Family.SORTED: _sorted,
    Family.OUTLIER: _outlier,
    Family.NEGATIVE: _negative,
    Family.INTEGERS: _integers,
    Family.CANCELLING: _cancelling,
    Family.LEVELS: _levels,
    Family.CLOSE: _close,
    Family.SKEWED: _skewed,
}
