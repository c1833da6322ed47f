"""How long each function of an application may be searched for, where the time is limited."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_EVENLY = 0.5
"""So much of the time is divided evenly, that none starves; the rest by the share of the program's time, that the hottest have most."""
LEAST_S = 5.0
"""With less than that nothing is begun: no judgement ends so soon."""


@dataclass(slots=True)
class TimeShares:
    """Divides what is left of a time among the functions that are left. One that ends early leaves its rest to the others.

    Args:
        seconds: From when it is made; None for no limit.
        weights: What of the program's time each function takes.
        clock: Seconds that only grow.
    """

    seconds: float | None
    weights: Mapping[str, float]
    clock: Callable[[], float] = time.monotonic
    left: dict[str, float] = field(init=False)
    _began: float = field(init=False)
    _until: dict[str, float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.left, self._began = dict(self.weights), self.clock()

    def done(self, name: str) -> None:
        """Note that nothing more is done for a function."""
        self.left.pop(name, None)

    def begin(self, name: str) -> None:
        """Note that a function is begun with: its part runs from now, whatever of it preparing takes."""
        if (part := self.part_of(name)) is not None:
            self._until[name] = self.clock() + part

    def left_of(self, name: str) -> float | None:
        """Seconds left of the part of a function that was begun with; None without a limit."""
        return None if self.seconds is None else max(self._until[name] - self.clock(), 0.0)

    def part_of(self, name: str) -> float | None:
        """Seconds for a function that is begun now, `LEAST_S` at least; None without a limit. 0 where the time is up."""
        if self.seconds is None:
            return None
        rest = self.seconds - (self.clock() - self._began)
        if rest < LEAST_S:
            return 0.0
        whole = sum(self.left.values()) or 1.0
        by_share = self.left.get(name, 0.0) / whole
        return max(rest * (_EVENLY / max(len(self.left), 1) + (1 - _EVENLY) * by_share), LEAST_S)
