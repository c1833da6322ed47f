"""The processes in which one candidate is called and timed on a GPU, each started before there is an object for it.

While nvcc works they get their device and data ready, and wait: making a context takes longer than most checks. One that fails to start, or
whose harness fails, is replaced once.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from regrapht.evaluate.build.gpu_program import GpuProgram, queues_for
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.skewed_cases import unchecked
from regrapht.evaluate.compare.outputs import compare_all
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.device.call_process import CallProcess
from regrapht.evaluate.device.health import DeviceHealth, require_harness, run_with_one_repeat
from regrapht.evaluate.device.sharing import shared
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.endings import require_silent
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.memory.compute_sanitizer import Sanitized, read_result
from regrapht.evaluate.memory.emulator_check import declared_of
from regrapht.evaluate.reference.expected import Trial
from regrapht.evaluate.timing.gpu_timer import GpuTimer
from regrapht.evaluate.timing.partner_processes import Partner
from regrapht.evaluate.timing.session import TimingSession
from regrapht.records.task import Sizes
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Completed

_CHECK_S = 30.0
_SANITIZER_S = 12.0
_Result = TypeVar("_Result")


class _Closes(Protocol):
    def close(self) -> None: ...


_Closing = TypeVar("_Closing", bound=_Closes)


class GpuProcesses:
    """Starts processes for the candidate of `draft` and runs its program in them.

    Use as a context manager: leaving it ends what still runs.
    """

    def __init__(self, draft: Draft, oracle: Oracle, timer: GpuTimer, health: DeviceHealth) -> None:
        self._draft, self._oracle, self._timer, self._health = draft, oracle, timer, health
        self._background = ThreadPoolExecutor(32, thread_name_prefix="judgement")
        self._opened: list[Future[_Closes]] = []

    def __enter__(self) -> "GpuProcesses":
        return self

    def __exit__(self, *_: object) -> None:
        if self._draft.timing is not None:
            for shape in self._draft.timing:
                self._background.submit(self._oracle.bench.grow, shape.sizes)
        for process in self._opened:
            if not process.cancel():
                self._background.submit(_close, process)
        self._background.shutdown(wait=False)

    def start(self, work: Callable[[], _Result]) -> "Future[_Result]":
        """Have `work` done in the background."""
        return self._background.submit(work)

    def callers(
        self, trials: "Future[list[Trial]]", *, repeats: int = 1, tool: str | None = None
    ) -> "Future[CallProcess]":
        """A process that calls its object with `trials`, once they are drawn."""
        machine, task = self._timer.machine, self._draft.task
        return self._open(lambda: CallProcess(machine, task, trials.result(), repeats=repeats, tool=tool))

    def under(self, tool: str, trials: "Future[list[Trial]]") -> "Future[CallProcess]":
        """A process under one tool of compute-sanitizer, with the two smallest declared cases: the tools are slow."""

        def smallest() -> list[Trial]:
            declared = declared_of(trials.result())
            return sorted(declared, key=lambda t: sum(array.nbytes for array in t.inputs.arrays.values()))[:2]

        return self.callers(self.start(smallest), tool=tool)

    def session(
        self,
        shapes: Sequence[Sizes],
        partner: "Future[Partner | None]",
        *,
        anew: bool = False,
        checks: "Future[list[Trial]] | None" = None,
    ) -> "Future[TimingSession]":
        """Processes to be timed at those of `shapes` that have data, one at least.

        Args:
            anew: The partner's is no kept one either.
            checks: What the candidate's makes the check calls with before, when screening.
        """

        def start() -> TimingSession:
            lent = partner.result()
            # What is timed in full, or looked at again, has a set that no timed repetition shows.
            least = 2 if self._draft.level is Level.FULL or anew else 1
            pools = [self._oracle.bench.trials(sizes, sets=least) for sizes in shapes]
            task = self._draft.task
            folders = self._timer.machine.library_folders(task)
            queues = queues_for(self._draft.source)
            return self._timer.open(
                task,
                [[trial.inputs for trial in pool] for pool in pools if pool],
                lent,
                checks=[trial.inputs for trial in checks.result()] if checks is not None else (),
                queues=queues,
                library_folders=folders,
                anew=anew,
            )

        return self._open(start)

    def called(
        self, prepared: "Future[CallProcess]", program: GpuProgram
    ) -> "tuple[CallProcess, list[dict[str, Array]]]":
        """The calls of a prepared process with their outputs; of a new one when the harness itself fails the first time.

        Raises:
            Rejected: The process did not come to its end, the harness noticed what must not be, or the candidate printed.
        """
        waiting = [prepared]

        def run() -> tuple[CallProcess, Completed]:
            process = waiting.pop().result() if waiting else self._fresh(prepared.result())
            completed = process.run(program, limit_s=_CHECK_S)
            require_harness(completed, was_ready=process.was_ready)
            return process, completed

        process, completed = self.with_one_repeat(run)
        outputs = process.outputs(completed, limit_s=_CHECK_S)
        require_silent(completed, self._draft)
        return process, outputs

    def skewed(self, shapes: Sequence[Sizes]) -> list[Trial]:
        """A call with skewed values for each bench shape that has one; the draft gets a label for each other."""
        trials, labels = self._oracle.skewed.trials(shapes)
        for label in labels:
            self._draft.label(label)
        return trials

    def require_right_when_skewed(self, prepared: "Future[CallProcess]", program: GpuProgram) -> None:
        """Make such calls and compare. That they take long is a label: those with declared values need not.

        Raises:
            Rejected: As `called`, or an output is wrong.
        """
        draft, trials = self._draft, prepared.result().trials
        try:
            _, outputs = self.called(prepared, program)
        except Rejected as rejected:
            if rejected.status is not Status.TIMED_OUT:
                raise
            for trial in trials:
                draft.label(unchecked(trial.inputs.case.sizes))
        else:
            compare_all(draft, trials, outputs, [uncalibrated(draft.task, trial.inputs.case.sizes) for trial in trials])

    def checked(
        self,
        prepared: "Future[TimingSession]",
        program: GpuProgram,
        again: "Callable[[], Future[TimingSession]]",
    ) -> "tuple[Future[TimingSession], list[dict[str, Array]]]":
        """The check calls of a prepared session with their outputs; of one more from `again` when the harness fails the first time.

        Raises:
            Rejected: As `called`.
        """
        waiting = [prepared]

        def run() -> "tuple[Future[TimingSession], list[dict[str, Array]]]":
            opened = waiting.pop() if waiting else again()
            session = opened.result()
            with shared(self._timer.gpu.uuid):
                return opened, session.check(program, limit_s=_CHECK_S)

        return self.with_one_repeat(run)

    def with_one_repeat(self, run: Callable[[], _Result]) -> _Result:
        """As `run_with_one_repeat`, on this device."""
        return run_with_one_repeat(run, self._health)

    def sanitized(
        self, processes: "Mapping[str, Future[CallProcess]]", program: GpuProgram
    ) -> "dict[str, Future[Sanitized]]":
        """The reports to come of tools, each from the process that runs under it."""
        return {tool: self.start(self._sanitizing(tool, process, program)) for tool, process in processes.items()}

    def _sanitizing(self, tool: str, process: "Future[CallProcess]", program: GpuProgram) -> Callable[[], Sanitized]:
        def sanitize() -> Sanitized:
            started = process.result()
            if not started.was_ready:  # the device may have been full
                started = self._fresh(started, tool=tool)
            if not started.was_ready:
                return Sanitized(tool=tool, finished=False, findings=())
            return read_result(tool, started.run(program, limit_s=_SANITIZER_S))

        return sanitize

    def _open(self, make: "Callable[[], _Closing]") -> "Future[_Closing]":
        """Start a process in the background; it is closed when the judgement is over."""
        process = self._background.submit(make)
        self._opened.append(process)  # type: ignore[arg-type]
        return process

    def _fresh(self, earlier: CallProcess, *, tool: str | None = None) -> CallProcess:
        return self._open(
            lambda: CallProcess(self._timer.machine, self._draft.task, earlier.trials, tool=tool)
        ).result()


def _close(process: "Future[_Closes]") -> None:
    if process.exception() is None:
        process.result().close()
