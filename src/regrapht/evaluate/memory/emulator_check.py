"""The emulator as the second checker of a GPU's judgement: memory faults that hardware hides, and work of the host behind kernels."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace

from regrapht.emulate.emulator import BuildRefused, EmulatedProgram, EmulatedRun, Emulator, Schedule
from regrapht.emulate.idle_assembly import without_idle_assembly
from regrapht.evaluate.inputs.drawing import as_call, new_secret, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.memory.host_work import UNCHECKED, is_busy, require_device_work
from regrapht.evaluate.memory.own_arrays import look_at_own_arrays
from regrapht.evaluate.memory.unused_values import without_unused
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.task import Sizes
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange

LIMITS = Limits(wall_s=8, memory_bytes=4 * 2**30)
_HOST_WORK_S = 30.0
"""Of a program whose host may have computed its outputs: it is asked whatever else runs on the machine."""


def emulated_beside(
    emulator: Emulator, draft: Draft, trials: "Future[list[Trial]]", *, evidence_at: Sizes
) -> EmulatedRun | None:
    """The declared cases and a hidden shape in the emulator's checked build.

    None, with a label, where it cannot take the program or is too slow.

    Args:
        trials: Built for while they are drawn.
        evidence_at: The declared shape whose evidence comes first.

    Raises:
        Rejected: The host computes the outputs (see `host_work`).
    """
    program = emulator.build(draft.source, draft.task, checked=True)
    if isinstance(program, BuildRefused) and (told := without_idle_assembly(draft.source)) != draft.source:
        program = emulator.build(told, draft.task, checked=True)  # nobody opts out by assembler that does nothing
    if isinstance(program, BuildRefused):
        draft.label("emulator_unsupported")
        return None
    declared = [*declared_of(trials.result()), *_smallest_hidden(trials.result())]
    declared.sort(key=lambda t: dict(t.inputs.case.sizes) != dict(evidence_at))
    run, _ = _run(emulator, program, draft, declared, LIMITS)
    run = without_unused(emulator, program, draft.task, declared, run=run, limits=LIMITS, source=draft.source)
    if run.completed.stopped == "timeout" or any(f.status is Status.TIMED_OUT for f in run.findings):
        draft.label("emulator_unfinished")  # the device itself shows what never ends
        return None
    if run.unsupported is not None or (not run.completed.ok and not run.findings):
        draft.label("emulator_unsupported")
        return None
    if draft.level is Level.FULL:
        look_at_own_arrays(emulator, draft, program, declared, everything=trials.result(), limits=LIMITS)
    pairs = zip(run.traffic, declared, strict=False)
    if any(is_busy(traffic, draft.task, trial.inputs) for traffic, trial in pairs):
        _require_device_work(emulator, program, draft, trials.result())
    return run


def declared_of(trials: Sequence[Trial]) -> list[Trial]:
    """Those with values as the task says, at its own sizes."""
    cases = [(t, t.inputs.case) for t in trials]
    return [t for t, case in cases if case.family is Family.DECLARED and not case.hidden and not case.near]


def _smallest_hidden(trials: Sequence[Trial]) -> list[Trial]:
    """The smallest of the judge's own shapes: where all listed ones are whole tiles, reading past an end is seen at this one alone."""
    hidden = [t for t in trials if t.inputs.case.hidden and not t.inputs.case.near]
    return sorted(hidden, key=lambda t: sum(t.inputs.case.sizes.values()))[:1]


def _require_device_work(emulator: Emulator, program: EmulatedProgram, draft: Draft, trials: Sequence[Trial]) -> None:
    """With every case, for two of one shape are compared."""
    limits = replace(LIMITS, wall_s=max(LIMITS.wall_s, _HOST_WORK_S))
    run, outputs = _run(emulator, program, draft, trials, limits)
    if not run.completed.ok or run.findings:
        draft.label(UNCHECKED)
        return
    for label in require_device_work(emulator, program, draft.task, trials, run=run, outputs=outputs, limits=limits):
        draft.label(label)


def _run(
    emulator: Emulator, program: EmulatedProgram, draft: Draft, trials: Sequence[Trial], limits: Limits
) -> tuple[EmulatedRun, list[Mapping[str, Array]]]:
    """A run of all trials, and what it left."""
    with Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in trials]) as exchange:
        run = emulator.run(
            program,
            exchange,
            schedule=Schedule.REVERSE,
            seed=new_secret() & (2**62 - 1),
            limits=limits,
            sizes=[t.inputs.case.sizes for t in trials],
        )
        return run, [read_outputs(draft.task, exchange, i, inputs_too=False) for i in range(len(trials))]
