"""How far a training is, by steps and by the clock, the rate that follows, and what is told of it."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

WARM_UP, LONGEST_WARM_UP = 0.04, 20
"""Share of the steps in which the rate rises, and steps at most: of those that a training of minutes will come to nobody knows."""
LEAST_RATE = 0.1
"""Of the highest rate, at the end."""
Say = Callable[[str], None]


@dataclass
class Pace:
    """A training of so many steps, which ends earlier where the minutes are over.

    Args:
        spent_s: Seconds that earlier calls took.
    """

    steps: int
    minutes: float | None
    spent_s: float = 0.0

    def __post_init__(self) -> None:
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """All of the training's seconds so far."""
        return self.spent_s + time.monotonic() - self._started

    def share(self, step: int) -> float:
        """How much is done, 0 to 1, by what will end it first."""
        by_steps = step / max(1, self.steps)
        return by_steps if self.minutes is None else max(by_steps, self.seconds / (60 * self.minutes))

    def is_over(self, step: int) -> bool:
        return self.share(step) >= 1.0

    def rate(self, step: int, highest: float) -> float:
        """The learning rate: up over the first steps, whatever the clock says, and down along a cosine."""
        rising = (step + 1) / max(1.0, min(WARM_UP * self.steps, LONGEST_WARM_UP))
        done = min(1.0, self.share(step))
        return highest * min(1.0, rising) * (LEAST_RATE + (1 - LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * done)))
