"""Times on one device: candidates in turn with a partner, baselines alone, the sequential reference; and what the clocks refuse."""

import contextlib
import hashlib
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from regrapht.evaluate.baseline_times import BaselineTime, BaselineTimes
from regrapht.evaluate.checking import compare_all, require_completed, require_silent
from regrapht.evaluate.device_calls import repeats_differ, require_clean_calls
from regrapht.evaluate.draft import Draft, Rejected
from regrapht.evaluate.element_arrays import Array
from regrapht.evaluate.feedback import shape_text
from regrapht.evaluate.gpu_device import Gpu, Peaks, floor_us, impossible_us
from regrapht.evaluate.gpu_program import GpuProgram, Harness, run_limits, time_command
from regrapht.evaluate.grounds import Grounds
from regrapht.evaluate.harness_child import LIFE_S, ChildEnded, TimedChild
from regrapht.evaluate.inputs import Inputs, as_call
from regrapht.evaluate.lease import MACHINE, exclusive, shared
from regrapht.evaluate.neighbours import in_company
from regrapht.evaluate.nvml import DeviceState, Nvml, open_nvml
from regrapht.evaluate.paired_timing import MOST_IN_BLOCK, Measured, NoWatch, TimingPlan, measure
from regrapht.evaluate.partners import Partner, PartnerProcess, Partners
from regrapht.evaluate.quarantine import HarnessFailure, not_ready, require_harness
from regrapht.evaluate.reference import CompiledReference, ReferenceFailed
from regrapht.evaluate.throttling import LOOKED_AT, BlockGuard, Dropped
from regrapht.evaluate.timing import (
    clock_gap_us,
    clocks_agree,
    hidden_us,
    is_launch_bound,
    is_settled,
    ordinary_us,
    paired_ratio,
    ratio,
    with_launch_noise,
)
from regrapht.evaluate.timing_session import TimingSession
from regrapht.records.measurement import ShapeTiming, TimingSamples
from regrapht.records.task import Residency, Sizes, Task
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Completed, Sandbox
from regrapht.sandbox.wire import Exchange

PLANS = {
    Level.SCREEN: TimingPlan(least=10, rounds=2, warm_s=0.02, sample_s=0.15, first_s=10.0),
    Level.FULL: TimingPlan(least=30, rounds=4, warm_s=0.2, sample_s=2.0, further=True),
}
_COMPANY = frozenset({"compute_pids"})
_SAMPLE_CAP_S = 10.0
_SETS_BYTES, _SET_BYTES = 2**29, 2**30
_LOOK_BYTES, _LOOKS_BYTES = 2**22, 2**26
_STORE_S = 60.0
_LOOKS_AT_CLOCKS = 3
_SEQUENTIAL_S, _SEQUENTIAL_TRY_S = 300.0, 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordinary:
    """What a trusted program shows at one shape: the time of the work around a call, and how far the host's clock is ahead."""

    outside_us: float
    gap_us: float
    latency_us: float = 0.0
    """What a command takes by itself."""


@dataclass(slots=True, kw_only=True)
class _Watch:
    """Reads the device's state around each round and lets the guard decide whether the round counts."""

    nvml: Nvml
    guard: BlockGuard = field(default_factory=BlockGuard)
    _before: DeviceState | None = None

    def before(self) -> None:
        self._before = self.nvml.state(only=LOOKED_AT)

    def keeps(self) -> bool:
        decided = self.guard.admit(self._before, self.nvml.state(only=LOOKED_AT))
        if isinstance(decided, Dropped):
            time.sleep(decided.pause_s)
            return False
        return True


class GpuTimer:
    """Times programs on one device, each in a process of its own, the device held alone. Baselines are timed once a week."""

    def __init__(self, sandbox: Sandbox, harness: Harness, gpu: Gpu, peaks: Peaks, *, machine: str) -> None:
        self._sandbox, self._harness, self.gpu, self.peaks = sandbox, harness, gpu, peaks
        self._times = BaselineTimes(machine)
        self._known: dict[tuple[str, str, str], BaselineTime | None] = {}
        self._ordinary: dict[tuple[str, str], Ordinary] = {}
        self._lock = threading.RLock()
        self._ordinary_lock = threading.Lock()  # taken while the device is held: nobody waits for a device with it
        self._nvml = open_nvml(gpu.uuid)
        self.partners = Partners(self._start_partner)

    def open(
        self,
        task: Task,
        sets: Sequence[Inputs],
        partner: Partner | None,
        *,
        checks: Sequence[Inputs] = (),
        queues: int | None = None,
        library_folders: tuple[Path, ...] = (),
        anew: bool = False,
    ) -> TimingSession:
        """Start the processes of one shape and wait until their data are on the device.

        Args:
            checks: What the candidate is called with before it is timed, by the session's `check`.
            queues: The candidate's, as `gpu_environment`'s.
            library_folders: Where the candidate may load libraries from.
            anew: Start the partner too, though a process of it may be at hand.
        """
        sets = list(sets[: _fitting(sets)])
        with shared(self.gpu.uuid), shared(MACHINE), contextlib.ExitStack() as undo:
            lent = self.partners.lend(task, sets, partner, anew=anew) if partner is not None else None
            if lent is not None:
                undo.callback(lent.give_back)
            inputs_of = lent.child.exchange if lent is not None else None
            calls = [as_call(task, inputs) for inputs in checks]
            checked = Exchange(task.parameters, calls) if calls else None
            if checked is not None:
                undo.callback(checked.close)
            child = self._child(task, sets, queues, library_folders, inputs_of, checked)
            undo.callback(child.exchange.close)
            undo.callback(child.close)
            session = TimingSession(task, sets, child, lent, checks=checks)
            undo.pop_all()
            return session

    def _child(
        self,
        task: Task,
        sets: Sequence[Inputs],
        queues: int | None,
        library_folders: tuple[Path, ...],
        inputs_of: Exchange | None = None,
        checks: Exchange | None = None,
    ) -> TimedChild:
        calls = [as_call(task, inputs, samples=MOST_IN_BLOCK, return_inputs=False) for inputs in sets]
        exchange = Exchange(task.parameters, calls, inputs_of=inputs_of, awaits_object=True)
        command = time_command(
            self._harness,
            task.contract.residency,
            exchange,
            checks=checks,
            library_folders=library_folders,
            queues=queues,
        )
        return TimedChild(self._sandbox, command, exchange, run_limits(LIFE_S), sets=len(calls), checks=checks)

    def _start_partner(self, task: Task, sets: Sequence[Inputs], partner: Partner) -> PartnerProcess:
        program = partner.program
        child = self._child(task, sets, program.queues, program.library_folders)
        child.deliver(program.library)
        return PartnerProcess(child=child, sets=sets)

    def candidate(
        self,
        draft: Draft,
        grounds: Grounds,
        session: TimingSession,
        program: GpuProgram,
        baselines: Mapping[str, TimingSamples],
        trusted: Callable[[], Partner | None],
    ) -> ShapeTiming:
        """Time and check a candidate at one bench shape.

        Args:
            trusted: The task's partner: the session's, or what it gets where clocks disagree without one.

        Raises:
            Rejected: Its timed outputs are wrong, its clocks disagree, or it is faster than possible.
        """
        task, sizes, exchange = draft.task, session.sizes, session.candidate.exchange
        watch = _Watch(nvml=self._nvml) if self._nvml is not None else NoWatch()
        kept: list[tuple[int, dict[str, Array]]] = []
        measured, completed = self._measured(draft, session, program, watch, kept, trusted)
        require_harness(completed, was_ready=session.candidate.was_ready)
        require_clean_calls(task, exchange, len(session.sets), completed)
        require_completed(completed, exchange, session.sets, limit_s=_SAMPLE_CAP_S)
        require_silent(completed, draft)
        bars, trials = grounds.bench_bars(sizes), grounds.bench_trials(sizes)
        for data_set, outputs in (*kept, *((i, session.outputs(i)) for i in range(len(session.sets)))):
            compare_all(draft, [trials[data_set]], [outputs], [bars])  # one at a time: they may be large
        if repeats_differ(task, exchange, range(len(session.sets))) and task.tolerance.deterministic:
            raise Rejected(Status.NONDETERMINISTIC, "timed repetitions on the same inputs gave different outputs")
        if isinstance(watch, _Watch):  # first: with no round that counted there are no clocks to look at
            self._require_steady_device(draft, watch.guard)
        self._require_honest_clocks(draft, measured, sizes)
        draft.exclusive_s += measured.exclusive_s
        if session.checks:
            measured.first_call_us = None  # its first call was one of those
        return self._shape_timing(draft, measured, sizes, baselines, trusted() if session.partner is not None else None)

    def baseline(
        self, task: Task, name: str, program: GpuProgram, grounds: Grounds, sizes: Sizes
    ) -> TimingSamples | None:
        """Samples of a baseline, known or measured now; None when it cannot be timed at this shape.

        Raises:
            EvaluatorUnavailable: The device cannot hold its data now.
        """
        key = (task.content_hash, program.identity, shape_text(sizes))
        with self._lock:
            if key not in self._known:
                found = self._times.load(task.content_hash, program.identity, sizes)
                if found is None:
                    found = self._measure_baseline(task, program, grounds, sizes)
                    if found is not None:
                        self._times.save(task.content_hash, program.identity, sizes, found)
                self._known[key] = found
            known = self._known[key]
            if known is not None and known.ordinary_us is not None:
                ordinary = Ordinary(outside_us=known.ordinary_us, gap_us=0.0, latency_us=known.latency_us)
                with self._ordinary_lock:
                    self._ordinary.setdefault((task.content_hash, shape_text(sizes)), ordinary)
            return None if known is None else known.samples

    def sequential(self, task: Task, grounds: Grounds, sizes: Sizes) -> TimingSamples | None:
        """Samples of the sequential reference on the CPU: optimised, on one core, at least three calls and half a second.

        None where the reference is no C++, or has a `fast` equivalent and does not make three calls within a minute.
        """
        reference = grounds.reference
        if not isinstance(reference, CompiledReference):
            return None
        key = (task.content_hash, "sequential", shape_text(sizes))
        with self._lock:
            if key not in self._known:
                self._known[key] = self._times.load(task.content_hash, "sequential", sizes)
            found = self._known[key]
            trials = grounds.bench_trials(sizes) if found is None else []
            if found is None and trials:
                samples = _sequential_samples(
                    reference, trials[0].inputs, may_be_too_slow=task.reference.fast is not None
                )
                found = self._known[key] = BaselineTime(samples=samples, ordinary_us=None)
                self._times.save(task.content_hash, "sequential", sizes, found)
            return None if found is None else found.samples

    def bench_shape(self, task: Task, plain: str, scale: Callable[[], Sizes]) -> Sizes:
        """The shape to time a task at that names none: known from before, or from `scale` now. `plain` is the program it is chosen by."""
        program = hashlib.sha256(plain.encode()).hexdigest()
        known = self._times.load_shape(task.content_hash, program)
        if known is None or set(known) != set(task.size_names):
            known = scale()
            self._times.save_shape(task.content_hash, program, known)
        return known

    def quick_us(self, task: Task, program: GpuProgram, inputs: Inputs) -> float | None:
        """A rough time of a trusted plain program, to choose bench shapes by; None when it fails."""
        try:
            measured = self._alone(task, program, [inputs], TimingPlan(least=3, rounds=1, warm_s=0.0, sample_s=0.05))
        except HarnessFailure:
            return None  # a shape that does not fit is too large
        return None if measured is None else measured.samples.median_us

    def _measured(
        self,
        draft: Draft,
        session: TimingSession,
        program: GpuProgram,
        watch: "_Watch | NoWatch",
        kept: list[tuple[int, dict[str, Array]]],
        trusted: Callable[[], Partner | None],
    ) -> tuple[Measured, Completed]:
        """The session's blocks and how the candidate's process ended; without a partner where that one failed."""
        plan = PLANS[draft.level]
        room = _LOOKS_BYTES

        def look(data_set: int) -> None:
            nonlocal room
            room -= session.output_bytes
            if room > 0:
                kept.append((data_set, session.outputs(data_set)))

        looks = look if session.output_bytes <= _LOOK_BYTES else None
        shown = (len(session.sets) + 1) // 2  # as in the harness
        unseen = list(range(shown, len(session.sets)))
        session.deliver(program)
        with exclusive(self.gpu.uuid):
            if self._nvml is not None and in_company(partial(self._nvml.state, only=_COMPANY), self.gpu.uuid):
                draft.label("shared_gpu")
            renewed = False
            take = partial(measure, session.candidate, plan=plan, watch=watch, looks=looks, sets=shown, unseen=unseen)
            while True:
                try:
                    session.candidate.wait_loaded(limit_s=_SAMPLE_CAP_S)
                    measured = self._until_explained(draft.task, session, take, trusted)
                except ChildEnded as ended:
                    if ended.child is session.candidate:
                        return Measured(), ended.completed
                    if renewed:
                        draft.label("baseline_failed")
                        session.dismiss_partner()
                        trusted = _nobody
                    else:  # it may have ended since another candidate was timed, and through that one's doing
                        session.renew_partner()
                        renewed = True
                else:
                    break
        with shared(self.gpu.uuid):
            try:
                for data_set in range(len(session.sets)):
                    session.candidate.store(data_set, limit_s=_STORE_S)
            except ChildEnded as ended:
                return measured, ended.completed
        return measured, session.candidate.finish()

    def _until_explained(
        self,
        task: Task,
        session: TimingSession,
        take: Callable[[TimedChild | None], Measured],
        trusted: Callable[[], Partner | None],
    ) -> Measured:
        """What `take` measures beside the session's partner, again while its clocks disagree, three times at most.

        On a machine that is busy otherwise clocks disagree by chance; those of a program that hides work do so each time. What is known of
        the work around a call may be of a busier or quieter time, so that a session without a partner gets one for the further looks. The
        driver does one process's allocations and limits at a time: the last look is while no judge of any of the machine's devices starts
        one.
        """
        exclusive_s = 0.0
        for looks_left in reversed(range(_LOOKS_AT_CLOCKS)):
            with contextlib.nullcontext() if looks_left else exclusive(MACHINE):
                measured = take(session.partner)
            exclusive_s += measured.exclusive_s
            if self._doubt(task, measured, session.sizes) is None:
                break
            if looks_left and session.partner is None and (partner := trusted()) is not None:
                session.bring_partner(self.partners.lend(task, session.sets, partner))
        measured.exclusive_s = exclusive_s
        return measured

    def _doubt(self, task: Task, measured: Measured, sizes: Sizes) -> str | None:
        """What the clocks say against each other; None when they agree."""
        place = (task.content_hash, shape_text(sizes))
        if blocks := measured.partner_blocks:
            gap = max(0.0, clock_gap_us([pair for block in blocks for pair in block.pairs]))
            with self._ordinary_lock:
                outside_us = ordinary_us(blocks, measured.latency_us)
                self._ordinary[place] = Ordinary(outside_us=outside_us, gap_us=gap, latency_us=measured.latency_us)
        ordinary = self._ordinary.get(place)
        pairs = measured.pairs
        if not pairs:
            return None  # every round was dropped: the guard says why
        if not clocks_agree(pairs, ordinary_gap_us=ordinary.gap_us if ordinary is not None else 0.0):
            event, host = (statistics.median(pair[i] for pair in pairs) for i in (0, 1))
            return (
                f"events say {event:.4g} us, the host's clock {host:.4g} us: work runs where the events do not see it"
            )
        hidden = 0.0
        if ordinary is not None:
            hidden = hidden_us(measured.blocks, ordinary.outside_us, ordinary.latency_us)
        if hidden:
            return (
                f"a repetition takes {abs(hidden):.4g} us {'more' if hidden > 0 else 'less'} than its clocks and the work around a call "
                "explain, by the clock outside of its process: work is hidden, or the clock forged"
            )
        return None

    def _require_honest_clocks(self, draft: Draft, measured: Measured, sizes: Sizes) -> None:
        if doubt := self._doubt(draft.task, measured, sizes):
            raise Rejected(Status.TIMING_INVALID, doubt)
        least = impossible_us(draft.task, sizes, self.peaks, self.gpu)
        median = measured.samples.median_us
        if median < least:
            raise Rejected(
                Status.IMPOSSIBLE,
                f"{median:.3g} us at {shape_text(sizes)} is less than moving the data takes ({least:.3g} us)",
                feedback="The time is below what this device needs to move the data or do the arithmetic once: some work is not done.",
            )

    def _require_steady_device(self, draft: Draft, guard: BlockGuard) -> None:
        for label in guard.labels:
            draft.label(label)
        if why := guard.verdict():
            raise Rejected(Status.TIMING_INVALID, why)

    def _shape_timing(
        self,
        draft: Draft,
        measured: Measured,
        sizes: Sizes,
        baselines: Mapping[str, TimingSamples],
        partner: Partner | None,
    ) -> ShapeTiming:
        samples, task = measured.samples, draft.task
        where = shape_text(sizes)
        if len(samples.samples_us) < PLANS[draft.level].least:
            draft.label(f"few_samples {where}")
        if not is_settled(samples):
            draft.label(f"noisy {where}")
        found, ratios = dict(baselines), []
        paired = partner.baseline if partner is not None and measured.partner_samples is not None else None
        if paired is not None and measured.partner_samples is not None:
            found[paired] = measured.partner_samples
            ratios.append(paired_ratio(paired, measured.rounds))
        ratios += [ratio(name, times, samples) for name, times in found.items() if name != paired]
        absent = {}
        kernel = TimingSamples(samples_us=measured.kernel_us) if measured.kernel_us else None
        transfers = TimingSamples(samples_us=measured.with_transfers_us) if measured.with_transfers_us else None
        end_to_end = measured.end_to_end
        if task.contract.residency is Residency.HOST:
            transfers = end_to_end  # the candidate's own transfers are inside every repetition
        for name, times in (("kernel", kernel), ("with_transfers", transfers)):
            if times is None:
                absent[name] = "screening"
        if launch_bound := is_launch_bound(samples, measured.kernel_us):
            draft.label(f"launch_bound {where}")
        if measured.partner_samples is not None:
            launch_bound |= is_launch_bound(measured.partner_samples, measured.partner_kernel_us)
        if launch_bound:
            ratios = [with_launch_noise(one) for one in ratios]
        return ShapeTiming(
            sizes=dict(sizes),
            candidate=samples,
            baselines=found,
            ratios=tuple(ratios),
            floor_us=floor_us(task, sizes, self.peaks),
            kernel=kernel,
            end_to_end=end_to_end,
            with_transfers=transfers,
            absent=absent,
            first_call_us=measured.first_call_us,
        )

    def _measure_baseline(self, task: Task, program: GpuProgram, grounds: Grounds, sizes: Sizes) -> BaselineTime | None:
        trials = grounds.bench_trials(sizes)
        plan = TimingPlan(least=30, rounds=4, warm_s=0.2, sample_s=2.0)
        try:
            measured = self._alone(task, program, [trial.inputs for trial in trials], plan) if trials else None
        except HarnessFailure as failure:
            if not failure.was_ready:
                raise not_ready(failure) from failure
            measured = None
        if measured is None:
            return None
        return BaselineTime(
            samples=measured.samples,
            ordinary_us=ordinary_us(measured.blocks, measured.latency_us),
            latency_us=measured.latency_us,
        )

    def _alone(self, task: Task, program: GpuProgram, sets: Sequence[Inputs], plan: TimingPlan) -> Measured | None:
        """Times without a verdict; None when the program does not come to its end. Raises HarnessFailure when the harness does not."""
        session = self.open(task, sets, None, queues=program.queues, library_folders=program.library_folders)
        try:
            session.deliver(program)
            with exclusive(self.gpu.uuid):
                session.candidate.wait_loaded(limit_s=_SAMPLE_CAP_S)
                measured = measure(session.candidate, None, plan, watch=NoWatch(), sets=0)
                session.candidate.finish()
            return measured
        except ChildEnded as ended:
            require_harness(ended.completed, was_ready=session.candidate.was_ready)
            return None
        finally:
            session.close()


def _sequential_samples(reference: CompiledReference, inputs: Inputs, *, may_be_too_slow: bool) -> TimingSamples | None:
    """Times of the reference; None of one that may be too slow, and is."""
    try:
        first = reference.sequential_times_us(
            inputs, samples=3, wall_s=_SEQUENTIAL_TRY_S if may_be_too_slow else _SEQUENTIAL_S
        )
    except ReferenceFailed:
        if may_be_too_slow:
            return None
        raise
    more = int(min(200, max(0, 5e5 // max(statistics.median(first), 1.0) - 3)))
    rest = reference.sequential_times_us(inputs, samples=more, wall_s=_SEQUENTIAL_S) if more else ()
    return TimingSamples(samples_us=tuple(t for t in (*first, *rest) if t > 0))


def _nobody() -> None:
    return None


def _fitting(sets: Sequence[Inputs]) -> int:
    """How many sets of data a process gets: as many as fit half a gibibyte, and two unless one alone takes more than a gibibyte."""
    largest = max(sum(array.nbytes for array in inputs.arrays.values()) for inputs in sets)
    least = 1 if largest > _SET_BYTES else 2
    return int(min(len(sets), max(least, _SETS_BYTES // max(largest, 1))))
