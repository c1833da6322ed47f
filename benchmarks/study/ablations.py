"""`mcgs` with one part changed that no dial changes, for the study's ablations. Each is as small as the part."""

import math
from collections.abc import Mapping
from dataclasses import replace

from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status
from regrapht.search.context import SearchContext
from regrapht.search.evidence import Expectation
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.search.prior import TechniquePrior
from regrapht.search.reward import reward


class FailuresInRange(GraphSearch):
    """Failures take part in the min-max normalisation, at what they are rewarded with on the scale from start to floor."""

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        if not judged.verdict.passed and judged.verdict.status is not Status.SKIPPED:
            yardstick = self.context.yardstick
            self._values.add(reward(judged.verdict, yardstick) * math.log2(yardstick.start / yardstick.floor))
        super()._learn(proposal, judged, is_new=is_new)


class FrequencyOnly(GraphSearch):
    """The prior knows how often experts chose a technique, and not what came of it."""

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context, settings)
        self._prior = _ByFrequency(context, self.settings.prior)


class OutcomesOnly(GraphSearch):
    """The prior knows what came of a technique, and not how often experts chose it."""

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context, settings)
        self._prior = _ByOutcome(context, self.settings.prior)


class WithoutMatch(GraphSearch):
    """The prior does not look at how well a technique's condition fits the code."""

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context, settings)
        self._prior = _WithoutMatch(context, self.settings.prior)


class WithoutFamily(GraphSearch):
    """What the graph learnt from the task's own family counts as any other family's."""

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(replace(context, family=None), settings)


class WithoutSet(GraphSearch):
    """The prior does not look at what was applied before: what experts choose is counted over all their steps alike."""

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context, settings)
        self._prior = _WithoutSet(context, self.settings.prior)


class _ByFrequency(TechniquePrior):
    def _weight(self, expected: Expectation, *, repeated: bool) -> float:
        return super()._weight(replace(expected, gain=1.0, success=1.0), repeated=repeated)


class _ByOutcome(TechniquePrior):
    def _weight(self, expected: Expectation, *, repeated: bool) -> float:
        return super()._weight(replace(expected, frequency=1.0), repeated=repeated)


class _WithoutMatch(TechniquePrior):
    def shares(self, candidate: Candidate, matches: Mapping[Transition, float]) -> dict[Transition, float]:
        return super().shares(candidate, dict.fromkeys(matches, 1.0))


class _WithoutSet(TechniquePrior):
    def shares(self, candidate: Candidate, matches: Mapping[Transition, float]) -> dict[Transition, float]:
        return super().shares(replace(candidate, techniques=()), matches)


PARTS: Mapping[str, str] = {
    "prior: frequency only": "FrequencyOnly",
    "prior: outcomes only": "OutcomesOnly",
    "prior: no condition match": "WithoutMatch",
    "prior: no family": "WithoutFamily",
    "prior: no set applied": "WithoutSet",
    "failures in min-max": "FailuresInRange",
}
"""Row of the table to class here."""


def search_of(part: str) -> str:
    """The dotted name under which the registry finds an ablated search."""
    return f"{__name__}:{PARTS[part]}"
