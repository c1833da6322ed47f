import math

import pytest

from regrapht.records.technique import Transition
from regrapht.search.correction import InRunCorrection
from regrapht.search.selection import FAILURE_COST, NARROWEST_RANGE, ValueRange, by_score
from regrapht.search.statistics import Edge, Node


def program(reward: float, *priors: float) -> Node:
    node = Node(judged=None, reward=reward, depth=1)
    node.edges = tuple(
        Edge(source=node, transition=Transition("init", f"t{i}"), prior=prior) for i, prior in enumerate(priors)
    )
    return node


def values(*seen: float) -> ValueRange:
    found = ValueRange()
    for value in seen:
        found.add(value)
    return found


def order(node, seen=(0.0, 4.0), *, exploration=0.5, factor=lambda edge: 1.0):
    return [edge.transition.target for edge in by_score(node, values(*seen), exploration=exploration, factor=factor)]


def with_child(edge: Edge, value: float, visits: int = 1) -> None:
    assert Node(judged=None, reward=value, depth=2).adopt(edge)
    edge.visits = visits


def test_untried_edges_come_in_the_order_of_their_prior():
    assert order(program(1.0, 0.2, 0.5, 0.3)) == ["t1", "t2", "t0"]


def test_the_score_is_puct_with_the_parents_reward_for_untried_edges():
    node = program(1.0, 0.5, 0.3, 0.2)
    with_child(node.edges[2], 3.0, visits=3)
    # N = 1 + 3; t2: 3/4 + .5 * .2 * 2 / 4; t0: 1/4 + .5 * .5 * 2; t1: 1/4 + .5 * .3 * 2
    assert order(node) == ["t2", "t0", "t1"]
    assert order(node, exploration=1.5) == ["t0", "t1", "t2"]


def test_values_are_normalised_over_what_was_correct_and_close_ones_are_not_stretched():
    assert values(1.0, 3.0).normalise(2.0) == pytest.approx(0.5)
    assert values(1.0, 1.0 + NARROWEST_RANGE / 10).normalise(1.0 + NARROWEST_RANGE / 10) == pytest.approx(0.1)
    assert values().normalise(5.0) == 0.0


def test_failures_and_visits_that_are_out_take_a_little():
    node = program(1.0, 0.5, 0.5)
    node.edges[0].failures = node.edges[0].visits = 1
    assert order(node, exploration=0.0) == ["t1", "t0"]
    node.edges[1].in_flight = 2
    assert order(node, exploration=0.0) == ["t0", "t1"]
    assert 0 < FAILURE_COST < NARROWEST_RANGE


def test_closed_edges_are_left_out():
    node = program(1.0, 0.5, 0.3, 0.2)
    node.edges[0].is_dead = node.edges[1].is_exhausted = True
    assert order(node) == ["t2"]
    with_child(node.edges[1], 2.0)
    assert order(node) == ["t1", "t2"], "nothing to ask at t1, but something below it"


def test_what_the_run_sees_moves_the_prior_and_is_bounded():
    seen = InRunCorrection(rate=2.0)
    assert seen.factor("a") == 1.0
    seen.saw_gain("a", gain=1.0, expected=0.5)
    assert seen.factor("a") == pytest.approx(math.exp(2 * 0.5 / 3))
    for _ in range(50):
        seen.saw_gain("a", gain=-9.0, expected=0.5)
    assert seen.factor("a") == pytest.approx(math.exp(-2.5))
    seen.saw_try("b", succeeded=False)
    seen.saw_try("b", succeeded=True)
    assert seen.factor("b") == pytest.approx(4 / 5)
    assert order(program(1.0, 0.5, 0.5), factor=lambda edge: 2.0 if edge.transition.target == "t1" else 1.0) == [
        "t1",
        "t0",
    ]
