"""The timed protocol: warm up, then ABBA blocks of two processes until the median is known, then the other kinds of time.

The device is held alone by the caller. The processes have loaded their data before and wait; while one works the other is idle.
"""

import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from regrapht.evaluate.device.harness_process import Block, ChildAtShape
from regrapht.evaluate.timing.ratios import Round, is_settled
from regrapht.records.measurement import TimingSamples
from regrapht.sandbox.wire import CommandKind

MOST_IN_BLOCK = 50
_BLOCK_US = 12_000.0
_IN_BLOCK = 8
_BLOCK_LIMIT_S = 60.0
_STEADY = 0.02
_SLOW_US = 2e5
"""A call that takes so long has warmed the device up, and two samples of it tell its time: others wait for the device meanwhile, half a
minute where a plain version takes three seconds a call and is repeated like any other program."""
_WARM_CAP_S = 5.0
_QUEUED, _TRANSFERS, _AROUND_BLOCKS = 24, 7, 3
_FURTHER_CAP_US = 6e4


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingPlan:
    """How much to repeat: warm up for `warm_s` and until steady, then at least `least` repetitions in `rounds` rounds, then until the
    interval is narrow or `sample_s` is over. Of a program that takes 0.2 s a call, two repetitions at least."""

    least: int
    rounds: int
    warm_s: float
    sample_s: float
    most: int = 1000
    first_s: float = _BLOCK_LIMIT_S
    """What the first call may take, in which others wait for the device."""
    further: bool = False
    """Whether kernel time and time with transfers are measured too."""


class BlockWatch(Protocol):
    """Looks at the machine around each round; `keeps` says whether the round counts (T8: a throttled device)."""

    def before(self) -> None: ...

    def keeps(self) -> bool: ...


class NoWatch:
    """Where the device tells nothing of its clocks: every round counts."""

    def before(self) -> None:
        return None

    def keeps(self) -> bool:
        return True


@dataclass(slots=True, kw_only=True)
class Measured:
    """What one session of blocks gave."""

    rounds: list[Round] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    """The candidate's."""
    partner_blocks: list[Block] = field(default_factory=list)
    latency_us: float = 0.0
    """What a command takes by itself: the partner's, or of a program that is timed alone its own, to be believed of a baseline only."""
    around_blocks: list[Block] = field(default_factory=list)
    """Repetitions of the same program without its call, as many a block as quick programs have."""
    first_call_us: float | None = None
    kernel_us: tuple[float, ...] = ()
    partner_kernel_us: tuple[float, ...] = ()
    with_transfers_us: tuple[float, ...] = ()
    exclusive_s: float = 0.0

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """The candidate's (device, host) samples in the order taken."""
        return [pair for block in self.blocks for pair in block.pairs]

    @property
    def is_slow(self) -> bool:
        """Whether no repetition was quick: one that only began as a slow program does is measured like any other."""
        return all(event >= _SLOW_US / 2 for event, _ in self.pairs)

    @property
    def samples(self) -> TimingSamples:
        return TimingSamples(samples_us=tuple(event for event, _ in self.pairs))

    @property
    def end_to_end(self) -> TimingSamples:
        return TimingSamples(samples_us=tuple(host for _, host in self.pairs))

    @property
    def partner_samples(self) -> TimingSamples | None:
        times = tuple(event for block in self.partner_blocks for event, _ in block.pairs)
        return TimingSamples(samples_us=times) if times else None


def measure(
    candidate: ChildAtShape,
    partner: ChildAtShape | None,
    plan: TimingPlan,
    *,
    watch: BlockWatch,
    looks: Callable[[int], None] | None = None,
    sets: int = 1,
    unseen: list[int] | None = None,
) -> Measured:
    """Time `candidate`, in turn with `partner` where there is one.

    Args:
        looks: Called with a set's number when its outputs lie in the candidate's exchange, made at a time that the candidate cannot know.
            None where outputs are so large that storing them would take longer than the repetitions.
        sets: How many sets of data repetitions are timed with; each is kept at the end, to be stored when others may have the device.
        unseen: Further sets. Each is kept once, at a random moment, and then taken out of the list: to the candidate it is as new as the
            data of any timed repetition, of which most are never compared.

    Raises:
        ChildEnded: Either process ended early.
    """
    measured = Measured()
    unseen = [] if unseen is None else unseen
    # To seem faster, a program has to cheat in half of the rounds: in some of the first ones, or until the end.
    moments = sorted(secrets.choice((secrets.randbelow(max(1, plan.rounds)), math.inf)) for _ in unseen)
    begun = time.perf_counter()
    first = candidate.block(CommandKind.SAMPLE, 1, limit_s=plan.first_s)
    measured.first_call_us = first.pairs[0][1]
    firsts = {candidate: first}
    if partner is not None:
        firsts[partner] = partner.block(CommandKind.SAMPLE, 1, limit_s=_BLOCK_LIMIT_S)
    count = {id(child): _in_block(child, one) for child, one in firsts.items()}
    _warm_up([child for child, one in firsts.items() if one.wall_us < _SLOW_US], count, plan)
    sample_until = time.perf_counter() + plan.sample_s
    while not _enough(measured, plan, sample_until):
        watch.before()
        taken = _round(candidate, partner, count)
        if not watch.keeps():
            continue
        _add(measured, taken)
        if looks is not None and not measured.is_slow and (secrets.randbelow(4) == 0 or len(measured.rounds) == 1):
            data_set = secrets.randbelow(sets)
            candidate.keep(data_set, limit_s=_BLOCK_LIMIT_S)
            candidate.store(data_set, limit_s=_BLOCK_LIMIT_S)
            looks(data_set)
        while unseen and len(measured.rounds) > moments[-len(unseen)]:
            candidate.keep(unseen.pop(), limit_s=_BLOCK_LIMIT_S)
    while unseen:
        candidate.keep(unseen.pop(), limit_s=_BLOCK_LIMIT_S)
    beside = partner or candidate
    measured.latency_us = beside.latency_us(limit_s=_BLOCK_LIMIT_S)
    measured.around_blocks = [
        beside.block(CommandKind.AROUND, _IN_BLOCK, limit_s=_BLOCK_LIMIT_S) for _ in range(_AROUND_BLOCKS)
    ]
    if plan.further and measured.rounds:
        _further(candidate, partner, measured)
    for data_set in range(sets):
        candidate.keep(data_set, limit_s=_BLOCK_LIMIT_S)
    measured.exclusive_s = time.perf_counter() - begun
    return measured


def _in_block(child: ChildAtShape, first: Block) -> int:
    """Repetitions that take about 12 ms together, eight at most."""
    if first.wall_us >= _SLOW_US:
        return 1
    wall_us = child.block(CommandKind.SAMPLE, 2, limit_s=_BLOCK_LIMIT_S).wall_us / 2
    return int(max(1, min(_IN_BLOCK, _BLOCK_US / wall_us)))


def _warm_up(children: list[ChildAtShape], count: dict[int, int], plan: TimingPlan) -> None:
    """Until three medians in a row of each agree, for at least `warm_s` and at most five seconds."""
    if not children:
        return
    medians: dict[int, list[float]] = {id(child): [] for child in children}
    begun = time.perf_counter()
    while True:
        for child in children:
            block = child.block(CommandKind.SAMPLE, count[id(child)], limit_s=_BLOCK_LIMIT_S)
            medians[id(child)].append(_median(block))
        spent = time.perf_counter() - begun
        steady = all(_is_steady(values[-3:]) for values in medians.values())
        if (spent >= plan.warm_s and steady) or spent >= max(
            plan.warm_s, _WARM_CAP_S if plan.further else 2 * plan.warm_s
        ):
            return


def _round(
    candidate: ChildAtShape, partner: ChildAtShape | None, count: dict[int, int]
) -> tuple[list[Block], list[Block]]:
    def block(child: ChildAtShape) -> Block:
        return child.block(CommandKind.SAMPLE, count[id(child)], limit_s=_BLOCK_LIMIT_S)

    if partner is None:
        return [block(candidate), block(candidate)], []
    first, *between, last = block(candidate), block(partner), block(partner), block(candidate)
    return [first, last], between


def _add(measured: Measured, taken: tuple[list[Block], list[Block]]) -> None:
    own, partners = taken
    measured.blocks += own
    measured.partner_blocks += partners
    measured.rounds.append(
        Round(
            candidate=tuple(event for block in own for event, _ in block.pairs),
            partner=tuple(event for block in partners for event, _ in block.pairs),
        )
    )


def _enough(measured: Measured, plan: TimingPlan, sample_until: float) -> bool:
    if not measured.rounds:
        return time.perf_counter() > sample_until + _BLOCK_LIMIT_S
    late = time.perf_counter() > sample_until
    taken = len(measured.pairs)
    if taken < plan.least or len(measured.rounds) < plan.rounds:
        return late and taken >= (2 if measured.is_slow else 3)
    partner = measured.partner_samples
    known = is_settled(measured.samples) and (partner is None or is_settled(partner))
    return known or late or taken >= plan.most


def _further(candidate: ChildAtShape, partner: ChildAtShape | None, measured: Measured) -> None:
    """Kernel time (the partner's too) and time with transfers, fewer repetitions where one takes long."""
    measured.kernel_us = _queued(candidate, measured.blocks[-1])
    if partner is not None:
        measured.partner_kernel_us = _queued(partner, measured.partner_blocks[-1])
    one = candidate.block(CommandKind.TRANSFER, 1, limit_s=_BLOCK_LIMIT_S)  # allocates its buffers
    transfers = int(max(1 if measured.is_slow else 2, min(_TRANSFERS, _FURTHER_CAP_US / one.pairs[0][1])))
    block = candidate.block(CommandKind.TRANSFER, transfers, limit_s=_BLOCK_LIMIT_S)
    measured.with_transfers_us = tuple(host for _, host in block.pairs)


def _queued(child: ChildAtShape, known: Block) -> tuple[float, ...]:
    """Times of calls that are enqueued behind other work; `known` is a block of it."""
    each_us = known.wall_us / len(known.pairs)
    count = int(max(1 if each_us >= _SLOW_US else 3, min(_QUEUED, _FURTHER_CAP_US / each_us)))
    block = child.block(CommandKind.QUEUED, count, limit_s=_BLOCK_LIMIT_S)
    return tuple(event for event, _ in block.pairs)


def _median(block: Block) -> float:
    times = sorted(event for event, _ in block.pairs)
    return times[len(times) // 2]


def _is_steady(medians: list[float]) -> bool:
    return len(medians) == 3 and max(medians) <= (1 + _STEADY) * min(medians)
