import math

import pytest

from regrapht.records.technique import Transition
from regrapht.search.correction import InRunCorrection
from regrapht.search.selection import FAILURE_COST, NARROWEST_RANGE, ValueRange, by_score
from regrapht.search.statistics import Edge, Node, Offer


class Factors:
    """Stands for what a run has seen: a factor by technique, 1 for the others."""

    def __init__(self, **seen: float) -> None:
        self.seen = seen
        self.row = [seen.get(f"t{i}", 1.0) for i in range(9)]

    def of(self, edge: Edge) -> float:
        return self.seen.get(edge.transition.target, 1.0)


def program(reward: float, *priors: float) -> Node:
    """A node all of whose transitions were asked for."""
    node = Node(judged=None, reward=reward, depth=1)
    node.edges = [
        Edge(source=node, transition=Transition("init", f"t{i}"), prior=prior) for i, prior in enumerate(priors)
    ]
    return node


def fresh(reward: float, *priors: float) -> Node:
    """A node none of whose transitions was asked for."""
    row = tuple(Transition("init", f"t{i}") for i in range(9))
    return Node(judged=None, reward=reward, depth=1, offer=Offer(row, dict(zip(row, priors, strict=False))))


def values(*seen: float) -> ValueRange:
    found = ValueRange()
    for value in seen:
        found.add(value)
    return found


NONE = Factors()


def order(node, seen=(0.0, 4.0), *, exploration=0.5, factors=NONE):
    found = by_score(node, values(*seen), exploration=exploration, factors=factors)
    return [edge.transition.target for edge in found]


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


def test_failures_take_a_little():
    node = program(1.0, 0.5, 0.5)
    node.edges[0].failures = node.edges[0].visits = 1
    assert order(node, exploration=0.0) == ["t1", "t0"]
    assert 0 < FAILURE_COST < NARROWEST_RANGE


def test_visits_that_are_out_count_as_visits_and_take_no_value():
    node = program(1.0, 0.5, 0.5)
    with_child(node.edges[0], 2.0, visits=1)
    with_child(node.edges[1], 1.9, visits=1)
    node.edges[0].in_flight = 7
    assert order(node, exploration=0.0) == ["t0", "t1"]
    # N = 1 + 1 + 1 + 7; t0: 1/4 + .25 * .5 * 3.16 / 9; t1: 0.9/4 + .25 * .5 * 3.16 / 2
    assert order(node, exploration=0.25) == ["t1", "t0"]


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
    assert order(program(1.0, 0.5, 0.5), factors=Factors(t1=2.0)) == ["t1", "t0"]


def test_of_what_is_on_offer_only_the_likeliest_becomes_an_edge_and_only_when_its_turn_comes():
    node = fresh(1.0, 0.2, 0.5, 0.3)
    turns = by_score(node, values(0.0, 4.0), exploration=0.5, factors=NONE)
    assert not node.edges
    assert next(turns).transition.target == "t1" and [edge.prior for edge in node.edges] == [0.5]
    assert order(fresh(1.0, 0.2, 0.5, 0.3), factors=Factors(t0=9.0)) == ["t0"]


@pytest.mark.parametrize("child", [0.0, 0.9, 1.0, 1.2, 3.0])
def test_an_offer_scores_as_edges_that_were_never_asked_for_would(child):
    whole, sparse = program(1.0, 0.5, 0.3, 0.2), fresh(1.0, 0.5, 0.3, 0.2)
    asked = sparse.ask_for(0)
    for edge in (whole.edges[0], asked):
        with_child(edge, child, visits=2)
    first = order(whole, factors=Factors(t2=1.1))[0]
    assert order(sparse, factors=Factors(t2=1.1))[0] == first


def test_an_offer_is_used_up():
    node = fresh(1.0, 0.6, 0.4)
    assert [node.ask_for(i).transition.target for i in (1, 0)] == ["t1", "t0"]
    assert node.offer.is_empty and order(node) == ["t0", "t1"]
