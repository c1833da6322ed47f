"""Outputs that cost no work: what a candidate could leave without computing anything, and hope that the tolerance lets it through.

They are arrays built here and go through the judge's own comparison; no compiler and no GPU takes part.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from regrapht.evaluate.compare.outputs import defined
from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.inputs.element_arrays import Array, Field, column, fields_of, numbers, storage_dtype, stored
from regrapht.evaluate.reference.expected import Expected
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, Role, Task

A_COPY = "a copy of "
ANOTHER_DRAW = "what another draw gives"
Outputs = Mapping[str, Array]
"""Flat arrays in storage type, by the output's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One call with its right outputs, and the right outputs of other draws with the same sizes."""

    inputs: Inputs
    expected: Expected
    others: Sequence[Outputs]


def trivial_outputs(task: Task, arg: Arg, drawn: Drawn) -> Iterator[tuple[str, Array]]:
    """Names and contents of trivial versions of the output `arg`, as flat arrays in storage type.

    Constants come from other draws alone: the mean of the output itself would be the right answer wherever it has one element.
    """
    right = drawn.expected.as_written[arg.name]
    yield "all zeros", np.zeros_like(right)
    yield "left as it was", _initial(arg, drawn.inputs, right)
    for source in task.inputs:
        if source.name != arg.name and drawn.inputs.arrays[source.name].size == right.size:
            copied = _cast(drawn.inputs.arrays[source.name], source, arg)
            if copied is not None:
                yield A_COPY + source.name, copied
    if not drawn.others:
        return
    yield ANOTHER_DRAW, drawn.others[0][arg.name]
    samples = [defined(arg, outputs) for outputs in drawn.others]
    for name in ("mean", "median", "commonest value"):
        yield f"the {name} of other draws", _by_field(arg, right, samples, name)
    if arg.valid_length is None and len(drawn.others) > 1:
        yield "the average of other draws", _average(arg, right, samples)


def repeated(arg: Arg, right: Array, axis: int, dimensions: tuple[int, ...]) -> Array:
    """The right output with its first slice along `axis` in the place of all others."""
    shaped = right.reshape(dimensions)
    return np.ascontiguousarray(np.broadcast_to(shaped.take([0], axis), dimensions)).reshape(-1)


def _initial(arg: Arg, inputs: Inputs, right: Array) -> Array:
    if arg.role is Role.INOUT:
        return inputs.arrays[arg.name]
    return np.full(right.nbytes, inputs.poison, np.uint8).view(right.dtype)


def _cast(raw: Array, source: Arg, target: Arg) -> Array | None:
    """An input's values in the output's type; None between different structs."""
    if source.dtype == target.dtype:
        return raw
    if not isinstance(source.dtype, ScalarType) or not isinstance(target.dtype, ScalarType):
        return None
    return _as_stored(numbers(raw, source.dtype), target.dtype)


def _as_stored(values: Array, scalar: ScalarType) -> Array:
    if scalar.is_float:
        return stored(values, scalar)
    with np.errstate(
        invalid="ignore", over="ignore"
    ):  # a float that no integer holds is as good as any other wrong value
        return np.asarray(values).astype(storage_dtype(scalar))


def _by_field(arg: Arg, right: Array, samples: Sequence[Array], name: str) -> Array:
    filled = np.zeros_like(right)
    for field in fields_of(arg.dtype):
        pooled = np.concatenate([column(sample, field) for sample in samples])
        column(filled, field)[:] = _constant(pooled, field, name)
    return filled


def _constant(pooled: Array, field: Field, name: str) -> Array:
    """One value in storage type; zero where there is nothing to take it from."""
    values = numbers(pooled, field.scalar)
    usable = values[np.isfinite(values)]
    if not usable.size:
        return _as_stored(np.zeros(1), field.scalar)
    if name == "mean":
        mean = usable.mean(dtype=np.float64)
        return _as_stored(np.array([mean if field.scalar.is_float else round(mean)]), field.scalar)
    if name == "median":
        return _as_stored(np.partition(usable, usable.size // 2)[usable.size // 2 : usable.size // 2 + 1], field.scalar)
    found, counts = np.unique(usable, return_counts=True)
    return _as_stored(found[counts.argmax()].reshape(1), field.scalar)


def _average(arg: Arg, right: Array, samples: Sequence[Array]) -> Array:
    """Element by element: the best guess of one who knows how inputs are drawn, but not which were."""
    filled = np.zeros_like(right)
    for field in fields_of(arg.dtype):
        with np.errstate(invalid="ignore", over="ignore"):
            mean = np.mean([numbers(column(sample, field), field.scalar) for sample in samples], axis=0)
        column(filled, field)[:] = _as_stored(mean if field.scalar.is_float else np.rint(mean), field.scalar)
    return filled
