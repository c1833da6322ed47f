"""The judge with an NVIDIA GPU: nvcc, a child process in the sandbox, raw outputs compared here, memory checkers, measured time."""

import math
import threading
from collections.abc import Sequence

from regrapht import settings
from regrapht.emulate.emulator import Emulator
from regrapht.errors import EvaluatorUnavailable, InvalidTask, PrerequisiteMissing
from regrapht.evaluate import feedback
from regrapht.evaluate.draft import PROTOCOL, Draft, NotDone, blame_task, judge, parse
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.gpu_baselines import NAIVE, GpuBaselines
from regrapht.evaluate.gpu_device import floor_us, probe
from regrapht.evaluate.gpu_judgement import GpuJudgement
from regrapht.evaluate.gpu_machine import GpuMachine, find_gpu_machine
from regrapht.evaluate.grounds import Grounds
from regrapht.evaluate.nvcc import find_nvcc
from regrapht.evaluate.objects import TRUSTED
from regrapht.evaluate.pools import open_pools
from regrapht.evaluate.quarantine import SUSPICIOUS, DeviceHealth
from regrapht.evaluate.references import open_fast, open_reference
from regrapht.evaluate.task_files import task_key
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, StageName, Verdict
from regrapht.sandbox.sandbox import Sandbox


class LocalGpuEvaluator:
    """Judges CUDA C++ on this machine's first GPU. Construct one and keep it: references, pools and baselines are made once a task."""

    name = "local_gpu"
    protocol = PROTOCOL

    def __init__(self, sandbox: Sandbox, *, emulator: Emulator | None = None) -> None:
        self._sandbox = sandbox
        self._emulator = emulator or Emulator(sandbox)
        self._tasks: dict[str, tuple[Grounds, GpuBaselines]] = {}
        self._found: GpuMachine | None = None
        self._lock = threading.RLock()

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
        machine = self._machine()
        grounds, baselines = self._known(task)
        grounds.require_sound()
        if plain is not None and plain.source is not None:
            baselines.plain = plain.source
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
        floor = _geometric_mean([floor_us(task, sizes, machine.timer.peaks) for sizes in baselines.bench_sizes])
        return Yardstick(scale=Scale.MEASURED_US, start=start_us, floor=min(floor, start_us / 2), start_name=start_name)

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """As `Evaluator.evaluate`."""
        machine = self._machine()
        health = self._health(machine)
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
            grounds, baselines = self._known(task)
        except InvalidTask as error:
            return blame_task(draft, error)
        with GpuJudgement(draft, machine, health, grounds, baselines, self._emulator) as stages:
            steps = (
                (StageName.PARSE, parse),
                (StageName.BUILD, stages.build),
                (StageName.CHECK, stages.check),
                (StageName.MEMORY, stages.memory),
                (StageName.TIME, stages.time),
                (StageName.PROFILE, _profile),
            )
            verdict = judge(
                draft, steps, praise=lambda d: feedback.passed_timed(d.timing or (), d.resources, d.evidence)
            )
        TRUSTED.verify()
        if verdict.status in SUSPICIOUS:
            health.check(f"a candidate that {verdict.status.lower()}")
        return verdict

    def _health(self, machine: GpuMachine) -> DeviceHealth:
        return DeviceHealth(machine.gpu.uuid, machine.gpu.name, machine.probe)

    def grounds(self, task: Task) -> Grounds:
        """What `task` is judged on, made when first asked for."""
        return self._known(task)[0]

    def _known(self, task: Task) -> tuple[Grounds, GpuBaselines]:
        with self._lock:
            key = task_key(task)
            if key not in self._tasks:
                reference = open_reference(task, self._sandbox, emulator=self._emulator)
                fast = open_fast(task, self._sandbox, emulator=self._emulator)
                grounds = Grounds(
                    task, reference, fast=fast, pool=settings.bench_sets(), pools=open_pools(self._sandbox)
                )
                self._tasks[key] = grounds, GpuBaselines(task, grounds, self._machine())
            return self._tasks[key]

    def _machine(self) -> GpuMachine:
        with self._lock:
            if self._found is None:
                self._found = find_gpu_machine(self._sandbox)
            return self._found


def _profile(draft: Draft) -> str | None:
    if not draft.resources:
        raise NotDone("no kernel of its own")
    return ", ".join(f"{kernel.name}: {kernel.registers_per_thread} registers" for kernel in draft.resources)


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))
