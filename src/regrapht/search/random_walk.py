"""ReGraphT without its search: the technique graph walked at random, at most five attempts a step (arXiv 2510.19873).

A walk starts at the task and then at each program takes a random transition that leaves the program's last technique in the graph. A step
that fails is asked anew; after five attempts the walk is over, and the next one starts from the first program again, which is not asked
for twice. The paper does not say what its attempts are of, nor where a walk ends: here a step, and where no transition leaves.
"""

import random
from collections import deque
from dataclasses import dataclass

from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Status
from regrapht.search.accounting import AccountedSearch
from regrapht.search.actions import exemplars_for, last_technique, with_match
from regrapht.search.context import SearchContext
from regrapht.search.reward import doublings
from regrapht.search.statistics import Edge, Node, Offer, task_node


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomWalkSettings:
    """Dials of the walk."""

    attempts: int = 5
    depth: int = 14
    """Most programs on a walk, the first one included."""
    exemplars: int = 1


@dataclass(slots=True, eq=False)
class Walk:
    """One walker: where it stands, and the step it is on."""

    node: Node
    steps: int = 0
    edge: Edge | None = None
    attempts: int = 0


class RandomWalk(AccountedSearch):
    """Walks at random; with several proposals out there are as many walkers."""

    name = "random-walk"

    def __init__(self, context: SearchContext, settings: RandomWalkSettings | None = None) -> None:
        super().__init__(context)
        self.settings = settings or RandomWalkSettings()
        self.root = task_node()
        self._programs: dict[str, Node] = {}
        self._idle: deque[Walk] = deque()
        self._walking: dict[int, Walk] = {}

    def _next(self, number: int) -> Proposal | None:
        chance = random.Random(self._seed(number))
        walk = self._idle[0] if self._idle else Walk(node=self.root)
        edge = walk.edge or self._wander(walk, chance)
        if edge is None:
            walk = Walk(node=self.root)
            edge = self._wander(walk, chance)
        if edge is None:
            return None
        if self._idle:
            self._idle.popleft()
        walk.edge = edge
        self._walking[number] = walk
        edge.in_flight += 1
        return Proposal(
            id=number,
            kind=ProposalKind.INITIAL if edge.transition is None else ProposalKind.APPLY,
            parent=edge.source.judged,
            transition=edge.transition,
            exemplars=exemplars_for(self.context, edge.transition, self.settings.exemplars, parent=edge.source.judged),
            attempt=edge.take_attempt(),
            seed=self._seed(number),
            in_full=edge.transition is None,
        )

    def _wander(self, walk: Walk, chance: random.Random) -> Edge | None:
        """A random edge to ask for, at the walker or where walking on leads; known programs are passed through and not asked for again."""
        ahead, seen = [(walk.node, walk.steps)], {walk.node}
        while ahead:
            node, steps = ahead.pop()
            edges = list(self._open(node)) if steps < self.settings.depth else []
            chance.shuffle(edges)
            if edge := next((edge for edge in edges if self._may_ask(edge)), None):
                walk.node, walk.steps = node, steps
                return edge
            children = [child for edge in edges for child in edge.children if child not in seen]
            seen.update(children)
            ahead.extend((child, steps + 1) for child in children)
        return None

    def _may_ask(self, edge: Edge) -> bool:
        is_served = edge.transition is None and (edge.children or edge.in_flight)
        return not edge.is_exhausted and not is_served

    def _open(self, node: Node) -> list[Edge]:
        if node.offer is None and node.judged is not None:
            candidate = node.judged.candidate
            known = self.context.graph.successors(last_technique(self.context, candidate))
            node.edges = [Edge(source=node, transition=t) for t in with_match(self.context, candidate, known)]
            node.offer = Offer((), {})
        return node.edges

    def _learn(self, proposal: Proposal, judged: Judged, *, is_new: bool) -> None:
        walk, edge = self._take_walk(proposal)
        if judged.verdict.passed and (child := self._node_of(edge, judged)).adopt(edge):
            self._idle.append(Walk(node=child, steps=walk.steps + 1))
        elif judged.verdict.status is Status.SKIPPED:
            edge.is_exhausted = True
            self._idle.append(Walk(node=walk.node, steps=walk.steps))
        elif walk.attempts + 1 < self.settings.attempts:
            self._idle.append(Walk(node=walk.node, steps=walk.steps, edge=edge, attempts=walk.attempts + 1))

    def _forget(self, proposal: Proposal) -> None:
        walk, edge = self._take_walk(proposal)
        edge.give_back(proposal.attempt)
        self._idle.appendleft(walk)

    def _take_walk(self, proposal: Proposal) -> tuple[Walk, Edge]:
        walk = self._walking.pop(proposal.id)
        edge = walk.edge
        assert edge is not None, "a walk that was asked for is on an edge"
        edge.in_flight -= 1
        return walk, edge

    def _node_of(self, edge: Edge, judged: Judged) -> Node:
        program = judged.candidate.program_hash or judged.candidate.id
        if program not in self._programs:
            value = doublings(judged.verdict, self.context.yardstick) or 0.0
            self._programs[program] = Node(judged=judged, reward=value, depth=edge.source.depth + 1)
        return self._programs[program]
