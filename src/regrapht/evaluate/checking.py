"""From a child that ran to compared cases: how it ended, what it left, and whether that is right."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from regrapht.evaluate.bars import Bar, Key
from regrapht.evaluate.correctness import Compared, compare_case
from regrapht.evaluate.draft import Draft, Rejected
from regrapht.evaluate.element_arrays import Array, storage_dtype
from regrapht.evaluate.feedback import shape_text, wrong_output
from regrapht.evaluate.grounds import Trial
from regrapht.evaluate.inputs import Inputs
from regrapht.evaluate.reference import ending_of
from regrapht.records.task import Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Completed
from regrapht.sandbox.wire import Exchange

_STOPPED = {
    "timeout": Status.TIMED_OUT,
    "cancelled": Status.TIMED_OUT,
    "memory": Status.OUT_OF_MEMORY,
    "output": Status.OUTPUT_LIMIT,
}


def read_outputs(task: Task, exchange: Exchange, call: int, *, inputs_too: bool = True) -> dict[str, Array]:
    """The raw arrays that a child left for one call, copied out of its reach."""
    names = {arg.name for arg in task.outputs} | ({arg.name for arg in task.inputs} if inputs_too else set())
    return {
        arg.name: np.frombuffer(exchange.array(call, arg.name), storage_dtype(arg.dtype))
        for arg in task.parameters
        if arg.name in names
    }


def require_completed(
    completed: Completed | None, exchange: Exchange, inputs: Sequence[Inputs], *, limit_s: float, first: int = 0
) -> None:
    """Raise `Rejected` unless the child came to the end of its calls: exit status 0, the completion mark, and every call done.

    Args:
        completed: How the process ended; None while it waits for further commands.
        inputs: Those of the calls that are looked at.
        first: The number of the first of these calls in the exchange.
    """
    done = [exchange.output(first + i).done for i in range(len(inputs))]
    ended_well = completed is None or completed.ok
    if ended_well and exchange.completed and all(done):
        return
    call = done.index(False) if False in done else len(inputs) - 1
    status, why, said = Status.CRASHED, "ended before all calls had returned", ""
    if completed is not None:
        status, said = _STOPPED.get(completed.stopped or "", Status.CRASHED), completed.stderr[-2000:]
        if status is not Status.CRASHED or not completed.ok:
            why = ending_of(completed, limit_s)
    case = inputs[call].case
    where = "at a size that is not listed" if case.hidden else f"at {shape_text(case.sizes)}"
    raise Rejected(status, f"the program {why}, {where}", output=said)


def require_silent(completed: Completed, draft: Draft) -> None:
    """Raise `Rejected` when the candidate printed: the harness prints nothing to standard output."""
    if completed.stdout.strip():
        said = re.sub(r"\s+", " ", completed.stdout)[:80]
        raise Rejected(Status.POLICY_REJECTED, f"the candidate prints to standard output: {said!r}")
    if completed.stderr.strip():
        draft.label("wrote_to_stderr")


def compare_all(
    draft: Draft,
    trials: Sequence[Trial],
    outputs: Sequence[Mapping[str, Array]],
    bars: Sequence[Mapping[Key, Bar]],
) -> None:
    """Compare every case, keep the results on the draft, and raise `Rejected` for the most telling failure.

    That is the first in which some elements are right (their pattern says what is wrong), else the first at all; a listed shape before a
    hidden one.
    """
    failures: list[tuple[Compared, Inputs]] = []
    for trial, got, bar in zip(trials, outputs, bars, strict=True):
        compared = compare_case(draft.task, trial.inputs, trial.expected, got, bars=bar)
        draft.cases.append(compared.result)
        if compared.status is not None:
            failures.append((compared, trial.inputs))
    if not failures:
        return
    compared, inputs = min(failures, key=lambda failure: _telling(draft.task, *failure))
    assert compared.status is not None
    case = inputs.case
    if case.hidden:  # its pattern would tell the size
        what = f"{compared.result.output} is wrong at a hidden shape ({compared.status})"
    else:
        what = f"{compared.what}, at {shape_text(case.sizes)} ({case.family.value} values)"
    raise Rejected(compared.status, what, feedback=wrong_output(draft.task, compared, inputs))


def _telling(task: Task, compared: Compared, inputs: Inputs) -> tuple[bool, bool]:
    elements = sum(arg.element_count(inputs.case.sizes) for arg in task.outputs)
    return inputs.case.hidden, compared.result.mismatches >= elements
