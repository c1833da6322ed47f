"""A candidate's decisions make the same text again, in another process's engine as well."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.errors import SchemaError
from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.engine import Engine
from regrapht.transform.rules import RULES
from regrapht.transform.rules.application import DoesNotApply, choices
from regrapht.transform.rules.decisions import Decision, decisions_from_json, decisions_to_json

NAMES = (
    "gemm_strided_ld",
    "box_filter",
    "layer_norm",
    "histogram_bytes",
    "transpose_bytes",
    "power_iteration",
    "saxpy",
)
ENGINE = Engine()


@settings(max_examples=12, deadline=None, derandomize=True)
@given(data=st.data())
def test_decisions_make_the_same_text_again(data, read_input):
    task = read_input(data.draw(st.sampled_from(NAMES), label="input"))
    decisions = decisions_from_json(TransformProposer().plain(task).origin.decisions)
    for _ in range(data.draw(st.integers(0, 3), label="rules")):
        fitting = [found for rule in RULES if (found := choices(ENGINE.program(task, decisions), rule))]
        if not fitting:
            break
        ways = data.draw(st.sampled_from(fitting))
        decisions = (*decisions, data.draw(st.sampled_from(ways)).decision)
    text = ENGINE.text(task, decisions)
    again = decisions_from_json(decisions_to_json(decisions))
    assert again == decisions and decisions_to_json(again) == decisions_to_json(decisions)
    assert Engine().text(task, again) == text
    rebuilt = TransformProposer(seed=3).rebuild(task, again)
    assert rebuilt.source == text and rebuilt.origin.decisions == decisions_to_json(decisions)


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (
            Decision(technique="loop_unrolling", nests=(1,), parameters={"factor": 5}),
            "factor is one of 4, 8, 2, 16, 32, not 5",
        ),
        (Decision(technique="loop_unrolling", nests=(1,), parameters={"factor": -4}), "not -4"),
        (
            Decision(technique="loop_unrolling", nests=(7,), parameters={"factor": 4}),
            "is for the nests 7; the function has 1",
        ),
        (Decision(technique="loop_unrolling", nests=(), parameters={"factor": 4}), "is for the nests none"),
        (Decision(technique="loop_unrolling", nests=(1,), parameters={}), "takes the parameters factor"),
        (Decision(technique="rm_rf", nests=(1,), parameters={}), "no rule 'rm_rf'"),
    ],
)
def test_decisions_from_elsewhere_are_checked(decision, said, read_input):
    task = read_input("gemm_strided_ld")
    plain = decisions_from_json(TransformProposer().plain(task).origin.decisions)
    with pytest.raises(DoesNotApply) as refused:
        TransformProposer().rebuild(task, (*plain, decision))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema":1}',
        '{"schema":1,"steps":[]}',
        '{"schema":9,"steps":[]}',
        '{"schema":1,"steps":[1]}',
        '{"schema":1,"steps":[{"technique":"map_2d","nests":"12","parameters":{}}]}',
        '{"schema":1,"steps":[{"technique":["map_2d"],"nests":[1],"parameters":{}}]}',
        '{"schema":1,"steps":[{"technique":"map_2d","nests":[1],"parameters":[]}]}',
    ],
)
def test_text_that_holds_no_decisions(text):
    with pytest.raises(SchemaError):
        decisions_from_json(text)
