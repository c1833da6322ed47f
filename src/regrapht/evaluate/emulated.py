"""The judge without a GPU: candidates run in the emulator, outputs are compared here, evidence is modelled, nothing is timed."""

import platform
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from regrapht.emulate.cost import LAUNCH, KernelWork, modelled_cost
from regrapht.emulate.emulator import BuildRefused, EmulatedProgram, EmulatedRun, Emulator, Schedule
from regrapht.emulate.occupancy import UNCHECKED, launches_without_registers
from regrapht.errors import InvalidTask
from regrapht.evaluate import feedback, libraries
from regrapht.evaluate.checking import compare_all, read_outputs, require_completed, require_silent
from regrapht.evaluate.correctness import same_bytes
from regrapht.evaluate.draft import PROTOCOL, Draft, NotDone, Rejected, blame_task, judge, parse
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.evidence_sizes import choose_evidence_sizes, evidence_trial
from regrapht.evaluate.families import Family
from regrapht.evaluate.grounds import Grounds, Trial
from regrapht.evaluate.host_work import require_device_work
from regrapht.evaluate.imports import refuse_imports
from regrapht.evaluate.inputs import as_call
from regrapht.evaluate.machine import cpu_name, sandbox_version, tool_versions
from regrapht.evaluate.memory_findings import errors_of, findings_of_run, reject_findings, require_launches
from regrapht.evaluate.nvcc import Nvcc, compiles, find_nvcc, kernel_resources
from regrapht.evaluate.objects import TRUSTED
from regrapht.evaluate.pools import open_pools
from regrapht.evaluate.references import open_fast, open_reference
from regrapht.evaluate.task_files import task_key
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import WITHOUT_PLAIN, Environment, Scale, Yardstick
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Evidence, Level, StageName, Status, Verdict
from regrapht.sandbox.sandbox import Limits, Sandbox
from regrapht.sandbox.wire import Exchange

_CHECK_LIMITS = {
    Level.SCREEN: Limits(wall_s=30, memory_bytes=4 * 2**30),
    Level.FULL: Limits(wall_s=60, memory_bytes=4 * 2**30),
}
_BENCH_LIMITS = Limits(wall_s=60, memory_bytes=4 * 2**30)
_Order = tuple[Schedule, int]
"""A schedule and its seed."""
_FORWARD: _Order = (Schedule.FORWARD, 0)
_START_WITHOUT_PLAIN = 1000.0
"""Where the scale starts, in floors, when there is no plain program to model."""


@dataclass(slots=True, kw_only=True)
class _Work:
    """What the stages of one judgement hand on."""

    grounds: Grounds
    trials: list[Trial]
    program: EmulatedProgram | None = None
    run: EmulatedRun | None = None
    outputs: Sequence[dict] = ()


class EmulatedEvaluator:
    """Judges CUDA C++ on a CPU. Construct one and keep it: references, bars and pools are made once a task.

    Args:
        secret: Fixes all inputs and schedules, so that verdicts repeat exactly; for tests and replays alone.
    """

    name = "emulated"
    protocol = PROTOCOL

    def __init__(self, sandbox: Sandbox, *, emulator: Emulator | None = None, secret: int | None = None) -> None:
        self._sandbox, self._secret = sandbox, secret
        self._emulator = emulator or Emulator(sandbox)
        self._grounds: dict[str, Grounds] = {}
        self._evidence_trials: dict[str, Trial] = {}
        self._lock = threading.Lock()

    def availability(self) -> Availability:
        """Whether the emulator's compiler works here."""
        available, reason, fix = self._emulator.availability()
        return Availability(available=available, reason=reason, fix=fix)

    def environment(self) -> Environment:
        """This CPU and its tools; the device is the emulator."""
        return Environment(
            device=f"emulator ({platform.machine()})",
            architecture="emulated",
            cpu=cpu_name(),
            tools=tool_versions() | sandbox_version(self._sandbox),
            clocks={},
        )

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """As `Evaluator.prepare`. The scale is modelled: from the plain program's cost to that of moving the task's bytes once, or to that
        of an empty launch where the plain program costs no more than moving them.
        """
        grounds = self.grounds(task)
        grounds.require_sound()
        naive = [baseline.source.text for baseline in task.baselines if baseline.name == "naive"]
        texts = [*naive, *([plain.source] if plain is not None and plain.source is not None else [])]
        for text in texts:
            program = self._emulator.build(text, task, checked=True)
            if isinstance(program, BuildRefused):
                continue
            model = partial(self._model, task, program)
            sizes = choose_evidence_sizes(task, grounds.largest_check(), model)
            evidence = model(sizes)
            if evidence is not None and evidence.modelled_cost > LAUNCH:  # else it does nothing at all
                grounds.evidence_sizes = sizes
                start = evidence.modelled_cost
                return Yardstick(
                    scale=Scale.MODELLED, start=start, floor=_floor_below(start, task, sizes), start_name="plain"
                )
        floor = _floor(task, grounds.evidence_sizes)
        return Yardstick(
            scale=Scale.MODELLED, start=_START_WITHOUT_PLAIN * floor, floor=floor, start_name=WITHOUT_PLAIN
        )

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As `Evaluator.evaluate`."""
        draft = Draft(
            task=task,
            candidate=candidate,
            level=level,
            evaluator=self.name,
            environment=self.environment(),
            labels=[*self._sandbox.labels, *self._emulator.labels],
            no_timing="no_gpu",
        )
        try:
            grounds = self.grounds(task)
        except InvalidTask as error:
            return blame_task(draft, error)
        work = _Work(grounds=grounds, trials=[])
        steps = (
            (StageName.PARSE, parse),
            (StageName.BUILD, lambda d: self._build(d, work)),
            (StageName.CHECK, lambda d: self._check(d, work)),
            (StageName.MEMORY, lambda d: self._memory(d, work)),
            (StageName.TIME, _no_gpu),
            (StageName.PROFILE, lambda d: "modelled" if d.evidence else _absent("nothing was launched")),
        )
        verdict = judge(draft, steps, praise=lambda d: feedback.passed_modelled(d.evidence))
        for program in self._emulator.programs:
            TRUSTED.pin(program)
        TRUSTED.verify()
        return verdict

    def grounds(self, task: Task) -> Grounds:
        """What `task` is judged on, made when first asked for."""
        with self._lock:
            key = task_key(task)
            if key not in self._grounds:
                reference = open_reference(task, self._sandbox, emulator=self._emulator)
                fast = open_fast(task, self._sandbox, emulator=self._emulator)
                pools = open_pools(self._sandbox)
                self._grounds[key] = Grounds(task, reference, fast=fast, secret=self._secret, pools=pools)
            return self._grounds[key]

    def _build(self, draft: Draft, work: _Work) -> str | None:
        work.grounds.require_sound()
        built = self._emulator.build(draft.source, draft.task, checked=True)
        nvcc = find_nvcc()
        if isinstance(built, BuildRefused):
            self._explain_refusal(draft, built, nvcc)
        if draft.level is Level.FULL:
            if nvcc is None:
                draft.label("nvcc_unchecked")
                draft.label(UNCHECKED)
            else:
                self._require_cuda(draft, nvcc)
        assert isinstance(built, EmulatedProgram)
        refuse_imports(built.library, draft.task)
        work.program = built
        return None

    def _explain_refusal(self, draft: Draft, refused: BuildRefused, nvcc: Nvcc | None) -> None:
        """Raise for a refused build, telling invalid CUDA from what the emulator cannot run, where the real compiler is here."""
        status, reason = refused.status, refused.message
        if nvcc is not None and status in (Status.BUILD_FAILED, Status.UNSUPPORTED):
            self._require_cuda(draft, nvcc)
            if draft.task.signature.split("(")[0].split()[-1] in reason or "entry" in reason:
                raise Rejected(status, reason, feedback=feedback.build_errors(refused.output or reason))
            status = Status.UNSUPPORTED
        told = feedback.build_errors(refused.output or reason)
        if status is Status.UNSUPPORTED:
            told = f"This machine cannot judge the program: {reason}. Write it without that.\n{told}"
        raise Rejected(status, reason, feedback=told, output=refused.output)

    def _require_cuda(self, draft: Draft, nvcc: Nvcc) -> None:
        """Raise where the compiler refuses the program, or lacks a library that the task allows: that is no fault of the program."""
        libraries.needed(draft.source, draft.task, nvcc)
        built = compiles(draft.source, self._sandbox, nvcc)
        if built.content is None:
            output = built.completed.stderr or built.completed.stdout
            raise Rejected(
                Status.BUILD_FAILED, built.first_error, feedback=feedback.build_errors(output), output=output
            )
        draft.resources = kernel_resources(built.completed.stderr)

    def _check(self, draft: Draft, work: _Work) -> str | None:
        grounds = work.grounds
        work.trials = [*grounds.trials(grounds.cases(draft.level)), self._evidence_trial(grounds)]
        for label in grounds.labels:
            draft.label(label)
        assert work.program is not None
        limits = _CHECK_LIMITS[draft.level]
        with Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in work.trials]) as exchange:
            run = self._run(work.program, exchange, work.trials, _FORWARD, limits)
            work.run = run
            draft.findings = list(run.findings)
            draft.evidence = run.evidence[-1] if run.evidence else None
            inputs = [t.inputs for t in work.trials]
            if run.completed.ok and not exchange.completed:  # it left by a back door: that is no gap of the emulator
                require_completed(run.completed, exchange, inputs, limit_s=limits.wall_s)
            if run.unsupported is not None:
                raise Rejected(Status.UNSUPPORTED, f"the emulator cannot run {run.unsupported}")
            if errors_of(run.findings):
                raise NotDone("a memory fault comes first")
            require_completed(run.completed, exchange, inputs, limit_s=limits.wall_s)
            require_silent(run.completed, draft)
            work.outputs = [read_outputs(draft.task, exchange, i) for i in range(len(work.trials))]
        bars = [grounds.bars(t.inputs.case.sizes) for t in work.trials]
        compare_all(draft, work.trials, work.outputs, bars)
        require_launches(run)
        for label in require_device_work(
            self._emulator, work.program, draft.task, work.trials, run=run, outputs=work.outputs, limits=limits
        ):
            draft.label(label)
        if draft.level is Level.FULL:
            self._bench(draft, work)
        return f"{len(work.trials)} cases"

    def _bench(self, draft: Draft, work: _Work) -> None:
        """Each bench shape once, in the plain build; what is too large for that is a label."""
        if not draft.task.bench_sizes:
            return
        program = self._emulator.build(draft.source, draft.task, checked=False)
        if isinstance(program, BuildRefused):
            raise Rejected(program.status, program.message, output=program.output)
        for sizes in draft.task.bench_sizes:
            pool = work.grounds.bench_trials(sizes)
            for label in work.grounds.bench_labels(sizes):
                draft.label(label)
            if not pool:
                draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
                continue
            trial = pool[0]
            with Exchange(draft.task.parameters, [as_call(draft.task, trial.inputs)]) as exchange:
                run = self._run(program, exchange, [trial], _FORWARD, _BENCH_LIMITS)
                if run.completed.stopped in ("timeout", "memory") or run.out_of_memory:
                    draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
                    continue
                require_completed(run.completed, exchange, [trial.inputs], limit_s=_BENCH_LIMITS.wall_s)
                outputs = read_outputs(draft.task, exchange, 0)
            compare_all(draft, [trial], [outputs], [work.grounds.bench_bars(sizes)])

    def _memory(self, draft: Draft, work: _Work) -> str | None:
        if work.run is not None:
            draft.findings += launches_without_registers(work.run.evidence, draft.resources)
        reject_findings(draft)
        if draft.level is Level.FULL:
            for schedule in (Schedule.REVERSE, Schedule.RANDOM):
                self._other_schedule(draft, work, schedule)
        return None

    def _other_schedule(self, draft: Draft, work: _Work, schedule: Schedule) -> None:
        """Run the declared and hidden cases again in another order of threads: the same faults, and the same outputs."""
        assert work.program is not None
        kept = [i for i, t in enumerate(work.trials) if t.inputs.case.hidden or t.inputs.case.family is Family.DECLARED]
        trials = [work.trials[i] for i in kept]
        limits, order = _CHECK_LIMITS[draft.level], (schedule, work.grounds.secret(schedule.value) & (2**62 - 1))
        with Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in trials]) as exchange:
            run = self._run(work.program, exchange, trials, order, limits)
            draft.findings += findings_of_run(run, known=tuple(draft.findings))
            reject_findings(draft)
            require_completed(run.completed, exchange, [t.inputs for t in trials], limit_s=limits.wall_s)
            outputs = [read_outputs(draft.task, exchange, i) for i in range(len(trials))]
        differing = [same_bytes(work.outputs[i], got, draft.task) for i, got in zip(kept, outputs, strict=True)]
        compare_all(draft, trials, outputs, [work.grounds.bars(t.inputs.case.sizes) for t in trials])
        name = next((name for name in differing if name is not None), None)
        if name is not None and draft.task.tolerance.deterministic:
            raise Rejected(
                Status.NONDETERMINISTIC,
                f"{name} depends on the order in which threads run",
                feedback=f"{name} changes with the order in which threads run, and this task wants one result. Avoid floating-point "
                f"atomics, and combine partial results in a fixed order.",
            )

    def _run(
        self, program: EmulatedProgram, exchange: Exchange, trials: Sequence[Trial], order: _Order, limits: Limits
    ) -> EmulatedRun:
        return self._emulator.run(
            program,
            exchange,
            schedule=order[0],
            seed=order[1],
            limits=limits,
            sizes=[t.inputs.case.sizes for t in trials],
        )

    def _evidence_trial(self, grounds: Grounds) -> Trial:
        """The call that every candidate of a task is modelled on; made once, since it never changes."""
        with self._lock:
            known = self._evidence_trials.get(grounds.task.content_hash)
        if known is None or dict(known.inputs.case.sizes) != dict(grounds.evidence_sizes):
            known = evidence_trial(grounds, grounds.evidence_sizes)
            with self._lock:
                self._evidence_trials[grounds.task.content_hash] = known
        return known

    def _model(self, task: Task, program: EmulatedProgram, sizes: Sizes) -> Evidence | None:
        """The evidence of a plain program at `sizes`; None when the emulator or the reference cannot run it there in its limits."""
        try:
            trial = evidence_trial(self.grounds(task), sizes)
        except InvalidTask:
            return None
        with Exchange(task.parameters, [as_call(task, trial.inputs)]) as exchange:
            run = self._run(program, exchange, [trial], _FORWARD, _CHECK_LIMITS[Level.FULL])
        evidence = run.evidence[0] if run.evidence else None
        return None if errors_of(run.findings) else evidence


def _floor_below(start: float, task: Task, sizes: Sizes) -> float:
    """The task's floor where the plain program stays above it, else the cost of an empty launch.

    The task's bytes count whole arrays. A program that needs only parts of them can cost less, and then nothing is known of how many bytes
    the job takes: all that is sure is that no program does without a launch.
    """
    floor = _floor(task, sizes)
    return floor if floor < start else LAUNCH


def _floor(task: Task, sizes: Sizes) -> float:
    """The modelled cost of one launch that moves the task's bytes once, fully coalesced, and does its floating-point work."""
    sectors = max(1.0, task.work.bytes.evaluate(sizes) / 32)
    flops = 0.0 if task.work.flops is None else float(task.work.flops.evaluate(sizes))
    requests = max(1.0, sectors / 16)  # a warp moves at most 16 sectors a request
    ideal = KernelWork(
        launches=1,
        warps=requests,
        warp_instructions=flops / 32 + requests,
        global_requests=requests,
        sectors=sectors,
        shared_passes=0,
        atomic_passes=0,
        block_barriers=0,
        blocks=max(1.0, requests / 8),
        imbalance=1,
    )
    return modelled_cost([ideal])


def _no_gpu(draft: Draft) -> str | None:
    raise NotDone("no_gpu")


def _absent(reason: str) -> str:
    raise NotDone(reason)
