"""What a harness on the device left of the calls that it made, and what of it refuses a candidate."""

from collections.abc import Sequence

from regrapht.evaluate.device.device_errors import device_error
from regrapht.evaluate.inputs.drawing import Inputs, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.endings import require_completed
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import Compare, Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Completed
from regrapht.sandbox.wire import DEVICE_ERROR, GUARD_BROKEN, INPUT_CHANGED, LATE_WRITE, REPEAT_DIFFERS, Exchange


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
        raise Rejected(
            Status.POLICY_REJECTED,
            "threads of the candidate go on after its return",
            feedback="Threads of the host that the program started go on after its return: join each of them before, or do without.",
        )
    return [read_outputs(task, exchange, call) for call in range(len(inputs))]


def require_clean_calls(task: Task, exchange: Exchange, calls: int, completed: Completed | None) -> None:
    """Raise `Rejected` for what the harness noticed besides outputs: device errors, broken guard bands, late writes.

    Args:
        completed: How the process ended; None while it waits for further commands.
    """
    for index in range(calls):
        output = exchange.output(index)
        if output.flags & DEVICE_ERROR:
            error = device_error(output.error_code)
            code = output.error_code
            said = completed.stderr[-2000:] if completed is not None else ""
            told = f"CUDA error {code}, {error.name}. {error.advice}"
            raise Rejected(error.status, f"{error.name} (CUDA error {code})", feedback=told, output=said)
        if output.flags & GUARD_BROKEN:
            name = _parameter(task, output.parameter)
            raise Rejected(
                Status.OUT_OF_BOUNDS,
                f"bytes beside {name} were changed",
                feedback=f"The program writes outside {name}: check the index against the array's length.",
            )
        if output.flags & INPUT_CHANGED:
            name = _parameter(task, output.parameter)
            raise Rejected(
                Status.INPUT_MODIFIED,
                f"the read-only input {name} was changed when timed",
                feedback=f"The program writes to {name}, which is an input: write to the outputs alone, and to memory of your own.",
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
