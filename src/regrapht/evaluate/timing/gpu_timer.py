"""Times on one device: candidates in turn with a partner, baselines alone, the sequential reference; and what the clocks refuse."""

import contextlib
import hashlib
import math
import statistics
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from regrapht import settings
from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.compare.outputs import compare_all
from regrapht.evaluate.compare.tolerances import uncalibrated
from regrapht.evaluate.device.call_results import repeats_differ, require_clean_calls
from regrapht.evaluate.device.gpu import impossible_us
from regrapht.evaluate.device.harness import run_limits, time_command
from regrapht.evaluate.device.harness_process import LIFE_S, ChildEnded, TimedChild
from regrapht.evaluate.device.health import HarnessFailure, not_ready, require_harness
from regrapht.evaluate.device.machine import GpuMachine
from regrapht.evaluate.device.nvml import Nvml, open_nvml
from regrapht.evaluate.device.other_processes import in_company
from regrapht.evaluate.device.sharing import MACHINE, exclusive, shared, starting
from regrapht.evaluate.device.throttling import BlockGuard, DeviceWatch
from regrapht.evaluate.inputs.drawing import Inputs, as_call
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.judgement.endings import require_completed, require_silent
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed, ReferenceProgram, Trial
from regrapht.evaluate.timing.clocks import ClockDoubts, around_us, ordinary_us
from regrapht.evaluate.timing.kept_times import BaselineTime, BaselineTimes
from regrapht.evaluate.timing.paired_timing import MOST_IN_BLOCK, Measured, NoWatch, TimingPlan, measure
from regrapht.evaluate.timing.partner_processes import Partner, PartnerProcess, Partners, Shapes
from regrapht.evaluate.timing.session import Beside, SessionShape, TimingSession
from regrapht.evaluate.timing.shape_timing import shape_timing
from regrapht.records.measurement import ShapeTiming, TimingSamples
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Completed
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


@dataclass(slots=True, kw_only=True)
class _Look:
    """One shape of a session while it is timed."""

    shape: SessionShape
    watch: "DeviceWatch | NoWatch"
    kept: list[tuple[int, dict[str, Array]]]
    """Outputs in between, with the number of their set."""
    unseen: list[int]
    """The sets that no repetition is timed with and that are still to be asked for: each once, however often clocks are looked at."""
    _room: int = _LOOKS_BYTES

    def take(self, plan: TimingPlan) -> Measured:
        """Measure the candidate, in turn with the partner that its session has now."""
        shape = self.shape
        return measure(
            shape.candidate,
            shape.partner,
            plan,
            watch=self.watch,
            looks=self._keep if shape.output_bytes <= _LOOK_BYTES else None,
            sets=len(shape.shown),
            unseen=self.unseen,
        )

    def _keep(self, data_set: int) -> None:
        self._room -= self.shape.output_bytes
        if self._room > 0:
            self.kept.append((data_set, self.shape.outputs(data_set)))


def _look(shape: SessionShape, nvml: Nvml | None) -> _Look:
    return _Look(
        shape=shape,
        watch=DeviceWatch(nvml=nvml) if nvml is not None else NoWatch(),
        kept=[],
        unseen=list(range(len(shape.shown), len(shape.sets))),
    )


class GpuTimer:
    """Times programs on one device, each in a process of its own, the device held alone. Baselines are timed once a week."""

    def __init__(self, machine: GpuMachine) -> None:
        self.machine, self.gpu, self.peaks = machine, machine.gpu, machine.peaks
        self._times = BaselineTimes(machine.identity)
        self._known: dict[tuple[str, str, str], BaselineTime | None] = {}
        self._too_much: dict[str, float] = {}
        """The least work, by task, at which the sequential reference took too long."""
        self._lock = threading.RLock()
        self.doubts = ClockDoubts()
        self._nvml = open_nvml(machine.gpu.uuid)
        self.partners = Partners(self._start_partner)

    def open(
        self,
        task: Task,
        shapes: Shapes,
        partner: Partner | None,
        *,
        checks: Sequence[Inputs] = (),
        queues: int | None = None,
        library_folders: tuple[Path, ...] = (),
        anew: bool = False,
    ) -> TimingSession:
        """Start the processes of some shapes, one a program, and wait until their data are on the device.

        Args:
            shapes: Sets of data of each shape; of many sets no more are taken than fit.
            checks: What the candidate is called with before it is timed, by the session's `check`.
            queues: The candidate's, as `gpu_environment`'s.
            library_folders: Where the candidate may load libraries from.
            anew: Start the partner too, though a process of it may be at hand.
        """
        shapes = [list(sets[: _fitting(sets)]) for sets in shapes]
        lent = None
        with contextlib.ExitStack() as undo:
            # Inputs may take seconds to write: not while others wait for the device.
            exchange = undo.enter_context(self._exchange(task, shapes)) if partner is None else None
            calls = [as_call(task, inputs) for inputs in checks]
            checked = undo.enter_context(Exchange(task.parameters, calls)) if calls else None
            with starting(self.gpu.uuid):
                if partner is not None:
                    lent = self.partners.lend(task, shapes, partner, anew=anew)
                    undo.callback(lent.give_back)
                if exchange is None:
                    inputs_of = lent.child.exchange if lent is not None else None
                    exchange = undo.enter_context(self._exchange(task, shapes, inputs_of=inputs_of))
                child = self._child(task, shapes, exchange, queues, library_folders, checked)
                undo.callback(child.close)
                session = TimingSession(task, shapes, child, lent, checks=checks)
            undo.pop_all()
            return session

    def _exchange(self, task: Task, shapes: Shapes, *, inputs_of: Exchange | None = None) -> Exchange:
        calls = [
            as_call(task, inputs, samples=MOST_IN_BLOCK, shape=number, return_inputs=False)
            for number, sets in enumerate(shapes)
            for inputs in sets
        ]
        return Exchange(task.parameters, calls, inputs_of=inputs_of, awaits_object=True)

    def _child(
        self,
        task: Task,
        shapes: Shapes,
        exchange: Exchange,
        queues: int | None,
        library_folders: tuple[Path, ...],
        checks: Exchange | None = None,
    ) -> TimedChild:
        command = time_command(
            self.machine.harness,
            task.contract.residency,
            exchange,
            checks=checks,
            library_folders=library_folders,
            queues=queues,
        )
        counts = [len(sets) for sets in shapes]
        return TimedChild(self.machine.sandbox, command, exchange, run_limits(LIFE_S), sets=counts, checks=checks)

    def _start_partner(self, task: Task, shapes: Shapes, partner: Partner) -> PartnerProcess:
        program = partner.program
        exchange = self._exchange(task, shapes)
        child = self._child(task, shapes, exchange, program.queues, program.library_folders)
        child.deliver(program.library)
        return PartnerProcess(child=child, shapes=shapes)

    def candidate(
        self,
        draft: Draft,
        session: TimingSession,
        program: GpuProgram,
        trials: Sequence[Sequence[Trial]],
        baselines: Sequence[Mapping[str, TimingSamples]],
        trusted: Callable[[], Partner | None],
    ) -> list[ShapeTiming]:
        """Time and check a candidate at every shape of a session, while the device is held once.

        Args:
            trials: What the session's shapes are timed with, each shape's sets or more, and what is right there.
            baselines: Times of baselines at each shape.
            trusted: The task's partner: the session's, or what it gets where clocks disagree without one.

        Raises:
            Rejected: Its timed outputs are wrong, its clocks disagree, or it is faster than possible.
        """
        task, exchange = draft.task, session.candidate.exchange
        looks = [_look(shape, self._nvml) for shape in session.shapes]
        completed, measured, ended_at = self._measured(draft, session, program, looks, trusted)
        require_harness(completed, was_ready=session.candidate.was_ready)
        require_clean_calls(task, exchange, sum(len(sets) for sets in session.data), completed)
        for shape in session.shapes if ended_at is None else [ended_at]:
            calls = shape.candidate.calls
            require_completed(completed, exchange, shape.sets, limit_s=_SAMPLE_CAP_S, first=calls.start)
        require_silent(completed, draft)
        for look, one, known in zip(looks, measured, trials, strict=True):
            self._require_right(draft, look, one, known, exchange)
            draft.exclusive_s += one.exclusive_s
        partner = trusted() if session.partner is not None else None
        return [
            shape_timing(
                draft,
                # Where it was called before, its first call was another one.
                replace(one, first_call_us=None) if session.checks or not look.shape.is_first else one,
                look.shape.sizes,
                times,
                paired=partner.baseline if partner is not None else None,
                peaks=self.peaks,
                least=PLANS[draft.level].least,
            )
            for look, one, times in zip(looks, measured, baselines, strict=True)
        ]

    def _require_right(
        self, draft: Draft, look: "_Look", measured: Measured, trials: Sequence[Trial], exchange: Exchange
    ) -> None:
        """Raise `Rejected` for outputs at one shape, or for what its clocks say."""
        task, shape, sizes = draft.task, look.shape, look.shape.sizes
        tolerances = uncalibrated(task, sizes)
        for data_set, outputs in (*look.kept, *((i, shape.outputs(i)) for i in range(len(shape.sets)))):
            compare_all(draft, [trials[data_set]], [outputs], [tolerances])  # one at a time: they may be large
        if repeats_differ(task, exchange, shape.candidate.calls) and task.tolerance.deterministic:
            raise Rejected(
                Status.NONDETERMINISTIC,
                "timed repetitions on the same inputs gave different outputs",
                feedback="Called again on the same inputs, the program gives other outputs: look for a missing barrier, for memory that is "
                "read before it is written, and for state that is kept between calls.",
            )
        if isinstance(look.watch, DeviceWatch):  # first: with no round that counted there are no clocks to look at
            self._require_steady_device(draft, look.watch.guard)
        self._require_honest_clocks(draft, measured, sizes)

    def baseline(
        self, task: Task, program: GpuProgram, sizes: Sizes, sets: Callable[[], Sequence[Inputs]]
    ) -> TimingSamples | None:
        """Samples of a baseline, known or measured now; None when it cannot be timed at this shape.

        Args:
            sets: The data of this shape; asked for when they are needed.

        Raises:
            EvaluatorUnavailable: The device cannot hold its data now.
        """
        key = (task.content_hash, program.identity, shape_text(sizes))
        with self._lock:
            if key not in self._known:
                found = self._times.load(task.content_hash, program.identity, sizes)
                if found is None:
                    found = self._measure_baseline(task, program, sets())
                    if found is not None:
                        self._times.save(task.content_hash, program.identity, sizes, found)
                self._known[key] = found
            known = self._known[key]
            if known is None:
                return None
            self.doubts.learn(task, sizes, known)
            return known.samples

    def sequential(
        self, task: Task, reference: ReferenceProgram, sizes: Sizes, sets: Callable[[], Sequence[Inputs]]
    ) -> TimingSamples | None:
        """Samples of the sequential reference on the CPU: optimised, on one core, at least three calls and half a second.

        None where the reference is no C++, or has a `fast` equivalent and does not make three calls within a minute, or within what a
        slow reference is given to prove its `fast` one (`REGRAPHT_PROOF_S`), if that is less; a shape with more
        work than one where it did not is not tried. `sets` are asked for when they are needed.
        """
        if not isinstance(reference, CompiledReference):
            return None
        key = (task.content_hash, "sequential", shape_text(sizes))
        with self._lock:
            if key not in self._known:
                self._known[key] = self._times.load(task.content_hash, "sequential", sizes)
            found = self._known[key]
            data = sets() if found is None else []
            if found is None and data:
                may_be_too_slow = task.reference.fast is not None
                work, samples = task.work.amount(sizes), None
                if not may_be_too_slow or work < self._too_much.get(task.content_hash, math.inf):
                    samples = _sequential_samples(reference, data[0], may_be_too_slow=may_be_too_slow)
                if samples is None:
                    self._too_much[task.content_hash] = min(work, self._too_much.get(task.content_hash, math.inf))
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
        looks: "Sequence[_Look]",
        trusted: Callable[[], Partner | None],
    ) -> "tuple[Completed, list[Measured], SessionShape | None]":
        """Take every look while the device is held.

        Returns:
            How the candidate's process ended, what was measured at each shape, and at which shape it ended if that was too early: nothing
            was measured there and at later ones.
        """
        session.deliver(program)
        beside, at, measured = Beside(draft, session, trusted), session.shapes[0], list[Measured]()
        try:
            with exclusive(self.gpu.uuid):
                if self._nvml is not None and in_company(partial(self._nvml.state, only=_COMPANY), self.gpu.uuid):
                    draft.label("shared_gpu")
                session.candidate.wait_loaded(limit_s=_SAMPLE_CAP_S)
                for look in looks:
                    at = look.shape
                    take = partial(look.take, PLANS[draft.level])
                    measured.append(beside.bear(partial(self._until_explained, draft.task, session, at, take, beside)))
            with shared(self.gpu.uuid):
                for at in session.shapes:
                    for data_set in range(len(at.sets)):
                        at.candidate.store(data_set, limit_s=_STORE_S)
        except ChildEnded as ended:
            measured += [Measured() for _ in looks[len(measured) :]]
            return ended.completed, measured, at
        return session.candidate.finish(), measured, None

    def _until_explained(
        self,
        task: Task,
        session: TimingSession,
        shape: SessionShape,
        take: Callable[[], Measured],
        beside: "Beside",
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
                measured = take()
            exclusive_s += measured.exclusive_s
            if self.doubts.doubt(task, measured, shape.sizes) is None:
                break
            if looks_left and session.partner is None and (partner := beside.trusted()) is not None:
                session.bring_partner(self.partners.lend(task, session.data, partner))
        return replace(measured, exclusive_s=exclusive_s)

    def _require_honest_clocks(self, draft: Draft, measured: Measured, sizes: Sizes) -> None:
        if doubt := self.doubts.doubt(draft.task, measured, sizes):
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

    def _measure_baseline(self, task: Task, program: GpuProgram, sets: Sequence[Inputs]) -> BaselineTime | None:
        plan = TimingPlan(least=30, rounds=4, warm_s=0.2, sample_s=2.0)
        try:
            measured = self._alone(task, program, sets, plan) if sets else None
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
            around_us=around_us(measured.around_blocks, measured.latency_us),
        )

    def _alone(self, task: Task, program: GpuProgram, sets: Sequence[Inputs], plan: TimingPlan) -> Measured | None:
        """Times without a verdict; None when the program does not come to its end. Raises HarnessFailure when the harness does not."""
        session = self.open(task, [sets], None, queues=program.queues, library_folders=program.library_folders)
        try:
            session.deliver(program)
            with exclusive(self.gpu.uuid):
                session.candidate.wait_loaded(limit_s=_SAMPLE_CAP_S)
                measured = measure(session.candidate.shapes[0], None, plan, watch=NoWatch(), sets=0)
                session.candidate.finish()
            return measured
        except ChildEnded as ended:
            require_harness(ended.completed, was_ready=session.candidate.was_ready)
            return None
        finally:
            session.close()


def _sequential_samples(reference: CompiledReference, inputs: Inputs, *, may_be_too_slow: bool) -> TimingSamples | None:
    """Times of the reference; None of one that may be too slow, and is."""
    limit_s = min(_SEQUENTIAL_TRY_S, settings.proof_seconds()) if may_be_too_slow else _SEQUENTIAL_S
    try:
        first = reference.sequential_times_us(inputs, samples=3, wall_s=limit_s)
    except ReferenceFailed:
        if may_be_too_slow:
            return None
        raise
    more = int(min(200, max(0, 5e5 // max(statistics.median(first), 1.0) - 3)))
    rest = reference.sequential_times_us(inputs, samples=more, wall_s=_SEQUENTIAL_S) if more else ()
    return TimingSamples(samples_us=tuple(t for t in (*first, *rest) if t > 0))


def _fitting(sets: Sequence[Inputs]) -> int:
    """How many sets of data a process gets: as many as fit half a gibibyte, and two unless one alone takes more than a gibibyte."""
    largest = max(sum(array.nbytes for array in inputs.arrays.values()) for inputs in sets)
    least = 1 if largest > _SET_BYTES else 2
    return int(min(len(sets), max(least, _SETS_BYTES // max(largest, 1))))
