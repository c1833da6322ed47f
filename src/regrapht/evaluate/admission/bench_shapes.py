"""What a task says of its bench shapes: enough work to time, a floor that honest code can meet, and outputs that still vary there."""

from dataclasses import replace

from regrapht.evaluate.admission.findings import Audit, Rule, TaskFinding, warning
from regrapht.evaluate.admission.trivial_outputs import Drawn, trivial_outputs
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.sizes import array_bytes
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.inputs.drawing import Case, Inputs, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.records.task import Sizes, Task

_MOST_BYTES = 2**30
_MOST_SECONDS = 10.0
_FEW_ELEMENTS = 2**16
"""Outputs of more elements are no sums over everything: what fails for them at the check shapes fails at any shape."""
_LEAST_US = 1000.0
"""Of the sequential reference: a GPU is easily 50 times as fast, and under 20 us the launch is timed, not the work."""


def examine_bench(oracle: Oracle) -> Audit:
    """Look at the declared bench shapes; only those whose reference takes some seconds are run."""
    task = oracle.task
    findings: list[TaskFinding] = []
    unchecked: list[str] = []
    for sizes in task.bench_sizes:
        findings += _work(task, sizes)
        where = f"the bench shape {shape_text(sizes)}"
        if array_bytes(task, sizes) > _MOST_BYTES:
            unchecked.append(f"{where}: over 1 GiB of arrays")
            continue
        if not isinstance(oracle.reference, CompiledReference):
            unchecked.append(f"{where}: the reference is no compiled C or C++")
            continue
        inputs = draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=oracle.secret("bench time"), index=0)
        seconds = _sequential_seconds(oracle.reference, inputs)
        if seconds is None:
            unchecked.append(f"{where}: the reference takes over {_MOST_SECONDS:g} s there")
            continue
        findings += _size(seconds, where)
        findings += _trivial(oracle, inputs, where)
    return Audit(findings=tuple(findings), unchecked=tuple(unchecked))


def _work(task: Task, sizes: Sizes) -> list[TaskFinding]:
    """`work.bytes` between the bytes of what is written, and those of everything read and written once."""
    claimed = float(task.work.bytes.evaluate(sizes))
    written = sum(arg.size_bytes(sizes) for arg in task.outputs)
    moved = written + sum(arg.size_bytes(sizes) for arg in task.inputs)
    at = f"at {shape_text(sizes)}"
    if claimed < written:
        return [
            warning(
                Rule.WORK_BYTES,
                f"work.bytes is {claimed:.3g} {at}, but the outputs alone are {written:.3g} bytes: count them, or the speed of light is "
                "overstated",
            )
        ]
    if claimed > moved:
        return [
            warning(
                Rule.WORK_BYTES,
                f"work.bytes is {claimed:.3g} {at}, but all inputs and outputs together are {moved:.3g} bytes: do not count what a "
                "candidate can keep on the chip, or an honest one is refused as IMPOSSIBLE",
            )
        ]
    return []


def _sequential_seconds(reference: CompiledReference, inputs: Inputs) -> float | None:
    """How long the optimised reference takes on this CPU; None where that is too long to wait for."""
    try:
        # One call to warm up and one that is timed.
        return reference.sequential_times_us(inputs, samples=1, wall_s=2 * _MOST_SECONDS)[0] * 1e-6
    except ReferenceFailed:
        return None


def _size(seconds: float, where: str) -> list[TaskFinding]:
    if seconds * 1e6 >= _LEAST_US:
        return []
    return [
        warning(
            Rule.TOO_SMALL,
            f"the sequential reference takes {seconds * 1e6:.0f} us at {where}; a GPU would be timed launching, not computing: choose "
            f"sizes at which it takes {_LEAST_US / 1000:g} ms or more",
        )
    ]


def _trivial(oracle: Oracle, inputs: Inputs, where: str) -> list[TaskFinding]:
    """A sum over ever more draws varies ever less: what fails at a check shape may pass at a large one."""
    task, sizes = oracle.task, inputs.case.sizes
    if sum(arg.element_count(sizes) for arg in task.outputs) > _FEW_ELEMENTS:
        return []
    other = replace(draw(task, inputs.case, secret=oracle.secret("another bench draw"), index=0), poison=inputs.poison)
    try:
        expected = oracle.reference.expected([inputs], magnitudes=False)[0]
        others = oracle.reference.written([other])
    except ReferenceFailed:
        return []
    drawn = Drawn(inputs=inputs, expected=expected, others=others)
    passing: dict[str, str] = {}
    for arg in task.outputs:
        for name, contents in trivial_outputs(task, arg, drawn):
            got = {**expected.as_written, arg.name: contents}
            if compare_case(task, inputs, expected, got, tolerances=uncalibrated(task, sizes)).status is None:
                passing.setdefault(arg.name, name)
    if len(passing) < len(task.outputs):
        return []
    told = ", ".join(f"{name} may be {way}" for name, way in passing.items())
    return [
        warning(
            Rule.TRIVIAL_AT_BENCH,
            f"at {where} a candidate that computes nothing passes ({told}): one that knows the shape could be right where it is checked "
            "and idle where it is timed. Draw values of both signs, return partial results, or narrow rtol and atol",
        )
    ]
