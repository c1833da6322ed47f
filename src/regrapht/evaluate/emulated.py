"""The judge without a GPU: candidates run in the emulator, outputs are compared here, evidence is modelled, nothing is timed."""

import platform
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from regrapht.emulate.cost import LAUNCH, KernelWork, modelled_cost
from regrapht.emulate.emulator import BuildRefused, CallLimit, EmulatedProgram, EmulatedRun, Emulator, Schedule
from regrapht.emulate.occupancy import UNCHECKED, launches_without_registers
from regrapht.emulate.preprocessing import Preprocessed
from regrapht.errors import InvalidTask
from regrapht.evaluate.build import libraries, toolchain_names, unrepeatable
from regrapht.evaluate.build.compile import TRUSTED
from regrapht.evaluate.build.compiler_evidence import refuse_preprocessed
from regrapht.evaluate.build.needed_headers import require_headers
from regrapht.evaluate.build.nvcc import Nvcc, compiles, find_nvcc, kernel_resources, require_building
from regrapht.evaluate.build.object_policy import RUNS_CODE_AT_LOAD, refuse_imports
from regrapht.evaluate.build.start_code import refuse_start_code, refuse_strange_code
from regrapht.evaluate.build.text_policy import parse
from regrapht.evaluate.cases.bench_pools import open_pools
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.sizes import choose_evidence_sizes
from regrapht.evaluate.cases.skewed_cases import unchecked
from regrapht.evaluate.compare.outputs import compare_all, same_bytes
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.inputs.drawing import as_call, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.inputs.task_files import task_key
from regrapht.evaluate.judgement import feedback
from regrapht.evaluate.judgement.draft import PROTOCOL, Draft, blame_task, judge
from regrapht.evaluate.judgement.endings import require_completed, require_silent
from regrapht.evaluate.judgement.environment import cpu_name, sandbox_version, tool_versions
from regrapht.evaluate.judgement.rejected import NotDone, Rejected
from regrapht.evaluate.memory.findings import errors_of, findings_of_run, reject_findings, require_launches
from regrapht.evaluate.memory.host_work import require_device_work
from regrapht.evaluate.memory.own_arrays import look_at_own_arrays
from regrapht.evaluate.memory.singled_out import numbers_asked_for
from regrapht.evaluate.memory.unused_values import without_unused
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed, Trial
from regrapht.evaluate.reference.source import Variant
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
_CALL_S = {Level.SCREEN: 6.0, Level.FULL: 12.0}
"""Processor time of one call. The largest shape is called five times at least in a screening and ten times in full, so that no program
that takes longer for it would come to its end within the limit of all."""
_BENCH_LIMITS = Limits(wall_s=60, memory_bytes=4 * 2**30)
_SKEWED_LIMITS = Limits(wall_s=20, memory_bytes=4 * 2**30)
_Order = tuple[Schedule, int]
"""A schedule and its seed."""
_FORWARD: _Order = (Schedule.FORWARD, 0)
_START_WITHOUT_PLAIN = 1000.0
"""Where the scale starts, in floors, when there is no plain program to model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CheckedRun:
    """All cases of one judgement, run once under the checker."""

    trials: list[Trial]
    run: EmulatedRun
    outputs: Sequence[dict[str, Array]]
    """Of each trial; none where a memory fault comes first."""


class EmulatedEvaluator:
    """Judges CUDA C++ on a CPU. Construct one and keep it: references, tolerances and pools are made once a task.

    Args:
        secret: Fixes all inputs and schedules, so that verdicts repeat exactly; for tests and replays alone.
    """

    name = "emulated"
    protocol = PROTOCOL

    def __init__(self, sandbox: Sandbox, *, emulator: Emulator | None = None, secret: int | None = None) -> None:
        self._sandbox, self._secret = sandbox, secret
        self._emulator = emulator or Emulator(sandbox)
        self._oracles: dict[str, Oracle] = {}
        self._evidence: dict[Oracle, Trial] = {}
        """The call that every candidate of a task is modelled on: `prepare` may have found a larger one than the task checks."""
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
        self._emulator.make_ready()
        oracle = self.oracle(task)
        oracle.require_sound()
        naive = [baseline.source.text for baseline in task.baselines if baseline.name == "naive"]
        texts = [*naive, *([plain.source] if plain is not None and plain.source is not None else [])]
        for text in texts:
            program = self._emulator.build(text, task, checked=True)
            if isinstance(program, BuildRefused):
                continue
            model = partial(self._model, task, program)
            sizes = choose_evidence_sizes(task, oracle.largest_check(), model)
            evidence = model(sizes)
            if evidence is not None and evidence.modelled_cost > LAUNCH:  # else it does nothing at all
                trial = oracle.evidence_trial(sizes)
                with self._lock:
                    self._evidence[oracle] = trial
                start = evidence.modelled_cost
                return Yardstick(
                    scale=Scale.MODELLED,
                    start=start,
                    floor=_floor_below(start, task, sizes),
                    start_name="plain",
                    one_core_us=_one_core_us(oracle, trial),
                    one_core_at=feedback.shape_text(sizes),
                )
        with self._lock:
            known = self._evidence.get(oracle)
        floor = _floor(task, oracle.largest_check() if known is None else known.inputs.case.sizes)
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
            oracle = self.oracle(task)
        except InvalidTask as error:
            return blame_task(draft, error)
        verdict = judge(
            draft, partial(self._stages, oracle=oracle), praise=lambda d: feedback.passed_modelled(d.evidence)
        )
        for program in self._emulator.programs:
            TRUSTED.pin(program)
        TRUSTED.verify()
        return verdict

    def oracle(self, task: Task) -> Oracle:
        """What `task` is judged on, made when first asked for."""
        with self._lock:
            key = task_key(task)
            if key not in self._oracles:
                pools = open_pools(self._sandbox)
                self._oracles[key] = Oracle.open(
                    task, self._sandbox, emulator=self._emulator, secret=self._secret, pools=pools
                )
            return self._oracles[key]

    def _stages(self, draft: Draft, *, oracle: Oracle) -> None:
        with draft.stage(StageName.PARSE):
            parse(draft.candidate, draft.task)
            toolchain_names.examine(draft)
            unrepeatable.label_text(draft)
        with draft.stage(StageName.BUILD):
            program = self._build(draft, oracle)
        with draft.stage(StageName.CHECK) as say:
            checked = self._checked_run(draft, oracle, program)
            if errors_of(checked.run.findings):
                raise NotDone("a memory fault comes first")
            self._check(draft, oracle, program, checked)
            say(f"{len(checked.trials)} cases")
        with draft.stage(StageName.MEMORY):
            self._memory(draft, oracle, program, checked)
        with draft.stage(StageName.TIME):
            raise NotDone("no_gpu")
        with draft.stage(StageName.PROFILE) as say:
            if draft.evidence is None:
                raise NotDone("nothing was launched")
            say("modelled")

    def _build(self, draft: Draft, oracle: Oracle) -> EmulatedProgram:
        oracle.require_sound()
        with ThreadPoolExecutor(1) as beside:
            read = beside.submit(copy_context().run, self._emulator.preprocess, draft.source)
            if "define" in draft.source:  # what macros make of a text is known before it is compiled
                _refuse_written_out(read.result(), draft.task)
            built = self._emulator.build(draft.source, draft.task, checked=True)
        _refuse_written_out(read.result(), draft.task)
        nvcc = find_nvcc()
        if isinstance(built, BuildRefused):
            self._explain_refusal(draft, built, nvcc)
        if not read.result().complete:
            said = read.result().errors
            raise Rejected(Status.BUILD_FAILED, "its directives cannot be read", feedback=feedback.build_errors(said))
        # models write what the emulator takes and nvcc does not, and so do they who wrote a reference whose bodies are kept
        if nvcc is not None and (
            draft.level is Level.FULL or draft.candidate.is_of_a_model or _keeps_bodies_anew(draft.candidate)
        ):
            self._require_cuda(draft, nvcc)
        else:
            require_headers(draft.source, sandbox=self._sandbox, emulator=self._emulator)
            if draft.level is Level.FULL:
                draft.label("nvcc_unchecked")
                draft.label(UNCHECKED)
        refuse_imports(built.library, draft.task)
        refuse_strange_code(built.library)
        if refuse_start_code(built.library):
            draft.label(RUNS_CODE_AT_LOAD)
        return built

    def _explain_refusal(self, draft: Draft, refused: BuildRefused, nvcc: Nvcc | None) -> NoReturn:
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
            require_building(self._sandbox, nvcc, output)
            raise Rejected(
                Status.BUILD_FAILED, built.first_error, feedback=feedback.build_errors(output), output=output
            )
        draft.resources = kernel_resources(built.completed.stderr)

    def _checked_run(self, draft: Draft, oracle: Oracle, program: EmulatedProgram) -> _CheckedRun:
        """Every case and the call for the evidence, in one process.

        Raises:
            Rejected: The emulator cannot run it; or it did not come to its end, or printed, without a memory fault that explains it.
        """
        trials = [
            *oracle.trials(oracle.cases(draft.level, source=draft.source, asked=numbers_asked_for(program))),
            self._evidence_trial(oracle),
        ]
        for label in (*oracle.labels, *(oracle.labels_of(draft.source, trials) if draft.level is Level.FULL else ())):
            draft.label(label)
        limits, inputs = _CHECK_LIMITS[draft.level], [t.inputs for t in trials]
        with Exchange(draft.task.parameters, [as_call(draft.task, one) for one in inputs]) as exchange:
            # The last call is the evidence's, whose shape may be larger than those of the check.
            each = CallLimit(cpu_s=_CALL_S[draft.level], calls=len(trials) - 1)
            run = self._run(program, exchange, trials, _FORWARD, limits, each)
            run = without_unused(
                self._emulator, program, draft.task, trials, run=run, limits=limits, source=draft.source
            )
            draft.findings = list(run.findings)
            draft.evidence = run.evidence[-1] if run.evidence else None
            unrepeatable.label_run(draft, run)
            if run.completed.ok and not exchange.completed:  # it left by a back door: that is no gap of the emulator
                require_completed(run.completed, exchange, inputs, limit_s=limits.wall_s)
            if run.unsupported is not None:
                raise Rejected(Status.UNSUPPORTED, f"the emulator cannot run {run.unsupported}")
            if errors_of(run.findings):
                return _CheckedRun(trials=trials, run=run, outputs=())
            require_completed(run.completed, exchange, inputs, limit_s=limits.wall_s, call_s=each.cpu_s)
            require_silent(run.completed, draft)
            outputs = [read_outputs(draft.task, exchange, i) for i in range(len(trials))]
        return _CheckedRun(trials=trials, run=run, outputs=outputs)

    def _check(self, draft: Draft, oracle: Oracle, program: EmulatedProgram, checked: _CheckedRun) -> None:
        tolerances = [oracle.tolerances(t.inputs.case.sizes) for t in checked.trials]
        compare_all(draft, checked.trials, checked.outputs, tolerances)
        require_launches(checked.run)
        for label in require_device_work(
            self._emulator,
            program,
            draft.task,
            checked.trials,
            run=checked.run,
            outputs=checked.outputs,
            limits=_CHECK_LIMITS[draft.level],
        ):
            draft.label(label)
        if draft.level is Level.FULL:
            self._bench(draft, oracle)

    def _bench(self, draft: Draft, oracle: Oracle) -> None:
        """Each bench shape twice, in the plain build, with declared and with skewed values; what is too large for that is a label."""
        if not draft.task.bench_sizes:
            return
        program = self._emulator.build(draft.source, draft.task, checked=False)
        if isinstance(program, BuildRefused):
            raise Rejected(program.status, program.message, output=program.output)
        for sizes in draft.task.bench_sizes:
            pool = oracle.bench.trials(sizes)
            for label in oracle.bench.labels(sizes):
                draft.label(label)
            if not pool:
                draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
                continue
            if not self._right_at_bench(draft, program, pool[0], _BENCH_LIMITS):
                draft.label(f"bench_unchecked {feedback.shape_text(sizes)}")
                continue
            skewed, labels = oracle.skewed.trials([sizes])
            if not all(self._right_at_bench(draft, program, trial, _SKEWED_LIMITS) for trial in skewed):
                labels.append(unchecked(sizes))
            for label in labels:
                draft.label(label)

    def _right_at_bench(self, draft: Draft, program: EmulatedProgram, trial: Trial, limits: Limits) -> bool:
        """Whether one call of a bench shape came to its end, in which case it is right, or `Rejected` is raised."""
        with Exchange(draft.task.parameters, [as_call(draft.task, trial.inputs)]) as exchange:
            run = self._run(program, exchange, [trial], _FORWARD, limits)
            if run.completed.stopped in ("timeout", "memory") or run.out_of_memory:
                return False
            require_completed(run.completed, exchange, [trial.inputs], limit_s=limits.wall_s)
            outputs = read_outputs(draft.task, exchange, 0)
        compare_all(draft, [trial], [outputs], [uncalibrated(draft.task, trial.inputs.case.sizes)])
        return True

    def _memory(self, draft: Draft, oracle: Oracle, program: EmulatedProgram, checked: _CheckedRun) -> None:
        draft.findings += launches_without_registers(checked.run.evidence, draft.resources)
        reject_findings(draft)
        if draft.level is Level.FULL:
            drawn = [trial for trial in checked.trials if trial.inputs.case.hidden or not trial.inputs.case.near]
            look_at_own_arrays(
                self._emulator, draft, program, drawn, everything=checked.trials, limits=_CHECK_LIMITS[draft.level]
            )
            reject_findings(draft)
            for schedule in (Schedule.REVERSE, Schedule.RANDOM):
                self._other_schedule(draft, oracle, program, checked, schedule)

    def _other_schedule(
        self, draft: Draft, oracle: Oracle, program: EmulatedProgram, checked: _CheckedRun, schedule: Schedule
    ) -> None:
        """Run the declared and hidden cases again in another order of threads: the same faults, and the same outputs."""
        kept = [
            i
            for i, case in enumerate(t.inputs.case for t in checked.trials)
            if case.hidden or (case.family is Family.DECLARED and not case.near)
        ]
        trials = [checked.trials[i] for i in kept]
        limits, order = _CHECK_LIMITS[draft.level], (schedule, oracle.secret(schedule.value) & (2**62 - 1))
        with Exchange(draft.task.parameters, [as_call(draft.task, t.inputs) for t in trials]) as exchange:
            run = self._run(program, exchange, trials, order, limits)
            draft.findings += findings_of_run(run, known=tuple(draft.findings))
            reject_findings(draft)
            require_completed(run.completed, exchange, [t.inputs for t in trials], limit_s=limits.wall_s)
            outputs = [read_outputs(draft.task, exchange, i) for i in range(len(trials))]
        differing = [same_bytes(checked.outputs[i], got, draft.task) for i, got in zip(kept, outputs, strict=True)]
        compare_all(draft, trials, outputs, [oracle.tolerances(t.inputs.case.sizes) for t in trials])
        name = next((name for name in differing if name is not None), None)
        if name is not None and draft.task.tolerance.deterministic:
            raise Rejected(
                Status.NONDETERMINISTIC,
                f"{name} depends on the order in which threads run",
                feedback=f"{name} changes with the order in which threads run, and this task wants one result. Avoid floating-point "
                f"atomics, and combine partial results in a fixed order.",
            )

    def _run(
        self,
        program: EmulatedProgram,
        exchange: Exchange,
        trials: Sequence[Trial],
        order: _Order,
        limits: Limits,
        each: CallLimit | None = None,
    ) -> EmulatedRun:
        return self._emulator.run(
            program,
            exchange,
            schedule=order[0],
            seed=order[1],
            limits=limits,
            sizes=[t.inputs.case.sizes for t in trials],
            call_limit=each,
        )

    def _evidence_trial(self, oracle: Oracle) -> Trial:
        """The call that every candidate of a task is modelled on; made once, since it never changes."""
        with self._lock:
            known = self._evidence.get(oracle)
        if known is not None:
            return known
        trial = oracle.evidence_trial(oracle.largest_check())
        with self._lock:
            return self._evidence.setdefault(oracle, trial)

    def _model(self, task: Task, program: EmulatedProgram, sizes: Sizes) -> Evidence | None:
        """The evidence of a plain program at `sizes`; None when the emulator or the reference cannot run it there in its limits."""
        try:
            trial = self.oracle(task).evidence_trial(sizes)
        except InvalidTask:
            return None
        with Exchange(task.parameters, [as_call(task, trial.inputs)]) as exchange:
            run = self._run(program, exchange, [trial], _FORWARD, _CHECK_LIMITS[Level.FULL])
        evidence = run.evidence[0] if run.evidence else None
        return None if errors_of(run.findings) else evidence


def _refuse_written_out(read: Preprocessed, task: Task) -> None:
    if read.too_much is not None:
        raise Rejected(Status.POLICY_REJECTED, f"the code with its macros written out {read.too_much}")
    refuse_preprocessed(read.text, task)


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


def _one_core_us(oracle: Oracle, trial: Trial) -> float | None:
    """The least of three calls of the reference, as it is built to be compared with (-O2), on one core of this machine."""
    if not isinstance(oracle.reference, CompiledReference):
        return None
    try:
        times = oracle.reference.sequential_times_us(trial.inputs, samples=3, wall_s=10, variant=Variant.AS_WRITTEN)
    except ReferenceFailed:  # it takes longer than that
        return None
    return min(times)


def _keeps_bodies_anew(candidate: Candidate) -> bool:
    """Whether a program has bodies as they are written that nvcc has not seen: later ones differ from the first by their launches."""
    return candidate.independence is not None and candidate.parent is None
