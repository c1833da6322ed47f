"""What a search knows of its own run: programs as nodes, (program, transition) as edges, visits on the edges.

Two ways to one program lead to one node, so the nodes form a graph; a program is never its own ancestor, so the graph has no cycle. Visits
belong to edges and values are recomputed from children, never added up: a node that two parents share would otherwise be counted for
ways it was not visited by ("Monte-Carlo Graph Search", KataGo's note on graph search; Czech et al. 2020, arXiv 2012.11045).
"""

from dataclasses import dataclass, field

from regrapht.records.proposal import Judged
from regrapht.records.technique import Transition


@dataclass(slots=True, eq=False)
class Edge:
    """One transition at one program, with the programs it led to."""

    source: "Node"
    transition: Transition | None
    """None on the one edge that leaves the task itself: the request for a first program."""
    prior: float = 1.0
    visits: int = 0
    in_flight: int = 0
    """Visits that are out and not answered yet: virtual loss."""
    asks: int = 0
    """Visits that ended here, or are to; the others went on to a child."""
    failures: int = 0
    """Visits that ended without a correct program, recoveries included."""
    children: list["Node"] = field(default_factory=list)
    attempts: set[int] = field(default_factory=set)
    """Attempts asked for and not abandoned."""
    is_exhausted: bool = False
    """The proposer has no further attempt to offer."""
    is_dead: bool = False
    """Failed too often, or does not apply."""

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
        attempt = next(number for number in range(len(self.attempts) + 1) if number not in self.attempts)
        self.attempts.add(attempt)
        return attempt


@dataclass(slots=True, eq=False)
class Node:
    """One correct program, or at the root the task without any."""

    judged: Judged | None
    reward: float
    """In doublings of the yardstick's start; 0 at the root."""
    depth: int
    """Programs on the shortest way from the root."""
    value: float = 0.0
    edges: tuple[Edge, ...] | None = None
    """None until the node is first looked at: what applies to a program is not cheap to know."""
    parents: list[Edge] = field(default_factory=list)
    is_closed: bool = False

    def __post_init__(self) -> None:
        self.value = self.reward

    def adopt(self, edge: Edge) -> bool:
        """Become a child of an edge. False, and nothing changes, where that would make a program its own ancestor."""
        if self.reaches(edge.source):
            return False
        if self not in edge.children:
            edge.children.append(self)
            self.parents.append(edge)
            self.depth = min(self.depth, edge.source.depth + 1)
        return True

    def reaches(self, other: "Node") -> bool:
        """Whether `other` is this node or one of its descendants."""
        waiting, seen = [self], {id(self)}
        while waiting:
            node = waiting.pop()
            if node is other:
                return True
            for edge in node.edges or ():
                for child in edge.children:
                    if id(child) not in seen:
                        seen.add(id(child))
                        waiting.append(child)
        return False


def task_node() -> Node:
    """The root: the task, with one edge on which first programs are asked for."""
    root = Node(judged=None, reward=0.0, depth=0)
    root.edges = (Edge(source=root, transition=None),)
    return root
