"""Whether the clocks of a timed program agree, held against what a trusted program shows at the same shape."""

import statistics
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regrapht.evaluate.device.harness_process import Block
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.timing.kept_times import BaselineTime
from regrapht.evaluate.timing.paired_timing import Measured
from regrapht.records.task import Sizes, Task

_SLACK_US, _SLACK_SHARE = 20.0, 0.10
_UNCLAIMED_US, _UNCLAIMED_SHARE, _MISSING_SHARE = 30.0, 0.25, 0.5


def clocks_agree(samples: Sequence[tuple[float, float]], *, ordinary_gap_us: float = 0.0) -> bool:
    """Whether the device's events account for the host's time around call and synchronisation.

    Work on a stream that the events do not see, or on a thread of the host, takes time that only the host's clock has. The host also pays
    for launches and the final synchronisation, hence the slack; on a busy machine it pays more, as a trusted program's gap at the same
    time shows.
    """
    event = float(np.median([event for event, _ in samples]))
    return clock_gap_us(samples) <= ordinary_gap_us + max(_SLACK_US, _SLACK_SHARE * event)


def clock_gap_us(samples: Sequence[tuple[float, float]]) -> float:
    """By how much the host's clock is usually ahead of the device's events."""
    return float(np.median([host - event for event, host in samples]))


def hidden_us(
    blocks: Sequence[Block], ordinary_us: float, latency_us: float = 0.0, *, around_us: float | None = None
) -> float:
    """How much more (or less) of the parent's time a repetition takes than its claims and the ordinary work around a call explain; 0 when
    they do.

    `ordinary_us` is that work's time as a trusted program of the same arguments shows it, and `latency_us` what a command takes by itself,
    of which a block of many repetitions has as much as one of few. A child that forges its clocks, or does its work outside of them, is
    found by this: the parent's clock is out of its reach. `around_us` is the least that the work can take, where that is known: a slow
    program's ordinary work, whose repetitions come one at a time, was seen to take longer. Medians over blocks, because
    this process may be interrupted; more is what it surely took, less what it took at most, because this process may be kept from looking.
    """
    least_us = ordinary_us if around_us is None else min(ordinary_us, around_us)
    missing = float(np.median([block.unclaimed_us for block in blocks])) - least_us
    if missing < -max(_UNCLAIMED_US, _MISSING_SHARE * least_us):
        return missing  # inputs were not restored, or the cache not flushed: something stands in for the harness
    claimed = float(np.median([host for block in blocks for _, host in block.pairs]))
    excess = float(np.median([_without(latency_us, block) for block in blocks])) - ordinary_us
    return excess if excess > max(_UNCLAIMED_US, _UNCLAIMED_SHARE * claimed) else 0.0


def ordinary_us(blocks: Sequence[Block], latency_us: float = 0.0) -> float:
    """The time of the work around a call, from a trusted program's blocks: the upper quartile of what it surely took, since whatever keeps
    the parent from looking only takes away from that. Without `latency_us`, what a command takes by itself: a slow program's blocks are of
    one or two repetitions and a fast one's of eight."""
    return float(np.quantile([_without(latency_us, block) for block in blocks], 0.75))


def around_us(blocks: Sequence[Block], latency_us: float) -> float | None:
    """The time of the work around a call where there is no call: a trusted program's blocks of such repetitions. None of no block."""
    return float(np.median([_without(latency_us, block) for block in blocks])) if blocks else None


def _without(latency_us: float, block: Block) -> float:
    return block.surely_unclaimed_us - latency_us / len(block.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordinary:
    """What a trusted program shows at one shape: the time of the work around a call, and how far the host's clock is ahead."""

    outside_us: float
    gap_us: float
    latency_us: float = 0.0
    """What a command takes by itself."""
    around_us: float | None = None
    """The time of the work around a call where there is no call."""


class ClockDoubts:
    """Knows what is ordinary at the shapes that were timed on one device. Safe to use from several threads."""

    def __init__(self) -> None:
        self._ordinary: dict[tuple[str, str], Ordinary] = {}
        self._lock = threading.Lock()  # taken while the device is held: nobody waits for a device with it

    def learn(self, task: Task, sizes: Sizes, baseline: BaselineTime) -> None:
        """Take what a baseline showed for ordinary where nothing was known yet."""
        if baseline.ordinary_us is None:
            return
        ordinary = Ordinary(
            outside_us=baseline.ordinary_us, gap_us=0.0, latency_us=baseline.latency_us, around_us=baseline.around_us
        )
        with self._lock:
            self._ordinary.setdefault((task.content_hash, shape_text(sizes)), ordinary)

    def ordinary(self, task: Task, sizes: Sizes) -> Ordinary | None:
        """What is known of a shape."""
        with self._lock:
            return self._ordinary.get((task.content_hash, shape_text(sizes)))

    def doubt(self, task: Task, measured: Measured, sizes: Sizes) -> str | None:
        """What the clocks say against each other; None when they agree. A partner that was timed too is what is ordinary from now on."""
        if blocks := measured.partner_blocks:
            gap = max(0.0, clock_gap_us([pair for block in blocks for pair in block.pairs]))
            found = Ordinary(
                outside_us=ordinary_us(blocks, measured.latency_us),
                gap_us=gap,
                latency_us=measured.latency_us,
                around_us=around_us(measured.around_blocks, measured.latency_us),
            )
            with self._lock:
                self._ordinary[task.content_hash, shape_text(sizes)] = found
        ordinary = self.ordinary(task, sizes)
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
            hidden = hidden_us(measured.blocks, ordinary.outside_us, ordinary.latency_us, around_us=ordinary.around_us)
        if hidden:
            return (
                f"a repetition takes {abs(hidden):.4g} us {'more' if hidden > 0 else 'less'} than its clocks and the work around a call "
                "explain, by the clock outside of its process: work is hidden, or the clock forged"
            )
        return None
