"""One candidate's way through the stages on a GPU.

Stages answer in their order, and the first failure ends the judgement. Every process that a later stage needs is started while nvcc still
works, gets its device and data ready, and waits for the object: making a context takes longer than most checks. That is also why a
candidate that is screened is checked in the process in which it is timed afterwards.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol, TypeVar

from regrapht.emulate.emulator import EmulatedRun, Emulator
from regrapht.evaluate import feedback
from regrapht.evaluate.bars import Bar, Key
from regrapht.evaluate.call_process import CallProcess
from regrapht.evaluate.checking import compare_all, require_silent
from regrapht.evaluate.correctness import same_bytes
from regrapht.evaluate.device_calls import repeats_differ
from regrapht.evaluate.draft import Draft, NotDone, Rejected
from regrapht.evaluate.element_arrays import Array
from regrapht.evaluate.emulator_beside import declared_of, emulated_beside
from regrapht.evaluate.gpu_baselines import GpuBaselines
from regrapht.evaluate.gpu_machine import GpuMachine
from regrapht.evaluate.gpu_program import queues_for
from regrapht.evaluate.grounds import Grounds, Trial
from regrapht.evaluate.lease import shared
from regrapht.evaluate.memory_findings import findings_of_run, reject_findings, require_launches
from regrapht.evaluate.quarantine import DeviceHealth, require_harness, run_with_one_repeat
from regrapht.evaluate.sanitizers import Sanitized, read_result, tools_for_text
from regrapht.evaluate.second_look import RECHECKED, slower_of, suspect, suspicious
from regrapht.evaluate.timing_session import TimingSession
from regrapht.records.measurement import ShapeTiming
from regrapht.records.task import ArgKind, Sizes
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Completed
from regrapht.sandbox.wire import Exchange

_CHECK_S = 30.0
_SANITIZER_S = 12.0
_REPEATS = 4
_EARLY_BYTES = 2**30
_Result = TypeVar("_Result")


class _Closes(Protocol):
    def close(self) -> None: ...


_Closing = TypeVar("_Closing", bound=_Closes)


class GpuJudgement:
    """The stages of one candidate; each is a step for `draft.judge`. Use as a context manager: leaving it ends what still runs."""

    def __init__(
        self,
        draft: Draft,
        machine: GpuMachine,
        health: DeviceHealth,
        grounds: Grounds,
        baselines: GpuBaselines,
        emulator: Emulator,
    ) -> None:
        self._draft, self._machine, self._health = draft, machine, health
        self._grounds, self._baselines, self._emulator = grounds, baselines, emulator
        self._full = draft.level is Level.FULL
        self._background = ThreadPoolExecutor(32, thread_name_prefix="judgement")
        self._opened: list[Future[_Closes]] = []

    def __enter__(self) -> "GpuJudgement":
        return self

    def __exit__(self, *_: object) -> None:
        if self._draft.timing is not None:
            for shape in self._draft.timing:
                self._background.submit(self._grounds.grow_bench, shape.sizes)
        for process in self._opened:
            if not process.cancel():
                self._background.submit(_close, process)
        self._background.shutdown(wait=False)

    def build(self, draft: Draft) -> str | None:
        """nvcc, while inputs are drawn, the reference and the emulator run, and every process gets ready."""
        task, machine = draft.task, self._machine
        self._grounds.require_sound()
        trials = self._start(lambda: self._grounds.trials(self._grounds.cases(draft.level)))
        self._emulated = self._start(lambda: self._emulated_run(trials))
        self._tools: dict[str, Future[CallProcess]] = {}
        self._partner = self._start(lambda: self._baselines.partner() if self._full else None)
        self._early = self._early_shapes()
        self._waiting = self._session(self._early, checks=None if self._full else trials) if self._early else None
        if self._full:
            self._first = self._open(lambda: CallProcess(machine, task, trials.result()))
            self._again = self._open(lambda: CallProcess(machine, task, trials.result(), repeats=_REPEATS))
            for tool in tools_for_text(draft.source) if machine.nvcc.sanitizer is not None else ():
                self._tools[tool] = self._under(tool, trials)
        self._program = machine.build(draft.source, task)
        draft.resources = self._program.resources
        draft.code_hash = self._program.code_hash
        for label in self._program.labels:
            draft.label(label)
        self._trials = trials.result()
        return None

    def check(self, draft: Draft) -> str | None:
        """Every case once; in full also four times over in a second process beside other work, where nothing may change."""
        for label in self._grounds.labels:
            draft.label(label)
        first = self._called(self._first)[1] if self._full else self._screened()
        compare_all(draft, self._trials, first, self._bars(self._trials))
        self._reports = self._sanitized(self._trials, self._tools) if self._full else {}
        if self._full:
            repeated, again = self._called(self._again)
            self._require_same(first, again, repeated.exchange)
        return f"{len(self._trials)} cases"

    def memory(self, draft: Draft) -> str | None:
        """The emulator, and in full compute-sanitizer too; screening, the one only where the other cannot."""
        run = self._emulated.result()
        sanitizer = self._machine.nvcc.sanitizer
        if run is None and not self._full and sanitizer is not None:
            memcheck = self._under("memcheck", self._start(lambda: self._trials))
            self._reports = {"memcheck": self._start(self._sanitizing("memcheck", memcheck))}
        finished = self._read_reports(self._reports)
        if run is not None:
            draft.findings += findings_of_run(run)
            draft.evidence = next((e for e in run.evidence if e is not None), None)
        if sanitizer is None and self._full:
            draft.label("no_sanitizer")
        reject_findings(draft)
        if run is not None:
            require_launches(run)
        if run is None and not finished:
            draft.label("memory_unchecked")
            raise NotDone("memory_unchecked")
        return None

    def time(self, draft: Draft) -> str | None:
        """Every bench shape in turn with the partner; a result too good to be believed gets a second, stricter look."""
        ready = []
        for sizes in self._baselines.bench_sizes:
            pool = self._grounds.bench_trials(sizes)
            for label in self._grounds.bench_labels(sizes):
                draft.label(label)
            if pool:
                ready.append(sizes)
            else:
                draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
        if not ready:
            draft.no_timing = "reference_too_slow"
            raise NotDone("reference_too_slow")
        early = [sizes for sizes in ready if sizes in self._early]
        timing = self._timed(early, self._waiting) if early else []
        for sizes in ready[len(early) :]:
            timing += self._timed([sizes])
        if doubtful := suspicious(timing, self._baselines.believed_us):
            for place, again in zip(doubtful, self._look_again([timing[place] for place in doubtful]), strict=True):
                timing[place] = again
                self._baselines.believe(again)
            draft.label(RECHECKED)
        draft.timing = tuple(timing)
        return f"device held alone for {draft.exclusive_s:.3f} s"

    def _look_again(self, shapes: Sequence[ShapeTiming]) -> list[ShapeTiming]:
        """Judge once more with new seeds, all families and sizes of the judge's own, under every memory checker, and time `shapes` anew in
        new processes; the timings that claim less.

        Raises:
            Rejected: Something is wrong after all, or SUSPECT: nothing could look at its memory, or its times are others.
        """
        draft = self._draft
        trials = self._start(lambda: self._grounds.trials(self._grounds.cases(Level.FULL)))
        process, outputs = self._called(self._open(lambda: CallProcess(self._machine, draft.task, trials.result())))
        compare_all(draft, process.trials, outputs, self._bars(process.trials))
        if not self._read_reports(self._sanitized(process.trials)) and self._emulated.result() is None:
            raise suspect("no memory checker could look at it", shapes[0])
        reject_findings(draft)
        return [slower_of(shape, *self._timed([shape.sizes])) for shape in shapes]

    def _read_reports(self, reports: "dict[str, Future[Sanitized]]") -> bool:
        """Take the tools' findings over to the draft; whether any of them came to its end."""
        finished = False
        for report in (started.result() for started in reports.values()):
            self._draft.findings += report.findings
            finished |= report.finished
            if not report.finished:
                self._draft.label(f"{report.tool}_unfinished")
        return finished

    def _start(self, work: Callable[[], _Result]) -> "Future[_Result]":
        return self._background.submit(work)

    def _open(self, make: "Callable[[], _Closing]") -> "Future[_Closing]":
        """Start a process in the background; it is closed when the judgement is over."""
        process = self._background.submit(make)
        self._opened.append(process)  # type: ignore[arg-type]
        return process

    def _under(self, tool: str, trials: "Future[list[Trial]]") -> "Future[CallProcess]":
        """A process under one tool, with the two smallest declared cases: the tools are slow."""

        def start() -> CallProcess:
            declared = declared_of(trials.result())
            smallest = sorted(declared, key=lambda t: sum(array.nbytes for array in t.inputs.arrays.values()))[:2]
            return CallProcess(self._machine, self._draft.task, smallest, tool=tool)

        return self._open(start)

    def _sanitized(
        self, trials: list[Trial], early: "Mapping[str, Future[CallProcess]] | None" = None
    ) -> "dict[str, Future[Sanitized]]":
        """The reports to come of every tool that the program needs, in processes that were started early or are now."""
        if self._machine.nvcc.sanitizer is None:
            return {}
        made, early = self._start(lambda: trials), early or {}
        processes = {tool: early.get(tool) or self._under(tool, made) for tool in self._program.tools}
        return {tool: self._start(self._sanitizing(tool, process)) for tool, process in processes.items()}

    def _sanitizing(self, tool: str, process: "Future[CallProcess]") -> Callable[[], Sanitized]:
        def sanitize() -> Sanitized:
            started = process.result()
            if not started.was_ready:  # the device may have been full
                started = self._fresh(started, tool=tool)
            if not started.was_ready:
                return Sanitized(tool=tool, finished=False, findings=())
            return read_result(tool, started.run(self._program, limit_s=_SANITIZER_S))

        return sanitize

    def _early_shapes(self) -> Sequence[Sizes]:
        """The first shapes, as many as have data that fit on the device together: one process is timed at all of them, and ready early.

        The others have processes of their own, opened when it is their turn.
        """
        room, early = _EARLY_BYTES, []
        for sizes in self._baselines.bench_sizes:
            room -= sum(arg.size_bytes(sizes) for arg in self._draft.task.parameters if arg.kind is ArgKind.ARRAY)
            if room <= 0:
                break
            early.append(sizes)
        return early

    def _session(
        self, shapes: Sequence[Sizes], *, anew: bool = False, checks: "Future[list[Trial]] | None" = None
    ) -> "Future[TimingSession]":
        """Processes for those of `shapes` that have data, one at least; with `anew` the partner's is no kept one either.

        Screening, the candidate's makes the check calls too.
        """

        def start() -> TimingSession:
            partner = self._partner.result()
            # What is timed in full, or looked at again, has a set that no timed repetition shows.
            least = 2 if self._full or anew else 1
            pools = [self._grounds.bench_trials(sizes, sets=least) for sizes in shapes]
            task = self._draft.task
            folders = self._machine.library_folders(task)
            queues = queues_for(self._draft.source)
            return self._machine.timer.open(
                task,
                [[trial.inputs for trial in pool] for pool in pools if pool],
                partner,
                checks=[trial.inputs for trial in checks.result()] if checks is not None else (),
                queues=queues,
                library_folders=folders,
                anew=anew,
            )

        return self._open(start)

    def _screened(self) -> list[dict[str, Array]]:
        """The outputs of every case, from the process that is timed afterwards; from one of its own where nothing can be timed so early."""
        if not any(self._grounds.bench_trials(sizes) for sizes in self._early):
            return self._called(self._open(lambda: CallProcess(self._machine, self._draft.task, self._trials)))[1]
        made, waiting = self._start(lambda: self._trials), [self._waiting]

        def run() -> list[dict[str, Array]]:
            self._waiting = waiting.pop() if waiting else self._session(self._early, checks=made)
            assert self._waiting is not None, "there are early shapes"
            session = self._waiting.result()
            with shared(self._machine.gpu.uuid):
                return session.check(self._program, limit_s=_CHECK_S)

        return run_with_one_repeat(run, self._health)

    def _called(self, prepared: "Future[CallProcess]") -> "tuple[CallProcess, list[dict[str, Array]]]":
        """The calls of a prepared process with their outputs; of a new one when the harness itself fails the first time."""
        draft, waiting = self._draft, [prepared]

        def run() -> tuple[CallProcess, Completed]:
            process = waiting.pop().result() if waiting else self._fresh(prepared.result())
            completed = process.run(self._program, limit_s=_CHECK_S)
            require_harness(completed, was_ready=process.was_ready)
            return process, completed

        process, completed = run_with_one_repeat(run, self._health)
        outputs = process.outputs(completed, limit_s=_CHECK_S)
        require_silent(completed, draft)
        return process, outputs

    def _fresh(self, earlier: CallProcess, *, tool: str | None = None) -> CallProcess:
        return self._open(lambda: CallProcess(self._machine, self._draft.task, earlier.trials, tool=tool)).result()

    def _timed(self, shapes: Sequence[Sizes], early: "Future[TimingSession] | None" = None) -> list[ShapeTiming]:
        """Times at shapes that have data: from processes that were opened early, else from new ones."""
        waiting = [early] if early is not None else []
        times = [self._baselines.times(sizes) for sizes in shapes]
        for sizes, found in zip(shapes, times, strict=True):
            if self._baselines.has_sequential and "sequential" not in found:
                self._draft.label(f"sequential_too_slow {feedback.shape_text(sizes)}")
            for name in self._baselines.names:
                if name not in found:
                    self._draft.label(f"baseline_failed {name}: {self._baselines.failure(name)}")

        def run() -> list[ShapeTiming]:
            session = waiting.pop().result() if waiting else self._session(shapes, anew=True).result()
            return self._machine.timer.candidate(
                self._draft, self._grounds, session, self._program, times, self._baselines.partner
            )

        return run_with_one_repeat(run, self._health)

    def _emulated_run(self, trials: "Future[list[Trial]]") -> EmulatedRun | None:
        return emulated_beside(self._emulator, self._draft, trials, evidence_at=self._grounds.largest_check())

    def _bars(self, trials: Sequence[Trial]) -> list[dict[Key, Bar]]:
        return [self._grounds.bars(trial.inputs.case.sizes) for trial in trials]

    def _require_same(
        self, first: Sequence[dict[str, Array]], again: Sequence[dict[str, Array]], repeated: Exchange
    ) -> None:
        """Repetitions must be right too, and the same bytes where the task wants one result."""
        draft = self._draft
        differing = [same_bytes(a, b, draft.task) for a, b in zip(first, again, strict=True)]
        name = next((name for name in differing if name is not None), None)
        if name is None and not repeats_differ(draft.task, repeated, range(len(self._trials))):
            return
        compare_all(replace(draft, cases=[]), self._trials, again, self._bars(self._trials))
        if draft.task.tolerance.deterministic:
            raise Rejected(
                Status.NONDETERMINISTIC,
                f"{name or 'an output'} differs from run to run on the same inputs",
                feedback=f"{name or 'An output'} differs from run to run, and this task wants one result: look for a missing barrier, or "
                f"for floating-point atomics.",
            )


def _close(process: "Future[_Closes]") -> None:
    if process.exception() is None:
        process.result().close()
