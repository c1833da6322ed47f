"""One more call at each bench shape, with one value in nearly all places: what has room for even draws alone overflows.

Check shapes meet every family of values, and are too small to fill a counter of 16 bits or a float that counts. Bench shapes have declared
values, as many as their times need. This call is made in full, once, and takes no part in timing.

Its values are the first of a few families on which the reference is sound there: no undefined behaviour, signed overflow included, digits
kept, nothing left to rounding, no NaN or infinity that the declared values do not bring. Where there is none, where the reference takes
long or the data are large, the verdict has a label.
"""

import threading
from collections.abc import Sequence
from contextlib import ExitStack

from regrapht.evaluate.cases.bench_cases import SizesKey, bench_expected, is_unclear, sizes_key
from regrapht.evaluate.cases.bench_pools import Pool, Pools, open_pool, pool_key, set_bytes
from regrapht.evaluate.cases.steadiness import has_usual_numbers
from regrapht.evaluate.compare.column import Key
from regrapht.evaluate.compare.outputs import is_decided, is_well_posed
from regrapht.evaluate.inputs.drawing import Case, Inputs, Secret, draw
from regrapht.evaluate.inputs.families import Family, half_is_allowed, widened_arrays
from regrapht.evaluate.inputs.whole_families import can_be_skewed
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.reference.expected import Expected, ReferenceFailed, ReferenceProgram, Trial
from regrapht.records.element import ScalarType
from regrapht.records.task import Sizes, Task

UNCHECKED = "bench_skew_unchecked"
"""Label, with the shape: even draws alone were compared there."""
_REFERENCE_S = 20.0
"""How long the reference may take for one of the families, and how long to see that they are defined."""
_MOST_BYTES = 2**30
_FAMILIES = (Family.SKEWED, Family.SKEWED_WHOLE, Family.NEGATIVE)
_NUMBERS = {family: 1000 + place for place, family in enumerate(_FAMILIES)}
"""Of sets in the pool of the shape, beside its declared ones."""
_NOTE, _NONE = "skewed", "none"


class SkewedCases:
    """The skewed calls of one task, made when first asked for and kept in the pools of its bench shapes. Safe to use from several threads.

    Args:
        reference: Says what is right at bench shapes.
        pools: As `BenchCases`.
    """

    def __init__(self, task: Task, reference: ReferenceProgram, *, secret: Secret, pools: Pools | None) -> None:
        self._task, self._reference, self._secret = task, reference, secret
        self._disk = None if secret.is_fixed else pools
        self._lock = threading.Lock()
        self._known: dict[SizesKey, Trial | None] = {}
        self.usual: frozenset[Key] = frozenset()
        """The float columns that have NaN or infinity at check shapes, with declared values."""

    def trials(self, shapes: Sequence[Sizes]) -> tuple[list[Trial], list[str]]:
        """The calls at bench shapes, as many as have data that fit together; and a label for each other one, unless no array of the task
        could be drawn otherwise than it is declared."""
        found, labels, room = list[Trial](), list[str](), _MOST_BYTES
        for sizes in shapes:
            if not can_be_skewed(self._task, sizes) and not widened_arrays(self._task):
                continue
            room -= set_bytes(self._task, sizes)
            trial = self._trial(sizes) if room >= 0 else None
            if trial is None:
                labels.append(unchecked(sizes))
            else:
                found.append(trial)
        return found, labels

    def _trial(self, sizes: Sizes) -> Trial | None:
        key = sizes_key(sizes)
        with self._lock:
            if key not in self._known:
                self._known[key] = self._find(sizes)
            return self._known[key]

    def _find(self, sizes: Sizes) -> Trial | None:
        families = self._families(sizes)
        if not families:
            return None
        with ExitStack() as stack:
            key = pool_key(self._task, sizes, fingerprints=(self._reference.fingerprint,)) if self._disk else None
            pool = open_pool(self._disk, key, stack) if key is not None else None
            known = None if pool is None else pool.note(_NOTE, (*families, _NONE))
            for family in sorted(families, key=lambda each: each != known) if known != _NONE else ():
                trial = self._made(Case(sizes=sizes, family=family), pool)
                if trial is not None:
                    _remember(pool, family, known)
                    return trial
            _remember(pool, _NONE, known)
            return None

    def _families(self, sizes: Sizes) -> tuple[Family, ...]:
        """Those that differ from the declared values. Floats are spared where half precision is accepted, in which long sums of one sign
        end, and where no wider run says how far honest ones go."""
        whole, floats = can_be_skewed(self._task, sizes), widened_arrays(self._task)
        spared = not self._reference.widens or any(
            isinstance(arg.dtype, ScalarType) and half_is_allowed(self._task, arg.dtype) for arg in floats
        )
        changed = bool(floats) and not spared
        able = {
            Family.SKEWED: changed or (whole and not floats),
            Family.SKEWED_WHOLE: whole and bool(floats),
            Family.NEGATIVE: changed,
        }
        return tuple(family for family in _FAMILIES if able[family])

    def _made(self, case: Case, pool: Pool | None) -> Trial | None:
        """The call of one family, found or made; None where the reference is not sound on it."""
        number = _NUMBERS[case.family]
        try:
            if pool is None:
                inputs = draw(self._task, case, secret=self._secret("skewed"), index=number)
                return Trial(inputs=inputs, expected=self._expected(inputs))
            ((inputs, expected),) = pool.sets(
                case,
                [number],
                draw=lambda secret, index: draw(self._task, case, secret=secret, index=index),
                expect=lambda inputs, _: self._expected(inputs),
                needed_bytes=set_bytes(self._task, case.sizes),
            )
            return Trial(inputs=inputs, expected=expected)
        except (ReferenceFailed, _Unsound):
            return None

    def _expected(self, inputs: Inputs) -> Expected:
        if not self._reference.defines(inputs, wall_s=_REFERENCE_S):
            raise _Unsound
        expected = bench_expected(self._task, self._reference, inputs, wall_s=_REFERENCE_S)
        if not is_decided(self._task, expected) or not is_well_posed(self._task, inputs, expected):
            raise _Unsound
        if is_unclear(self._task, inputs, expected) or not has_usual_numbers(self._task, expected, self.usual):
            raise _Unsound
        return expected


class _Unsound(Exception):
    """The reference says nothing on these inputs that a candidate could be held to."""


def unchecked(sizes: Sizes) -> str:
    """The label for a shape at which no such call was compared."""
    return f"{UNCHECKED} {shape_text(sizes)}"


def _remember(pool: Pool | None, text: str, known: str | None) -> None:
    if pool is not None and text != known:
        pool.take_note(_NOTE, text)
