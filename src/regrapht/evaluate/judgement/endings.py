"""How a run of a program ended, in words, and what of it refuses a candidate."""

import re
import signal
from collections.abc import Sequence

from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Completed
from regrapht.sandbox.wire import Exchange

_STOPPED = {
    "timeout": Status.TIMED_OUT,
    "cancelled": Status.TIMED_OUT,
    "memory": Status.OUT_OF_MEMORY,
    "output": Status.OUTPUT_LIMIT,
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


def ending_of(completed: Completed, limit_s: float) -> str:
    """How a run ended, in words: `crashed with SIGSEGV`, `did not end within 60 s`."""
    if completed.stopped == "timeout":
        return f"did not end within {limit_s:g} s"
    if completed.stopped == "memory":
        limit = completed.memory_limit_bytes
        return "used more memory than it may" + ("" if limit is None else f": more than {gibibytes(limit)}")
    if completed.stopped == "output":
        return "printed more than it may"
    if completed.signal is not None:
        return f"crashed with {signal_name(completed.signal)}"
    return f"ended with exit status {completed.exit_code} before it was done"


def gibibytes(count: int) -> str:
    """`4 GiB`, `2.14 GiB`; smaller amounts in MiB."""
    return f"{count / 2**30:.3g} GiB" if count >= 2**29 else f"{count / 2**20:.3g} MiB"


def signal_name(number: int) -> str:
    """`SIGSEGV` for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
