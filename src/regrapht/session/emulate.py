"""Emulating one file of a user's: a whole CUDA program with a `main`, or a candidate for a task."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.assemble import open_task
from regrapht.emulate.emulation import Emulation, ScheduleRun
from regrapht.emulate.emulator import BuildRefused, EmulatedRun, Emulator, Schedule, device_memory_refused
from regrapht.emulate.finding_groups import grouped
from regrapht.emulate.occupancy import ARCHITECTURE, UNCHECKED, launches_without_registers
from regrapht.emulate.program import build_whole, cuda_sources, run_whole
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.evaluate.build.compile import build
from regrapht.evaluate.build.nvcc import SOURCE_NAME, Nvcc, code_flag, find_nvcc, kernel_resources, target
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.inputs.drawing import as_call, read_outputs
from regrapht.evaluate.judgement.endings import ending_of, gibibytes
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.memory.findings import findings_of_run
from regrapht.evaluate.memory.own_arrays import has_own_arrays
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.task import Task
from regrapht.records.verdict import Evidence, Finding, KernelResources, Level, Severity, Status
from regrapht.sandbox.choose import choose
from regrapht.sandbox.sandbox import Limits, Sandbox
from regrapht.sandbox.wire import Exchange
from regrapht.source.merged import Merged, merge
from regrapht.source.nesting import too_deep
from regrapht.source.user_file import as_text, fault_of_text, read_file

_STOPPED = {"timeout": Status.TIMED_OUT, "memory": Status.OUT_OF_MEMORY, "output": Status.OUTPUT_LIMIT}
_HARNESS_FAILED = 98
OWN_ARRAYS = "own_arrays"
"""The name of the run that checks the program's own arrays alone."""
Order = tuple[Schedule, int]
"""A schedule and its seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulateRequest:
    """What to emulate, and how."""

    file: Path
    further: tuple[Path, ...] = ()
    """The other files of the program: sources and headers of its own."""
    task: Path | None = None
    """A task folder: the file is then a candidate for it."""
    arguments: tuple[str, ...] = ()
    """Handed to the program's `main`."""
    include: tuple[Path, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    """Empty: forward, reverse, and random ones."""
    seeds: int = 3
    """Random schedules."""
    first_seed: int = 0
    checked: bool = True
    seconds: float = 60.0
    """Wall time of one run."""
    memory_bytes: int = 4 * 2**30
    allow_root: bool = False

    @property
    def orders(self) -> tuple[Order, ...]:
        """Every run to make. A plain run tells nothing by its order, so it is made once."""
        wanted = self.schedules or (Schedule.FORWARD, Schedule.REVERSE, Schedule.RANDOM)
        if not self.checked and not self.schedules:
            wanted = (Schedule.FORWARD,)
        orders: list[Order] = []
        for schedule in dict.fromkeys(wanted):
            random = schedule is Schedule.RANDOM
            orders += [(schedule, self.first_seed + i) for i in range(self.seeds)] if random else [(schedule, 0)]
        return tuple(orders)


def emulate_file(request: EmulateRequest) -> Emulation:
    """Build the file and run it in every order of threads.

    Raises:
        UserFixable: The file, the task or an option is wrong.
        EvaluatorUnavailable: This machine cannot emulate.
    """
    merged = _read(request)
    source = merged.text
    sandbox = choose(allow_root=request.allow_root).sandbox
    emulator = Emulator(sandbox)
    available, reason, fix = emulator.availability()
    if not available:
        raise EvaluatorUnavailable(f"the emulator cannot work here: {reason}" + (f": {fix}" if fix else ""))
    start = Emulation(
        file=request.file.name,
        source=source,
        checked=request.checked,
        status=Status.PASSED,
        reason="",
        labels=(*sandbox.labels, *emulator.labels),
    )
    start = replace(start, places=merged.places)
    if request.task is not None:
        done = _emulate_candidate(request, start, sandbox, emulator)
    else:
        done = _emulate_whole(request, start, sandbox)
    name = request.file.name  # what messages call the text
    findings = (replace(finding, message=merged.told(finding.message, name=name)) for finding in done.findings)
    return replace(
        done,
        findings=tuple(findings),
        reason=merged.told(done.reason, name=name),
        compiler_output=merged.told(done.compiler_output, name=name),
    )


def write_page(emulation: Emulation, target: Path) -> None:
    """Write the HTML view to `target`.

    Raises:
        ConfigError: It cannot be written.
    """
    from regrapht.report.emulation_html import render_emulation

    try:
        target.write_text(render_emulation(emulation), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {error.strerror}") from error


def _read(request: EmulateRequest) -> Merged:
    if request.task is not None and (request.arguments or request.include):
        raise ConfigError("arguments and --include are for whole programs; a candidate of a task takes neither")
    for folder in request.include:
        if not folder.is_dir():
            raise ConfigError(f"--include {folder}: there is no such folder")
    if not request.orders:
        raise ConfigError("nothing to run: --seeds 0 leaves --schedule random without a run")
    texts = {}
    for path in dict.fromkeys((request.file, *request.further)):
        raw = read_file(path)
        if (fault := fault_of_text(raw)) is not None:
            raise ConfigError(f"cannot read {path}: {fault}")
        texts[path] = as_text(raw)
        if (deep := too_deep(texts[path])) is not None:
            raise ConfigError(f"cannot read {path}: {deep}")
    return merge(texts)


def _emulate_whole(request: EmulateRequest, start: Emulation, sandbox: Sandbox) -> Emulation:
    nvcc = find_nvcc()
    folders = tuple(dict.fromkeys((*request.include, *(path.parent for path in request.further))))
    sources = cuda_sources(start.source, request.file, folders) if nvcc is not None else {}
    built = build_whole(start.source, request.file, sandbox=sandbox, checked=request.checked, include=folders)
    if isinstance(built, BuildRefused):
        if "does not define the entry" in built.message:
            reason = "there is no main; a candidate for a task needs --task FOLDER"
            return replace(start, status=Status.BUILD_FAILED, reason=reason)
        return _refused(start, built, sandbox, nvcc, sources)
    limits = Limits(wall_s=request.seconds, memory_bytes=request.memory_bytes)
    gathered = _Gathered(start)
    for order in request.orders:
        done = run_whole(built, request.arguments, sandbox=sandbox, schedule=order[0], seed=order[1], limits=limits)
        if done.completed.exit_code == _HARNESS_FAILED and done.completed.stderr.startswith("emulator: "):
            raise EvaluatorUnavailable(done.completed.stderr.strip()[:500])
        gathered.add(order, done, ending_of_program(done, request.seconds))
        if done.unsupported is not None or done.completed.stopped is not None:
            break
    if request.checked and not Emulator(sandbox).labels and has_own_arrays(start.source):
        apart = build_whole(start.source, request.file, sandbox=sandbox, checked=False, stacks=True, include=folders)
        if not isinstance(apart, BuildRefused):
            done = run_whole(apart, request.arguments, sandbox=sandbox, limits=limits)
            gathered.find(done, ending_of_program(done, request.seconds))
    resources = _resources(sandbox, nvcc, sources)
    return gathered.emulation(resources=resources)


def ending_of_program(run: EmulatedRun, limit_s: float) -> str:
    """How a program with a `main` ended: `ended`, `ended with exit status 2`, `did not end within 60 s` ..."""
    completed = run.completed
    if completed.ok:
        return "ended"
    if completed.stopped is None and completed.exit_code is not None:
        return f"ended with exit status {completed.exit_code}"
    return ending_of(completed, limit_s)


class _Gathered:
    """The runs so far, with what they found, each finding once."""

    def __init__(self, start: Emulation) -> None:
        self._start = start
        self._runs: list[ScheduleRun] = []
        self._findings: list[Finding] = []
        self._evidence: Evidence | None = None
        self._bad: tuple[Status, str] | None = None
        self.labels = list(start.labels)

    def add(self, order: Order, run: EmulatedRun, ending: str) -> None:
        """One run; `ending` other than `ended` is a failure unless findings explain it."""
        self._findings += findings_of_run(run, known=tuple(self._findings))
        if self._evidence is None:
            self._evidence = next((e for e in reversed(run.evidence) if e is not None), None)
            self.labels += ["partial_evidence"] if run.partial and self._evidence is not None else []
        schedule, seed = order
        self._keep(run, ending, schedule.value, seed if schedule is Schedule.RANDOM else None)
        if run.unsupported is not None:
            self._bad = (Status.UNSUPPORTED, f"the emulator cannot run {run.unsupported}")
        elif ending != "ended" and self._bad is None:
            self._bad = _why_it_failed(run, ending, checked=self._start.checked)

    def find(self, run: EmulatedRun, ending: str) -> None:
        """What the run with checks of the program's own arrays alone found: it is told of where it found anything."""
        found = findings_of_run(run, known=tuple(self._findings))
        self._findings += found
        if found:
            self._keep(run, ending, OWN_ARRAYS, None)

    def _keep(self, run: EmulatedRun, ending: str, schedule: str, seed: int | None) -> None:
        self._runs.append(
            ScheduleRun(
                schedule=schedule,
                seed=seed,
                ending=ending,
                seconds=run.completed.wall_s,
                output=run.completed.stdout,
                errors=run.completed.stderr,
            )
        )

    def reject(self, status: Status, reason: str) -> None:
        """Say what is wrong besides findings; the first one counts."""
        self._bad = self._bad or (status, reason)

    def prefer_evidence(self, evidence: Evidence | None) -> None:
        self._evidence = self._evidence or evidence

    def emulation(self, *, resources: tuple[KernelResources, ...]) -> Emulation:
        self._findings += launches_without_registers([self._evidence], resources)
        if self._evidence is not None and not resources:
            self.labels.append(UNCHECKED)
        errors = [finding for finding in self._findings if finding.severity is Severity.ERROR]
        if len({run.output for run in self._runs}) > 1:
            self.labels.append("output_differs_between_schedules")
        if self._evidence is None and self._start.checked:
            self.labels.append("no_evidence")
        status, reason = Status.PASSED, f"nothing found in {_runs(self._runs)}"
        if not self._start.checked:
            reason = "ran without checks: nothing is known of its memory accesses"
        if self._bad is not None and (self._bad[0] is Status.UNSUPPORTED or not errors):
            status, reason = self._bad
        elif errors:
            causes = len(grouped(errors))
            count = f"{len(errors)} error" + ("s" if len(errors) > 1 else "")
            count += f" of {causes} cause{'s' if causes > 1 else ''}" if causes < len(errors) else ""
            status, reason = errors[0].status, f"{count} in {_runs(self._runs)}; first: {errors[0].message}"
            if self._bad is not None and self._bad[0] in _STOPPED.values() and status not in _STOPPED.values():
                reason += f"; besides, {self._bad[1]}"
        return replace(
            self._start,
            status=status,
            reason=reason,
            runs=tuple(self._runs),
            findings=tuple(self._findings),
            evidence=self._evidence,
            resources=resources,
            labels=tuple(dict.fromkeys(self.labels)),
        )


def _why_it_failed(run: EmulatedRun, ending: str, *, checked: bool) -> tuple[Status, str]:
    """The status of a program that did not come to a good end, and in words what decided and what would change it."""
    refused = device_memory_refused(run)
    if refused is not None:
        asked, used, limit = (gibibytes(int(number)) for number in re.findall(r"\d+", refused))
        wanted = f"it asked for {asked} of device memory with {used} of {limit} in use"
        return Status.OUT_OF_MEMORY, f"the program {ending}: {wanted}; --memory GIB gives it more"
    status = _STOPPED.get(run.completed.stopped or "", Status.CRASHED)
    if status is Status.OUT_OF_MEMORY:
        taken = " (checks take several times what the program does)" if checked else ""
        return status, f"the program {ending}{taken}; --memory GIB gives it more"
    if run.completed.signal is not None and not checked:
        return status, f"the program {ending}; without --plain the line is named"
    return status, f"the program {ending}"


def _runs(runs: Sequence[ScheduleRun]) -> str:
    return "1 run" if len(runs) == 1 else f"{len(runs)} runs"


def _refused(
    start: Emulation, refused: BuildRefused, sandbox: Sandbox, nvcc: Nvcc | None, sources: Mapping[str, bytes]
) -> Emulation:
    """The answer for a file that was not built. With a real CUDA compiler, what is not CUDA is told from what is not emulated."""
    status, reason, output = refused.status, refused.message, refused.output
    labels = start.labels
    if status in (Status.BUILD_FAILED, Status.UNSUPPORTED):
        if nvcc is None:
            labels = (*labels, "nvcc_unchecked")
        else:
            accepted, said = _compile(sandbox, nvcc, sources, "-rdc=true")
            if accepted and status is Status.BUILD_FAILED and "does not define the entry" not in reason:
                status, reason = Status.UNSUPPORTED, f"CUDA's own compiler accepts it, the emulator does not: {reason}"
            elif not accepted and "No such file or directory" not in said:
                first = next((line for line in said.splitlines() if "error" in line), said[:200])
                status, reason, output = Status.BUILD_FAILED, f"not CUDA, says nvcc: {first}", said[:4000]
    shown = Path(start.file).name
    return replace(
        start,
        status=status,
        reason=reason.replace(SOURCE_NAME, shown),
        compiler_output=output.replace(SOURCE_NAME, shown),
        labels=labels,
    )


def _compile(sandbox: Sandbox, nvcc: Nvcc, sources: Mapping[str, bytes], *further: str) -> tuple[bool, str]:
    """Whether nvcc makes device code of the sources, and what it said."""
    code = code_flag(target(sandbox, nvcc, ARCHITECTURE))
    options = (*further, "-std=c++17", code, "-w", "-Xptxas=-v", "-cubin", "-o", "candidate.cubin")
    built = build(
        sandbox,
        (str(nvcc.path), *options, SOURCE_NAME),
        sources,
        output="candidate.cubin",
        read_only=(nvcc.root,),
    )
    return built.content is not None, f"{built.completed.stdout}\n{built.completed.stderr}".strip()


def _resources(sandbox: Sandbox, nvcc: Nvcc | None, sources: Mapping[str, bytes]) -> tuple[KernelResources, ...]:
    if nvcc is None:
        return ()
    accepted, said = _compile(sandbox, nvcc, sources)
    return kernel_resources(said) if accepted else ()


def _emulate_candidate(request: EmulateRequest, start: Emulation, sandbox: Sandbox, emulator: Emulator) -> Emulation:
    assert request.task is not None
    task = open_task(request.task).task
    nvcc = find_nvcc()
    sources = {SOURCE_NAME: start.source.encode()}
    program = emulator.build(start.source, task, checked=request.checked)
    if isinstance(program, BuildRefused):
        return _refused(start, program, sandbox, nvcc, sources)
    oracle = Oracle.open(task, sandbox, emulator=emulator)
    oracle.prepare()
    trials = oracle.trials(oracle.cases(Level.SCREEN))
    limits = Limits(wall_s=request.seconds, memory_bytes=request.memory_bytes)
    gathered = _Gathered(start)
    gathered.labels += oracle.labels
    largest = dict(oracle.largest_check())
    for order in request.orders:
        with Exchange(task.parameters, [as_call(task, trial.inputs) for trial in trials]) as exchange:
            run = emulator.run(
                program,
                exchange,
                schedule=order[0],
                seed=order[1],
                limits=limits,
                sizes=[trial.inputs.case.sizes for trial in trials],
            )
            gathered.prefer_evidence(next((e for e in run.evidence if e and dict(e.sizes) == largest), None))
            wrong = _wrongness(task, oracle, trials, run, exchange)
        gathered.add(order, run, "ended" if run.completed.ok else ending_of(run.completed, request.seconds))
        if wrong is not None:
            gathered.reject(*wrong)
        if run.unsupported is not None or run.completed.stopped is not None:
            break
    return gathered.emulation(resources=_resources(sandbox, nvcc, sources))


def _wrongness(
    task: Task, oracle: Oracle, trials: Sequence[Trial], run: EmulatedRun, exchange: Exchange
) -> tuple[Status, str] | None:
    """What is wrong with the outputs of a run that came to its end, against the task's reference; None when they are right."""
    if not run.completed.ok:
        return None
    if not exchange.completed:
        return Status.CRASHED, "the program ended before all calls had returned"
    for index, trial in enumerate(trials):
        sizes = trial.inputs.case.sizes
        got = read_outputs(task, exchange, index)
        compared = compare_case(task, trial.inputs, trial.expected, got, tolerances=oracle.tolerances(sizes))
        if compared.status is not None:
            return compared.status, f"{compared.what}, at {shape_text(sizes)} ({trial.inputs.case.family.value} values)"
    return None
