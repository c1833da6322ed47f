"""Which dimension of an output is said to be missing, for kinds of programs that leave elements unwritten."""

from dataclasses import replace

import pytest

from regrapht.prompts.render import render
from regrapht.prompts.unwritten_hints import unwritten_hints
from regrapht.records.expression import Expression
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.verdict import Stage, StageName, StageOutcome, Status

REASON = "y: wrong in the last 4 of 8 elements; first at y{place}; elements are left that were never written, at n=2"
INDICES = "int c = threadIdx.x, r = threadIdx.y; int s = threadIdx.z;\n"
GUARD = INDICES + "if (c >= cols || r >= rows || s >= slices) return;\n"


def volume(task, *shape):
    return replace(
        task,
        args=tuple(replace(arg, shape=tuple(map(Expression, shape))) if arg.name == "y" else arg for arg in task.args),
    )


def hint(task, verdict, source, *, place="[1][1][0]", shape=("slices", "rows", "cols")):
    (one,) = unwritten_hints(volume(task, *shape), replace(verdict, reason=REASON.format(place=place)), source)
    return one


@pytest.fixture
def verdict(refused):
    built = Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=1.0)
    return replace(refused(1, "x").verdict, status=Status.UNWRITTEN, stages=(built,))


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ("y[r * cols + c] = 1;", "`s`"),
        ("if (day + kSick < slices || kMost < slices) return; y[r * cols + c] = 1;", "`s`"),  # neither counts
        ("const int p = r * cols + c; y[p] = 1;", "`s`"),
        ("int p = (s * rows + r) * cols; y[p] = 1;", "`c`"),
        ("float* row = y + s * rows * cols; row[c] = 1;", "`r`"),
        ("float* at = y; at[s * cols + c] += 1;", "`r`"),
        ("for (int t = 0; t < slices; ++t) sum += t; y[r * cols + c] = sum_of(r);", "`s` or `t`"),
    ],
)
def test_the_counter_that_no_index_uses_is_named(task, verdict, body, missing):
    said = hint(task, verdict, GUARD + body)
    assert f"No index of it in the program uses {missing}, which counts dimension" in said
    assert "`y[(i1 * rows + i2) * cols + i3]`" in said and "y[slices][rows][cols]" in said


@pytest.mark.parametrize(
    "body",
    [
        "y[(s * rows + r) * cols + c] = 1;",
        "int p = s * rows; p += r; p *= cols; p += c; y[p] = 1;",
        "float* slice = y + s * rows * cols; float* row = slice + r * cols; row[c] = 1;",
    ],
)
def test_an_index_that_has_all_is_not_blamed(task, verdict, body):
    said = hint(task, verdict, GUARD + body)
    assert "No index" not in said and "Each place of each dimension" in said


def test_a_dimension_of_a_fixed_length_is_told_by_the_first_place(task, verdict):
    said = hint(task, verdict, "y[r * cols + c] = 1;", place="[1][0][0]", shape=("4", "rows", "cols"))
    assert "at 1 of dimension 1 (of length `4`)" in said


def test_nothing_is_said_of_what_has_one_dimension_or_failed_otherwise(task, verdict):
    told = replace(verdict, reason=REASON.format(place="[3]"))
    assert unwritten_hints(volume(task, "n"), told, "y[0] = 1;") == []
    assert unwritten_hints(volume(task, "n", "n"), replace(told, status=Status.CRASHED), "y[0] = 1;") == []


def test_a_repair_is_told(task, refused, verdict):
    parent = refused(1, INDICES + "if (r >= rows || c >= cols) return;\ny[c] = 1;")
    parent = replace(
        parent, verdict=replace(verdict, candidate_id=parent.verdict.candidate_id, reason=REASON.format(place="[1][0]"))
    )
    prompt = render(volume(task, "rows", "cols"), Proposal(id=2, kind=ProposalKind.REPAIR, parent=parent))
    assert "uses `r`, which counts dimension 1 (of length `rows`)" in prompt.messages[1].text
