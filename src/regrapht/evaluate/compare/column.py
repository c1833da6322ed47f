"""One output column against the right one, a chunk of elements at a time.

Arrays of a bench shape are large, and every comparison of floats needs them in a wider type. Only `chunk` elements are ever widened at
once a core: beyond the arrays themselves a comparison keeps one byte an element, and sums.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from regrapht.evaluate.compare.error_pattern import Mask, first_of
from regrapht.evaluate.inputs.element_arrays import (
    Array,
    bits_of,
    canonical_bits,
    chunks,
    column,
    fields_of,
    numbers,
    same_elements,
    stored,
    sum_of_squares,
)
from regrapht.evaluate.inputs.families import REPEATING, Family
from regrapht.evaluate.reference.expected import WideColumn
from regrapht.records.element import ElementType, ScalarType
from regrapht.records.task import Arg, Compare, Task
from regrapht.records.verdict import Status

CHUNK_ELEMENTS = 2**19
"""Elements widened at a time: 4 MB of float64, some ten times over. With fewer, numpy's dot product loses time to starting its threads."""
_SURE_BYTES = 4
_ROUNDED_SHARE, _FEW_ROUNDED = 1e-3, 2
_ELEMENT_FACTOR = 8.0
_WIDE_TERMS = 9
"""Of magnitudes spread evenly in the logarithm over eight decades, `length` terms count as a ninth of them: 2 / ln 1e8."""
_MOST_OWN = 1e-2
"""The reference's own error excuses a candidate's up to here, relative to what is right: beyond that it knows too little to excuse."""
_WORKERS = 8
Key = tuple[str, str]
"""An output and its field; the field is empty for plain arrays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTolerance:
    """What one float column is measured with."""

    norm: float
    """T: limit of ||y - r|| / ||r||."""
    length: int
    """Of the longest sum behind one element."""
    unit: float
    """Unit roundoff of the arithmetic that the task accepts."""
    unit_out: float
    """Unit roundoff of the output's storage."""
    tiny: float
    """Smallest subnormal of the output's storage."""
    tiny_term: float = 0.0
    """Smallest subnormal of the arithmetic that sums are kept in."""
    rtol: float = 0.0
    atol: float = 0.0
    by_magnitudes: bool = True
    """Whether the magnitudes behind an element bound its rounding; else ||r|| alone is the scale, and no element has a bar of its own."""
    grows: bool = False
    """Whether the reference loses many times what a sum of its length does, as an iteration that is fed its own rounding. Then one run
    says little of how far honest programs are off: that may be many times as much as the reference happens to be."""


def is_exact(task: Task, arg: Arg, scalar: ScalarType) -> bool:
    """Whether a column is compared bitwise: integers always, floats where the task says so."""
    kind = arg.compare or (task.tolerance.kind if scalar.is_float else Compare.EXACT)
    return not scalar.is_float or kind is not Compare.FLOAT


def scale_of(right: np.floating, magnitudes: np.floating, length: int) -> float:
    """What an error is relative to, from the sums of squares of the right values and of their magnitudes (0 where not known).

    It is ||r||, and at least the size that a sum of `length` terms of random sign would have: without the second part, a single output that
    happens to cancel would turn any rounding into a large relative error.
    """
    return max(float(np.sqrt(right)), float(np.sqrt(magnitudes)) / math.sqrt(length))


def _equal_terms(family: Family, length: int) -> int:
    """(sum |x|)^2 / sum x^2 of the `length` terms of a sum: how many of one size would make partial sums as large as theirs are."""
    if family is Family.CANCELLING:
        return 1
    return max(1, length // _WIDE_TERMS) if family is Family.WIDE else length


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A candidate's column with what is known of the right one, all of one length and in storage type unless said otherwise."""

    scalar: ScalarType
    got: Array
    written: Array
    """The reference's own, as written."""
    wide: WideColumn | None = None
    """The wide reference's, as numbers."""
    wide_exact: Array | None = None
    """Of an integer column: the wide reference's."""
    moved: tuple[Array, ...] = ()
    """The reference's own on inputs whose last bits are others, where these were run."""
    poison: int | None = None
    """The byte that the output was filled with before the call; None where it held values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedColumn:
    """One column compared. `got` and `right` are the first wrong element as numbers, 0 when none is wrong or none can be blamed."""

    wrong: Mask
    status: Status | None
    got: float = 0.0
    right: float = 0.0
    norm_error: float | None = None
    norm_bar: float | None = None
    element_error: float | None = None
    off_by_one: bool = False
    """Whether what is wrong is little and next to right, as where integers are rounded from floats."""
    exact_integers: bool = False
    """Whether `got` and `right` are whole numbers that must be equal, and are so small that a float holds their difference."""
    ordered: bool = True
    """False where the order of elements is free, so that the places in `wrong` say nothing."""


def compare_exact(pair: Pair, *, chunk: int, rounded: bool = False) -> ComparedColumn:
    """Bitwise; any NaN equals any NaN, and where rounding decides, the wide reference's answer is right as well.

    Args:
        rounded: Integers that come from floats: a thousandth of them, and two of few, may be off by one.
    """
    wrong = np.zeros(pair.got.size, bool)
    for part in chunks(wrong.size, chunk):
        right = pair.written[part]
        same = canonical_bits(pair.got[part], pair.scalar) == canonical_bits(right, pair.scalar)
        if pair.wide_exact is not None:
            same |= pair.got[part] == pair.wide_exact[part]
        wrong[part] = ~same
    nearly = not pair.scalar.is_float and _is_off_by_one(pair, wrong)
    if rounded and nearly:
        wrong[:] = False
    if (first := first_of(wrong)) is None:
        return ComparedColumn(wrong=wrong, status=None)
    number, wanted = _number_at(pair.got, first, pair.scalar), _number_at(pair.written, first, pair.scalar)
    return ComparedColumn(
        wrong=wrong,
        status=_status(pair, wrong, Status.WRONG_VALUE, chunk=chunk),
        got=number,
        right=wanted,
        exact_integers=not pair.scalar.is_float and max(abs(number), abs(wanted)) < 2.0**53,
        off_by_one=nearly,
    )


def _is_off_by_one(pair: Pair, wrong: Mask) -> bool:
    """Whether no more elements are wrong than rounding decides, and each is the right number's neighbour."""
    places = np.flatnonzero(wrong)
    if places.size > max(_FEW_ROUNDED, _ROUNDED_SHARE * wrong.size):
        return False
    got, right = (raw[places] for raw in (pair.got, pair.written))
    return bool((np.where(got > right, got - right, right - got) == 1).all())  # unsigned ones wrap below 0


def compare_unordered(element: ElementType, got: Array, right: Array, *, chunk: int) -> ComparedColumn:
    """Equal as multisets of whole elements, bitwise; which of them are to blame is then not known."""
    ours, theirs = in_order(element, got), in_order(element, right)
    wrong = np.zeros(got.size, bool)
    for part in chunks(wrong.size, chunk):
        for mine, other in zip(ours, theirs, strict=True):
            wrong[part] |= mine[part] != other[part]
    return ComparedColumn(wrong=wrong, status=Status.WRONG_VALUE if wrong.any() else None, ordered=False)


def in_order(element: ElementType, array: Array) -> tuple[Array, ...]:
    """The bits of every field of `array`, elements sorted: equal for two arrays exactly when they hold the same elements."""
    keys = tuple(canonical_bits(column(array, member), member.scalar, copy=True) for member in fields_of(element))
    if len(keys) == 1:
        keys[0].sort()
        return keys
    order = np.lexsort(keys)
    return tuple(key[order] for key in keys)


def compare_float(pair: Pair, tolerance: ColumnTolerance, *, family: Family, chunk: int) -> ComparedColumn:
    """By the two bars of `outputs`; NaN and infinities by class and place.

    Args:
        family: Of the values that went in. Where sums are made to cancel, an error is relative to the magnitudes that went in; where all
            values are equal, rounding may go one way.
    """
    wrong = np.zeros(pair.got.size, bool)
    sums = _Sums(family)
    misplaced = False

    def measured(part: slice) -> tuple[_Sums, bool]:
        one, own = _Part(pair, part), _Sums(family)
        one.excuse(tolerance)
        wrong[part] = one.misplaced | one.disturbed | own.add(one, tolerance)
        return own, bool(one.misplaced.any())

    for own, found in _side_by_side(measured, list(chunks(wrong.size, chunk))):
        sums.merge(own)
        misplaced |= found
    norm_error, norm_bar = sums.norm(tolerance)
    status = None
    failed = sums.norm_failed(tolerance)
    if failed and not wrong.any():
        _blame(pair, wrong, sums, tolerance, chunk=chunk)
    if failed or wrong.any():
        status = _status(pair, wrong, Status.NON_FINITE if misplaced else Status.WRONG_VALUE, chunk=chunk)
    got = right = 0.0
    if (first := first_of(wrong)) is not None:
        worst = _Part(pair, slice(first, first + 1))
        got, right = float(worst.got[0]), float(worst.rounded[0])
    return ComparedColumn(
        wrong=wrong,
        status=status,
        got=got,
        right=right,
        norm_error=norm_error,
        norm_bar=norm_bar,
        element_error=None if sums.element is None else _finite(sums.element),
    )


def _side_by_side(
    work: Callable[[slice], tuple["_Sums", bool]], parts: Sequence[slice]
) -> Iterator[tuple["_Sums", bool]]:
    """The results in the order of `parts`; numpy lets go of the interpreter, so several chunks are worked on at once."""
    workers = min(len(parts), _WORKERS, os.cpu_count() or 1)
    if workers <= 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, parts)


def untouched(written: Array, wide: Array, poison: int) -> Mask:
    """Where the reference left the poison: as written it is still there, and the wide run, poisoned with NaN, has NaN."""
    return is_poison(written, poison) & np.isnan(wide)


def is_poison(raw: Array, poison: int) -> Mask:
    """Where every byte of an element is `poison`."""
    return bits_of(raw) == int.from_bytes(bytes([poison]) * raw.dtype.itemsize, "little")


def classes_of(values: Array) -> Array:
    """0 for finite, 1 for NaN, 2 and 3 for the infinities."""
    found = np.zeros(values.shape, np.int8)
    found[np.isnan(values)] = 1
    found[np.isposinf(values)] = 2
    found[np.isneginf(values)] = 3
    return found


class _Part:
    """A chunk of a float column, as numbers. `difference` is 0 where there is none to take: NaN, infinities, what nobody writes."""

    def __init__(self, pair: Pair, part: slice) -> None:
        written = numbers(pair.written[part], pair.scalar)
        self.got = numbers(pair.got[part], pair.scalar)
        right = written if pair.wide is None else pair.wide.values[part]
        self.rounded = numbers(stored(right, pair.scalar), pair.scalar)
        # What the reference never writes, a candidate must leave alone too.
        left = np.zeros(self.got.size, bool)
        if pair.wide is not None and pair.poison is not None:
            left = untouched(pair.written[part], right, pair.poison)
        self.disturbed = left & (bits_of(pair.got[part]) != bits_of(pair.written[part]))
        finite = np.isfinite(self.got), np.isfinite(self.rounded), np.isfinite(written)
        self.misplaced = np.zeros(self.got.size, bool)
        self.compared = ~left
        if all(bool(one.all()) for one in (*finite, self.compared)):  # as nearly always: nothing to leave out
            self.right, self.difference, self.own = right, np.abs(self.got - right), np.abs(written - right)
        else:
            found = classes_of(self.got)
            self.misplaced = self.compared & (found != classes_of(self.rounded)) & (found != classes_of(written))
            self.compared &= finite[0] & finite[1]
            self.right = np.where(self.compared, right, 0)
            self.difference = np.abs(np.where(self.compared, self.got, 0) - self.right)
            usable = self.compared & finite[2]
            self.own = np.abs(np.where(usable, written, 0) - np.where(usable, right, 0))
        for run in pair.moved:
            with np.errstate(invalid="ignore"):  # infinities
                off = np.abs(numbers(run[part], pair.scalar) - self.right)
            self.own = np.fmax(self.own, np.where(self.compared & np.isfinite(off), off, 0))
        scale = None if pair.wide is None else pair.wide.scale
        self.magnitudes = None if scale is None else scale[part]
        self._written = written

    def excuse(self, tolerance: ColumnTolerance) -> None:
        """Take out of both bars where the reference itself is beyond its excuse and the candidate has the reference's very value.

        That is where rounding decides a branch: a product of two subnormal numbers is 0 in the task's type and not in a wider one, so that
        `if (a * b <= 0)` goes two ways. What the reference returns as written is right there, and says nothing of how others may be off.
        """
        beyond = self.own > _MOST_OWN * np.abs(self.right)
        if beyond.any():
            beyond &= self.as_written(tolerance)
            self.difference = np.where(beyond, 0, self.difference)
            self.own = np.where(beyond, 0, self.own)

    def as_written(self, tolerance: ColumnTolerance) -> Mask:
        """Where the candidate has the very value that the reference has as written, which is one right answer however far the wide run's
        is: exp(-x) overflows on the way to 1 / (1 + exp(-x)), and both have 0 where the wide run has 1e-39."""
        with np.errstate(invalid="ignore"):  # infinities
            return np.asarray(np.abs(self.got - self._written) <= 2 * tolerance.unit_out * np.abs(self._written))


@dataclass(slots=True)
class _Sums:
    """What a float column's norms are made of, over all its chunks."""

    family: Family
    count: int = 0
    difference: np.longdouble = field(default_factory=lambda: np.longdouble(0))
    right: np.longdouble = field(default_factory=lambda: np.longdouble(0))
    own: np.longdouble = field(default_factory=lambda: np.longdouble(0))
    magnitudes: np.longdouble = field(default_factory=lambda: np.longdouble(0))
    largest: float = 0.0
    """The largest difference."""
    element: float | None = None
    """The largest element error in bars; None where no magnitudes are known."""

    def add(self, one: _Part, tolerance: ColumnTolerance) -> Mask:
        """Take a chunk in; which of its elements are over their own bar."""
        compared = int(one.compared.sum())
        if not compared:
            return np.zeros(one.compared.size, bool)
        self.count += compared
        self.difference += sum_of_squares(one.difference)
        self.right += sum_of_squares(one.right)
        self.own += sum_of_squares(one.own)
        self.largest = max(self.largest, float(one.difference.max()))
        if one.magnitudes is None or not tolerance.by_magnitudes:
            return np.zeros(one.compared.size, bool)
        # Where even the wide run overflowed on its way there is no bound for the element, and nothing to add to the norm.
        known = one.compared & np.isfinite(one.magnitudes)
        magnitudes = np.where(known, one.magnitudes, 0)
        self.magnitudes += sum_of_squares(magnitudes)
        rounding = max(_ELEMENT_FACTOR * math.sqrt(tolerance.length) * tolerance.unit, self._one_way(tolerance))
        limit = rounding * magnitudes + 2 * tolerance.unit_out * np.abs(one.right)
        limit += np.minimum(4 * one.own, _MOST_OWN * np.maximum(np.abs(one.right), magnitudes)) + _underflow(tolerance)
        limit = np.maximum(limit, tolerance.atol + tolerance.rtol * np.abs(one.right))
        wrong = known & (one.difference > limit)
        if wrong.any():
            known &= ~one.as_written(tolerance)
            wrong &= known
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(known & (one.difference > 0), one.difference / limit, 0)
        self.element = max(self.element or 0.0, float(ratio.max()))
        return np.asarray(wrong)

    def merge(self, other: "_Sums") -> None:
        """Take in the sums of the chunks after these."""
        self.count += other.count
        self.difference += other.difference
        self.right += other.right
        self.own += other.own
        self.magnitudes += other.magnitudes
        self.largest = max(self.largest, other.largest)
        if other.element is not None:
            self.element = max(self.element or 0.0, other.element)

    def _one_way(self, tolerance: ColumnTolerance) -> float:
        """How far rounding takes an honest sum of equal terms, relative to it. There it goes one way for as long as the sum's exponent
        lasts: one sum is off by up to K u / 2, several side by side, as the reference may have them, by a fraction of that."""
        return min(tolerance.length * tolerance.unit, _MOST_OWN) if self.family in REPEATING else 0.0

    def _errors(self, tolerance: ColumnTolerance) -> tuple[float, float, float]:
        """(norm of the error, what is allowed, the scale of both)."""
        scale = scale_of(self.right, self.magnitudes, _equal_terms(self.family, tolerance.length))
        allowed = max(
            max(tolerance.norm, tolerance.rtol, self._one_way(tolerance)) * scale,
            min(4 * float(np.sqrt(self.own)), _MOST_OWN * scale),
        )
        allowed += math.sqrt(self.count) * (tolerance.atol + _underflow(tolerance))
        return float(np.sqrt(self.difference)), allowed, scale

    def norm_failed(self, tolerance: ColumnTolerance) -> bool:
        error, allowed, _ = self._errors(tolerance)
        return bool(self.count) and error > allowed

    def norm(self, tolerance: ColumnTolerance) -> tuple[float, float]:
        """(norm error, norm bar), relative to the scale where it is not 0."""
        if not self.count:
            return 0.0, tolerance.norm
        error, allowed, scale = self._errors(tolerance)
        return (_finite(error / scale), _finite(allowed / scale)) if scale > 0 else (_finite(error), _finite(allowed))


def _underflow(tolerance: ColumnTolerance) -> float:
    return tolerance.tiny + tolerance.tiny_term * tolerance.length


def _blame(pair: Pair, wrong: Mask, sums: _Sums, tolerance: ColumnTolerance, *, chunk: int) -> None:
    """Mark whom the norm bar refuses, which names no element: those with half the largest difference. Where poison is among them, all that
    still hold it and should not: the rest of what was never written may be off by less, where the right values are small."""
    unwritten = False
    for part in chunks(wrong.size, chunk):
        one = _Part(pair, part)
        one.excuse(tolerance)
        wrong[part] = one.difference >= 0.5 * sums.largest
        if pair.poison is not None and not unwritten:
            unwritten = bool((wrong[part] & is_poison(pair.got[part], pair.poison)).any())
    if unwritten and pair.poison is not None:
        for part in chunks(wrong.size, chunk):
            wrong[part] = is_poison(pair.got[part], pair.poison) & (_Part(pair, part).difference > 0)


def _status(pair: Pair, wrong: Mask, fallback: Status, *, chunk: int) -> Status:
    """UNWRITTEN where poison is left. A small element may equal it by chance: then most of what is wrong has to."""
    if pair.poison is not None:
        left = sum(
            int((wrong[part] & is_poison(pair.got[part], pair.poison)).sum()) for part in chunks(wrong.size, chunk)
        )
        if left > (0 if pair.got.dtype.itemsize >= _SURE_BYTES else wrong.sum() // 2):
            return Status.UNWRITTEN
    return fallback


def _number_at(raw: Array, index: int, scalar: ScalarType) -> float:
    return float(numbers(raw[index : index + 1], scalar)[0])


def _finite(value: float) -> float:
    return min(value, 1e300) if not math.isnan(value) else 1e300


def differing_output(element: ElementType, first: Array, second: Array, *, free_order: bool) -> bool:
    """Whether two runs left different elements; padding between the fields of a struct does not count."""
    if not free_order:
        return not same_elements(element, first, second, chunk=CHUNK_ELEMENTS)
    pairs = zip(in_order(element, first), in_order(element, second), strict=True)
    return any(a.size != b.size or bool((a != b).any()) for a, b in pairs)
