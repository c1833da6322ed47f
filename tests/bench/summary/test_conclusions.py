"""What is said of methods: only what a paired test shows, whichever way round, and why nothing is shown where nothing is."""

import pytest

from regrapht.bench.experiment.results import Improvement, TaskRef
from regrapht.bench.summary.comparable import Comparable
from regrapht.bench.summary.conclusions import compare_all, conclude, holm
from regrapht.records.measurement import Scale


def tasks(count):
    return tuple(
        TaskRef(id=f"task{i}", content_hash=str(i), family="scan", tier="easy", inside_engine=True)
        for i in range(count)
    )


@pytest.fixture
def said(make_experiment, make_cell):
    """The conclusion of an experiment with one seed in which a method's program at a task is so many times as fast."""

    def conclusion(speeds, count, **more):
        cells = [make_cell(method, i, 0, speedup=of(i), **more) for method, of in speeds.items() for i in range(count)]
        experiment = make_experiment(methods=tuple(speeds), seeds=1, tasks=tasks(count))
        view = Comparable(experiment, cells)
        return conclude(view, compare_all({method: view.rewards(method) for method in speeds}))

    return conclusion


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0] and holm([]) == [] and holm([0.02]) == [0.02]


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_a_method_that_is_faster_everywhere_is_better_whatever_the_order(said, order):
    speeds = {"a": lambda i: 4.0 + i % 3, "b": lambda i: 2.0}
    (sentence,) = said({name: speeds[name] for name in order}, 20)
    assert sentence.startswith("a is better than b: its mean measured reward is 0.")
    assert "over 20 tasks" in sentence and "wins 20 of them, loses 0" in sentence and "corrected" not in sentence


def test_equal_methods_are_not_told_apart(said):
    (sentence,) = said({"a": lambda i: 2.0, "b": lambda i: 2.0}, 20)
    assert sentence == "No difference is shown between a and b: they are level at all 20 tasks."


def test_a_method_ahead_at_half_of_the_tasks_is_not_better(said):
    (sentence,) = said({"a": lambda i: 4.0 if i % 2 else 2.0, "b": lambda i: 2.0 if i % 2 else 4.0}, 20)
    assert sentence.startswith("No difference is shown between") and "too few" not in sentence


def test_few_tasks_show_nothing_however_large_the_difference(said):
    (sentence,) = said({"a": lambda i: 90.0, "b": lambda i: 1.1}, 4)
    assert (
        "No difference is shown" in sentence
        and "differ at 4 tasks, too few to show anything: p cannot be below 0.125" in sentence
    )


def test_solving_more_is_better_and_told(said):
    (sentence,) = said({"a": lambda i: 2.0, "b": lambda i: 2.0 if i < 5 else None}, 20)
    assert "a is better than b" in sentence and "a passes in 100 % of its runs, b in 25 %" in sentence


def test_several_methods_are_corrected_for_and_many_have_a_sentence_each(said):
    three = said({"a": lambda i: 8.0, "b": lambda i: 4.0, "c": lambda i: 4.0}, 20)
    assert len(three) == 3 and sum("is better than" in sentence for sentence in three) == 2
    assert all("corrected for 3 comparisons" in sentence for sentence in three if "better" in sentence)
    four = said({name: lambda i, k=k: 2.0 ** (1 + k) for k, name in enumerate("abcd")}, 20)
    assert len(four) == 6, "a sentence a comparison"
    many = said({name: lambda i, k=k: 2.0 + k // 2 for k, name in enumerate("uvwxyz")}, 20)
    assert len(many) == 5, many
    assert many[-1].startswith("No difference is shown between") and many[-1].count(" and ") == 3
    assert sum(sentence.startswith("z is better than") for sentence in many) == 1


def test_many_methods_that_are_not_told_apart_have_one_short_sentence(said):
    (sentence,) = said({name: lambda i: 2.0 + 1e-6 * (i % 2) for name in "tuvwxyz"}, 20)
    assert sentence.startswith("No difference is shown between any two of the methods; the largest is that of ")
    (sentence,) = (
        one
        for one in said({name: lambda i, k=k: 4.0 if k == 6 else 2.0 for k, name in enumerate("tuvwxyz")}, 20)
        if "No" in one
    )
    assert "between the two of 15 other pairs" in sentence, sentence


def test_who_is_sooner_is_told_where_all_end_alike(make_experiment, make_cell):
    def first_at(judged):
        return (Improvement(judged=judged, reward=0.5, figure=1.0, seconds=1.0, tokens=0),)

    sooner = {"a": lambda i: 1 + i % 2, "b": lambda i: 9}
    cells = [make_cell(m, i, 0, improvements=first_at(at(i))) for m, at in sooner.items() for i in range(20)]
    view = Comparable(make_experiment(methods=("b", "a"), seeds=1, tasks=tasks(20)), cells)
    by_the_end = compare_all({method: view.rewards(method) for method in sooner})
    at_the_end, before = conclude(view, by_the_end, compare_all({m: view.anytime_rewards(m) for m in sooner}))
    assert at_the_end.startswith("No difference is shown between")
    assert before.startswith("With fewer candidates") and "a than b (by 0.1" in before
    assert conclude(view, by_the_end, by_the_end) == (at_the_end,), "nothing is said twice"


def test_what_is_modelled_is_said_to_be(said):
    sentences = said(
        {"a": lambda i: 4.0, "b": lambda i: 2.0}, 20, scale=Scale.MODELLED, speedups={}, floor_fraction=None
    )
    assert "modelled reward" in sentences[0] and "Nothing was timed" in sentences[-1]


def test_nothing_to_compare(said, make_experiment):
    assert "nothing to compare" in said({"a": lambda i: 4.0}, 20)[0]
    assert "One task says nothing of others" in said({"a": lambda i: 4.0, "b": lambda i: 2.0}, 1)[0]
    assert "No cell is done yet, of" in conclude(Comparable(make_experiment(), []), ())[0]
