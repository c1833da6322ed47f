"""What a search knows of its own run: programs as nodes, (program, transition) as edges, visits on the edges.

Two ways to one program lead to one node, so the nodes form a graph; a program is never its own ancestor, so the graph has no cycle. Visits
belong to edges and values are recomputed from children, never added up: a node that two parents share would otherwise be counted for
ways it was not visited by ("Monte-Carlo Graph Search", KataGo's note on graph search; Czech et al. 2020, arXiv 2012.11045).
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from regrapht.records.proposal import Judged
from regrapht.records.technique import Transition

TAKEN = -1.0
"""In the place of a share: this transition is not on offer, or not any more."""


@dataclass(slots=True, eq=False)
class Edge:
    """One transition that was asked for at one program, with the programs it led to."""

    source: "Node"
    transition: Transition | None
    """None on the one edge that leaves the task itself: the request for a first program."""
    prior: float = 1.0
    visits: int = 0
    in_flight: int = 0
    """Visits that are out and not answered yet: they count as visits."""
    asks: int = 0
    """Visits that ended here, or are to; the others went on to a child."""
    failures: int = 0
    """Visits that ended without a correct program, recoveries included."""
    children: tuple["Node", ...] = ()
    attempts: int = 0
    """A bit for each attempt asked for and not given back."""
    is_exhausted: bool = False
    """The proposer has no further attempt to offer."""
    is_dead: bool = False
    """Failed too often, or does not apply."""
    failed: Judged | None = None
    """The latest answer that failed here, which whoever is asked again is told of."""
    is_copied: bool = False
    """A freely written program came back that had failed before: showing it brings more of the same."""

    @property
    def value(self) -> float | None:
        """The value of its best child program: the others can be left aside at no cost. None without children."""
        return max((child.value for child in self.children), default=None)

    @property
    def is_closed(self) -> bool:
        """Nothing can be asked here or below any more."""
        return (
            (self.is_dead or self.is_exhausted)
            and not self.in_flight
            and all(child.is_closed for child in self.children)
        )

    def take_attempt(self) -> int:
        """The lowest attempt that is not asked for, now taken."""
        attempt = (~self.attempts & (self.attempts + 1)).bit_length() - 1
        self.attempts |= 1 << attempt
        return attempt

    def give_back(self, attempt: int) -> None:
        """Undo `take_attempt`."""
        self.attempts &= ~(1 << attempt)


class Offer:
    """The transitions at a program that were not asked for yet, with their shares of the prior.

    A run holds one for every program that it looked at, and most of their transitions are never asked for: so they are a row of numbers
    over a tuple that all programs share, and become edges one by one.
    """

    __slots__ = ("shares", "transitions")

    def __init__(self, transitions: Sequence[Transition], shares: Mapping[Transition, float]) -> None:
        self.transitions = transitions
        self.shares = array("f", (shares.get(transition, TAKEN) for transition in transitions))

    def weights(self, factors: Sequence[float]) -> list[float]:
        """Share times factor for every transition on offer, in the order of `transitions`; `TAKEN` for the others."""
        return [share if share < 0 else share * f for share, f in zip(self.shares, factors, strict=True)]

    def blend(self, wanted: Mapping[str, float], weight: float) -> None:
        """Give `weight` of all shares to the techniques that are `wanted`, in these shares."""
        for place, transition in enumerate(self.transitions):
            if self.shares[place] >= 0:
                self.shares[place] = (1 - weight) * self.shares[place] + weight * wanted.get(transition.target, 0.0)

    def withdraw(self, technique: str) -> None:
        """The technique is not on offer any more."""
        for place, transition in enumerate(self.transitions):
            if transition.target == technique:
                self.shares[place] = TAKEN

    def take(self, index: int) -> tuple[Transition, float]:
        """The transition in this place and its share; it is not on offer any more."""
        share, self.shares[index] = self.shares[index], TAKEN
        return self.transitions[index], share

    @property
    def is_empty(self) -> bool:
        return max(self.shares, default=TAKEN) < 0


@dataclass(slots=True, eq=False)
class Node:
    """One correct program, or at the root the task without any."""

    judged: Judged | None
    reward: float
    """In doublings of the yardstick's start; 0 at the root."""
    depth: int
    """Programs on the shortest way from the root."""
    value: float = 0.0
    edges: list[Edge] = field(default_factory=list)
    """The transitions that were asked for here, in the order of the first ask."""
    offer: Offer | None = None
    """None at the root, and until the node is first looked at: what applies to a program is not cheap to know."""
    parents: list[Edge] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    """Techniques that whoever writes said do not apply to this program."""
    is_closed: bool = False
    """Nothing can be asked here or below ever again."""
    is_quiet: bool = False
    """Nothing can be asked here or below until an answer that is out comes back: such a node need not be searched again."""

    def __post_init__(self) -> None:
        self.value = self.reward

    @property
    def visits(self) -> int:
        """Visits of the program: the one that made it, and those that went on from it, also the ones that are out."""
        return 1 + sum(edge.visits + edge.in_flight for edge in self.edges)

    @property
    def asks(self) -> int:
        """Visits that ended here, or are to, and the one that made the program."""
        return 1 + sum(edge.asks for edge in self.edges)

    def ask_for(self, index: int) -> Edge:
        """Make an edge of the transition in this place of the offer."""
        assert self.offer is not None, "only what is on offer can be asked for"
        transition, share = self.offer.take(index)
        edge = Edge(source=self, transition=transition, prior=share)
        self.edges.append(edge)
        return edge

    def wake(self) -> None:
        """An answer came back here: there may be something to ask again, here and so from every way that leads here."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.is_quiet or node is self:
                node.is_quiet = False
                waiting.extend(edge.source for edge in node.parents)

    def adopt(self, edge: Edge) -> bool:
        """Become a child of an edge. False, and nothing changes, where that would make a program its own ancestor."""
        if self.is_above(edge.source):
            return False
        if self not in edge.children:
            edge.children = (*edge.children, self)
            self.parents.append(edge)
            self.depth = min(self.depth, edge.source.depth + 1)
        return True

    def is_above(self, other: "Node") -> bool:
        """Whether `other` is this node or one of its descendants. Looks upwards from `other`: ways up are short, subtrees are not."""
        if not self.edges:
            return self is other
        waiting, seen = [other], {id(other)}
        while waiting:
            node = waiting.pop()
            if node is self:
                return True
            for edge in node.parents:
                if id(edge.source) not in seen:
                    seen.add(id(edge.source))
                    waiting.append(edge.source)
        return False


def task_node() -> Node:
    """The root: the task, with one edge on which first programs are asked for."""
    root = Node(judged=None, reward=0.0, depth=0)
    root.edges.append(Edge(source=root, transition=None))
    return root
