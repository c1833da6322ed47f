"""One process that makes a set of calls on the device once it gets the candidate's object, plain or under a tool of compute-sanitizer."""

import contextlib
from collections.abc import Sequence

from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.device.call_results import outputs_of_calls
from regrapht.evaluate.device.harness import check_command, run_limits
from regrapht.evaluate.device.harness_process import LIFE_S, ChildEnded, HarnessChild
from regrapht.evaluate.device.machine import GpuMachine
from regrapht.evaluate.device.sharing import shared, starting
from regrapht.evaluate.inputs.drawing import as_call
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.memory.compute_sanitizer import sanitized_command
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.task import Task
from regrapht.sandbox.sandbox import Completed
from regrapht.sandbox.wire import Exchange


class CallProcess:
    """Started and ready when constructed; `run` hands the object over. `close` ends it and frees its memory.

    Args:
        repeats: How often each call is made; from the second time on beside other work on the device.
        tool: The tool of compute-sanitizer to run it under.
    """

    def __init__(
        self,
        machine: GpuMachine,
        task: Task,
        trials: Sequence[Trial],
        *,
        repeats: int = 1,
        tool: str | None = None,
    ) -> None:
        self.trials, self._machine, self._task = list(trials), machine, task
        calls = [as_call(task, trial.inputs) for trial in trials]
        self.exchange = Exchange(task.parameters, calls, awaits_object=True)
        libraries = machine.library_folders(task)
        command = check_command(
            machine.harness, task.contract.residency, self.exchange, repeats=repeats, library_folders=libraries
        )
        if tool is not None:
            assert machine.nvcc.sanitizer is not None, "asked for only where it is there"
            command = sanitized_command(machine.nvcc.sanitizer, tool, command)
        with contextlib.ExitStack() as undo:
            undo.callback(self.exchange.close)
            with starting(machine.gpu.uuid):
                self._child = HarnessChild(machine.sandbox, command, self.exchange, run_limits(LIFE_S))
                undo.callback(self._child.close)
                with contextlib.suppress(ChildEnded):  # how it ended is seen by `run`
                    self._child.wait_ready()
            undo.pop_all()

    @property
    def was_ready(self) -> bool:
        """Whether it had its device and data before it got an object. One that ended earlier says nothing of the object."""
        return self._child.was_ready

    def run(self, program: GpuProgram, *, limit_s: float) -> Completed:
        """Make the calls; how the process ended."""
        with shared(self._machine.gpu.uuid):
            self._child.deliver(program.library)
            return self._child.join(limit_s=limit_s)

    def outputs(self, completed: Completed, *, limit_s: float) -> list[dict[str, Array]]:
        """The raw outputs of every call.

        Raises:
            Rejected: The process did not come to its end, or the harness noticed what must not be.
        """
        return outputs_of_calls(
            self._task, self.exchange, [trial.inputs for trial in self.trials], completed, limit_s=limit_s
        )

    def close(self) -> None:
        """End the process, if it still runs."""
        self._child.close()
        self.exchange.close()
