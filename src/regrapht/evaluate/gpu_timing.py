"""The timed part of judging on a GPU: the protocol around the harness, the baselines, and what is made of their samples."""

import statistics
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.checking import compare_all, read_outputs, require_completed
from regrapht.evaluate.draft import Draft, Rejected
from regrapht.evaluate.feedback import shape_text
from regrapht.evaluate.gpu_device import Gpu, Peaks, exclusive, floor_us, impossible_us
from regrapht.evaluate.gpu_program import (
    GpuProgram,
    TimingPlan,
    harness_command,
    require_clean_calls,
    run_limits,
    timed_output_differs,
)
from regrapht.evaluate.grounds import Grounds, Trial
from regrapht.evaluate.inputs import as_call
from regrapht.evaluate.reference import CompiledReference
from regrapht.evaluate.timing import clocks_agree, is_settled, plausible_wall, ratio, taken
from regrapht.records.measurement import Ratio, ShapeTiming, TimingSamples
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Completed, Sandbox
from regrapht.sandbox.wire import Exchange

PLANS = {
    Level.SCREEN: TimingPlan(least=10, warm_ms=20, sample_ms=150),
    Level.FULL: TimingPlan(least=30, warm_ms=200, sample_ms=2000),
}
MOST_SAMPLES = 1000
_RUN_S = 60.0
_SUSPECT = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedRun:
    """One process's samples at one shape, with what it left."""

    samples: TimingSamples
    pairs: tuple[tuple[float, float], ...]
    completed: Completed


class GpuTimer:
    """Times programs on one device, each run in a process of its own with the device held alone. Baselines are timed once a shape."""

    def __init__(self, sandbox: Sandbox, harness: bytes, gpu: Gpu, peaks: Peaks) -> None:
        self._sandbox, self._harness, self.gpu, self.peaks = sandbox, harness, gpu, peaks
        self._baselines: dict[tuple[str, str, str], TimingSamples | None] = {}
        self._lock = threading.RLock()

    def candidate(
        self, draft: Draft, grounds: Grounds, program: GpuProgram, sizes: Sizes, baselines: dict[str, TimingSamples]
    ) -> ShapeTiming:
        """Time and check a candidate at one bench shape.

        Raises:
            Rejected: Its timed outputs are wrong, its clocks disagree, or it is faster than possible.
        """
        trials = grounds.bench_trials(sizes)
        if not trials:
            raise EvaluatorUnavailable(f"the reference takes too long to say what is right at {shape_text(sizes)}")
        run = self._timed(draft, program, trials, grounds, PLANS[draft.level])
        least = impossible_us(draft.task, sizes, self.peaks, self.gpu)
        if run.samples.median_us < least:
            raise Rejected(
                Status.IMPOSSIBLE,
                f"{run.samples.median_us:.3g} us at {shape_text(sizes)} is less than moving the data takes ({least:.3g} us)",
                feedback="The time is below what this device needs to move the data or do the arithmetic once: some work is not done.",
            )
        if not is_settled(run.samples):
            draft.label(f"noisy {shape_text(sizes)}")
        ratios = tuple(ratio(name, samples, run.samples) for name, samples in baselines.items())
        return ShapeTiming(
            sizes=dict(sizes),
            candidate=run.samples,
            baselines=baselines,
            ratios=ratios,
            floor_us=floor_us(draft.task, sizes, self.peaks),
        )

    def baseline(
        self, task: Task, name: str, program: GpuProgram, grounds: Grounds, sizes: Sizes
    ) -> TimingSamples | None:
        """Samples of a baseline, from this process's memory or measured now; None when it cannot be timed at this shape."""
        key = (task.content_hash, name, shape_text(sizes))
        with self._lock:
            if key not in self._baselines:
                self._baselines[key] = self._measure_baseline(task, program, grounds, sizes)
            return self._baselines[key]

    def sequential(self, task: Task, grounds: Grounds, sizes: Sizes) -> TimingSamples | None:
        """Samples of the sequential reference on the CPU: optimised, on one core, at least three calls and half a second."""
        reference = grounds.reference
        trials = grounds.bench_trials(sizes)
        if not isinstance(reference, CompiledReference) or not trials:
            return None
        key = (task.content_hash, "sequential", shape_text(sizes))
        with self._lock:
            if key not in self._baselines:
                first = reference.sequential_times_us(trials[0].inputs, samples=3, wall_s=300)
                more = int(min(200, max(0, 5e5 // max(statistics.median(first), 1.0) - 3)))
                rest = reference.sequential_times_us(trials[0].inputs, samples=more, wall_s=300) if more else ()
                self._baselines[key] = TimingSamples(samples_us=tuple(t for t in (*first, *rest) if t > 0))
            return self._baselines[key]

    def quick_us(self, task: Task, program: GpuProgram, trial: Trial) -> float | None:
        """A rough time of a trusted plain program, to choose bench shapes by; None when it fails."""
        run = self._run(task, program, [trial], replace(PLANS[Level.SCREEN], least=3, sample_ms=50))
        return run.samples.median_us if run is not None else None

    def _measure_baseline(
        self, task: Task, program: GpuProgram, grounds: Grounds, sizes: Sizes
    ) -> TimingSamples | None:
        trials = grounds.bench_trials(sizes)
        run = self._run(task, program, trials, PLANS[Level.FULL]) if trials else None
        return None if run is None else run.samples

    def _run(self, task: Task, program: GpuProgram, trials: Sequence[Trial], plan: TimingPlan) -> TimedRun | None:
        """Time without a verdict; None when the program does not come to its end."""
        with self._exchange(task, trials) as exchange:
            with exclusive(self.gpu):
                completed = self._sandbox.run(
                    harness_command(program, self._harness, exchange, plan), run_limits(_RUN_S)
                )
            pairs = _pairs(exchange, len(trials))
            if not (completed.ok and exchange.completed) or not pairs:
                return None
        return TimedRun(samples=TimingSamples(samples_us=tuple(e for e, _ in pairs)), pairs=pairs, completed=completed)

    def _timed(
        self, draft: Draft, program: GpuProgram, trials: Sequence[Trial], grounds: Grounds, plan: TimingPlan
    ) -> TimedRun:
        with self._exchange(draft.task, trials) as exchange:
            with exclusive(self.gpu):
                completed = self._sandbox.run(
                    harness_command(program, self._harness, exchange, plan), run_limits(_RUN_S)
                )
            require_clean_calls(draft.task, exchange, len(trials), completed)
            require_completed(completed, exchange, [t.inputs for t in trials], limit_s=_RUN_S)
            pairs = _pairs(exchange, len(trials))
            if len(pairs) < min(3, plan.least):
                raise Rejected(Status.TIMED_OUT, "too slow to be timed")
            outputs = [read_outputs(draft.task, exchange, i) for i in range(len(trials))]
            differs = timed_output_differs(exchange, range(len(trials)))
        compare_all(draft, trials, outputs, [grounds.bench_bars(t.inputs.case.sizes) for t in trials])
        if differs and draft.task.tolerance.deterministic:
            raise Rejected(Status.NONDETERMINISTIC, "timed repetitions on the same inputs gave different outputs")
        if not clocks_agree(pairs):
            event, host = (statistics.median(pair[i] for pair in pairs) for i in (0, 1))
            raise Rejected(
                Status.TIMING_INVALID,
                f"events say {event:.4g} us, the host's clock {host:.4g} us: work runs where the events do not see it",
            )
        if not plausible_wall(pairs, completed.wall_s):
            raise Rejected(Status.TIMING_INVALID, "the times claimed do not fit into the time that the process ran")
        if len(pairs) < plan.least:
            draft.label("few_samples")
        return TimedRun(samples=TimingSamples(samples_us=tuple(e for e, _ in pairs)), pairs=pairs, completed=completed)

    def _exchange(self, task: Task, trials: Sequence[Trial]) -> Exchange:
        each = MOST_SAMPLES // len(trials)
        return Exchange(task.parameters, [as_call(task, trial.inputs, samples=each) for trial in trials])


def suspicious(timing: Sequence[ShapeTiming]) -> Ratio | None:
    """A speed-up over the best device baseline that is too good to be believed without a second look."""
    for shape in timing:
        device = [r for r in shape.ratios if r.against != "sequential"]
        if device and min(r.value for r in device) > _SUSPECT:
            return min(device, key=lambda r: r.value)
    return None


def _pairs(exchange: Exchange, calls: int) -> tuple[tuple[float, float], ...]:
    return tuple(pair for call in range(calls) for pair in taken(exchange.output(call).samples_us))
