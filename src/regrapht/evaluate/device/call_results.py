"""What a harness on the device left of the calls that it made, and what of it refuses a candidate."""

from collections.abc import Sequence

from regrapht.evaluate.inputs.drawing import Inputs, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.endings import require_completed
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import Compare, Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Completed
from regrapht.sandbox.wire import DEVICE_ERROR, GUARD_BROKEN, INPUT_CHANGED, LATE_WRITE, REPEAT_DIFFERS, Exchange

_DEVICE_ERRORS = {
    2: (Status.OUT_OF_MEMORY, "out of device memory"),
    9: (Status.CRASHED, "invalid launch configuration (blocks, threads or shared memory)"),
    98: (Status.CRASHED, "invalid device function"),
    700: (Status.OUT_OF_BOUNDS, "illegal memory access on the device"),
    701: (Status.CRASHED, "too many resources requested for launch"),
    702: (Status.TIMED_OUT, "the launch timed out"),
    710: (Status.CRASHED, "a device-side assertion failed"),
    714: (Status.CRASHED, "hardware stack error"),
    715: (Status.CRASHED, "illegal instruction"),
    716: (Status.MISALIGNED, "misaligned address on the device"),
    717: (Status.BAD_POINTER, "invalid address space"),
    718: (Status.CRASHED, "invalid program counter"),
    719: (Status.CRASHED, "the kernel failed on the device"),
    720: (Status.CRASHED, "cooperative launch too large"),
}


def outputs_of_calls(
    task: Task, exchange: Exchange, inputs: Sequence[Inputs], completed: Completed | None, *, limit_s: float
) -> list[dict[str, Array]]:
    """The raw outputs of calls that were to be made once each or several times, not timed.

    Args:
        completed: How the process ended; None while it waits for further commands.

    Raises:
        Rejected: They were not all made, or the harness noticed what must not be.
    """
    require_clean_calls(task, exchange, len(inputs), completed)
    require_completed(completed, exchange, inputs, limit_s=limit_s)
    before, after = exchange.threads
    if after > before:
        raise Rejected(Status.POLICY_REJECTED, "threads of the candidate go on after its return")
    return [read_outputs(task, exchange, call) for call in range(len(inputs))]


def require_clean_calls(task: Task, exchange: Exchange, calls: int, completed: Completed | None) -> None:
    """Raise `Rejected` for what the harness noticed besides outputs: device errors, broken guard bands, late writes.

    Args:
        completed: How the process ended; None while it waits for further commands.
    """
    for index in range(calls):
        output = exchange.output(index)
        if output.flags & DEVICE_ERROR:
            fallback = (Status.CRASHED, f"CUDA error {output.error_code}")
            status, what = _DEVICE_ERRORS.get(output.error_code, fallback)
            said = completed.stderr[-2000:] if completed is not None else ""
            raise Rejected(status, f"{what} (CUDA error {output.error_code})", output=said)
        if output.flags & GUARD_BROKEN:
            name = _parameter(task, output.parameter)
            raise Rejected(
                Status.OUT_OF_BOUNDS,
                f"bytes beside {name} were changed",
                feedback=f"The program writes outside {name}: check the index against the array's length.",
            )
        if output.flags & INPUT_CHANGED:
            raise Rejected(
                Status.INPUT_MODIFIED,
                f"the read-only input {_parameter(task, output.parameter)} was changed when timed",
            )
        if output.flags & LATE_WRITE:
            raise Rejected(
                Status.LATE_WRITE,
                "an output changed after the default stream had finished",
                feedback="Some work was still running when the function had returned and the default stream was done. Join every stream "
                "and thread before returning, or enqueue everything on the default stream.",
            )


def _parameter(task: Task, number: int) -> str:
    """The name of a parameter; the number is the child's claim."""
    names = [arg.name for arg in task.parameters]
    return names[number] if number < len(names) else "an array"


def repeats_differ(task: Task, exchange: Exchange, calls: Sequence[int]) -> bool:
    """Whether repetitions on the same inputs gave different bytes. False where an output's order is free: bytes say nothing there."""
    if any(arg.compare is Compare.UNORDERED for arg in task.outputs):
        return False
    return any(exchange.output(call).flags & REPEAT_DIFFERS for call in calls)
