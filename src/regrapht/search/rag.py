"""Retrieval-augmented generation: standard prompting with the solutions of tasks whose sequential code is most alike.

ReGraphT's baseline of this name. It uses the trajectories that the graph was learnt from as a store of solved tasks, and nothing of their
techniques. The n-th sample shows the n-th window of the ranking, so that more budget also sees more of the store.
"""

from dataclasses import dataclass, replace

from regrapht.graph.retrieval import similar_solutions
from regrapht.records.proposal import Proposal
from regrapht.search.context import SearchContext
from regrapht.search.direct import BestOfN, DirectSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class RagSettings:
    """Dials of the search."""

    shown: int = 2
    """Solutions in one prompt."""
    retrieved: int = 8
    """Solutions that the samples take turns with."""


class RetrievalAugmented(BestOfN):
    """`BestOfN` with retrieved solutions."""

    name = "rag"

    def __init__(self, context: SearchContext, settings: RagSettings | None = None) -> None:
        super().__init__(context, DirectSettings(samples=None))
        self._dials = settings or RagSettings()
        self._solutions = similar_solutions(
            context.graph, context.reference, context.viewer, limit=self._dials.retrieved
        )

    def _next(self, number: int) -> Proposal | None:
        proposal = super()._next(number)
        if proposal is None or not self._solutions:
            return proposal
        first = proposal.attempt * self._dials.shown % len(self._solutions)
        shown = (*self._solutions[first:], *self._solutions[:first])[: self._dials.shown]
        return replace(proposal, exemplars=shown)
