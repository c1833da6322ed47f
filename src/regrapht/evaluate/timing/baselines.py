"""What candidates of one task are compared with on a GPU: bench shapes, baselines with their times, and the partner of the timed blocks."""

import threading
from functools import cached_property

from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.build.libraries import allowing_own
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.cases.sizes import scaled_bench_sizes
from regrapht.evaluate.compare.outputs import compare_case
from regrapht.evaluate.device.call_process import CallProcess
from regrapht.evaluate.inputs.drawing import Case, Inputs, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.feedback import scrub, shape_text
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.timing.gpu_timer import GpuTimer
from regrapht.evaluate.timing.partner_processes import Partner
from regrapht.records.measurement import ShapeTiming, TimingSamples
from regrapht.records.task import Sizes, Task

_PLAIN_US, _SEQUENTIAL_US = 200.0, 20_000.0
_CHECK_S = 30.0
_TOLD = 200
"""Characters of why a baseline failed."""
NAIVE = "naive"


class GpuBaselines:
    """Baselines of one task on one machine; each program is built once. Safe to use from several threads.

    Args:
        plain: A straightforward CUDA version, the baseline `naive` of a task that has none of its own.
    """

    def __init__(self, task: Task, oracle: Oracle, timer: GpuTimer, *, plain: str | None = None) -> None:
        self._task, self._oracle, self._timer, self._machine = task, oracle, timer, timer.machine
        self.plain = plain
        self._programs: dict[str, GpuProgram | None] = {}
        self._refused: dict[str, str] = {}
        self._tried: set[str] = set()
        self.believed_us: dict[str, float] = {}
        """The best time by shape that a candidate was given after a second look."""
        self._lock = threading.RLock()

    def beside(self, plain: str) -> "GpuBaselines":
        """The same with another plain version."""
        return GpuBaselines(self._task, self._oracle, self._timer, plain=plain)

    def believe(self, shape: ShapeTiming) -> None:
        """Remember a time that a second look bore out."""
        key, found_us = shape_text(shape.sizes), shape.candidate.median_us
        with self._lock:
            self.believed_us[key] = min(found_us, self.believed_us.get(key, found_us))

    @property
    def bench_sizes(self) -> tuple[Sizes, ...]:
        """The task's own bench shapes, else one that is scaled up until there is something to time."""
        if self._task.bench_sizes:
            return self._task.bench_sizes
        with self._lock:
            return (self._scaled,)

    @cached_property
    def _scaled(self) -> Sizes:
        return self._timer.bench_shape(self._task, self._sources().get(NAIVE, ""), self._scale)

    def times(self, sizes: Sizes) -> dict[str, TimingSamples]:
        """Every baseline that can be timed at `sizes`: `sequential`, and each device program."""

        def sets() -> list[Inputs]:
            return [trial.inputs for trial in self._oracle.bench.trials(sizes)]

        found = {"sequential": self._timer.sequential(self._task, self._oracle.reference, sizes, sets)}
        for name, source in self._sources().items():
            program = self._program(source)
            if program is not None:
                found[name] = self._timer.baseline(self._task, program, sizes, sets)
        return {name: samples for name, samples in found.items() if samples is not None}

    @property
    def has_sequential(self) -> bool:
        """Whether a verdict should have the sequential reference's time."""
        return isinstance(self._oracle.reference, CompiledReference)

    @property
    def names(self) -> tuple[str, ...]:
        """The device baselines that a verdict should have times of."""
        return tuple(self._sources())

    def failure(self, name: str) -> str:
        """Why the device baseline `name` has no times, in words."""
        told = self._refused.get(self._sources()[name], "it did not come to its end where it was timed")
        return scrub(told, limit=_TOLD).splitlines()[0]

    def partner(self) -> Partner | None:
        """The plain program, else the first device baseline, else an empty one that no ratio is taken of."""
        sources = self._sources()
        for name in sorted(sources, key=lambda name: name != NAIVE):
            program = self._program(sources[name])
            if program is not None:
                return Partner(program=program, baseline=name)
        empty = self._built(f"{self._task.signature} {{}}\n")
        return None if empty is None else Partner(program=empty, baseline=None)

    def _sources(self) -> dict[str, str]:
        sources = {baseline.name: baseline.source.text for baseline in self._task.baselines}
        if NAIVE not in sources and self.plain is not None:
            sources[NAIVE] = self.plain
        return sources

    def _program(self, source: str) -> GpuProgram | None:
        """A baseline's program; None where it does not build, or does not do the task: a ratio to it would say nothing."""
        with self._lock:
            program = self._built(source)
            if program is not None and source not in self._tried:
                self._tried.add(source)
                try:
                    self._require_right(program, allowing_own(self._task, source))
                except Rejected as rejected:
                    self._programs[source], self._refused[source] = None, rejected.reason
            return self._programs[source]

    def _built(self, source: str) -> GpuProgram | None:
        with self._lock:
            if source not in self._programs:
                try:
                    self._programs[source] = self._machine.build(source, allowing_own(self._task, source))
                except Rejected as rejected:
                    self._programs[source], self._refused[source] = None, rejected.reason
            return self._programs[source]

    def _require_right(self, program: GpuProgram, task: Task) -> None:
        """Call it once at every check shape.

        Raises:
            Rejected: It does not come to its end, or an output is wrong.
        """
        declared = [Case(sizes=sizes, family=Family.DECLARED) for sizes in task.check_sizes]
        process = CallProcess(self._machine, task, self._oracle.trials(declared))
        try:
            outputs = process.outputs(process.run(program, limit_s=_CHECK_S), limit_s=_CHECK_S)
        finally:
            process.close()
        for trial, got in zip(process.trials, outputs, strict=True):
            tolerances = self._oracle.tolerances(trial.inputs.case.sizes)
            compared = compare_case(task, trial.inputs, trial.expected, got, tolerances=tolerances)
            if compared.status is not None:
                raise Rejected(compared.status, f"{compared.what}, at {shape_text(trial.inputs.case.sizes)}")

    def _scale(self) -> Sizes:
        return scaled_bench_sizes(self._task, self._oracle.largest_check(), is_enough=self._is_enough)

    def _is_enough(self, sizes: Sizes) -> bool:
        """Whether the plain program takes 200 us at `sizes`; without one, whether the reference takes 20 ms."""
        source = self._sources().get(NAIVE)
        program = self._program(source) if source is not None else None
        inputs = draw(
            self._task, Case(sizes=sizes, family=Family.DECLARED), secret=self._oracle.secret("scale"), index=0
        )
        if program is not None:
            time_us = self._timer.quick_us(self._task, program, inputs)
            if time_us is not None:
                return time_us >= _PLAIN_US
        reference = self._oracle.reference
        if not isinstance(reference, CompiledReference):
            return True
        return min(reference.sequential_times_us(inputs, samples=1, wall_s=60)) >= _SEQUENTIAL_US
