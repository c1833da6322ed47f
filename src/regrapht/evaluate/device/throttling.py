"""Which timed blocks count: those during which nothing held the device back. Rules over what the driver says (`nvml.DeviceState`).

A block is dropped when the driver names heat, a power brake or a slowdown by the hardware, or when the clock is under three quarters of the
default while the device is busy. The driver's other reasons alone drop nothing:

* `sw_power_cap` is the everyday state of a large device at full load, and costs a few per cent of clock: it counts when the clock is low.
* `idle` explains a low clock between blocks, so that clock says nothing.
* `set_clocks` explains a low clock by someone's choice: every block is equally slow, so blocks count and the label `set_clocks` is given.
* `sync_boost` and `display_clocks` are settings too, but not known to be steady: with a low clock they count.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from regrapht.evaluate.device.nvml import DeviceState, Nvml

LOW_CLOCK = 0.75
"""Share of the default clock below which a busy device counts as held back."""
HELD_BACK = frozenset({"hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"})
LOOKED_AT = frozenset({"sm_mhz", "default_sm_mhz", "reasons"})
"""What of a device's state decides here."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The block counts."""

    sm_mhz: int | None
    """The lowest clock seen while busy; None where the driver tells none, or only of an idle device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """The block does not count: do it again after the pause."""

    reason: str
    pause_s: float


class BlockGuard:
    """Judges the blocks of one timing, and in the end whether enough of them counted. One thread uses it.

    Where the driver tells neither clocks nor reasons, every block is kept and the label `throttling_unknown` says so.
    """

    def __init__(self) -> None:
        self.kept = self.dropped = 0
        self._in_a_row = 0
        self._why: dict[str, int] = {}
        self._labels: set[str] = set()
        self._clocks: list[int] = []

    def admit(
        self, before: DeviceState | None, after: DeviceState | None, *, during: Iterable[DeviceState] = ()
    ) -> Kept | Dropped:
        """Whether a block counts, from the device's states around it and, where someone looked, within it.

        `after` is best read before the block's process ends, while the clock is still that of the work. None: it could not be read.
        """
        states = [state for state in (before, *during, after) if state is not None]
        reason = next((why for why in map(held_back, states) if why is not None), None)
        if reason is not None:
            return self._drop(reason)
        if not any(state.reasons is not None or clock_share(state) is not None for state in states):
            self._labels.add("throttling_unknown")
        if any("set_clocks" in (state.reasons or ()) for state in states):
            self._labels.add("set_clocks")
        busy = [state.sm_mhz for state in states if state.sm_mhz is not None and "idle" not in (state.reasons or ())]
        self.kept += 1
        self._in_a_row = 0
        self._clocks += busy
        return Kept(sm_mhz=min(busy, default=None))

    def verdict(self) -> str | None:
        """None when the timing may be believed, else why it is TIMING_INVALID: over half of the blocks were dropped, or none counted."""
        total = self.kept + self.dropped
        if total == 0 or self.dropped * 2 > total:
            named = ", ".join(f"{why} ({count})" for why, count in sorted(self._why.items(), key=lambda item: -item[1]))
            return f"the device was held back in {self.dropped} of {total} blocks" + (f": {named}" if named else "")
        return None

    @property
    def labels(self) -> tuple[str, ...]:
        """What a reader of the timing must know: `set_clocks`, `throttling_unknown`."""
        return tuple(sorted(self._labels))

    @property
    def clocks_mhz(self) -> tuple[int, int] | None:
        """The lowest and the highest clock seen in blocks that counted; None where none was seen."""
        return (min(self._clocks), max(self._clocks)) if self._clocks else None

    def _drop(self, reason: str) -> Dropped:
        pause_s = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**self._in_a_row)
        self.dropped += 1
        self._in_a_row += 1
        self._why[reason] = self._why.get(reason, 0) + 1
        return Dropped(reason=reason, pause_s=pause_s)


def held_back(state: DeviceState) -> str | None:
    """What held the device back at that moment, or None when nothing did as far as the driver tells."""
    reasons = state.reasons or frozenset()
    if named := sorted(reasons & HELD_BACK):
        return " and ".join(named)
    share = clock_share(state)
    if share is None or share >= LOW_CLOCK or "idle" in reasons:
        return None
    if "set_clocks" in reasons and not reasons & {"sw_power_cap", "sync_boost", "display_clocks"}:
        return None
    causes = sorted(reasons - {"set_clocks"})
    return "low clock" + (f" with {' and '.join(causes)}" if causes else "")


def clock_share(state: DeviceState) -> float | None:
    """The clock as a share of the default, or of the highest where the driver tells no default; None where it tells neither."""
    usual = state.default_sm_mhz or state.max_sm_mhz
    return state.sm_mhz / usual if state.sm_mhz is not None and usual else None


@dataclass(slots=True, kw_only=True)
class DeviceWatch:
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
