"""Whether the clocks of a timed program agree, held against what a trusted program shows at the same shape."""

import statistics
import threading
from dataclasses import dataclass

from regrapht.evaluate.baseline_times import BaselineTime
from regrapht.evaluate.feedback import shape_text
from regrapht.evaluate.paired_timing import Measured
from regrapht.evaluate.timing import around_us, clock_gap_us, clocks_agree, hidden_us, ordinary_us
from regrapht.records.task import Sizes, Task


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
