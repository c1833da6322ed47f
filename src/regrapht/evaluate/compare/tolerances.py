"""How far a float output may be off: the tolerances of one task at one shape, calibrated on the task's own signed data.

The norm bar lies between the task's precision and the next lower one. With e the error of the reference as written, and e_low the error of
the same computation with inputs and outputs rounded to the lower precision, both against the wide reference:

    T = max(4 e, sqrt(e e_low))

On signed data this separates float32 from half at every length; on data of one sign nothing would. Where the reference keeps no digits of
those data, as an iteration that does not converge for them, they say nothing of others: a bar made of them would let zeros pass. Then the
bar comes from types and lengths, and where rounding grows, what the reference is off by in a case is its excuse there.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from regrapht.evaluate.compare.column import ColumnTolerance, Key, is_exact, scale_of
from regrapht.evaluate.inputs.drawing import Case, Inputs, draw
from regrapht.evaluate.inputs.element_arrays import (
    Array,
    column,
    fields_of,
    mantissa_bits,
    numbers,
    rounded_to_bits,
    smallest_subnormal,
    stored,
    sum_of_squares,
    unit_roundoff,
)
from regrapht.evaluate.inputs.families import Family, half_is_allowed, widened_arrays
from regrapht.evaluate.reference.expected import ReferenceProgram, WideColumn
from regrapht.records.element import SCALAR_TYPES, ScalarType
from regrapht.records.task import Arg, ArgKind, Sizes, Task

_LOWER = {53: 24, 24: 11, 11: 4, 8: 4}
_MIN_ELEMENTS, _MAX_DRAWS = 64, 16
_FEW_DRAWS, _DRAWN_ELEMENTS = 4, 2**20
"""Draws enough for an output of few elements, and in how many elements of all arrays more are drawn for its sake: it may stand beside
millions, and each draw is a run in the wider type."""
_GROWTH, _SHARE = 10.0, 1e-3
_LOST, _GROWN = 1 / 400, 16.0


def uncalibrated(task: Task, sizes: Sizes) -> dict[Key, ColumnTolerance]:
    """Tolerances from types and lengths alone, for references that cannot be widened: T = sqrt(e e_low) with e = 2 sqrt(K) u."""
    tolerances = {}
    for arg in task.outputs:
        length = _length(task, arg, sizes)
        for field in fields_of(arg.dtype):
            if is_exact(task, arg, field.scalar):
                continue
            own, low = _levels(task, field.scalar)
            error = _usual_error(own, low, length)
            tolerances[arg.name, field.name] = _tolerance(
                task, arg, field.scalar, length=length, errors=(error, 2.0**-low)
            )
    return tolerances


def _usual_error(own: int, low: int, length: int) -> float:
    """What a sum of this length is off by, at a precision above another: at most so much that it does not hide the lower one."""
    return min(2 * math.sqrt(length) * 2.0**-own, 2.0**-low / 16)


def calibrate(task: Task, reference: ReferenceProgram, sizes: Sizes, *, secret: int) -> dict[Key, ColumnTolerance]:
    """The tolerances of every float column at `sizes`, from fresh signed draws (the declared values where none can be signed)."""
    tolerances = uncalibrated(task, sizes)
    if not tolerances or not reference.widens:
        return tolerances
    case = Case(sizes=sizes, family=Family.SIGNED if widened_arrays(task) else Family.DECLARED)
    inputs = [draw(task, case, secret=secret, index=i) for i in range(_draws(task, sizes))]
    as_written = reference.written(inputs)
    wide = reference.wide(inputs)
    floats = [field.scalar for arg in task.outputs for field in fields_of(arg.dtype) if field.scalar.is_float]
    levels = {_levels(task, scalar) for scalar in floats}
    reduced = {own for scalar in floats if (own := _levels(task, scalar)[0]) < mantissa_bits(scalar)}
    """Precisions that are accepted below a type's own: nothing else asks for a run at the accepted one."""
    asked = {bits for own, low in levels for bits in (own, low) if bits == low or own in reduced}
    at_level = {bits: reference.wide([_rounded(task, one, bits) for one in inputs]) for bits in asked}
    for arg in task.outputs:
        for field in fields_of(arg.dtype):
            key = (arg.name, field.name)
            if key not in tolerances:
                continue
            length = tolerances[key].length
            own, low = _levels(task, field.scalar)
            exact = [w[key] for w in wide]
            written = [numbers(column(outputs[arg.name], field), field.scalar) for outputs in as_written]
            known = magnitudes_hold(written, exact, length=length, unit=tolerances[key].unit)
            exact = exact if known else [replace(one, scale=None) for one in exact]
            error = _pooled(written, exact, field.scalar, length)
            if own < mantissa_bits(field.scalar):
                error = max(error, _pooled(_at(at_level[own], key, own), exact, field.scalar, length))
            error = max(error, 2.0 ** -(own + 1))
            error_low = max(_pooled(_at(at_level[low], key, low), exact, field.scalar, length), 2.0 ** -(low + 1))
            calibrated = _tolerance(task, arg, field.scalar, length=length, errors=(error, error_low))
            grows = calibrated.norm > _GROWN * tolerances[key].norm
            keeps_digits = error <= max(_LOST, _GROWN * _usual_error(own, low, length))
            told = calibrated if keeps_digits else tolerances[key]
            tolerances[key] = replace(told, by_magnitudes=known, grows=grows)
    return tolerances


def _draws(task: Task, sizes: Sizes) -> int:
    """How many draws tell what the smallest output is off by, as far as the arrays of one call let them be many."""
    counts = [arg.element_count(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY]
    smallest = min(max(arg.element_count(sizes), 1) for arg in task.outputs)
    most = min(_MAX_DRAWS, max(_FEW_DRAWS, _DRAWN_ELEMENTS // max(sum(counts), 1)))
    return max(2, min(most, -(-_MIN_ELEMENTS // smallest)))


def magnitudes_hold(got: Sequence[Array], exact: Sequence[WideColumn], *, length: int, unit: float) -> bool:
    """Whether the magnitudes that the wide run carried say anything of rounding.

    They add up whatever signs there are. In a recurrence such as psi = 2 mid - psi they grow at every step, by orders where the values and
    their rounding do not, and a bar made of them lets everything pass. A sum's never exceed its values by more than its length, and its
    rounding is no thousandth of theirs.
    """
    error = right = magnitudes = np.longdouble(0)
    for values, one in zip(got, exact, strict=True):
        if one.scale is None:
            return True
        usable = np.isfinite(values) & np.isfinite(one.values)
        error += sum_of_squares(values[usable] - one.values[usable])
        right += sum_of_squares(one.values[usable])
        with np.errstate(over="ignore"):
            magnitudes += sum_of_squares(one.scale[usable])  # may be infinite
    grown = float(np.sqrt(magnitudes))
    return not (
        right > 0 and grown > _GROWTH * length * float(np.sqrt(right)) and float(np.sqrt(error)) < _SHARE * unit * grown
    )


def _tolerance(
    task: Task, arg: Arg, scalar: ScalarType, *, length: int, errors: tuple[float, float]
) -> ColumnTolerance:
    """The tolerance of one column from the errors at the accepted precision and at the next lower one."""
    rtol = arg.rtol if arg.rtol is not None else task.tolerance.rtol
    atol = arg.atol if arg.atol is not None else task.tolerance.atol
    error, error_low = errors
    return ColumnTolerance(
        norm=max(4 * error, math.sqrt(error * error_low)),
        length=length,
        unit=2.0 ** -_arithmetic_bits(task, scalar),
        unit_out=unit_roundoff(scalar),
        tiny=smallest_subnormal(scalar),
        tiny_term=_smallest_term(task, scalar),
        rtol=rtol or 0.0,
        atol=atol or 0.0,
    )


def _smallest_term(task: Task, scalar: ScalarType) -> float:
    """The smallest number of the arithmetic that sums are kept in; below it everything is rounded away."""
    if half_is_allowed(task, scalar):
        return smallest_subnormal(SCALAR_TYPES["float16"])
    wider = _arithmetic_bits(task, scalar) > mantissa_bits(scalar)
    return smallest_subnormal(SCALAR_TYPES["float32"] if wider else scalar)


def _arithmetic_bits(task: Task, scalar: ScalarType) -> int:
    """Mantissa bits that sums are expected to be kept in: two-byte storage is added up in float32."""
    own, _ = _levels(task, scalar)
    return 24 if scalar.size_bytes == 2 and own == mantissa_bits(scalar) else own


def _length(task: Task, arg: Arg, sizes: Sizes) -> int:
    expression = arg.reduction_length or task.tolerance.reduction_length
    return max(1, math.ceil(expression.evaluate(sizes)))


def _levels(task: Task, scalar: ScalarType) -> tuple[int, int]:
    """Mantissa bits of the precision that the task accepts, and of the next lower one."""
    own = mantissa_bits(scalar)
    allowed = {"tf32": 11, "half": 11, "float16": 11, "bfloat16": 8}
    own = min([own, *(allowed[name] for name in task.tolerance.allow if name in allowed)])
    return own, _LOWER[own]


def _rounded(task: Task, inputs: Inputs, bits: int) -> Inputs:
    """The inputs with every float rounded to `bits` of mantissa."""
    arrays = dict(inputs.arrays)
    for arg in task.inputs:
        array = arrays[arg.name].copy()
        for field in fields_of(arg.dtype):
            if field.scalar.is_float:
                column(array, field)[:] = stored(
                    rounded_to_bits(numbers(column(array, field), field.scalar), bits), field.scalar
                )
        arrays[arg.name] = array
    return replace(inputs, arrays=arrays)


def _at(runs: Sequence[Mapping[Key, WideColumn]], key: Key, bits: int) -> list[Array]:
    return [rounded_to_bits(run[key].values, bits) for run in runs]


def _pooled(got: Sequence[Array], exact: Sequence[WideColumn], scalar: ScalarType, length: int) -> float:
    """Relative norm error over several draws together; elements that the output's type cannot hold on either side are left out.

    The wide run goes on where the type is at its end, and a candidate is not measured there.
    """
    error = scale = right_squares = magnitude_squares = np.longdouble(0)
    for values, right in zip(got, exact, strict=True):
        usable = _held(values, scalar) & _held(right.values, scalar)
        difference, reference = values[usable] - right.values[usable], right.values[usable]
        error += sum_of_squares(difference)
        right_squares = sum_of_squares(reference)
        if right.scale is not None:
            magnitudes = right.scale[usable & np.isfinite(right.scale)]
            with np.errstate(over="ignore"):
                magnitude_squares = sum_of_squares(magnitudes)  # may be infinite
        scale += np.longdouble(scale_of(right_squares, magnitude_squares, length)) ** 2
    return float(np.sqrt(error / scale)) if scale else 0.0


def _held(values: Array, scalar: ScalarType) -> NDArray[np.bool_]:
    """Where numbers are finite in the type that stores them."""
    return np.isfinite(numbers(stored(values, scalar), scalar))
