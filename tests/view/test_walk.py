"""A run as rows and as a tree: numbers, gains, repeats, the way to the best, and what comes later."""

from regrapht.records.measurement import Scale, Yardstick
from regrapht.store.reader import StepLine
from regrapht.view.walk import BEST, PASSED, REFUSED, Walk

YARDSTICK = Yardstick(scale=Scale.MODELLED, start=100.0, floor=1.0, start_name="plain")


def line(sequence, candidate, parent=None, *, cost=None, status="PASSED", program=None, choice=False):
    return StepLine(
        sequence=sequence, proposal=sequence, kind="apply", candidate=candidate, program=program or candidate, parent=parent,
        technique=f"t{sequence}" if parent else None, techniques=(), status=status, reason="why", modelled_cost=cost, time_us=None,
        proposer="transform", tokens=0, is_choice=choice,
    )  # fmt: skip


def test_a_walk_numbers_gains_and_repeats():
    walk = Walk(YARDSTICK)
    walk.take(
        [
            line(2, "a", cost=100.0),
            line(4, "c", "a", choice=True),
            line(6, "b", "a", cost=25.0),
            line(8, "x", "b", status="RACE"),
        ]
    )
    (late,) = walk.take([line(10, "again", "a", cost=25.0, program="b")])
    assert [step.number for step in walk.steps] == [1, 2, 3, 4] and walk.last_sequence == 10
    assert [step.gain for step in walk.steps] == [1.0, 4.0, None, 4.0]
    assert walk.best.number == 2 and walk.way(walk.best) == [1, 2] and walk.way(walk.steps[2]) == [1, 2, 3]
    assert late.same_as == 2 and walk.rows([late])[0]["reason"] == "as #2: why"
    assert walk.unit == "x lower modelled cost than plain"


def test_the_tree_opens_on_the_way_to_the_best():
    walk = Walk(YARDSTICK)
    walk.take(
        [
            line(1, "a", cost=100.0),
            line(2, "b", "a", cost=50.0),
            line(3, "c", "a", cost=20.0),
            line(4, "d", "b", status="RACE"),
        ]
    )
    first, second, third = (tree := walk.tree("task"))["children"][0], *tree["children"][0]["children"]
    assert tree["name"] == "task" and first["collapsed"] is False and first["itemStyle"]["color"] == BEST
    assert (
        second["collapsed"] is True
        and "itemStyle" not in second
        and second["children"][0]["itemStyle"]["color"] == REFUSED
    )
    assert third["itemStyle"]["color"] == BEST and "children" not in third and third["name"] == "#3 t3 5.00 x"
    assert len({BEST, PASSED, REFUSED}) == 3


def test_the_best_is_the_last_of_its_siblings_whenever_it_was_judged():
    walk = Walk(YARDSTICK)
    walk.take([line(1, "a", cost=100.0), line(2, "b", "a", cost=20.0), line(3, "c", "a", cost=50.0)])
    walk.take([line(4, "d", "c", cost=40.0), line(5, "e", "b", cost=10.0), line(6, "f", "b", status="RACE")])
    below = walk.tree("task")["children"][0]["children"]
    assert [node["value"] for node in below] == [3, 2] and [node["value"] for node in below[1]["children"]] == [6, 5]


def test_a_run_without_yardstick_has_no_gains():
    walk = Walk(None)
    walk.take([line(1, "a", cost=3.0)])
    assert walk.best is None and walk.way(None) == [] and walk.tree("t")["children"][0]["name"].endswith("PASSED")
