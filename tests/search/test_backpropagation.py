"""Values on graphs with transpositions against an independent brute force, which knows nothing of incremental updates."""

import random

import pytest

from regrapht.records.technique import Transition
from regrapht.search.backpropagation import Backup, backpropagate
from regrapht.search.statistics import Edge, Node, task_node


def brute_force(node: Node, backup: Backup) -> float:
    """The definition, by recursion from the node down."""
    tried = [(e.visits, max(brute_force(c, backup) for c in e.children)) for e in node.edges if e.children]
    if backup is Backup.MAX:
        return max([node.reward] + [value for _, value in tried])
    return (node.reward + sum(n * value for n, value in tried)) / (1 + sum(n for n, _ in tried))


def node(reward: float) -> Node:
    return Node(judged=object(), reward=reward, depth=1)


def connect(parent: Node, child: Node, *, visits: int = 1) -> Edge:
    edge = Edge(source=parent, transition=Transition("init", f"t{len(parent.edges)}"), visits=visits)
    parent.edges.append(edge)
    assert child.adopt(edge)
    return edge


@pytest.mark.parametrize("backup", Backup)
def test_a_transposition_and_its_values_by_hand(backup):
    root, left, right, shared = task_node(), node(1.0), node(2.0), node(5.0)
    first = root.edges[0]
    assert left.adopt(first) and right.adopt(first)
    first.visits = 4
    by_left, by_right = connect(left, shared), connect(right, shared, visits=3)
    backpropagate((first, by_left), backup)
    backpropagate((first, by_right), backup)
    if backup is Backup.MAX:
        assert (left.value, right.value, root.value) == (5, 5, 5)
    else:
        assert left.value == (1 + 5) / 2
        assert right.value == (2 + 3 * 5) / 4
        assert root.value == (0 + 4 * 4.25) / 5
    assert shared.parents == [by_left, by_right]


@pytest.mark.parametrize("backup", Backup)
@pytest.mark.parametrize("seed", range(20))
def test_values_equal_the_brute_force_on_random_graphs(seed, backup):
    chance = random.Random(seed)
    root = task_node()
    nodes, ways = [root], {id(root): ()}
    for _ in range(40):
        parent = chance.choice(nodes)
        if chance.random() < 0.3 and len(nodes) > 3:
            child = chance.choice(nodes[1:])
        else:
            child = node(chance.gauss(0, 1))
        edge = Edge(source=parent, transition=Transition("init", f"t{len(parent.edges)}"))
        known = child in nodes
        if not child.adopt(edge):
            assert parent is child or known
            continue
        parent.edges.append(edge)
        path = (*ways[id(parent)], edge)
        if not known:
            nodes.append(child)
            ways[id(child)] = path
        for step in path:
            step.visits += 1
        backpropagate(path, backup)
    for found in nodes:
        assert found.value == pytest.approx(brute_force(found, backup)), f"seed {seed}"
    before = [found.value for found in nodes]
    for found in nodes[1:]:
        backpropagate(ways[id(found)], backup)
    assert [found.value for found in nodes] == before, "applying it again changes nothing"


def test_a_program_is_never_its_own_ancestor():
    top, middle, bottom = node(0), node(1), node(2)
    connect(top, middle)
    connect(middle, bottom)
    back = Edge(source=bottom, transition=Transition("a", "b"))
    assert not top.adopt(back) and not bottom.adopt(back)
    assert back.children == () and top.parents == []


def test_attempts_are_taken_lowest_first():
    edge = Edge(source=node(0), transition=None)
    assert [edge.take_attempt() for _ in range(3)] == [0, 1, 2]
    edge.give_back(1)
    assert [edge.take_attempt(), edge.take_attempt()] == [1, 3]
