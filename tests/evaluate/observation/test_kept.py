"""What a judge found against loops taken as parallel is remembered, for the program and the task that it was found of."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from regrapht.errors import CannotTransform
from regrapht.evaluate.observation.kept import KeptRuns, remember_refuted
from regrapht.records.verdict import Status
from regrapht.transform.engine import Engine
from regrapht.transform.rules.decisions import decisions_to_json
from regrapht.transform.verbatim.steps import first_decision

from .test_watched_run import task_of

SORTED = """#include <algorithm>
void f(int n, const float* x, float* y) {
    for (int i = 0; i < n; ++i) { float two[2] = {x[i], 1.0f}; std::sort(two, two + 2); y[i ^ 0] = two[0]; }
}
"""


def candidate_of(task, kept, **changes):
    from regrapht.propose.transform_engine import TransformProposer

    return replace(TransformProposer(observer=kept).plain(task), **changes)


@pytest.fixture
def kept(tmp_path):
    return KeptRuns(folder=tmp_path)


def test_a_refuted_program_is_not_made_again(kept, tmp_path):
    task = task_of(SORTED)
    candidate = candidate_of(task, kept)
    verdict = SimpleNamespace(status=Status.RACE, reason="two threads wrote y[3]\nmore")
    remember_refuted(task, candidate, verdict, folder=tmp_path)
    with pytest.raises(
        CannotTransform, match=r"independent was observed, and the judge found RACE: two threads wrote y\[3\] \(delete "
    ):
        Engine(kept).plain(task)
    other = replace(task, check_sizes=({"n": 9}, {"n": 90}))
    assert Engine(kept).plain(other) == (first_decision(),), "of another task nothing was found"


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, Status.BUILD_FAILED),
        ({}, Status.PASSED),
        ({"independence": None}, Status.RACE),
        ({"origin": None}, Status.RACE),
    ],
)
def test_what_refutes_nothing(kept, tmp_path, changes, status):
    """Another fault than meeting, a proved program, and a text that a person may have changed."""
    task = task_of(SORTED)
    candidate = candidate_of(task, kept)
    if "origin" in changes:
        changes = {"origin": replace(candidate.origin, decisions=None)}
    assert candidate.origin.decisions == decisions_to_json((first_decision(),))
    remember_refuted(task, replace(candidate, **changes), SimpleNamespace(status=status, reason="r"), folder=tmp_path)
    assert Engine(kept).plain(task) == (first_decision(),)
