"""Values from the leaves to the root, recomputed from children and never incremented.

    max:   V(p) = max(reward(p), max over edges of Q(p, t))
    mean:  V(p) = (reward(p) + sum of n(p, t) Q(p, t)) / (1 + sum of n(p, t))

`Q(p, t)` is the value of the best program that transition `t` gave at `p`. Applying this again changes nothing, whatever the order of
visits was: see the docstring of `statistics` for why increments would go wrong in a graph.
"""

from collections import deque
from enum import StrEnum

from regrapht.search.statistics import Edge, Node


class Backup(StrEnum):
    """How a program's value follows from its children's."""

    MAX = "max"
    MEAN = "mean"


def backpropagate(path: tuple[Edge, ...], backup: Backup) -> None:
    """Recompute the programs along a path, last first, and every ancestor of one whose value changed."""
    waiting = deque(edge.source for edge in reversed(path))
    while waiting:
        node = waiting.popleft()
        value = node_value(node, backup)
        if value != node.value:
            node.value = value
            waiting.extend(edge.source for edge in node.parents if edge.source not in waiting)


def node_value(node: Node, backup: Backup) -> float:
    """The value of a program by its own reward and its edges."""
    tried = [(edge.visits, value) for edge in node.edges if (value := edge.value) is not None]
    if backup == Backup.MAX:
        return max([node.reward, *(value for _, value in tried)])
    return (node.reward + sum(n * value for n, value in tried)) / (1 + sum(n for n, _ in tried))
