"""Made-up tasks: what makes them hard is there, and everything follows from the seed."""

import random

import pytest
from study.landscape.world_table import WorldTable, world_graph
from study.landscape.worlds import PLAIN_STATE, TECHNIQUES, World, as_state, as_text, slug


@pytest.fixture(scope="module")
def task():
    return World.draw(3).task(2, 1)


def state_of(*techniques, level=2):
    return tuple(level if t in techniques else 0 for t in range(TECHNIQUES))


def test_a_world_follows_from_its_seed(task):
    again = World.draw(3).task(2, 1)
    assert again == task and World.draw(4) != task.world
    drawn = [as_state(as_text(state_of(*random.Random(n).sample(range(TECHNIQUES), 5)))) for n in range(50)]
    assert list(again.gains(drawn)) == list(task.gains(drawn)) and task.gain(PLAIN_STATE) == 0.0
    assert task.gain(drawn[7]) == task.gains(drawn)[7]  # one at a time and together are the same


def test_order_matters_where_something_is_needed_and_not_elsewhere(task):
    later, opener = next(iter(task.world.needs.items()))
    one_way = task.after(task.after(PLAIN_STATE, opener, poor=False), later, poor=False)
    other_way = task.after(task.after(PLAIN_STATE, later, poor=False), opener, poor=False)
    assert one_way != other_way  # applied first, the later one is wasted
    assert task.after(other_way, later, poor=False) == one_way  # and is mended by applying it again
    free = [t for t in range(TECHNIQUES) if t not in task.world.needs][:2]
    ways = [task.after(task.after(PLAIN_STATE, a, poor=False), b, poor=False) for a, b in (free, reversed(free))]
    assert ways[0] == ways[1]


def test_more_of_the_same_costs_more_than_it_gains(task):
    assert task.gain(state_of(*range(TECHNIQUES))) < task.best_gain / 2


def test_no_random_walk_beats_the_optimum(task):
    """The beam's optimum is an estimate: if walks that climb could pass it, shares of it would mean nothing."""
    for seed in range(8):
        chance, state = random.Random(seed), PLAIN_STATE
        for _ in range(14):
            ahead = [task.after(state, t, poor=False) for t in chance.sample(range(TECHNIQUES), 12)]
            state = max(ahead, key=task.gain)
        assert task.gain(state) <= task.best_gain + 1e-9, f"seed {seed}"


def test_a_table_tells_a_search_what_a_model_would_know(task):
    table = WorldTable(task)
    first = table.first(0)
    assert first is not None and table.first(1) is None and table.gain(first.program) == 0.0
    fits = [table.fits(first.program, technique) for technique in table.techniques(first.program)]
    assert set(fits) == {True, None} and len(fits) == TECHNIQUES  # nothing is known not to apply
    ways = {table.way(first.program, slug(0), attempt) for attempt in range(40)}
    assert len(ways) == 2  # a good and a poor one
    assert table.best_gain == task.best_gain > 0.5


def test_the_graph_is_learnt_on_other_tasks_and_shuffling_keeps_only_its_shape():
    graph, shuffled = world_graph(3, 40), world_graph(3, 40, shuffled=True)
    assert all(path.task_id.startswith("expert-") for path in graph.paths) and 30 < len(graph.paths) <= 40
    assert [len(path.slugs) for path in graph.paths] == [len(path.slugs) for path in shuffled.paths]
    assert graph.paths != shuffled.paths and set(graph.techniques) == set(shuffled.techniques)
    gains = [speedup for path in graph.paths for speedup in path.speedups or ()]
    assert sum(gain > 1 for gain in gains) > 0.6 * len(gains)  # experts are right more often than not
