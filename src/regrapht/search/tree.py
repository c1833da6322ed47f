"""A plain search tree, for the baselines that are Monte Carlo tree searches: no transpositions, sums that go up one path."""

from dataclasses import dataclass, field

from regrapht.records.proposal import Judged


@dataclass(slots=True, eq=False)
class TreeNode:
    """A place in the tree; at the root the task, elsewhere what one request gave."""

    parent: "TreeNode | None"
    depth: int = 0
    action: str = ""
    """What it was asked for with."""
    attempt: int = 0
    """How often that was asked for at its parent before."""
    judged: Judged | None = None
    """None at the root, and while nothing was answered."""
    children: list["TreeNode"] = field(default_factory=list)
    visits: int = 0
    out: int = 0
    """Visits that are out."""
    total: float = 0.0
    """Sum of the values of its visits."""
    is_closed: bool = False
    """Nothing can be asked for here or below any more."""

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0

    def way(self) -> tuple["TreeNode", ...]:
        """The nodes from the root to this one."""
        return (*self.parent.way(), self) if self.parent is not None else (self,)

    def begin_visit(self) -> None:
        """Virtual loss on the way to this node."""
        for node in self.way():
            node.out += 1

    def end_visit(self, value: float) -> None:
        """A visit of this node has told its value."""
        for node in self.way():
            node.out -= 1
            node.visits += 1
            node.total += value

    def withdraw_visit(self) -> None:
        """A visit that told nothing."""
        for node in self.way():
            node.out -= 1
