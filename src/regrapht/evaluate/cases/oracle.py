"""What one task is judged by: its reference, its cases with their right outputs, its tolerances. Made once, shared by all candidates.

Check cases are drawn afresh for every candidate. Bench cases are costly: each bench shape keeps a secret pool of inputs with outputs, on
the disk where that is possible (`bench_pools`).
"""

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from regrapht.emulate.emulator import Emulator
from regrapht.errors import InvalidTask, TaskError
from regrapht.evaluate.cases.bench_cases import BenchCases, SizesKey, is_unclear, magnitudes_near_values, sizes_key
from regrapht.evaluate.cases.bench_pools import MOST_DRAWS, Pools
from regrapht.evaluate.cases.chosen_cases import (
    drawn_cases,
    edge_cases,
    is_declared,
    near_cases,
    own_cases,
    whole_cases,
    with_followers,
)
from regrapht.evaluate.cases.sizes import alike_sizes, array_bytes, block_sizes, hidden_sizes, lone_sizes, own_sizes
from regrapht.evaluate.cases.skewed_cases import SkewedCases
from regrapht.evaluate.cases.soundness import require_digits, require_numbers, require_same_again
from regrapht.evaluate.cases.steadiness import is_steady, moved_bits, without_numbers
from regrapht.evaluate.cases.tie_cases import unchecked_ties
from regrapht.evaluate.compare.column import ColumnTolerance, Key, is_exact
from regrapht.evaluate.compare.outputs import compare_case, is_decided, is_well_posed, undecided_share
from regrapht.evaluate.compare.tolerances import calibrate
from regrapht.evaluate.inputs.drawing import Case, Inputs, Secret, draw, secret_from
from regrapht.evaluate.inputs.element_arrays import fields_of
from regrapht.evaluate.inputs.families import Family, families_of
from regrapht.evaluate.inputs.own_numbers import beyond_labels, numbers_in
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, ReferenceProgram, Trial
from regrapht.evaluate.reference.languages import open_fast, open_reference
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Sandbox

_MOVED = 5
"""Runs on other last bits where rounding grows: that all of them and the reference are off by a quarter of what an honest program is, or
less, happens to one in ten thousand."""
_HIDDEN_POOL, _HIDDEN_DRAWN = 8, {Level.SCREEN: 1, Level.FULL: 4}
_UNCALIBRATED_FAMILIES = (
    Family.DECLARED,
    Family.SIGNED,
    Family.ZEROS,
    Family.DENORMALS,
    Family.SMALL,
    Family.INTEGERS,
    Family.LEVELS,
)
"""Without a wide reference there is no telling how far honest sums of equal or very different numbers may be off."""


class Oracle:
    """What is right for one task, and what its candidates are tried on. Safe to use from several threads.

    Args:
        fast: The task's quicker equivalent, which says what is right at bench shapes once it agrees at every check shape.
        pool: How many input sets each bench shape keeps in the end.
        secret: Fixes everything drawn, so that a judgement can be repeated exactly. Only for tests and replays: who knows it knows all
            inputs. None draws from the operating system each time.
        pools: Where the input sets of bench shapes are kept from one process to the next; None, or a fixed secret, keeps them in memory.
    """

    def __init__(
        self,
        task: Task,
        reference: ReferenceProgram,
        *,
        fast: ReferenceProgram | None = None,
        pool: int = 1,
        secret: int | None = None,
        pools: Pools | None = None,
    ) -> None:
        self.task, self.reference, self._fast = task, reference, fast
        self.secret = Secret(secret)
        self.bench = BenchCases(task, reference, fast, secret=self.secret, most_sets=pool, pools=pools)
        self.skewed = SkewedCases(task, fast or reference, secret=self.secret, pools=pools)
        self._lock, self._prepared, self._sound = threading.RLock(), False, False
        self._tolerances: dict[SizesKey, dict[Key, ColumnTolerance]] = {}
        self._alive: dict[tuple[SizesKey, Family], bool] = {}
        """Which widened and hidden kinds of case the reference can take."""
        self._usual: frozenset[Key] = frozenset()
        """The float columns that have NaN or infinity for declared values too."""
        self._lost: tuple[str, ...] = ()
        self._never_clear: set[SizesKey] = set()
        """Shapes at which the reference loses its digits whatever is drawn."""

    @classmethod
    def open(
        cls,
        task: Task,
        sandbox: Sandbox,
        *,
        emulator: Emulator,
        pool: int = 1,
        secret: int | None = None,
        pools: Pools | None = None,
    ) -> "Oracle":
        """The oracle of `task` by its own references, in whatever language.

        Raises:
            InvalidTask: A reference is in no language that can be one.
        """
        reference = open_reference(task, sandbox, emulator=emulator)
        fast = open_fast(task, sandbox, emulator=emulator)
        return cls(task, reference, fast=fast, pool=pool, secret=secret, pools=pools)

    @property
    def labels(self) -> tuple[str, ...]:
        """What this task's reference cannot offer."""
        floats = any(
            not is_exact(self.task, arg, member.scalar) for arg in self.task.outputs for member in fields_of(arg.dtype)
        )
        labels = ("reference_as_written",) if floats and not self.reference.widens else ()
        return (*labels, *self._lost, *(("bench_by_fast_reference",) if self._fast is not None else ()))

    def prepare(self) -> None:
        """Compile the reference and run it once at every check shape.

        Raises:
            InvalidTask: It does not compile, crashes, never ends, or its exact outputs hang on rounding.
            TaskError: An init makes no sense.
        """
        with self._lock:
            if self._prepared:
                return
            self.reference.check()
            trials = self.trials([Case(sizes=sizes, family=Family.DECLARED) for sizes in self.task.check_sizes])
            if self._fast is not None:
                self._prove_equal(self._fast, trials)
            self.bench.near_values = magnitudes_near_values(trials)
            self._usual = self.skewed.usual = without_numbers(self.task, trials)
            self._prepared = True

    def require_sound(self) -> None:
        """Prepare, and see once that the reference says the same twice, keeps digits and has numbers: asked before anyone is judged.

        Raises:
            InvalidTask: As `prepare`; or it does not, and nothing can be held against a candidate.
            TaskError: An init makes no sense.
        """
        with self._lock:
            self.prepare()
            if self._sound:
                return
            declared = [Case(sizes=sizes, family=Family.DECLARED) for sizes in self.task.check_sizes]
            trials = self.trials(declared)
            again = self.reference.written([trial.inputs for trial in trials])
            require_same_again(self.task, trials, again)
            require_numbers(self.task, trials)
            self._lost = require_digits(self.task, trials, lambda: self.trials(declared))
            self._sound = True

    def cases(self, level: Level, *, source: str = "", asked: Sequence[float] = ()) -> list[Case]:
        """The cases of one judgement: every check shape with two families when screening, with all of them and hidden shapes in full.

        Families of whole numbers are for the largest check shape, where their repetitions are long, and for one of them at each other
        shape; screening, two of them are tried, and one hidden shape. Behind the declared values of the largest shape come calls that
        differ in little, and one with numbers of the program's own text, `source`, among its inputs, and those that its compiled code is
        `asked` for. In full some hidden shapes are of such numbers too.
        """
        numbers = tuple(dict.fromkeys((*numbers_in(source), *asked)))
        families = [f for f in families_of(self.task) if self.reference.widens or f in _UNCALIBRATED_FAMILIES]
        if level is Level.SCREEN:
            families = families[:2]
        cases = []
        turned = self.secret.rng("directions").randrange(2)
        for number, sizes in enumerate(self.task.check_sizes, turned):
            whole = whole_cases(
                self.task, sizes, largest=self.largest_check(), level=level, rng=self.secret.rng("whole")
            )
            for family in (*families, *whole):
                cases.append(Case(sizes=sizes, family=family, descending=family is Family.SORTED and number % 2 == 1))
                if family is Family.DECLARED and sizes == self.largest_check():
                    cases += near_cases(self.task, sizes, level=level, rng=self.secret.rng("near"))
                    cases += own_cases(sizes, numbers, level=level)
                if family is Family.DECLARED and level is Level.FULL:
                    cases += edge_cases(self.task, sizes)
        if level is Level.FULL and len(cases) == 1:
            cases *= 2  # with the other poison: what it lies over may be the right value
        with self._lock:
            pool = self._hidden_pool
        shapes = self.secret.rng("drawn").sample(pool, min(_HIDDEN_DRAWN[level], len(pool)))
        if level is Level.FULL:
            shapes += alike_sizes(self.task, rng=self.secret.rng("alike sizes"))
            shapes += lone_sizes(self.task, rng=self.secret.rng("lone sizes"))
            shapes += block_sizes(self.task, numbers, rng=self.secret.rng("block sizes"))
            shapes += own_sizes(self.task, numbers, first=asked, others=shapes, rng=self.secret.rng("own sizes"))
        for sizes in {sizes_key(one): one for one in shapes}.values():
            cases.append(Case(sizes=sizes, family=families[min(1, len(families) - 1)], hidden=True))
        return self._survivors(cases)

    def labels_of(self, source: str, trials: Sequence[Trial]) -> tuple[str, ...]:
        """The labels for what a judgement in full on `trials` leaves unasked of a program."""
        return (*unchecked_ties(self.task, trials), *beyond_labels(self.task, source))

    def trials(self, cases: Sequence[Case], *, secret: int | None = None) -> list[Trial]:
        """Fresh inputs and expected outputs for `cases`; widened or hidden cases that the reference cannot take are left out.

        Args:
            secret: Draws the same inputs again and again: for what is modelled, never for what decides whether a candidate is right.

        Raises:
            InvalidTask: The reference fails on a declared case.
        """
        secret = self.secret("trials") if secret is None else secret
        found = self._drawn(dict(enumerate(cases)), secret)
        times = self._redraws(cases, found, secret)
        for again in sorted(set(times.values())):
            redrawn = with_followers(cases, [place for place in times if times[place] == again])
            found = [one for one in found if one[0] not in redrawn]
            found += self._drawn({place: cases[place] for place in redrawn}, secret, again)
        found.sort(key=lambda one: one[0])
        return [trial for _, trial in found if self._holds(trial.inputs, trial.expected)]

    def evidence_trial(self, sizes: Sizes) -> Trial:
        """The call at `sizes` that evidence is modelled on, its inputs fixed by the task's content.

        A program so has the same modelled cost whenever and wherever it is judged. The inputs are no secret: what decides whether a program
        is right are the other calls, whose inputs are drawn afresh.

        Raises:
            InvalidTask: The reference cannot take them.
        """
        secret = secret_from(f"evidence {self.task.content_hash}")
        trials = self.trials([Case(sizes=sizes, family=Family.DECLARED)], secret=secret)
        if not trials:
            raise InvalidTask("the reference cannot take the declared inputs at the shape of the evidence")
        return trials[0]

    def tolerances(self, sizes: Sizes) -> dict[Key, ColumnTolerance]:
        """The tolerances at `sizes`, calibrated when first asked for."""
        key = sizes_key(sizes)
        with self._lock:
            if key not in self._tolerances:
                self._tolerances[key] = calibrate(self.task, self.reference, sizes, secret=self.secret("bars"))
            return self._tolerances[key]

    def largest_check(self) -> Sizes:
        """The check shape with the most work: the one that evidence is modelled at."""

        def work(sizes: Sizes) -> tuple[float, int]:
            return float(self.task.work.bytes.evaluate(sizes)), array_bytes(self.task, sizes)

        return max(self.task.check_sizes, key=work)

    def _prove_equal(self, fast: ReferenceProgram, trials: Sequence[Trial]) -> None:
        """Hold the quicker equivalent against the reference at every check shape, as strictly as any candidate."""
        fast.check()
        for trial, outputs in zip(trials, fast.written([t.inputs for t in trials]), strict=True):
            tolerances = self.tolerances(trial.inputs.case.sizes)
            compared = compare_case(self.task, trial.inputs, trial.expected, outputs, tolerances=tolerances)
            if compared.status is not None:
                raise InvalidTask(f"the fast reference disagrees with the reference: {compared.what}")

    def _drawn(self, cases: Mapping[int, Case], secret: int, again: int = 0) -> list[tuple[int, Trial]]:
        """Inputs of all cases, and what the reference says of them, with places, without those that it fails on."""
        drawn = drawn_cases(self.task, self.reference, cases, secret=secret, again=again)
        while True:
            try:
                expected = self.reference.expected([inputs for _, inputs in drawn])
                break
            except ReferenceFailed as failed:
                if is_declared(drawn[failed.call][1].case):
                    raise
                del drawn[failed.call]
        expected = self._with_moved([inputs for _, inputs in drawn], expected)
        return [(place, Trial(inputs=i, expected=e)) for (place, i), e in zip(drawn, expected, strict=True)]

    def _with_moved(self, drawn: Sequence[Inputs], expected: Sequence[Expected]) -> list[Expected]:
        """What the reference says of each; where its rounding grows, with runs on inputs whose last bits are others."""
        expected = list(expected)
        for place, inputs in enumerate(drawn):
            lengths = [one.length for one in self.tolerances(inputs.case.sizes).values() if one.grows]
            if not lengths:
                continue
            # A sum in another order is that of terms which are off by so much.
            bit = math.ceil(math.log2(max(lengths)) / 2)
            moved = [moved_bits(self.task, inputs, np.random.default_rng(seed), bit=bit) for seed in range(_MOVED)]
            try:
                expected[place] = replace(expected[place], moved=tuple(self.reference.written(moved)))
            except ReferenceFailed:
                continue  # what it fails on beside this call says nothing of rounding
        return expected

    def _redraws(self, cases: Sequence[Case], found: Sequence[tuple[int, Trial]], secret: int) -> dict[int, int]:
        """Of each declared draw on which the reference loses its digits, how many draws later it keeps them. Shapes where it never did are
        not tried again."""
        unclear = {place for place, trial in found if self._is_unclear(trial)}
        times: dict[int, int] = {}
        for again in range(1, MOST_DRAWS + 1):
            unclear = {place for place in unclear if sizes_key(cases[place].sizes) not in self._never_clear}
            if not unclear:
                return times
            times |= dict.fromkeys(unclear, again)
            drawn = self._drawn({place: cases[place] for place in unclear}, secret, again)
            unclear = {place for place, trial in drawn if self._is_unclear(trial)}
        self._never_clear |= {sizes_key(cases[place].sizes) for place in unclear}
        return times

    def _is_unclear(self, trial: Trial) -> bool:
        """Whether a declared draw is one on which the reference happens to lose its digits: another one decides."""
        return is_declared(trial.inputs.case) and is_unclear(self.task, trial.inputs, trial.expected)

    def _holds(self, inputs: Inputs, expected: Expected) -> bool:
        if is_declared(inputs.case):
            share = undecided_share(self.task, expected)
            if not is_decided(self.task, expected):
                raise InvalidTask(
                    f"rounding decides {share:.1%} of an exact output of {self.task.entry}: compare it as a float with a tolerance, or "
                    f"compute it from integers"
                )
            return True
        if inputs.case.family is Family.CANCELLING:
            tolerances = self.tolerances(inputs.case.sizes).values()
            if not _has_magnitudes(expected) or not all(tolerance.by_magnitudes for tolerance in tolerances):
                return False
        if not is_decided(self.task, expected) or not is_well_posed(self.task, inputs, expected):
            return False
        if is_unclear(self.task, inputs, expected):
            return False
        return is_steady(self.task, self.reference, inputs, expected, usual=self._usual)

    def _survivors(self, cases: list[Case]) -> list[Case]:
        """Without the widened and hidden cases on which the reference itself misbehaves; each kind of case is tried once."""
        with self._lock:
            kinds = [c for c in cases if not is_declared(c) and not c.near]
            unknown = [c for c in kinds if (sizes_key(c.sizes), c.family) not in self._alive]
            if unknown:
                secret = self.secret("survivors")
                inputs = [draw(self.task, case, secret=secret, index=i) for i, case in enumerate(unknown)]
                for case, alive in zip(unknown, self.reference.survivors(inputs), strict=True):
                    self._alive[sizes_key(case.sizes), case.family] = alive
            return [c for c in cases if c not in kinds or self._alive[sizes_key(c.sizes), c.family]]

    @cached_property
    def _hidden_pool(self) -> list[Sizes]:
        try:
            return hidden_sizes(self.task, count=_HIDDEN_POOL, rng=self.secret.rng("hidden"))
        except ValueError as error:
            raise TaskError(str(error), file="task.toml", key="sizes.require") from error


def _has_magnitudes(expected: Expected) -> bool:
    """Whether it is known how large the numbers behind every float output were: what cancels is measured by nothing else."""
    return expected.wide is not None and all(wide.scale is not None for wide in expected.wide.values())
