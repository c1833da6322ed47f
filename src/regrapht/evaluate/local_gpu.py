"""The judge with an NVIDIA GPU: nvcc, a child process in the sandbox, raw outputs compared here, memory checkers, measured time."""

import math
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from regrapht import settings
from regrapht.emulate.emulator import EmulatedRun, Emulator
from regrapht.errors import EvaluatorUnavailable, InvalidTask, PrerequisiteMissing
from regrapht.evaluate.build import toolchain_names, unrepeatable
from regrapht.evaluate.build.compile import TRUSTED
from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.evaluate.build.text_policy import parse
from regrapht.evaluate.cases.bench_pools import open_pools
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.sizes import array_bytes
from regrapht.evaluate.compare.column import ColumnTolerance, Key
from regrapht.evaluate.compare.outputs import compare_all, same_bytes
from regrapht.evaluate.device.call_process import CallProcess
from regrapht.evaluate.device.call_results import repeats_differ
from regrapht.evaluate.device.gpu import floor_us, probe
from regrapht.evaluate.device.health import SUSPICIOUS, DeviceHealth
from regrapht.evaluate.device.machine import GpuMachine, find_gpu_machine
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.gpu_processes import GpuProcesses
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.inputs.task_files import task_key
from regrapht.evaluate.judgement import feedback
from regrapht.evaluate.judgement.draft import PROTOCOL, Draft, blame_task, judge
from regrapht.evaluate.judgement.rejected import NotDone, Rejected
from regrapht.evaluate.memory.compute_sanitizer import Sanitized, tools_for_ptx, tools_for_text
from regrapht.evaluate.memory.emulator_check import emulated_beside
from regrapht.evaluate.memory.findings import (
    RACECHECK_ALONE,
    findings_of_run,
    reject_findings,
    require_launches,
    without_races_of_locks,
)
from regrapht.evaluate.reference.expected import Trial
from regrapht.evaluate.timing.baselines import NAIVE, GpuBaselines
from regrapht.evaluate.timing.gpu_timer import GpuTimer
from regrapht.evaluate.timing.partner_processes import Partner
from regrapht.evaluate.timing.second_look import RECHECKED, slower_of, suspect, suspicious
from regrapht.evaluate.timing.session import TimingSession
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Scale, ShapeTiming, Yardstick
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Level, StageName, Status, Verdict
from regrapht.sandbox.sandbox import Sandbox
from regrapht.sandbox.wire import Exchange

_EARLY_BYTES = 2**30
_REPEATS = 4


class LocalGpuEvaluator:
    """Judges CUDA C++ on this machine's first GPU. Construct one and keep it: references, pools and baselines are made once a task."""

    name = "local_gpu"
    protocol = PROTOCOL

    def __init__(self, sandbox: Sandbox, *, emulator: Emulator | None = None, secret: int | None = None) -> None:
        self._sandbox, self._secret = sandbox, secret
        self._emulator = emulator or Emulator(sandbox)
        self._tasks: dict[str, tuple[Oracle, GpuBaselines]] = {}
        self._found: GpuTimer | None = None
        self._lock = threading.RLock()
        # Who holds the device waits for answers beside threads that compute: they hand the interpreter over in half a millisecond.
        sys.setswitchinterval(min(sys.getswitchinterval(), 5e-4))

    def availability(self) -> Availability:
        """Whether there is a compiler, and a device that computes inside the sandbox."""
        try:
            nvcc = find_nvcc()
        except PrerequisiteMissing as error:
            return Availability(available=False, reason=str(error), fix="mend or unset REGRAPHT_NVCC")
        if nvcc is None:
            return Availability(
                available=False,
                reason="no CUDA compiler",
                fix="pip install 'regrapht[cuda]', or name one with REGRAPHT_NVCC",
            )
        try:
            probe(self._sandbox, nvcc)
        except EvaluatorUnavailable as error:
            return Availability(
                available=False, reason=str(error), fix="use --evaluator emulated on a machine without GPU"
            )
        return Availability(available=True)

    def environment(self) -> Environment:
        """Device, driver, compiler and clock rates."""
        return self._machine().environment

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """As `Evaluator.prepare`. The scale is measured: from the sequential reference's time to the speed-of-light time.

        Where the reference is too slow to be timed at some shape, the plain program's time is the start.
        """
        timer = self._timer()
        oracle, _ = self._known(task)
        oracle.require_sound()
        _, baselines = self._known(task, plain=None if plain is None else plain.source)
        times = [baselines.times(sizes) for sizes in baselines.bench_sizes]
        start_name = next((name for name in ("sequential", NAIVE) if all(name in found for found in times)), None)
        if start_name is None:
            lacking = next(
                sizes for sizes, found in zip(baselines.bench_sizes, times, strict=True) if NAIVE not in found
            )
            raise InvalidTask(
                f"nothing to compare with at {feedback.shape_text(lacking)}: the reference takes too long there, and there is no "
                f"baseline {NAIVE!r}"
            )
        start_us = _geometric_mean([found[start_name].median_us for found in times])
        floor = _geometric_mean([floor_us(task, sizes, timer.peaks) for sizes in baselines.bench_sizes])
        return Yardstick(scale=Scale.MEASURED_US, start=start_us, floor=min(floor, start_us / 2), start_name=start_name)

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As `Evaluator.evaluate`."""
        timer = self._timer()
        machine = timer.machine
        health = DeviceHealth(machine.gpu.uuid, machine.gpu.name, machine.probe)
        health.require_good()
        draft = Draft(
            task=task,
            candidate=candidate,
            level=level,
            evaluator=self.name,
            environment=machine.environment,
            labels=[*self._sandbox.labels],
        )
        try:
            oracle, baselines = self._known(task)
        except InvalidTask as error:
            return blame_task(draft, error)
        with GpuProcesses(draft, oracle, timer, health) as processes:
            judgement = _Judgement(
                draft=draft,
                timer=timer,
                oracle=oracle,
                baselines=baselines,
                emulator=self._emulator,
                processes=processes,
            )
            verdict = judge(
                draft,
                judgement.stages,
                praise=lambda d: feedback.passed_timed(d.timing or (), d.resources, d.evidence),
            )
        TRUSTED.verify()
        if verdict.status in SUSPICIOUS:
            health.check(f"a candidate that {verdict.status.lower()}")
        return verdict

    def oracle(self, task: Task) -> Oracle:
        """What `task` is judged on, made when first asked for."""
        return self._known(task)[0]

    def _known(self, task: Task, *, plain: str | None = None) -> tuple[Oracle, GpuBaselines]:
        """What is known of `task`, whose plain version is from now on `plain` where that is given."""
        with self._lock:
            key = task_key(task)
            if key not in self._tasks:
                pools = open_pools(self._sandbox)
                oracle = Oracle.open(
                    task,
                    self._sandbox,
                    emulator=self._emulator,
                    pool=settings.bench_sets(),
                    secret=self._secret,
                    pools=pools,
                )
                self._tasks[key] = oracle, GpuBaselines(task, oracle, self._timer(), plain=plain)
            oracle, baselines = self._tasks[key]
            if plain is not None and plain != baselines.plain:
                self._tasks[key] = oracle, baselines.beside(plain)
            return self._tasks[key]

    def _machine(self) -> GpuMachine:
        return self._timer().machine

    def _timer(self) -> GpuTimer:
        """The timer of this machine, which is looked for when it is first needed."""
        with self._lock:
            if self._found is None:
                self._found = GpuTimer(find_gpu_machine(self._sandbox))
            return self._found


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Started:
    """What runs while nvcc works."""

    trials: "Future[list[Trial]]"
    emulated: "Future[EmulatedRun | None]"
    partner: "Future[Partner | None]"
    early: Sequence[Sizes]
    """The bench shapes that are timed together, in the process of `session`."""
    session: "Future[TimingSession] | None"
    """None where no shape fits; when screening, its process makes the check calls too."""
    calls: "tuple[Future[CallProcess], ...]"
    """In full: one that makes each check call once, and one that makes it several times."""
    skewed: "Future[list[Trial]] | None"
    """In full: one call at each bench shape with skewed values."""
    tools: "Mapping[str, Future[CallProcess]]"
    """Processes under tools that the program needs, as far as its text shows; in full alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Built:
    """A candidate's program, with all that was started for it."""

    started: _Started
    program: GpuProgram
    trials: list[Trial]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """What the check calls left for later stages."""

    session: "Future[TimingSession] | None"
    """As of `_Started`, or the one that took its place."""
    reports: "Mapping[str, Future[Sanitized]]"
    """To come, of tools; in full alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judgement:
    """One candidate's way through the stages. Every process that a later one needs is started while nvcc still works."""

    draft: Draft
    timer: GpuTimer
    oracle: Oracle
    baselines: GpuBaselines
    emulator: Emulator
    processes: GpuProcesses

    def stages(self, draft: Draft) -> None:
        """The stages of `draft`, as `judge` runs them."""
        with draft.stage(StageName.PARSE):
            parse(draft.candidate, draft.task)
            toolchain_names.examine(draft)
            unrepeatable.label_text(draft)
        with draft.stage(StageName.BUILD):
            built = self._build()
        with draft.stage(StageName.CHECK) as say:
            checked = self._check(built)
            say(f"{len(built.trials)} cases")
        with draft.stage(StageName.MEMORY):
            self._memory(built, checked)
        with draft.stage(StageName.TIME) as say:
            draft.timing = tuple(self._time(built, checked))
            say(f"device held alone for {draft.exclusive_s:.3f} s")
        with draft.stage(StageName.PROFILE) as say:
            if not draft.resources:
                raise NotDone("no kernel of its own")
            say(", ".join(f"{kernel.name}: {kernel.registers_per_thread} registers" for kernel in draft.resources))

    @property
    def _full(self) -> bool:
        return self.draft.level is Level.FULL

    @property
    def _has_sanitizer(self) -> bool:
        return self.timer.machine.nvcc.sanitizer is not None

    def _build(self) -> _Built:
        """nvcc, while inputs are drawn, the reference and the emulator run, and every process gets ready."""
        draft = self.draft
        self.oracle.require_sound()
        started = self._start()
        program = self.timer.machine.build(draft.source, draft.task)
        draft.resources = program.resources
        draft.code_hash = program.code_hash
        for label in program.labels:
            draft.label(label)
        return _Built(started=started, program=program, trials=started.trials.result())

    def _start(self) -> _Started:
        draft, processes = self.draft, self.processes
        trials = processes.start(lambda: self.oracle.trials(self.oracle.cases(draft.level, source=draft.source)))
        emulated = processes.start(
            lambda: emulated_beside(self.emulator, draft, trials, evidence_at=self.oracle.largest_check())
        )
        partner = processes.start(lambda: self.baselines.partner() if self._full else None)
        early = self._early_shapes()
        checks = None if self._full else trials
        tools = tools_for_text(draft.source) if self._full and self._has_sanitizer else ()
        return _Started(
            trials=trials,
            emulated=emulated,
            partner=partner,
            early=early,
            session=processes.session(early, partner, checks=checks) if early else None,
            calls=(processes.callers(trials), processes.callers(trials, repeats=_REPEATS)) if self._full else (),
            skewed=processes.start(lambda: processes.skewed(self.baselines.bench_sizes)) if self._full else None,
            tools={tool: processes.under(tool, trials) for tool in tools},
        )

    def _early_shapes(self) -> Sequence[Sizes]:
        """The first shapes, as many as have data that fit on the device together: one process is timed at all of them, and ready early.

        The others have processes of their own, opened when it is their turn.
        """
        room, early = _EARLY_BYTES, []
        for sizes in self.baselines.bench_sizes:
            room -= array_bytes(self.draft.task, sizes)
            if room <= 0:
                break
            early.append(sizes)
        return early

    def _check(self, built: _Built) -> _Checked:
        """Every case once; in full also four times over in a second process beside other work, where nothing may change."""
        untried = self.oracle.labels_of(self.draft.source, built.trials) if self._full else ()
        for label in (*self.oracle.labels, *untried):
            self.draft.label(label)
        if not self._full:
            session, outputs = self._screened(built)
            compare_all(self.draft, built.trials, outputs, self._tolerances(built.trials))
            return _Checked(session=session, reports={})
        once, often = built.started.calls
        _, first = self.processes.called(once, built.program)
        compare_all(self.draft, built.trials, first, self._tolerances(built.trials))
        reports = self._sanitized(built.program, built.trials, built.started.tools)
        skewed = built.started.skewed
        skewed_calls = self.processes.callers(skewed) if skewed is not None and skewed.result() else None
        repeated, again = self.processes.called(often, built.program)
        self._require_same(built.trials, first, again, repeated.exchange)
        if skewed_calls is not None:
            self.processes.require_right_when_skewed(skewed_calls, built.program)
        return _Checked(session=built.started.session, reports=reports)

    def _screened(self, built: _Built) -> "tuple[Future[TimingSession] | None, list[dict[str, Array]]]":
        """The outputs of every case, from the process that is timed afterwards; from one of its own where nothing can be timed so early."""
        started, program = built.started, built.program
        made = self.processes.start(lambda: built.trials)
        if started.session is None or not any(self.oracle.bench.trials(sizes) for sizes in started.early):
            return started.session, self.processes.called(self.processes.callers(made), program)[1]
        return self.processes.checked(
            started.session, program, lambda: self.processes.session(started.early, started.partner, checks=made)
        )

    def _require_same(
        self,
        trials: Sequence[Trial],
        first: Sequence[dict[str, Array]],
        again: Sequence[dict[str, Array]],
        repeated: Exchange,
    ) -> None:
        """Repetitions must be right too, and the same bytes where the task wants one result."""
        draft = self.draft
        differing = [same_bytes(a, b, draft.task) for a, b in zip(first, again, strict=True)]
        name = next((name for name in differing if name is not None), None)
        if name is None and not repeats_differ(draft.task, repeated, range(len(trials))):
            return
        compare_all(replace(draft, cases=[]), trials, again, self._tolerances(trials))
        if draft.task.tolerance.deterministic:
            raise Rejected(
                Status.NONDETERMINISTIC,
                f"{name or 'an output'} differs from run to run on the same inputs",
                feedback=f"{name or 'An output'} differs from run to run, and this task wants one result: look for a missing barrier, or "
                f"for floating-point atomics.",
            )

    def _memory(self, built: _Built, checked: _Checked) -> None:
        """The emulator, and in full compute-sanitizer too; screening, the one only where the other cannot."""
        draft, run, reports = self.draft, built.started.emulated.result(), checked.reports
        if run is None and not self._full and self._has_sanitizer:
            memcheck = self.processes.under("memcheck", self.processes.start(lambda: built.trials))
            reports = self.processes.sanitized({"memcheck": memcheck}, built.program)
        finished = self._read_reports(reports)
        if run is not None:
            draft.findings += findings_of_run(run)
            told = without_races_of_locks(draft.findings, built.program.ptx)
            if len(told) < len(draft.findings):
                draft.findings = told
                draft.label(RACECHECK_ALONE)
            unrepeatable.label_run(draft, run)
            draft.evidence = next((e for e in run.evidence if e is not None), None)
        if not self._has_sanitizer and self._full:
            draft.label("no_sanitizer")
        reject_findings(draft)
        if run is not None:
            require_launches(run)
        if run is None and not finished:
            draft.label("memory_unchecked")
            raise NotDone("memory_unchecked")

    def _sanitized(
        self, program: GpuProgram, trials: list[Trial], early: "Mapping[str, Future[CallProcess]]"
    ) -> "dict[str, Future[Sanitized]]":
        """The reports to come of every tool that the program needs, in processes that were started early or are now."""
        if not self._has_sanitizer:
            return {}
        made = self.processes.start(lambda: trials)
        tools = tools_for_ptx(program.ptx)
        processes = {tool: early.get(tool) or self.processes.under(tool, made) for tool in tools}
        return self.processes.sanitized(processes, program)

    def _read_reports(self, reports: "Mapping[str, Future[Sanitized]]") -> bool:
        """Take the tools' findings over to the draft; whether any of them came to its end."""
        finished = False
        for report in (started.result() for started in reports.values()):
            self.draft.findings += report.findings
            finished |= report.finished
            if not report.finished:
                self.draft.label(f"{report.tool}_unfinished")
        return finished

    def _time(self, built: _Built, checked: _Checked) -> list[ShapeTiming]:
        """Every bench shape in turn with the partner; a result too good to be believed gets a second, stricter look."""
        draft, ready = self.draft, []
        for sizes in self.baselines.bench_sizes:
            pool = self.oracle.bench.trials(sizes)
            for label in self.oracle.bench.labels(sizes):
                draft.label(label)
            if pool:
                ready.append(sizes)
            else:
                draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
        if not ready:
            draft.no_timing = "reference_too_slow"
            raise NotDone("reference_too_slow")
        early = [sizes for sizes in ready if sizes in built.started.early]
        timing = self._timed(built, early, checked.session) if early else []
        for sizes in ready[len(early) :]:
            timing += self._timed(built, [sizes])
        if doubtful := suspicious(timing, self.baselines.believed_us):
            looked_at = self._look_again(built, [timing[place] for place in doubtful])
            for place, again in zip(doubtful, looked_at, strict=True):
                timing[place] = again
                self.baselines.believe(again)
            draft.label(RECHECKED)
        return timing

    def _timed(
        self, built: _Built, shapes: Sequence[Sizes], early: "Future[TimingSession] | None" = None
    ) -> list[ShapeTiming]:
        """Times at shapes that have data: from processes that were opened early, else from new ones."""
        waiting = [early] if early is not None else []
        times = [self.baselines.times(sizes) for sizes in shapes]
        for sizes, found in zip(shapes, times, strict=True):
            if self.baselines.has_sequential and "sequential" not in found:
                self.draft.label(f"sequential_too_slow {feedback.shape_text(sizes)}")
            for name in self.baselines.names:
                if name not in found:
                    self.draft.label(f"baseline_failed {name}: {self.baselines.failure(name)}")

        def run() -> list[ShapeTiming]:
            opened = waiting.pop() if waiting else self.processes.session(shapes, built.started.partner, anew=True)
            session = opened.result()
            trials = [self.oracle.bench.trials(sizes) for sizes in shapes]
            return self.timer.candidate(self.draft, session, built.program, trials, times, self.baselines.partner)

        return self.processes.with_one_repeat(run)

    def _look_again(self, built: _Built, shapes: Sequence[ShapeTiming]) -> list[ShapeTiming]:
        """Judge once more with new seeds, all families and sizes of the judge's own, under every memory checker, and time `shapes` anew in
        new processes; the timings that claim less.

        Raises:
            Rejected: Something is wrong after all, or SUSPECT: nothing could look at its memory, or its times are others.
        """
        processes = self.processes
        trials = processes.start(lambda: self.oracle.trials(self.oracle.cases(Level.FULL, source=self.draft.source)))
        process, outputs = processes.called(processes.callers(trials), built.program)
        compare_all(self.draft, process.trials, outputs, self._tolerances(process.trials))
        reports = self._sanitized(built.program, process.trials, {})
        if not self._read_reports(reports) and built.started.emulated.result() is None:
            raise suspect("no memory checker could look at it", shapes[0])
        reject_findings(self.draft)
        return [slower_of(shape, *self._timed(built, [shape.sizes])) for shape in shapes]

    def _tolerances(self, trials: Sequence[Trial]) -> list[dict[Key, ColumnTolerance]]:
        return [self.oracle.tolerances(trial.inputs.case.sizes) for trial in trials]
