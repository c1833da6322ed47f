"""The processes of one candidate at one bench shape, waiting to be timed; when screening, the candidate's makes the check calls first."""

import contextlib
from collections.abc import Sequence

from regrapht.evaluate.checking import read_outputs
from regrapht.evaluate.device_calls import outputs_of_calls
from regrapht.evaluate.element_arrays import Array
from regrapht.evaluate.gpu_program import GpuProgram
from regrapht.evaluate.harness_child import ChildEnded, TimedChild
from regrapht.evaluate.inputs import Inputs
from regrapht.evaluate.partners import Lent
from regrapht.evaluate.quarantine import require_harness
from regrapht.records.task import Task


class TimingSession:
    """A candidate's process and perhaps a partner's, their data on the device, waiting to be timed at one shape. Use, then `close` it.

    Args:
        sets: The data that it is timed with.
        candidate: Its object comes with `deliver`, once it is built.
        checks: What it is called with by `check`; the calls are in the candidate's exchange for them.
    """

    def __init__(
        self,
        task: Task,
        sets: Sequence[Inputs],
        candidate: TimedChild,
        lent: Lent | None,
        *,
        checks: Sequence[Inputs] = (),
    ) -> None:
        self.task, self.sets, self.candidate, self.checks, self._lent = task, sets, candidate, checks, lent
        self.sizes = sets[0].case.sizes
        self._delivered = False
        self._wait_ready()

    @property
    def partner(self) -> TimedChild | None:
        """The partner's process."""
        return self._lent.child if self._lent is not None else None

    def bring_partner(self, lent: Lent) -> None:
        """Have a partner from now on, and wait until its data are on the device."""
        self._lent = lent
        self._wait_ready()

    def dismiss_partner(self) -> None:
        """Go on without the partner."""
        assert self._lent is not None, "there is a partner to dismiss"
        self._lent.give_back()
        self._lent = None

    def renew_partner(self) -> None:
        """Have a new process in the place of a partner's that ended, and wait until its data are on the device."""
        assert self._lent is not None, "there is a partner to renew"
        self._lent.renew()
        self._wait_ready()

    def deliver(self, program: GpuProgram) -> None:
        """Hand the candidate's object over, unless it was before."""
        if not self._delivered:
            self._delivered = True
            self.candidate.deliver(program.library)

    def check(self, program: GpuProgram, *, limit_s: float) -> list[dict[str, Array]]:
        """Make each call of `checks` once; their raw outputs. The process then waits to be timed.

        Raises:
            HarnessFailure: A call of the harness's own failed.
            Rejected: The process ended, or the harness noticed what must not be.
        """
        exchange, completed = self.candidate.checks, None
        assert exchange is not None, "opened with calls to check"
        try:
            self.deliver(program)
            self.candidate.check(limit_s=limit_s)
        except ChildEnded as ended:
            completed = ended.completed
            require_harness(completed, was_ready=self.candidate.was_ready)
        return outputs_of_calls(self.task, exchange, self.checks, completed, limit_s=limit_s)

    @property
    def output_bytes(self) -> int:
        """What reading one set's outputs takes here."""
        return sum(arg.size_bytes(self.sizes) for arg in self.task.parameters if arg.is_output)

    def outputs(self, data_set: int) -> dict[str, Array]:
        """The candidate's outputs of one set, as they lie in the exchange now."""
        return read_outputs(self.task, self.candidate.exchange, data_set, inputs_too=False)

    def close(self) -> None:
        """End the candidate's process, free its memory, and give the partner's back."""
        with contextlib.ExitStack() as ends:
            if self._lent is not None:
                ends.callback(self._lent.give_back)
            if self.candidate.checks is not None:
                ends.callback(self.candidate.checks.close)
            ends.callback(self.candidate.exchange.close)
            ends.callback(self.candidate.close)

    def _wait_ready(self) -> None:
        """Until all data are on the device; a process that ended is found when it is asked for its first block."""
        for child in (self.candidate, self.partner):
            with contextlib.suppress(ChildEnded):
                if child is not None:
                    child.wait_ready()
