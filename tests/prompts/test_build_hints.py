"""What is added to a compiler's errors: where undefined names come from, and what a kernel's arrays cannot be."""

import dataclasses

import pytest

from regrapht.prompts.build_hints import build_hints
from regrapht.prompts.render import RenderSettings, render
from regrapht.records.proposal import Proposal, ProposalKind

REFERENCE = "void scale(int n, float a, const float* x, float* y) { std::vector<float> held(n); for (int i = 0; i < n; ++i) {} }"
ERRORS = {
    "nvcc": 'candidate.cu(3): error: identifier "held" is undefined',
    "clang": "candidate.cu:3:5: error: use of undeclared identifier 'held'",
    "g++": "candidate.cu:3:5: error: 'held' was not declared in this scope",
}


@pytest.fixture
def with_a_local(task):
    source = dataclasses.replace(task.reference.source, text=REFERENCE)
    return dataclasses.replace(task, reference=dataclasses.replace(task.reference, source=source))


@pytest.mark.parametrize("compiler", ERRORS)
def test_a_local_of_the_sequential_code_is_said_to_be_one(compiler, with_a_local):
    (hint,) = build_hints(with_a_local, f"{ERRORS[compiler]}\n{ERRORS[compiler]}")
    assert hint.count("`held`") == 1 and "cudaMalloc" in hint


def test_an_array_has_a_constant_length(with_a_local):
    (hint,) = build_hints(with_a_local, "candidate.cu(5): error: expression must have a constant value")
    assert "constant length" in hint


@pytest.mark.parametrize("feedback", ['error: identifier "other" is undefined', "error: expected a ;", ""])
def test_nothing_is_added_where_nothing_is_known(feedback, with_a_local):
    assert build_hints(with_a_local, feedback) == []


@pytest.mark.parametrize("show", [True, False])
def test_a_repair_has_it_where_the_reference_is_shown(show, with_a_local, refused):
    proposal = Proposal(id=2, kind=ProposalKind.REPAIR, parent=refused(1, "code", feedback=ERRORS["nvcc"]))
    text = render(with_a_local, proposal, settings=RenderSettings(show_reference=show)).messages[1].text
    assert ("The sequential code declares `held`" in text) is show
