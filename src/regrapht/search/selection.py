"""Which edge of a program to follow: PUCT over values normalised by the correct programs alone.

    Q(p, t) + c * P(t) * F(t) * sqrt(N(p)) / (1 + n(p, t))

An edge without a program yet is valued at its parent's own reward, a little less for each failure: 0 there would make every untried
technique look worse than any tried one. Failures stay out of the normalisation, because one crash would squeeze all correct programs into
a narrow band. `F` is what this run has seen of the technique (`correction`). Visits that are out count in `N` and `n` and leave `Q` alone
("Watch the Unobserved", arXiv 1810.11755): nothing bad is known of them, and an untried edge has one at a time as it is. A loss in `Q`
would drive the other workers off the best way.
"""

import math
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Protocol

from regrapht.search.statistics import Edge, Node

FAILURE_COST = 0.1
"""What one failure takes from an untried edge's value, in doublings."""
NARROWEST_RANGE = 0.25
"""Programs closer together than this, in doublings, are not stretched to the whole of 0 to 1."""


class Count(StrEnum):
    """What `N(p)` counts, and so what earns the other transitions of a program a try."""

    VISITS = "visits"
    """Every visit, as PUCT has it: also those that went on far below."""
    ASKS = "asks"
    """Those that asked here: a program is left alone while the search climbs below it. Where the order of techniques does not matter,
    trying another one above is mostly a detour to programs that are reached from below too."""


class Factors(Protocol):
    """What the run has seen of each technique, as factors of its prior."""

    @property
    def row(self) -> Sequence[float]:
        """For every technique, in the order of the graph's."""
        ...

    def of(self, edge: Edge) -> float: ...


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


def by_score(
    node: Node, values: ValueRange, *, exploration: float, factors: Factors, count: Count = Count.VISITS
) -> Iterator[Edge]:
    """The edges of a program that are not closed, the most promising first.

    Of the transitions on offer only the likeliest is scored and, when its turn comes, made an edge: all have the same value, and an edge
    that was never asked for can always be asked.
    """
    edges = [edge for edge in node.edges if not edge.is_closed]
    weights = [edge.prior * factors.of(edge) for edge in edges]
    offered = node.offer.weights(factors.row) if node.offer is not None else []
    total = sum(weights) + sum(weight for weight in offered if weight > 0)
    seen = node.visits if count == Count.VISITS else node.asks
    reach = exploration * math.sqrt(seen) / max(total, 1e-12)
    scores = [
        values.normalise(edge_value(edge)) + reach * weight / (1 + edge.visits + edge.in_flight)
        for edge, weight in zip(edges, weights, strict=True)
    ]
    likeliest = max(range(len(offered)), key=offered.__getitem__, default=0)
    new_score = -math.inf
    if offered and offered[likeliest] >= 0:
        new_score = values.normalise(node.reward) + reach * offered[likeliest]
    for i in sorted(range(len(edges)), key=lambda i: -scores[i]):
        if new_score > scores[i]:
            yield node.ask_for(likeliest)
            return
        yield edges[i]
    if new_score > -math.inf:
        yield node.ask_for(likeliest)


def edge_value(edge: Edge) -> float:
    """Q of an edge in doublings."""
    value = edge.value
    return edge.source.reward - FAILURE_COST * edge.failures if value is None else value
