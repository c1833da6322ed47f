"""A hill climb with the prior and the recoveries of `mcgs` and without its tree: the control that `mcgs` has to beat.

At the best program that has an untried technique left, try the likeliest one. A gain makes the new program the best and the climb goes on
from there; a program without untried techniques is left for the next best.
"""

from regrapht.search.mcgs import GraphSearch
from regrapht.search.statistics import Edge, Node


class GreedyChain(GraphSearch):
    """`GraphSearch` with another `_select`."""

    name = "greedy-chain"

    def _select(self) -> tuple[Edge, ...] | None:
        """The likeliest untried technique of the best program; further attempts only when no technique is untried anywhere."""
        programs = sorted(self._programs.values(), key=lambda node: -node.reward)
        for node in (*programs, self.root):
            if (edge := self._untried(node)) is not None:
                return (edge,)
        if self._visiting:
            return None
        tried = (edge for node in (*programs, self.root) for edge in sorted(node.edges, key=self._likelihood))
        edge = next((edge for edge in tried if not (edge.is_dead or edge.is_exhausted)), None)
        return (edge,) if edge is not None else None

    def _untried(self, node: Node) -> Edge | None:
        """The likeliest edge that was never visited; those on which an ask was abandoned count too."""
        self._open(node)
        again = [edge for edge in node.edges if not (edge.visits or edge.in_flight or edge.is_exhausted)]
        left = max(again, key=lambda edge: -self._likelihood(edge), default=None)
        weights = node.offer.weights(self._correction.row) if node.offer is not None else []
        likeliest = max(range(len(weights)), key=weights.__getitem__, default=0)
        if not weights or weights[likeliest] < 0 or (left and -self._likelihood(left) >= weights[likeliest]):
            return left
        return node.ask_for(likeliest)

    def _likelihood(self, edge: Edge) -> float:
        return -edge.prior * self._correction.of(edge)
