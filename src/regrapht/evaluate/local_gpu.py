"""The judge with an NVIDIA GPU: nvcc, a child process in the sandbox, raw outputs compared here, memory checkers, measured time."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from regrapht.emulate.emulator import BuildRefused, EmulatedRun, Emulator, Schedule
from regrapht.errors import EvaluatorUnavailable, InvalidTask
from regrapht.evaluate import feedback
from regrapht.evaluate.bench_sizes import scaled_bench_sizes
from regrapht.evaluate.checking import compare_all, read_outputs, require_completed, require_silent
from regrapht.evaluate.correctness import same_bytes
from regrapht.evaluate.draft import PROTOCOL, Draft, NotDone, Rejected, judge, parse
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.families import Family
from regrapht.evaluate.gpu_device import Gpu, floor_us, peaks, probe, shared
from regrapht.evaluate.gpu_program import (
    NO_TIMING,
    GpuProgram,
    build_gpu_program,
    harness,
    harness_command,
    require_clean_calls,
    run_limits,
)
from regrapht.evaluate.gpu_timing import GpuTimer, suspicious
from regrapht.evaluate.grounds import Grounds, Trial
from regrapht.evaluate.inputs import Case, as_call, new_secret
from regrapht.evaluate.machine import cpu_name, tool_versions
from regrapht.evaluate.memory_findings import findings_of_run, reject_findings, require_launches
from regrapht.evaluate.nvcc import Nvcc, find_nvcc, version
from regrapht.evaluate.references import open_fast, open_reference
from regrapht.evaluate.sanitizers import TOOLS, sanitize
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Scale, TimingSamples, Yardstick
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Level, StageName, Status, Verdict
from regrapht.sandbox.sandbox import Limits, Sandbox
from regrapht.sandbox.wire import Exchange

_CHECK_S = 30.0
_SANITIZER_LIMITS = Limits(wall_s=30, memory_bytes=16 * 2**30, output_bytes=2**18)
_EMULATOR_LIMITS = Limits(wall_s=20, memory_bytes=4 * 2**30)
_BENCH_POOL = 2
_PLAIN_US, _SEQUENTIAL_US = 200.0, 20_000.0
_REPEATS = 3


@dataclass(slots=True, kw_only=True)
class _Work:
    """What the stages of one judgement hand on."""

    grounds: Grounds
    trials: list[Trial]
    program: GpuProgram | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Machine:
    """The device and the tools, found once."""

    nvcc: Nvcc
    gpu: Gpu
    harness: bytes
    timer: GpuTimer
    environment: Environment


class LocalGpuEvaluator:
    """Judges CUDA C++ on this machine's first GPU. Construct one and keep it: references, pools and baselines are made once a task."""

    name = "local_gpu"
    protocol = PROTOCOL

    def __init__(self, sandbox: Sandbox, *, emulator: Emulator | None = None) -> None:
        self._sandbox = sandbox
        self._emulator = emulator or Emulator(sandbox)
        self._grounds: dict[str, Grounds] = {}
        self._bench: dict[str, tuple[Sizes, ...]] = {}
        self._programs: dict[tuple[str, str], GpuProgram | None] = {}
        self._plain: dict[str, str] = {}
        self._found: _Machine | None = None
        self._lock = threading.RLock()

    def availability(self) -> Availability:
        """Whether there is a compiler, and a device that computes inside the sandbox."""
        nvcc = find_nvcc()
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
        """As `Evaluator.prepare`. The scale is measured: from the sequential reference's time to the speed-of-light time."""
        machine, grounds = self._machine(), self._task_grounds(task)
        grounds.prepare()
        if plain is not None and plain.source is not None:
            with self._lock:
                self._plain[task.content_hash] = plain.source
        starts, floors = [], []
        for sizes in self._bench_sizes(task):
            sequential = machine.timer.sequential(task, grounds, sizes)
            start = sequential or self._baselines(task, sizes).get("naive")
            if start is None:
                raise InvalidTask(
                    f"nothing to compare with at {feedback.shape_text(sizes)}: the reference takes too long there"
                )
            starts.append(start.median_us)
            floors.append(floor_us(task, sizes, machine.timer.peaks))
        start_us, floor = _geometric_mean(starts), _geometric_mean(floors)
        return Yardstick(
            scale=Scale.MEASURED_US, start=start_us, floor=min(floor, start_us / 2), start_name="sequential"
        )

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As `Evaluator.evaluate`."""
        machine, grounds = self._machine(), self._task_grounds(task)
        if candidate.source is not None:
            grounds.prepare()
        draft = Draft(
            task=task,
            candidate=candidate,
            level=level,
            evaluator=self.name,
            environment=machine.environment,
            labels=[*self._sandbox.labels],
        )
        work = _Work(grounds=grounds, trials=[])
        steps = (
            (StageName.PARSE, parse),
            (StageName.BUILD, lambda d: self._build(d, work)),
            (StageName.CHECK, lambda d: self._check(d, work)),
            (StageName.MEMORY, lambda d: self._memory(d, work)),
            (StageName.TIME, lambda d: self._time(d, work)),
            (StageName.PROFILE, _profile),
        )
        return judge(draft, steps, praise=lambda d: feedback.passed_timed(d.timing or (), d.resources, d.evidence))

    def _build(self, draft: Draft, work: _Work) -> str | None:
        machine = self._machine()
        # Drawing inputs and running the reference need no object: both go on while nvcc works.
        with ThreadPoolExecutor(1) as pool:
            trials = pool.submit(lambda: work.grounds.trials(work.grounds.cases(draft.level)))
            work.program = build_gpu_program(
                draft.source, draft.task, self._sandbox, machine.nvcc, architecture=machine.gpu.architecture
            )
            work.trials = trials.result()
        draft.resources = work.program.resources
        return None

    def _check(self, draft: Draft, work: _Work) -> str | None:
        for label in work.grounds.labels:
            draft.label(label)
        bars = [work.grounds.bars(t.inputs.case.sizes) for t in work.trials]
        first = self._run_trials(draft, work)
        compare_all(draft, work.trials, first, bars)
        if draft.level is Level.FULL:
            for _ in range(_REPEATS - 1):
                self._require_same(draft, work, first)
        return f"{len(work.trials)} cases"

    def _run_trials(self, draft: Draft, work: _Work) -> list[dict]:
        machine = self._machine()
        assert work.program is not None
        with Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in work.trials]) as exchange:
            command = harness_command(work.program, machine.harness, exchange, NO_TIMING)
            with shared(machine.gpu):
                completed = self._sandbox.run(command, run_limits(_CHECK_S))
            require_clean_calls(draft.task, exchange, len(work.trials), completed)
            require_completed(completed, exchange, [t.inputs for t in work.trials], limit_s=_CHECK_S)
            require_silent(completed, draft)
            return [read_outputs(draft.task, exchange, i) for i in range(len(work.trials))]

    def _require_same(self, draft: Draft, work: _Work, first: Sequence[dict]) -> None:
        again = self._run_trials(draft, work)
        differing = [same_bytes(a, b, draft.task) for a, b in zip(first, again, strict=True)]
        name = next((name for name in differing if name is not None), None)
        if name is None:
            return
        bars = [work.grounds.bars(t.inputs.case.sizes) for t in work.trials]
        repeated = replace(draft, cases=[])
        compare_all(repeated, work.trials, again, bars)
        if draft.task.tolerance.deterministic:
            raise Rejected(
                Status.NONDETERMINISTIC,
                f"{name} differs from run to run on the same inputs",
                feedback=f"{name} differs from run to run, and this task wants one result: look for a missing barrier, or for "
                f"floating-point atomics.",
            )

    def _memory(self, draft: Draft, work: _Work) -> str | None:
        """The emulator, and in full compute-sanitizer too; side by side, because both mostly wait."""
        machine = self._machine()
        with ThreadPoolExecutor(2) as pool:
            emulated = pool.submit(lambda: self._emulated_run(draft, work))
            sanitizer = machine.nvcc.sanitizer
            sanitized = None
            if draft.level is Level.FULL and sanitizer is not None:
                sanitized = pool.submit(lambda: self._sanitized(draft, work))
            run = emulated.result()
            reports = sanitized.result() if sanitized is not None else []
        if draft.level is Level.SCREEN and run is None and sanitizer is not None:
            reports = self._sanitized(draft, work, tools=("memcheck",))
        for report in reports:
            draft.findings += report.findings
            if not report.finished:
                draft.label(f"{report.tool}_unfinished")
        if run is not None:
            draft.findings += findings_of_run(run)
            draft.evidence = next((e for e in run.evidence if e is not None), None)
        else:
            draft.label("emulator_unsupported")
        if sanitizer is None and draft.level is Level.FULL:
            draft.label("no_sanitizer")
        reject_findings(draft)
        if run is not None:
            require_launches(run)
        if run is None and not any(report.finished for report in reports):
            draft.label("memory_unchecked")
            raise NotDone("memory_unchecked")
        return None

    def _emulated_run(self, draft: Draft, work: _Work) -> EmulatedRun | None:
        """The declared cases in the emulator's checked build; None where it cannot take the program."""
        program = self._emulator.build(draft.source, draft.task, checked=True)
        if isinstance(program, BuildRefused):
            return None
        trials = _declared(work.trials)
        trials.sort(key=lambda t: dict(t.inputs.case.sizes) != dict(work.grounds.largest_check()))
        with Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in trials]) as exchange:
            run = self._emulator.run(
                program,
                exchange,
                schedule=Schedule.REVERSE,
                seed=new_secret() & (2**62 - 1),
                limits=_EMULATOR_LIMITS,
                sizes=[t.inputs.case.sizes for t in trials],
            )
        unusable = run.unsupported is not None or (not run.completed.ok and not run.findings)
        return None if unusable else run

    def _sanitized(self, draft: Draft, work: _Work, tools: tuple[str, ...] = TOOLS) -> list:
        """compute-sanitizer on the two smallest declared shapes."""
        machine = self._machine()
        program, sanitizer = work.program, machine.nvcc.sanitizer
        assert program is not None and sanitizer is not None
        declared = _declared(work.trials)
        smallest = sorted(declared, key=lambda t: sum(array.nbytes for array in t.inputs.arrays.values()))[:2]

        def command_of() -> tuple:
            exchange = Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in smallest])
            return harness_command(program, machine.harness, exchange, NO_TIMING), exchange.close

        with shared(machine.gpu):
            return sanitize(self._sandbox, sanitizer, command_of=command_of, limits=_SANITIZER_LIMITS, tools=tools)

    def _time(self, draft: Draft, work: _Work) -> str | None:
        machine = self._machine()
        assert work.program is not None
        timing = []
        for sizes in self._bench_sizes(draft.task):
            if not work.grounds.bench_trials(sizes):
                draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
                continue
            baselines = self._baselines(draft.task, sizes)
            timing.append(machine.timer.candidate(draft, work.grounds, work.program, sizes, baselines))
        if not timing:
            draft.no_timing = "reference_too_slow"
            raise NotDone("reference_too_slow")
        if suspicious(timing) is not None:
            # Too good to be believed at once: everything again with new numbers, before it is.
            again = _Work(
                grounds=work.grounds, trials=work.grounds.trials(work.grounds.cases(Level.FULL)), program=work.program
            )
            bars = [work.grounds.bars(t.inputs.case.sizes) for t in again.trials]
            compare_all(draft, again.trials, self._run_trials(draft, again), bars)
            draft.label("suspect_rechecked")
        draft.timing = tuple(timing)
        return None

    def _baselines(self, task: Task, sizes: Sizes) -> dict[str, TimingSamples]:
        """Every baseline that can be timed at `sizes`: sequential, the task's own, and the plain program as `naive` where it has none."""
        machine, grounds = self._machine(), self._task_grounds(task)
        found = {"sequential": machine.timer.sequential(task, grounds, sizes)}
        sources = {baseline.name: baseline.source.text for baseline in task.baselines}
        if "naive" not in sources and task.content_hash in self._plain:
            sources["naive"] = self._plain[task.content_hash]
        for name, source in sources.items():
            program = self._baseline_program(task, source)
            if program is not None:
                found[name] = machine.timer.baseline(task, name, program, grounds, sizes)
        return {name: samples for name, samples in found.items() if samples is not None}

    def _baseline_program(self, task: Task, source: str) -> GpuProgram | None:
        key = (task.content_hash, source)
        with self._lock:
            if key not in self._programs:
                machine = self._machine()
                try:
                    self._programs[key] = build_gpu_program(
                        source, task, self._sandbox, machine.nvcc, architecture=machine.gpu.architecture
                    )
                except Rejected:
                    self._programs[key] = None
            return self._programs[key]

    def _bench_sizes(self, task: Task) -> tuple[Sizes, ...]:
        if task.bench_sizes:
            return task.bench_sizes
        with self._lock:
            if task.content_hash not in self._bench:
                grounds = self._task_grounds(task)
                scaled = scaled_bench_sizes(
                    task, grounds.largest_check(), is_enough=lambda sizes: self._is_enough(task, grounds, sizes)
                )
                self._bench[task.content_hash] = (scaled,)
            return self._bench[task.content_hash]

    def _is_enough(self, task: Task, grounds: Grounds, sizes: Sizes) -> bool:
        """Whether the plain program takes 200 us at `sizes`; without one, whether the reference takes 20 ms."""
        machine = self._machine()
        plain = next((b.source.text for b in task.baselines if b.name == "naive"), self._plain.get(task.content_hash))
        program = self._baseline_program(task, plain) if plain is not None else None
        if program is not None:
            trial = grounds.trials([Case(sizes=sizes, family=Family.DECLARED)])[0]
            time_us = machine.timer.quick_us(task, program, trial)
            if time_us is not None:
                return time_us >= _PLAIN_US
        sequential = machine.timer.sequential(task, grounds, sizes)
        return sequential is None or sequential.median_us >= _SEQUENTIAL_US

    def _task_grounds(self, task: Task) -> Grounds:
        with self._lock:
            if task.content_hash not in self._grounds:
                reference = open_reference(task, self._sandbox, emulator=self._emulator)
                fast = open_fast(task, self._sandbox, emulator=self._emulator)
                self._grounds[task.content_hash] = Grounds(task, reference, fast=fast, pool=_BENCH_POOL)
            return self._grounds[task.content_hash]

    def _machine(self) -> _Machine:
        with self._lock:
            if self._found is None:
                nvcc = find_nvcc()
                if nvcc is None:
                    raise EvaluatorUnavailable("no CUDA compiler: pip install 'regrapht[cuda]', or set REGRAPHT_NVCC")
                gpu = probe(self._sandbox, nvcc)
                program = harness(self._sandbox, nvcc, architecture=gpu.architecture)
                timer = GpuTimer(self._sandbox, program, gpu, peaks(self._sandbox, nvcc, gpu))
                environment = Environment(
                    device=f"{gpu.name} ({gpu.architecture})",
                    architecture=gpu.architecture,
                    cpu=cpu_name(),
                    tools={**tool_versions(), "nvcc": version(self._sandbox, nvcc), "driver": gpu.driver},
                    clocks={"sm": gpu.clock_mhz, "memory": gpu.memory_clock_mhz},
                )
                self._found = _Machine(nvcc=nvcc, gpu=gpu, harness=program, timer=timer, environment=environment)
            return self._found


def _declared(trials: Sequence[Trial]) -> list[Trial]:
    return [t for t in trials if t.inputs.case.family is Family.DECLARED and not t.inputs.case.hidden]


def _profile(draft: Draft) -> str | None:
    if not draft.resources:
        raise NotDone("no kernel of its own")
    return ", ".join(f"{kernel.name}: {kernel.registers_per_thread} registers" for kernel in draft.resources)


def _geometric_mean(values: Sequence[float]) -> float:
    product = 1.0
    for value in values:
        product *= value ** (1 / len(values))
    return product
