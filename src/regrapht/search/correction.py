"""What a run sees of each technique, and how far that moves its prior.

    F(t) = exp(clip(rate * d / (n + 2), +-2.5)) * (3 + successes) / (3 + tries)

`d` sums gain seen minus gain expected over the `n` gains seen, in doublings. Small on purpose: it helps where a task differs from the
graph's, and a run is too short to learn out of a graph that is wrong throughout.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from regrapht.search.statistics import Edge

LARGEST_EXPONENT = 2.5
GAINS_BEFORE = 2
TRIES_BEFORE = 3


@dataclass(slots=True)
class _Seen:
    surprise: float = 0.0
    gains: int = 0
    tries: int = 0
    successes: int = 0


class InRunCorrection:
    """Counts by technique over one run. `techniques`: their order in `row`."""

    def __init__(self, rate: float, techniques: tuple[str, ...] = ()) -> None:
        self._rate = rate
        self._place = {slug: i for i, slug in enumerate(techniques)}
        self._seen: dict[str, _Seen] = defaultdict(_Seen)
        self.row = [1.0] * len(techniques)
        """The factor of every technique, in the order given."""

    def saw_try(self, technique: str, *, succeeded: bool) -> None:
        seen = self._seen[technique]
        seen.tries += 1
        seen.successes += succeeded
        self._update(technique)

    def saw_gain(self, technique: str, *, gain: float, expected: float) -> None:
        seen = self._seen[technique]
        seen.gains += 1
        seen.surprise += gain - expected
        self._update(technique)

    def factor(self, technique: str) -> float:
        """What to multiply the technique's prior by; 1 for one not tried in this run."""
        if technique not in self._seen:
            return 1.0
        seen = self._seen[technique]
        exponent = self._rate * seen.surprise / (seen.gains + GAINS_BEFORE)
        bounded = max(-LARGEST_EXPONENT, min(LARGEST_EXPONENT, exponent))
        return math.exp(bounded) * (TRIES_BEFORE + seen.successes) / (TRIES_BEFORE + seen.tries)

    def of(self, edge: Edge) -> float:
        """The factor of an edge's technique; 1 for the request for a first program."""
        return 1.0 if edge.transition is None else self.row[self._place[edge.transition.target]]

    def _update(self, technique: str) -> None:
        if technique in self._place:
            self.row[self._place[technique]] = self.factor(technique)
