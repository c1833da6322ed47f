"""Whether a reference can be held against anybody: one that differs from run to run, or has no number to compare with, blames the task.

Looked at once a process, on the declared values of every check shape; `admission` looks at far more, when it is asked.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from regrapht.errors import InvalidTask
from regrapht.evaluate.compare.column import is_exact
from regrapht.evaluate.compare.outputs import compare_case, defined, same_bytes, without_digits
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.inputs.element_arrays import Array, column, fields_of, numbers
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.reference.expected import Expected, Trial
from regrapht.records.task import Task

_MORE_DRAWS = 2
_COUNTS_BYTES = re.compile(r"\b(mem(cpy|move|set)|[mc]alloc|realloc)\b")
"""What a reference calls with sizes in bytes, which are others in the wide run."""
DIGITS_LOST = "digits_lost"
"""Label, with an output that cancels to nearly nothing: what it is held to is as large as its terms."""
Outputs = Mapping[str, Array]


def require_same_again(task: Task, cases: Sequence[Trial], again: Sequence[Outputs]) -> None:
    """Raise `InvalidTask` where a second run of the reference on the same inputs gave other outputs.

    Where the task lets results vary, they may by what types and lengths explain. Calibrated tolerances would not do, nor would the wide run
    as the right answer: an unsteady reference is as far from its own wide run as from anything.
    """
    for case, outputs in zip(cases, again, strict=True):
        name, sizes = same_bytes(case.expected.as_written, outputs, task), case.inputs.case.sizes
        if name is None:
            continue
        if not task.tolerance.deterministic:
            found = compare_case(
                task, case.inputs, _first_run(task, case.expected), outputs, tolerances=uncalibrated(task, sizes)
            )
            if found.status is None:
                continue
        raise InvalidTask(
            f"two runs of the reference on the same inputs differ in {name}, at {shape_text(sizes)}: seed its generator, set every "
            "variable, and do not read the clock"
        )


def require_numbers(task: Task, cases: Sequence[Trial]) -> None:
    """Raise `InvalidTask` where every element of a float output is NaN or infinite in every case: any program that writes NaN is right."""
    for arg in task.outputs:
        for field in fields_of(arg.dtype):
            if is_exact(task, arg, field.scalar):
                continue
            found = [numbers(column(defined(arg, case.expected.as_written), field), field.scalar) for case in cases]
            if any(one.size for one in found) and not any(np.isfinite(one).any() for one in found):
                name = f"{arg.name}.{field.name}" if field.name else arg.name
                raise InvalidTask(
                    f"every element of {name} is NaN or infinite for the declared values, at every check shape: narrow the init of the "
                    "inputs, or mend the reference"
                )


def require_digits(task: Task, cases: Sequence[Trial], draw_again: Callable[[], Sequence[Trial]]) -> tuple[str, ...]:
    """Raise `InvalidTask` where the reference keeps fewer than two digits of what its wide run computes, or has NaN in other places.

    Whatever it is off by excuses a candidate, so that next to nothing could be held against one. By chance a sum cancels to nearly nothing:
    only what three draws have in common counts. One output may cancel for good, as the imaginary part of what is real, where it has others
    and keeps digits of its terms: that is a label, which comes back.
    """
    lost = _without_digits(task, cases)
    for _ in range(_MORE_DRAWS):
        lost &= _without_digits(task, draw_again()) if lost else set()
    if ill := {shape for shape, name in lost if not name}:
        sizes = "say sizeof(float) in place of 4, " if _COUNTS_BYTES.search(task.reference.source.text) else ""
        raise InvalidTask(
            f"at {min(ill)} the reference keeps fewer than two digits of what it computes in a wider float, or has NaN or infinity "
            f"in other places: nothing could be held against a program. To mend it {sizes}narrow the init, or compute in a way that "
            "keeps digits"
        )
    return tuple(sorted({f"{DIGITS_LOST} {name}" for _, name in lost}))


def _without_digits(task: Task, cases: Sequence[Trial]) -> set[tuple[str, str]]:
    """Shapes with outputs that have no digits there; with no name where nothing can be held against anybody."""
    found = set()
    for one in cases:
        shape, columns = shape_text(one.inputs.case.sizes), set(one.expected.wide or ())
        lost = without_digits(task, one.inputs, one.expected)
        if not lost:
            continue
        if lost == columns or without_digits(task, one.inputs, one.expected, beside_magnitudes=True):
            found.add((shape, ""))
        found |= {(shape, name) for name, _ in lost}
    return found


def _first_run(task: Task, expected: Expected) -> Expected:
    """The outputs as written as the right answer, with no more of the wide run than the magnitudes that bound rounding."""
    wide = expected.wide
    if wide is None:
        return expected
    first = {}
    for arg in task.outputs:
        for field in fields_of(arg.dtype):
            if (known := wide.get((arg.name, field.name))) is not None:
                written = numbers(column(expected.as_written[arg.name], field), field.scalar)
                # NaN of the wide run tells what nobody wrote.
                values = np.where(np.isnan(known.values), known.values, written)
                first[arg.name, field.name] = replace(known, values=values)
    return replace(expected, wide=first)
