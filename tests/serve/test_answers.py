"""Answers keep to their length whatever they hold, and tell kinds of failure apart."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.serve.answers import MOST_BYTES, error_answer, fitted

VALUES = st.recursive(
    st.none() | st.integers(-(10**6), 10**6) | st.text(max_size=4000),
    lambda inside: st.lists(inside, max_size=30) | st.dictionaries(st.text(max_size=8), inside, max_size=5),
    max_leaves=40,
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=8), VALUES, max_size=6))
def test_any_answer_fits(answer):
    short = fitted({"outcome": "passed", **answer}, detail=False)
    if any(isinstance(value, dict | list) or not isinstance(value, str) for value in answer.values()):
        return  # nested objects may hold more keys than fit: tools never make such
    assert len(json.dumps(short, ensure_ascii=False).encode()) <= MOST_BYTES


def test_a_long_text_is_cut_and_said_so():
    short = fitted({"outcome": "refused", "feedback": "é" * 5000, "status": "WRONG_VALUE"}, detail=False)
    assert len(json.dumps(short, ensure_ascii=False).encode()) <= MOST_BYTES
    assert short["status"] == "WRONG_VALUE" and short["feedback"].endswith(" …") and "detail=true" in short["shortened"]


def test_a_long_list_loses_its_end():
    short = fitted({"count": 900, "tasks": [f"task_{i}" for i in range(900)]}, detail=False)
    assert short["tasks"][0] == "task_0" and 50 < len(short["tasks"]) < 900 and short["count"] == 900


def test_detail_is_never_cut():
    whole = {"feedback": "x" * 10_000}
    assert fitted(whole, detail=True) == whole


@pytest.mark.parametrize(
    ("error", "outcome", "kind"),
    [
        (ConfigError("give 1"), "error", "ConfigError"),
        (EvaluatorUnavailable("away"), "machine_unavailable", "EvaluatorUnavailable"),
        (ZeroDivisionError("secret"), "error", "internal"),
    ],
)
def test_faults_are_told_apart(error, outcome, kind):
    answer = error_answer(error)
    assert (answer["outcome"], answer["error"]["kind"]) == (outcome, kind)
    assert "secret" not in answer["error"]["message"]
