"""A hill climb with the prior and the recoveries of `mcgs` and without its tree: the control that `mcgs` has to beat.

At the best program that has an untried technique left, try the likeliest one. A gain makes the new program the best and the climb goes on
from there; a program without untried techniques is left for the next best.
"""

from collections.abc import Iterator

from regrapht.search.mcgs import GraphSearch
from regrapht.search.recovery import Expansion
from regrapht.search.statistics import Edge


class GreedyChain(GraphSearch):
    """`GraphSearch` with another `_select`."""

    name = "greedy-chain"

    def _select(self) -> Expansion | None:
        """The likeliest untried technique of the best program; further attempts only when no technique is untried anywhere."""
        edge = next(self._edges(untried=True), None)
        if edge is None and not self._visiting:
            edge = next(self._edges(untried=False), None)
        return self._visit((edge,)) if edge is not None else None

    def _edges(self, *, untried: bool) -> Iterator[Edge]:
        """Edges that may be asked: of the best program first, the likeliest first; the request for first programs last."""
        programs = sorted(self._programs.values(), key=lambda node: -node.reward)
        for node in (*programs, self.root):
            for edge in sorted(self._open(node).edges or (), key=self._likelihood):
                if not (edge.is_dead or edge.is_exhausted) and not (untried and (edge.visits or edge.in_flight)):
                    yield edge

    def _likelihood(self, edge: Edge) -> float:
        return -edge.prior * self._factor(edge)
