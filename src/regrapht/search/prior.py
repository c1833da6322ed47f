"""The prior over techniques, which decides more than the tree does.

    w(t) = (success(t) * max(gain(t), 0.02) * frequency(t)) ** 0.8 * match(t), a quarter of it where t was applied already
    P(t) = (1 - u) * w(t) / sum of w + u / number of techniques

Neither gain nor frequency alone is good: gains are known only where an expert chose to try, and choosing often says little without the
result. The uniform share `u` keeps a wrong graph from ruling. Exponent and shares won a simulation over 60 synthetic tasks.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.records.candidate import Candidate
from regrapht.records.technique import Transition
from regrapht.search.context import SearchContext
from regrapht.search.evidence import Expectation, GraphEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorSettings:
    """Dials of the prior."""

    exponent: float = 0.8
    uniform_share: float = 0.15
    smallest_gain: float = 0.02
    """In doublings: a technique that is expected to lose is unlikely, not impossible."""
    repeat_factor: float = 0.25
    """For techniques that the candidate has already."""


class TechniquePrior:
    """Shares over the transitions at a candidate, from the graph that the context allows to be seen."""

    def __init__(self, context: SearchContext, settings: PriorSettings) -> None:
        self._evidence = GraphEvidence(context)
        self._settings = settings

    def shares(self, candidate: Candidate, matches: Mapping[Transition, float]) -> dict[Transition, float]:
        """P for each transition offered, likeliest first; they sum to 1. `matches` says how well each one's condition fits."""
        if not matches:
            return {}
        applied = frozenset(candidate.techniques)
        expected = self._evidence.expectations(applied)
        weights = {
            transition: match * self._weight(expected[transition.target], repeated=transition.target in applied)
            for transition, match in matches.items()
        }
        total, uniform = sum(weights.values()), self._settings.uniform_share
        if total == 0:
            total, uniform = 1.0, 1.0
        shares = {t: (1 - uniform) * weight / total + uniform / len(weights) for t, weight in weights.items()}
        return dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))

    def expectation(self, candidate: Candidate, technique: str) -> Expectation:
        """What the graph leads one to expect of a technique at a candidate."""
        return self._evidence.expectations(frozenset(candidate.techniques))[technique]

    def _weight(self, expected: Expectation, *, repeated: bool) -> float:
        dials = self._settings
        weight = (expected.success * max(expected.gain, dials.smallest_gain) * expected.frequency) ** dials.exponent
        return weight * dials.repeat_factor if repeated else weight
