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

_BY_SIGNAL: dict[int, str] = {
    signal.SIGSEGV: "The host's part of the program touched memory that it may not: in most cases a parameter whose memory is the "
    "device's, read or written outside of a kernel, or an index outside of an array of the host's. Do that work in a kernel.",
    signal.SIGBUS: "The host's part of the program touched memory that it may not. Do the work on the parameters in a kernel.",
    signal.SIGFPE: "The host's part of the program divided a whole number by zero: count blocks and rounds so that a size of 1 works too.",
    signal.SIGABRT: "The host's part of the program gave up: memory freed twice or never allocated, an exception that nobody takes, or "
    "an assert().",
}
_BY_LIMIT = {
    "timeout": "Look for a loop whose end is never met, for threads that wait at a barrier that others do not reach, and for work that one "
    "thread does alone.",
    "memory": "Allocate what the sizes need and no more, count it in 64 bits, and free it before the function returns.",
    "output": "Leave out printf and everything else that prints: only the outputs count.",
}
_BY_EXIT = "A candidate returns to who called it: leave out exit() and what else ends the process."


def require_completed(
    completed: Completed | None,
    exchange: Exchange,
    inputs: Sequence[Inputs],
    *,
    limit_s: float,
    call_s: float | None = None,
    first: int = 0,
) -> None:
    """Raise `Rejected` unless the child came to the end of its calls: exit status 0, the completion mark, and every call done.

    Args:
        completed: How the process ended; None while it waits for further commands.
        inputs: Those of the calls that are looked at.
        call_s: What a call may take of the processor's time, where that was limited too.
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
        if call_s is not None and completed.signal == signal.SIGXCPU:
            status = Status.TIMED_OUT
        if status is not Status.CRASHED or not completed.ok:
            why = ending_of(completed, limit_s, call_s)
    case = inputs[call].case
    where = "at a size that is not listed" if case.hidden else f"at {shape_text(case.sizes)}"
    what = f"the program {why}, {where}"
    raise Rejected(status, what, feedback=f"{what}. {_advice(completed)}".strip(), output=said)


def _advice(completed: Completed | None) -> str:
    """What to do about a run that did not come to its end, in whole sentences."""
    if completed is None or completed.ok:
        return _BY_EXIT
    if completed.stopped is not None or completed.signal == signal.SIGXCPU:
        return _BY_LIMIT.get(completed.stopped or "timeout", "")
    return _BY_EXIT if completed.signal is None else _BY_SIGNAL.get(completed.signal, "")


def require_silent(completed: Completed, draft: Draft) -> None:
    """Raise `Rejected` when the candidate printed: the harness prints nothing to standard output."""
    if completed.stdout.strip():
        said = re.sub(r"\s+", " ", completed.stdout)[:80]
        raise Rejected(
            Status.POLICY_REJECTED,
            f"the candidate prints to standard output: {said!r}",
            feedback=f"The program prints to standard output, {said!r}. {_BY_LIMIT['output']}",
        )
    if completed.stderr.strip():
        draft.label("wrote_to_stderr")


def ending_of(completed: Completed, limit_s: float, call_s: float | None = None) -> str:
    """How a run ended, in words: `crashed with SIGSEGV`, `did not end within 60 s`. `call_s` as `require_completed`."""
    if call_s is not None and completed.signal == signal.SIGXCPU:
        return f"did not end within {call_s:g} s of processor time"
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
