"""Which edge of a program to follow: PUCT over values normalised by the correct programs alone.

    Q(p, t) + c * P(t) * F(t) * sqrt(N(p)) / (1 + n(p, t))

An edge without a program yet is valued at its parent's own reward, a little less for each failure: 0 there would make every untried
technique look worse than any tried one. Failures stay out of the normalisation, because one crash would squeeze all correct programs into
a narrow band. `F` is what this run has seen of the technique (`correction`).
"""

import math
from collections.abc import Callable

from regrapht.search.statistics import Edge, Node

FAILURE_COST = 0.1
"""What one failure, or one visit that is out, takes from an edge's value, in doublings."""
NARROWEST_RANGE = 0.25
"""Programs closer together than this, in doublings, are not stretched to the whole of 0 to 1."""


class ValueRange:
    """Smallest and largest reward of the run's correct programs, in doublings."""

    def __init__(self) -> None:
        self._low = math.inf
        self._high = -math.inf

    def add(self, value: float) -> None:
        self._low, self._high = min(self._low, value), max(self._high, value)

    def normalise(self, value: float) -> float:
        """0 for the slowest correct program seen, 1 for the fastest (less while all are close); 0 before there is one."""
        if self._low > self._high:
            return 0.0
        return (value - self._low) / max(self._high - self._low, NARROWEST_RANGE)


def by_score(node: Node, values: ValueRange, *, exploration: float, factor: Callable[[Edge], float]) -> list[Edge]:
    """The edges of a program that are not closed, the most promising first; equal ones in the order of their prior."""
    edges = [edge for edge in node.edges or () if not edge.is_closed]
    if len(edges) < 2:
        return edges
    shares = [edge.prior * factor(edge) for edge in edges]
    visits = sum(edge.visits + edge.in_flight for edge in edges)
    reach = exploration * math.sqrt(1 + visits) / sum(shares)
    scores = [
        values.normalise(edge_value(edge)) + reach * share / (1 + edge.visits + edge.in_flight)
        for edge, share in zip(edges, shares, strict=True)
    ]
    return [edges[i] for i in sorted(range(len(edges)), key=lambda i: -scores[i])]


def edge_value(edge: Edge) -> float:
    """Q of an edge in doublings, virtual loss included."""
    value = edge.value
    losses = edge.in_flight
    if value is None:
        value, losses = edge.source.reward, losses + edge.failures
    return value - FAILURE_COST * losses
