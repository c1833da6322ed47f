import numpy as np
import pytest

from regrapht.graph import step_regression
from regrapht.graph.step_regression import Situation, StepRegression

SLUGS = ("first", "tile", "shuffle", "vector")
LOOP = "__global__ void k(int n, const float* a, float* b) { for (int c = 0; c < n; ++c) b[threadIdx.x] += a[c]; }"
TREE = "__global__ void k(float* t) { for (int h = 64; h > 0; h /= 2) { t[threadIdx.x] += t[threadIdx.x + h]; __syncthreads(); } }"


def situation(program, *applied, family="dense_la"):
    return Situation(program=program, reference="void f(int n) {}", applied=applied, family=family)


def regression(times=6):
    seen = [situation(LOOP, "first"), situation(TREE, "first")] * times
    return StepRegression(seen, [("tile", "vector"), ("shuffle",)] * times, SLUGS)


def test_what_followed_alike_programs_is_foreseen():
    learnt = regression()
    assert SLUGS[int(np.argmax(learnt.scores(situation(LOOP, "first"))))] == "tile"
    assert SLUGS[int(np.argmax(learnt.scores(situation(TREE, "first"))))] == "shuffle"


def test_what_followed_later_counts_half():
    scores = regression().scores(situation(LOOP, "first"))
    assert 0 < scores[SLUGS.index("vector")] < scores[SLUGS.index("tile")]


def test_first_steps_and_later_ones_are_apart():
    assert not regression().scores(situation(LOOP)).any()


def test_without_steps_every_score_is_zero():
    assert not StepRegression([], [], SLUGS).scores(situation(LOOP, "first")).any()


def test_tasks_without_a_family_have_none_in_common():
    seen = [situation(LOOP, "first", family=None), situation(TREE, "first", family="scan")]
    learnt = StepRegression(seen, [("tile",), ("shuffle",)], SLUGS)
    nowhere, elsewhere = (learnt.scores(situation(LOOP, "first", family=one)) for one in (None, "image"))
    assert nowhere == pytest.approx(elsewhere)


def test_of_many_steps_some_are_taken_evenly(monkeypatch):
    monkeypatch.setattr(step_regression, "MOST_STEPS", 4)
    learnt = regression(times=6)
    assert SLUGS[int(np.argmax(learnt.scores(situation(LOOP, "first"))))] in SLUGS
    assert len(learnt._seen) <= 4


def test_the_same_steps_give_the_same_scores():
    first, second = regression().scores(situation(TREE, "first")), regression().scores(situation(TREE, "first"))
    assert first.tobytes() == second.tobytes()


def test_an_unknown_technique_among_those_applied_does_not_matter():
    learnt = regression()
    here = learnt.scores(situation(LOOP, "first", "unheard_of"))
    assert np.isfinite(here).all()
