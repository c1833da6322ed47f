"""Asking a model, once a program, which of the likeliest techniques fit it.

The eight best techniques by `graph.next_technique` are named, of those that are on offer; the model answers with those that fit, in order.
The first of n gets the share 2^(n-1) / (2^n - 1) of the choice's weight, each further one half of the one before:

    P(t) = (1 - w) * P_graph(t) + w * P_choice(t)

An answer that names none changes nothing. The regression among the estimates is left out: reading a whole graph for it takes seconds, and
what is left ranks nearly alike in milliseconds. A choice is a proposal like any other, so it is journalled, counted in tokens, and repeated
from its record; it is no judged candidate.
"""

from functools import cached_property

from regrapht.graph.next_technique import Exponents, NextTechnique
from regrapht.records.proposal import Judged
from regrapht.search.context import SearchContext
from regrapht.search.statistics import Node

LISTED = 8
FEWEST = 2
"""Below that there is nothing to choose."""


class ModelChoice:
    """Which programs a model has chosen for, and what its choice does to their priors."""

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self._asked: set[Node] = set()
        self._out: dict[int, Node] = {}

    def is_out(self, node: Node) -> bool:
        """Whether the answer for this program is being waited for."""
        return node in self._out.values()

    def due(self, node: Node) -> tuple[str, ...]:
        """What a model should be asked to choose among at this program before anything is asked there; empty where it should not."""
        if self._context.choice_weight <= 0 or node.judged is None or node.offer is None or node in self._asked:
            return ()
        offered = {t.target for t, share in zip(node.offer.transitions, node.offer.shares, strict=True) if share >= 0}
        offered |= {edge.transition.target for edge in node.edges if edge.transition is not None and not edge.asks}
        listed = tuple(slug for slug in self._ranked(node.judged) if slug in offered)[:LISTED]
        return listed if len(listed) >= FEWEST else ()

    def begin(self, number: int, node: Node) -> None:
        """The proposal of this number asks for the program's choice."""
        self._asked.add(node)
        self._out[number] = node

    def withdraw(self, number: int) -> None:
        """It was not answered, and may be asked again."""
        self._asked.discard(self._out.pop(number))

    def take_in(self, number: int, chosen: tuple[str, ...]) -> None:
        """Blend a choice with the program's prior."""
        node, weight = self._out.pop(number), self._context.choice_weight
        node.wake()
        assert node.offer is not None, "a choice is asked for where something is on offer"
        open_edges = [edge for edge in node.edges if edge.transition is not None]
        there = {t.target for t, share in zip(node.offer.transitions, node.offer.shares, strict=True) if share >= 0}
        there |= {edge.transition.target for edge in open_edges if edge.transition is not None}
        kept = [slug for slug in dict.fromkeys(chosen) if slug in there]
        if not kept:
            return
        wanted = {slug: 2.0 ** (len(kept) - 1 - place) / (2 ** len(kept) - 1) for place, slug in enumerate(kept)}
        node.offer.blend(wanted, weight)
        for edge in open_edges:
            assert edge.transition is not None
            edge.prior = (1 - weight) * edge.prior + weight * wanted.get(edge.transition.target, 0.0)

    def _ranked(self, judged: Judged) -> list[str]:
        candidate = judged.candidate
        return list(self._next.shares(candidate.source or "", self._context.reference, candidate.techniques))

    @cached_property
    def _next(self) -> NextTechnique:
        return NextTechnique(self._context.graph, self._context.viewer, exponents=Exponents(regression=0.0))
