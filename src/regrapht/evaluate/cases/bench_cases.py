"""Bench shapes: sets of inputs with what is right there, kept in secret pools, on the disk where that is possible.

Carrying magnitudes makes a run of the reference several times longer, and without them no element has a bar of its own: a sixth of them
may be zeros where right values are small. So they are carried in the first set of each shape, where that run is short: a program cannot
tell that set from the others. Elsewhere they are taken to be no more than a few times the values where they were so at every check shape,
as in sums of positive terms. What is left has the norm bar alone, and a label: its norm is near what the draw makes likely, whatever
cancels in single elements. An output of few elements may be near 0 by chance, a sum
of normals among them, and honest rounding would then be large beside it: there magnitudes are tried for whatever time they take, and say
how large the sum could have been (`column.scale_of`).
"""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

import numpy as np

from regrapht import settings
from regrapht.errors import InvalidTask
from regrapht.evaluate.cases.bench_pools import (
    IN_MEMORY,
    MOST_DRAWS,
    REDRAW_S,
    Pool,
    Pools,
    open_pool,
    pool_key,
    set_bytes,
)
from regrapht.evaluate.compare.column import ColumnTolerance, Key, is_exact
from regrapht.evaluate.compare.outputs import MOST_LOST, compare_case, without_digits
from regrapht.evaluate.compare.tolerances import magnitudes_hold, uncalibrated
from regrapht.evaluate.inputs.drawing import Case, Inputs, Secret, draw
from regrapht.evaluate.inputs.element_arrays import column, fields_of, numbers
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, ReferenceProgram, Trial, WideColumn
from regrapht.records.task import Sizes, Task

FEW_ELEMENTS = 64
_SHORT_S, _MAGNITUDES_S = 1.0, 10.0
"""How long a run as written may take for one with magnitudes to be made, which takes several times longer, and how long that may take."""
_NEAR, _MARGIN, _LEAST_SEEN = 4.0, 4.0, 256
"""Magnitudes of at most so many times the values, in so many elements at least, are taken to stay below that, with a margin."""
_BENCH_SECONDS = 60.0
"""For the slow reference, once a bench shape and machine, to prove a fast one."""
REDRAWN = 10**6
"""Between the number of one call and of the same call drawn again; even, so that its poison stays."""
SizesKey = tuple[tuple[str, int], ...]


def is_unclear(task: Task, inputs: Inputs, expected: Expected) -> bool:
    """Whether the reference is off by more than what can be excused four times over, as an iteration is that did not converge: the next
    honest program is then off by as much, in another direction."""
    return bool(without_digits(task, inputs, expected, beside_magnitudes=True, most=MOST_LOST / 4))


def sizes_key(sizes: Sizes) -> SizesKey:
    """Sizes as a key."""
    return tuple(sorted(sizes.items()))


class BenchCases:
    """The trials of every bench shape of one task. Safe to use from several threads.

    Args:
        fast: Says what is right in the place of `reference`, and is held against it once at each shape where that does not take too long.
        most_sets: How many sets each shape keeps in the end.
        pools: Where sets are kept from one process to the next; None, or a fixed secret, keeps them in memory.
    """

    def __init__(
        self,
        task: Task,
        reference: ReferenceProgram,
        fast: ReferenceProgram | None,
        *,
        secret: Secret,
        most_sets: int,
        pools: Pools | None,
    ) -> None:
        self._task, self._reference, self._fast = task, reference, fast
        self._secret, self._most_sets, self._disk = secret, most_sets, None if secret.is_fixed else pools
        self._lock = threading.RLock()
        self._trials: dict[SizesKey, list[Trial]] = {}
        self._labels: dict[SizesKey, tuple[str, ...]] = {}
        self._ends: set[SizesKey] = set()
        """Shapes of which no further set is to be had."""
        self.near_values: Mapping[Key, float] = {}
        """As `magnitudes_near_values` says of the check shapes."""
        self._too_much = math.inf
        """The least work at which the slow reference took too long to prove the fast one."""

    def trials(self, sizes: Sizes, *, sets: int = 1) -> list[Trial]:
        """The secret pool of a bench shape: `sets` input sets with their outputs, or all it holds; none where the reference takes too long.

        Raises:
            InvalidTask: The fast reference disagrees with the reference there.
        """
        key = sizes_key(sizes)
        with self._lock:
            if key not in self._trials:
                self._fill(sizes, 1)
            # One for one: where the reference takes too long for a second set, there is the first.
            wanted = min(sets, self._most_sets)
            if 0 < len(self._trials[key]) < wanted and key not in self._ends:
                self._fill(sizes, wanted)
            return self._trials[key]

    def grow(self, sizes: Sizes) -> None:
        """One more set for the pool of a bench shape, up to the full number: the first judgement need not wait for all of them."""
        with self._lock:
            sets = len(self.trials(sizes))
            if 0 < sets < self._most_sets:
                self._fill(sizes, sets + 1)

    def _fill(self, sizes: Sizes, count: int) -> None:
        key = sizes_key(sizes)
        known, labels = self._trials.get(key, []), list(self._labels.get(key, ()))
        try:
            found = self._pool(sizes, len(known), count, labels)
        except ReferenceFailed:
            found = []
            self._ends.add(key)
        self._trials[key], self._labels[key] = [*known, *found], tuple(dict.fromkeys(labels))

    def labels(self, sizes: Sizes) -> tuple[str, ...]:
        """What could not be done about the pool of a bench shape: labels of every verdict that used it."""
        with self._lock:
            self.trials(sizes)
            return self._labels[sizes_key(sizes)]

    def _pool(self, sizes: Sizes, first: int, count: int, labels: list[str]) -> list[Trial]:
        """Sets from number `first` to `count`, or as many more as lie on the disk already; `labels` gets what could not be done."""
        case = Case(sizes=sizes, family=Family.DECLARED)
        with ExitStack() as stack:
            pool = self._open_pool(sizes, stack)
            if pool is None:
                secret = self._secret("bench")
                sets = [self._clear(case, secret, index) for index in range(first, count)]
                labels += [IN_MEMORY] if not self._secret.is_fixed else []
            else:
                sets = pool.sets(
                    case,
                    range(first, max(count, min(pool.kept(), self._most_sets))),
                    draw=lambda secret, index: draw(self._task, case, secret=secret, index=index),
                    expect=lambda inputs, index: self._expected(inputs, magnitudes=index == 0),
                    clear=lambda inputs, expected: not is_unclear(self._task, inputs, expected),
                    needed_bytes=set_bytes(self._task, sizes),
                )
                labels += pool.labels
            if first == 0 and all(_norm_alone(self._task, expected) for _, expected in sets):
                labels.append(f"bench_elements_unchecked {shape_text(sizes)}")
            if first == 0 and self._fast is not None and not self._proven_at_bench(sizes, sets[0], pool):
                labels.append(f"fast_unproven_at_bench {shape_text(sizes)}")
        return [Trial(inputs=inputs, expected=expected) for inputs, expected in sets]

    def _open_pool(self, sizes: Sizes, stack: ExitStack) -> Pool | None:
        """The pool on the disk; None where there is to be none, or its folder cannot be used."""
        programs = (self._reference, self._fast) if self._fast is not None else (self._reference,)
        key = pool_key(self._task, sizes, fingerprints=tuple(program.fingerprint for program in programs))
        return open_pool(self._disk, key, stack)

    def _clear(self, case: Case, secret: int, index: int) -> tuple[Inputs, Expected]:
        """Set number `index`: of a few draws the first on which the reference keeps its digits, the last where none is in time."""
        begun = time.monotonic()
        for again in range(MOST_DRAWS + 1):
            inputs = draw(self._task, case, secret=secret, index=index + REDRAWN * again)
            expected = self._expected(inputs, magnitudes=index == 0)
            if time.monotonic() - begun > REDRAW_S or not is_unclear(self._task, inputs, expected):
                break
        return inputs, expected

    def _expected(self, inputs: Inputs, *, magnitudes: bool) -> Expected:
        reference = self._fast or self._reference
        expected = bench_expected(self._task, reference, inputs, wall_s=_BENCH_SECONDS, magnitudes=magnitudes)
        return with_near_values(expected, self.near_values)

    def _proven_at_bench(self, sizes: Sizes, first: tuple[Inputs, Expected], pool: Pool | None) -> bool:
        """Whether the fast reference agrees with the slow one on a set of a bench shape; tried once a machine. False: that takes too long.

        Raises:
            InvalidTask: They disagree.
        """
        if pool is not None and (note := pool.note("fast", ("proven", "unproven"))) is not None:
            return note == "proven"
        inputs, fast = first
        slow = self._slow_at_bench(inputs)
        if slow is not None:
            compared = compare_case(
                self._task, inputs, slow, fast.as_written, tolerances=uncalibrated(self._task, sizes)
            )
            if compared.status is not None:
                raise InvalidTask(
                    f"the fast reference disagrees with the reference at {shape_text(sizes)}: {compared.what}"
                )
        if pool is not None:
            pool.take_note("fast", "unproven" if slow is None else "proven")
        return slow is not None

    def _slow_at_bench(self, inputs: Inputs) -> Expected | None:
        """What the slow reference says at a bench shape; None where it takes too long, or did where there was less to do."""
        work = self._task.work.amount(inputs.case.sizes)
        if work >= self._too_much:
            return None
        try:
            return bench_expected(self._task, self._reference, inputs, wall_s=settings.proof_seconds())
        except ReferenceFailed:
            self._too_much = work
            return None


def bench_expected(
    task: Task, reference: ReferenceProgram, inputs: Inputs, *, wall_s: float, magnitudes: bool = True
) -> Expected:
    """The right outputs for `inputs`. Where a run with magnitudes fails or would take long, they stay unknown.

    Args:
        magnitudes: Whether to try them for outputs of many elements; for those of few they always are.

    Raises:
        ReferenceFailed: The reference crashed or ran longer than `wall_s` without magnitudes as well.
    """
    few = _of_few_elements(task, inputs)
    if few and (carried := _carried(task, reference, inputs, few, wall_s=wall_s)) is not None:
        return carried
    columns = uncalibrated(task, inputs.case.sizes)
    if magnitudes and columns and not few and reference.widens and _is_short(reference, inputs):
        carried = _carried(task, reference, inputs, columns, wall_s=_MAGNITUDES_S)
        if carried is not None:
            return carried
    return reference.expected([inputs], wall_s=wall_s, magnitudes=False)[0]


def _is_short(reference: ReferenceProgram, inputs: Inputs) -> bool:
    """Whether a run as written, for which everything is compiled, takes next to no time."""
    begun = time.monotonic()
    try:
        reference.written([inputs])
    except ReferenceFailed:
        return False
    return time.monotonic() - begun <= _SHORT_S


def _carried(
    task: Task,
    reference: ReferenceProgram,
    inputs: Inputs,
    columns: Mapping[Key, ColumnTolerance],
    *,
    wall_s: float,
) -> Expected | None:
    """The right outputs with magnitudes behind `columns`; None where that run fails: one without them does better, or says why not."""
    try:
        return _with_magnitudes_of(columns, task, reference.expected([inputs], wall_s=wall_s)[0])
    except ReferenceFailed:
        return None


def magnitudes_near_values(trials: Sequence[Trial]) -> dict[Key, float]:
    """The columns whose magnitudes were at most a few times the values in every element of `trials`, with how many times they may be.

    No element of these cancelled, and it is no matter of chance that none did.
    """
    most: dict[Key, float] = {}
    seen: dict[Key, int] = {}
    for trial in trials:
        for key, wide in (trial.expected.wide or {}).items():
            if wide.scale is None:
                most[key] = math.inf
                continue
            usable = np.isfinite(wide.values) & ~(wide.scale <= 0)
            with np.errstate(divide="ignore", invalid="ignore"):
                times = wide.scale[usable] / np.abs(wide.values[usable])
            most[key] = max(most.get(key, 0.0), float(times.max(initial=0.0)))
            seen[key] = seen.get(key, 0) + times.size
    return {key: _MARGIN * times for key, times in most.items() if times <= _NEAR and seen[key] >= _LEAST_SEEN}


def with_near_values(expected: Expected, times: Mapping[Key, float]) -> Expected:
    """`expected` with magnitudes of the columns in `times` where they were not carried: so many times the values."""
    if expected.wide is None:
        return expected
    filled = {
        key: replace(wide, scale=times[key] * np.abs(wide.values)) if wide.scale is None and key in times else wide
        for key, wide in expected.wide.items()
    }
    return replace(expected, wide=filled)


def _norm_alone(task: Task, expected: Expected) -> bool:
    """Whether some float output that could have magnitudes has none."""
    columns = [
        (arg.name, field.name)
        for arg in task.outputs
        for field in fields_of(arg.dtype)
        if not is_exact(task, arg, field.scalar)
    ]
    return expected.wide is not None and any(expected.wide[key].scale is None for key in columns)


def _of_few_elements(task: Task, inputs: Inputs) -> dict[Key, ColumnTolerance]:
    """The tolerances of the float columns whose norm may be near 0 by chance."""
    sizes = inputs.case.sizes
    counts = {arg.name: arg.element_count(sizes) for arg in task.outputs}
    return {key: tolerance for key, tolerance in uncalibrated(task, sizes).items() if counts[key[0]] < FEW_ELEMENTS}


def _with_magnitudes_of(few: Mapping[Key, ColumnTolerance], task: Task, expected: Expected) -> Expected:
    """`expected` with the magnitudes of the columns in `few` where they say something of rounding, and of no others."""
    if expected.wide is None:
        return expected
    members = {(arg.name, member.name): member for arg in task.outputs for member in fields_of(arg.dtype)}

    def known(key: Key, wide: WideColumn) -> bool:
        if key not in few or wide.scale is None:
            return False
        written = numbers(column(expected.as_written[key[0]], members[key]), members[key].scalar)
        return magnitudes_hold([written], [wide], length=few[key].length, unit=few[key].unit)

    kept = {key: wide if known(key, wide) else replace(wide, scale=None) for key, wide in expected.wide.items()}
    return replace(expected, wide=kept)
