"""The processes of one candidate at some bench shapes, waiting to be timed; when screening, the candidate's makes the check calls first."""

import contextlib
from collections.abc import Callable, Sequence

from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.device.call_results import outputs_of_calls
from regrapht.evaluate.device.harness_process import ChildAtShape, ChildEnded, TimedChild
from regrapht.evaluate.device.health import require_harness
from regrapht.evaluate.inputs.drawing import Inputs, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.timing.paired_timing import Measured
from regrapht.evaluate.timing.partner_processes import Lent, Partner, Shapes
from regrapht.records.task import Task


class TimingSession:
    """A candidate's process and perhaps a partner's, their data of each shape on the device, waiting to be timed. Use, then `close` it.

    Args:
        data: The data that it is timed with, sets of each shape.
        candidate: Its object comes with `deliver`, once it is built.
        checks: What it is called with by `check`; the calls are in the candidate's exchange for them.
    """

    def __init__(
        self,
        task: Task,
        data: Shapes,
        candidate: TimedChild,
        lent: Lent | None,
        *,
        checks: Sequence[Inputs] = (),
    ) -> None:
        self.task, self.data, self.candidate, self.checks, self._lent = task, data, candidate, checks, lent
        self.shapes = tuple(SessionShape(self, number, sets) for number, sets in enumerate(data))
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


class SessionShape:
    """One shape of a session: its sets of data, and what either process does with them."""

    def __init__(self, session: TimingSession, number: int, sets: Sequence[Inputs]) -> None:
        self._session, self._number, self.sets = session, number, sets
        self.sizes = sets[0].case.sizes

    @property
    def is_first(self) -> bool:
        """Whether the process is called at this shape before any other."""
        return self._number == 0

    @property
    def candidate(self) -> ChildAtShape:
        """The candidate's process at this shape."""
        return self._session.candidate.shapes[self._number]

    @property
    def partner(self) -> ChildAtShape | None:
        """The partner's process at this shape."""
        child = self._session.partner
        return child.shapes[self._number] if child is not None else None

    @property
    def shown(self) -> range:
        """The sets that repetitions are timed with: the first half, as the harness has it. The others are each asked for once."""
        return range((len(self.sets) + 1) // 2)

    @property
    def output_bytes(self) -> int:
        """What reading one set's outputs takes here."""
        return sum(arg.size_bytes(self.sizes) for arg in self._session.task.parameters if arg.is_output)

    def outputs(self, data_set: int) -> dict[str, Array]:
        """The candidate's outputs of one set, as they lie in the exchange now."""
        call = self.candidate.calls[data_set]
        return read_outputs(self._session.task, self._session.candidate.exchange, call, inputs_too=False)


class Beside:
    """The partner of one candidate's session, which may fail without harm to the candidate."""

    def __init__(self, draft: Draft, session: TimingSession, trusted: Callable[[], Partner | None]) -> None:
        self._draft, self._session, self.trusted = draft, session, trusted
        self._renewed = False

    def bear(self, take: Callable[[], Measured]) -> Measured:
        """What `take` gives, with a new process in the place of a partner's that ended, and without a partner where that one ends too.

        Raises:
            ChildEnded: The candidate's process ended.
        """
        while True:
            try:
                return take()
            except ChildEnded as ended:
                if ended.child is self._session.candidate:
                    raise
                if self._renewed:
                    self._draft.label("baseline_failed")
                    self._session.dismiss_partner()
                    self.trusted = _nobody
                else:  # it may have ended since another candidate was timed, and through that one's doing
                    self._session.renew_partner()
                    self._renewed = True


def _nobody() -> None:
    return None
