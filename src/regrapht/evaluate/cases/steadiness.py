"""Whether NaN and infinity among the right outputs can be held against a candidate.

A divisor of zero that is an input is one in every honest program. A divisor that is a difference, a norm or a variance that comes to zero,
and a root or a logarithm of what is nearly zero, are what they are by the order of one sum: a program that sums in another has a number.
Such a NaN goes where the inputs move by their last bit. Whole numbers cannot move, and skewed values are made for something else: there
NaN and infinity count where the declared values have them too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from regrapht.evaluate.compare.column import Key, classes_of
from regrapht.evaluate.compare.outputs import defined
from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.inputs.element_arrays import Array, column, fields_of, mantissa_bits, numbers, smallest_subnormal
from regrapht.evaluate.inputs.families import WHOLE
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, ReferenceProgram, Trial
from regrapht.records.task import Task

_MOVES = 3
_BITS = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def without_numbers(task: Task, trials: Sequence[Trial]) -> frozenset[Key]:
    """The float columns with NaN or infinity in some element of `trials`."""
    return frozenset(
        key for one in trials for key, classes in _classes(task, one.expected.as_written).items() if classes.any()
    )


def has_usual_numbers(task: Task, expected: Expected, usual: frozenset[Key]) -> bool:
    """Whether no other columns have NaN or infinity than those that have them for the declared values."""
    return all(key in usual or not classes.any() for key, classes in _classes(task, expected.as_written).items())


def is_steady(
    task: Task, reference: ReferenceProgram, inputs: Inputs, expected: Expected, *, usual: frozenset[Key]
) -> bool:
    """Whether what is NaN or infinite is so in every honest program. The reference runs again only where something is."""
    if inputs.case.family in WHOLE:
        return has_usual_numbers(task, expected, usual)
    found = _classes(task, expected.as_written)
    if not any(classes.any() for classes in found.values()):
        return True
    try:
        runs = reference.written([moved_bits(task, inputs, np.random.default_rng(seed)) for seed in range(_MOVES)])
    except ReferenceFailed:
        return False
    again = [_classes(task, run) for run in runs]
    return all(np.array_equal(classes, one[key]) for one in again for key, classes in found.items())


def _classes(task: Task, outputs: Mapping[str, Array]) -> dict[Key, Array]:
    return {
        (arg.name, field.name): classes_of(numbers(column(defined(arg, outputs), field), field.scalar))
        for arg in task.outputs
        for field in fields_of(arg.dtype)
        if field.scalar.is_float
    }


def moved_bits(task: Task, inputs: Inputs, rng: np.random.Generator, *, bit: int = 0) -> Inputs:
    """`inputs` with a bit of about half of the floats turned, the last or another; zeros and what is about as small as a subnormal stay."""
    arrays = dict(inputs.arrays)
    for arg in task.inputs:
        changed = arrays[arg.name].copy()
        for field in fields_of(arg.dtype):
            if field.scalar.is_float:
                place = column(changed, field)
                least = smallest_subnormal(field.scalar) * 2.0 ** mantissa_bits(field.scalar)
                values = numbers(place, field.scalar)
                turned = np.isfinite(values) & (np.abs(values) >= least) & (rng.random(place.size) < 0.5)
                bits = place.copy().view(_BITS[place.dtype.itemsize])
                bits[turned] ^= 1 << bit
                place[:] = bits.view(place.dtype)
        arrays[arg.name] = changed
    return replace(inputs, arrays=arrays)
