"""Whether raw outputs are right. All of it happens here, in the parent, on bytes copied out of the child's reach.

Exact columns are compared bitwise. Float columns have two bars, both of which must hold:

    norm      ||y - r|| <= max(T ||r||, 4 ||w - r||)
    element   |y_i - r_i| <= 8 sqrt(K) u S_i + 2 u_out |r_i| + 4 |w_i - r_i|

with r the wide reference, w the reference as written (whose own error a candidate may always have), and S_i the magnitudes behind
element i. The element bar applies where S is known. NaN and infinity are right only where the reference has the same.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from regrapht.evaluate.bars import Bar, Key, is_exact, scale_norm
from regrapht.evaluate.element_arrays import (
    Array,
    Field,
    bits_of,
    column,
    fields_of,
    is_nan,
    numbers,
    stored,
)
from regrapht.evaluate.inputs import Inputs
from regrapht.evaluate.reference import Expected
from regrapht.evaluate.wrongness import Mask, magnitude, pattern, place
from regrapht.records.task import Arg, Compare, Role, Task
from regrapht.records.verdict import CaseResult, Status

_ELEMENT_FACTOR = 8.0
_UNDECIDED_SHARE = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One case compared: the record for the verdict, and what a person or a model may be told."""

    result: CaseResult
    status: Status | None
    """None when it is right."""
    what: str = ""
    """The wrong output, where, and how; no expected value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One call with its right outputs."""

    inputs: Inputs
    expected: Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers:
    """One float column as numbers: the candidate's, the right ones, the reference's as written, the magnitudes where known."""

    got: Array
    right: Array
    written: Array
    magnitudes: Array | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """One column compared."""

    wrong: Mask
    status: Status | None
    got: Array
    right: Array
    norm_error: float | None = None
    norm_bar: float | None = None
    element_error: float | None = None


def compare_case(
    task: Task, inputs: Inputs, expected: Expected, got: Mapping[str, Array], *, bars: Mapping[Key, Bar]
) -> Compared:
    """Compare every output of one call, and see that no read-only input changed.

    `got` holds flat arrays in storage type: all outputs, and the read-only inputs that were asked back.
    """
    columns: list[tuple[Arg, Field, _Column]] = []
    call = _Call(inputs=inputs, expected=expected)
    for arg in task.outputs:
        valid = _valid_count(task, arg, expected)
        for field in fields_of(arg.dtype):
            raw = column(got[arg.name][:valid], field)
            if arg.compare is Compare.UNORDERED:
                compared = _unordered(raw, column(expected.as_written[arg.name][:valid], field))
            elif is_exact(task, arg, field.scalar):
                compared = _exact(arg, field, raw, call)
            else:
                compared = _float(arg, field, raw, call, bars[arg.name, field.name])
            columns.append((arg, field, compared))
    return _summary(inputs, columns, _modified_input(task, inputs, got))


def undecided_share(task: Task, expected: Expected) -> float:
    """The largest share of an exact output on which the reference as written and in a wider float disagree, beyond two elements."""
    worst = 0.0
    for arg in task.outputs:
        for field in fields_of(arg.dtype):
            other = expected.wide_exact.get((arg.name, field.name))
            if other is not None and other.size:
                differing = int((column(expected.as_written[arg.name], field) != other).sum())
                worst = max(worst, differing / other.size if differing > 2 else 0.0)
    return worst


def is_decided(task: Task, expected: Expected) -> bool:
    """Whether rounding inside the reference leaves the exact outputs (nearly) decided."""
    return undecided_share(task, expected) <= _UNDECIDED_SHARE


def is_well_posed(task: Task, inputs: Inputs, expected: Expected) -> bool:
    """Whether the reference itself keeps two digits here: otherwise nothing can be held against a candidate."""
    if expected.wide is None:
        return True
    for (name, field_name), wide in expected.wide.items():
        field = next(f for f in fields_of(_output(task, name).dtype) if f.name == field_name)
        raw = column(expected.as_written[name], field)
        written, untouched = numbers(raw, field.scalar), _untouched(raw, wide.values, inputs)
        right = numbers(stored(wide.values, field.scalar), field.scalar)
        usable = np.isfinite(written) & np.isfinite(right) & ~untouched
        classes = int((_classes(written) != _classes(right))[~untouched].sum())
        error = float(np.linalg.norm(written[usable] - right[usable]))
        if error > 1e-2 * float(np.linalg.norm(right[usable])) + 1e-30 or classes > _UNDECIDED_SHARE * written.size:
            return False
    return True


def same_bytes(first: Mapping[str, Array], second: Mapping[str, Array], task: Task) -> str | None:
    """The first output that differs between two runs on the same inputs, or None. Orders that are free do not count."""
    for arg in task.outputs:
        a, b = first[arg.name], second[arg.name]
        if arg.compare is Compare.UNORDERED:
            a, b = np.sort(a), np.sort(b)
        if a.tobytes() != b.tobytes():
            return arg.name
    return None


def _output(task: Task, name: str) -> Arg:
    return next(arg for arg in task.outputs if arg.name == name)


def _valid_count(task: Task, arg: Arg, expected: Expected) -> int | None:
    """How many leading elements are defined; None for all."""
    if arg.valid_length is None:
        return None
    return max(0, int(expected.as_written[arg.valid_length][0]))


def _exact(arg: Arg, field: Field, raw: Array, call: _Call) -> _Column:
    expected, inputs = call.expected, call.inputs
    right = column(expected.as_written[arg.name][: raw.size], field)
    same = bits_of(raw) == bits_of(right)
    same |= is_nan(raw, field.scalar) & is_nan(right, field.scalar)
    other = expected.wide_exact.get((arg.name, field.name))
    if other is not None:
        same |= raw == other[: raw.size]
    wrong = ~same
    status = None if not wrong.any() else _status(arg, wrong, raw, inputs, Status.WRONG_VALUE)
    return _Column(wrong=wrong, status=status, got=raw, right=right)


def _unordered(raw: Array, right: Array) -> _Column:
    """Equal as multisets; which of the elements are to blame is then not known."""
    wrong = bits_of(np.sort(raw)) != bits_of(np.sort(right))
    return _Column(wrong=wrong, status=Status.WRONG_VALUE if wrong.any() else None, got=raw, right=right)


def _float(arg: Arg, field: Field, raw: Array, call: _Call, bar: Bar) -> _Column:
    expected, inputs = call.expected, call.inputs
    count, key = raw.size, (arg.name, field.name)
    written_raw = column(expected.as_written[arg.name][:count], field)
    got, written = numbers(raw, field.scalar), numbers(written_raw, field.scalar)
    wide = None if expected.wide is None else expected.wide[key]
    right = written if wide is None else wide.values[:count]
    # What the reference never writes, a candidate must leave alone too.
    untouched = (
        np.zeros(count, bool) if wide is None or arg.role is not Role.OUT else _untouched(written_raw, right, inputs)
    )
    disturbed = untouched & (bits_of(raw) != bits_of(written_raw))
    rounded = numbers(stored(right, field.scalar), field.scalar)
    classes = _classes(got)
    misplaced = ~untouched & (classes != _classes(rounded)) & (classes != _classes(written))
    compared = ~untouched & np.isfinite(got) & np.isfinite(rounded)
    magnitudes = None if wide is None or wide.scale is None else wide.scale[:count]
    values = _Numbers(got=got, right=right, written=written, magnitudes=magnitudes)
    off, norm, element = _distances(values, compared, bar)
    wrong = misplaced | disturbed | off
    norm_failed = norm[0] > norm[1]
    status = None
    if wrong.any() or norm_failed:
        fallback = Status.NON_FINITE if misplaced.any() else Status.WRONG_VALUE
        status = _status(arg, wrong, raw, inputs, fallback)
        if not wrong.any():
            difference = np.where(compared, np.abs(got - right), 0)
            wrong = difference >= 0.5 * difference.max()
    return _Column(
        wrong=wrong, status=status, got=got, right=rounded, norm_error=norm[0], norm_bar=norm[1], element_error=element
    )


def _distances(values: _Numbers, compared: Mask, bar: Bar) -> tuple[Mask, tuple[float, float], float | None]:
    """(elements over their bar, (norm error, norm bar), largest element error in bars)."""
    y, r, w = values.got[compared], values.right[compared], values.written[compared]
    off = np.zeros(compared.size, bool)
    if not y.size:
        return off, (0.0, bar.norm), None
    difference = np.abs(y - r)
    own = np.where(np.isfinite(w), np.abs(w - r), 0)
    underflow = bar.tiny * (bar.length + 1)
    magnitudes = None if values.magnitudes is None else values.magnitudes[compared]
    scale = scale_norm(r, magnitudes, bar.length)
    allowed = max(max(bar.norm, bar.rtol) * scale, 4 * float(np.linalg.norm(own)))
    allowed += math.sqrt(y.size) * (bar.atol + underflow)
    norm = float(np.linalg.norm(difference)), allowed
    relative = (
        (_finite(norm[0] / scale), _finite(norm[1] / scale)) if scale > 0 else (_finite(norm[0]), _finite(norm[1]))
    )
    if magnitudes is None:
        return off, relative, None
    limit = _ELEMENT_FACTOR * math.sqrt(bar.length) * bar.unit * magnitudes + 2 * bar.unit_out * np.abs(r)
    limit += 4 * own + underflow
    limit = np.maximum(limit, bar.atol + bar.rtol * np.abs(r))
    over = difference > limit
    off[compared] = over
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(limit > 0, difference / limit, np.where(difference > 0, np.inf, 0))
    return off, relative, _finite(float(ratio.max()))


def _untouched(written_raw: Array, wide: Array, inputs: Inputs) -> Mask:
    """Where the reference left the poison: as written it is still there, and the wide run, poisoned with NaN, has NaN."""
    poison = int.from_bytes(bytes([inputs.poison]) * written_raw.dtype.itemsize, "little")
    return (bits_of(written_raw) == poison) & np.isnan(wide)


def _classes(values: Array) -> Array:
    """0 for finite, 1 for NaN, 2 and 3 for the infinities."""
    found = np.zeros(values.shape, np.int8)
    found[np.isnan(values)] = 1
    found[np.isposinf(values)] = 2
    found[np.isneginf(values)] = 3
    return found


def _status(arg: Arg, wrong: Mask, raw: Array, inputs: Inputs, fallback: Status) -> Status:
    if arg.role is Role.OUT:
        poison = int.from_bytes(bytes([inputs.poison]) * raw.dtype.itemsize, "little")
        if (wrong & (bits_of(raw) == poison)).any():
            return Status.UNWRITTEN
    return fallback


def _modified_input(task: Task, inputs: Inputs, got: Mapping[str, Array]) -> str | None:
    for arg in task.inputs:
        if arg.role is Role.IN and arg.name in got and got[arg.name].tobytes() != inputs.arrays[arg.name].tobytes():
            return arg.name
    return None


_GRAVITY = {Status.UNWRITTEN: 3, Status.NON_FINITE: 2, Status.WRONG_VALUE: 1, None: 0}


def _summary(inputs: Inputs, columns: list[tuple[Arg, Field, _Column]], modified: str | None) -> Compared:
    def weight(item: tuple[Arg, Field, _Column]) -> tuple[int, float]:
        compared = item[2]
        ratio = (compared.norm_error or 0) / compared.norm_bar if compared.norm_bar else 0.0
        return _GRAVITY[compared.status], max(ratio, compared.element_error or 0.0)

    arg, field, worst = max(columns, key=weight)
    status = Status.INPUT_MODIFIED if modified is not None else worst.status
    case = inputs.case
    result = CaseResult(
        sizes=dict(case.sizes),
        family=case.family.value,
        hidden=case.hidden,
        output=arg.name,
        norm_error=worst.norm_error,
        norm_bar=worst.norm_bar,
        element_error=worst.element_error,
        mismatches=sum(int(c.wrong.sum()) for _, _, c in columns),
        passed=status is None,
    )
    what = ""
    if modified is not None:
        what = f"the read-only input {modified} was changed"
    elif status is not None:
        what = _describe(arg, field, worst, inputs)
    return Compared(result=result, status=status, what=what)


def _describe(arg: Arg, field: Field, compared: _Column, inputs: Inputs) -> str:
    dimensions = arg.dimensions(inputs.case.sizes)
    name = f"{arg.name}.{field.name}" if field.name else arg.name
    if not compared.wrong.any():
        return f"{name} is wrong"
    first = int(np.flatnonzero(compared.wrong)[0])
    text = f"{name}: wrong in {pattern(compared.wrong, dimensions)}; first at {name}{place(first, dimensions)}"
    if compared.status is Status.UNWRITTEN:
        return f"{text}, which was never written"
    got, right = magnitude(float(compared.got[first])), magnitude(float(compared.right[first]))
    if (
        got == right
        and compared.norm_error is not None
        and compared.norm_bar is not None
        and compared.norm_error < 0.01
    ):
        off, allowed = compared.norm_error, compared.norm_bar
        return f"{text}: precision is lost; the output as a whole is off by {off:.1e}, {allowed:.1e} is allowed"
    if got == right:
        return f"{text}: right in magnitude ({got}) but not close enough"
    return f"{text}: got {got}, expected {right}"


def _finite(value: float) -> float:
    return min(value, 1e300) if not math.isnan(value) else 1e300
