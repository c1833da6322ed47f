"""What is right at a bench shape: one run of the reference, with magnitudes behind outputs of few elements alone.

Carrying magnitudes makes that run several times longer. An output of many elements does without: its norm is near what the draw makes
likely, whatever cancels in single elements. One of few elements may be near 0 by chance, a sum of normals among them, and honest rounding
would then be large beside it: there the magnitudes say how large the sum could have been (`column.scale_of`).
"""

from collections.abc import Mapping
from dataclasses import replace

from regrapht.evaluate.compare.column import ColumnTolerance, Key
from regrapht.evaluate.compare.tolerances import magnitudes_hold, uncalibrated
from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.inputs.element_arrays import column, fields_of, numbers
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, ReferenceProgram, WideColumn
from regrapht.records.task import Task

FEW_ELEMENTS = 64


def bench_expected(task: Task, reference: ReferenceProgram, inputs: Inputs, *, wall_s: float) -> Expected:
    """The right outputs for `inputs`. Where a run with magnitudes fails, for time or memory, they stay unknown.

    Raises:
        ReferenceFailed: The reference crashed or ran longer than `wall_s` without magnitudes as well.
    """
    few = _of_few_elements(task, inputs)
    if few:
        try:
            expected = reference.expected([inputs], wall_s=wall_s)[0]
        except ReferenceFailed:
            pass  # the run below either does better or says why not
        else:
            return _with_magnitudes_of(few, task, expected)
    return reference.expected([inputs], wall_s=wall_s, magnitudes=False)[0]


def _of_few_elements(task: Task, inputs: Inputs) -> dict[Key, ColumnTolerance]:
    """The tolerances of the float columns whose norm may be near 0 by chance."""
    sizes = inputs.case.sizes
    counts = {arg.name: arg.element_count(sizes) for arg in task.outputs}
    return {key: tolerance for key, tolerance in uncalibrated(task, sizes).items() if counts[key[0]] < FEW_ELEMENTS}


def _with_magnitudes_of(few: Mapping[Key, ColumnTolerance], task: Task, expected: Expected) -> Expected:
    """`expected` with the magnitudes of the columns in `few` where they say something of rounding, and of no others."""
    if expected.wide is None:
        return expected
    members = {(arg.name, member.name): member for arg in task.outputs for member in fields_of(arg.dtype)}

    def known(key: Key, wide: WideColumn) -> bool:
        if key not in few or wide.scale is None:
            return False
        written = numbers(column(expected.as_written[key[0]], members[key]), members[key].scalar)
        return magnitudes_hold([written], [wide], length=few[key].length, unit=few[key].unit)

    kept = {key: wide if known(key, wide) else replace(wide, scale=None) for key, wide in expected.wide.items()}
    return replace(expected, wide=kept)
