"""Prompts and replies for a model that is slow, and only for one that says so."""

import ast
import inspect
import logging
from types import SimpleNamespace

import pytest

from regrapht.assemble import open_proposer
from regrapht.bench.experiment import replaying, run
from regrapht.graph.shipped import shipped_graph
from regrapht.llm.hearing import Speed
from regrapht.propose.pace import LEAST_REPLY, Pace
from regrapht.records.run import RunOptions


@pytest.mark.parametrize(
    ("speed", "options", "page", "reply"),
    [
        (None, {}, None, 2048),
        (Speed(34.0, 10.0), {}, 2040, 1500),
        (Speed(34.0, 1.0), {}, 2040, LEAST_REPLY),
        (Speed(34.0, 100.0), {}, 2040, 2048),
        (Speed(None, 10.0), {}, None, 1500),
        (Speed(34.0, None), {}, 2040, 2048),
        (Speed(34.0, 10.0), {"page": False}, None, 1500),
        (Speed(34.0, 10.0), {"reply": False}, 2040, 2048),
    ],
)
def test_limits_follow_the_speed(speed, options, page, reply):
    pace = Pace(SimpleNamespace(speed=speed), **options)
    assert (pace.page_tokens(), pace.reply_tokens(2048)) == (page, reply)
    assert Pace(SimpleNamespace()).page_tokens() is None, "most models tell no speed"


@pytest.mark.parametrize(("keep_pace", "page", "reply"), [(True, 2040, 1500), (False, None, 8192)])
def test_an_experiments_prompts_are_those_of_a_quick_model(tmp_path, keep_pace, page, reply):
    (tmp_path / "replies.txt").write_text("```cuda\n```\n")
    options = RunOptions(model=f"scripted:{tmp_path / 'replies.txt'}", proposer="language_model")
    proposer = open_proposer(options, graph=shipped_graph(), keep_pace=keep_pace)
    proposer._model.speed = Speed(34.0, 10.0)
    assert (proposer._pace.page_tokens(), proposer._pace.reply_tokens(8192)) == (page, reply)


def test_no_cell_of_an_experiment_asks_for_less_where_the_model_is_slow():
    """Nor does a cell that is played again."""
    for module in (run, replaying):
        called = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call)]
        opened = [one for one in called if ast.unparse(one.func) == "open_proposer"]
        assert opened and all("keep_pace=False" in ast.unparse(one) for one in opened)


def test_a_reply_that_is_short_anyway_is_not_lengthened():
    assert Pace(SimpleNamespace(speed=Speed(1.0, 1.0))).reply_tokens(200) == 200


def test_it_is_said_once_and_only_where_something_gets_shorter(caplog):
    caplog.set_level(logging.INFO)
    Pace(SimpleNamespace(speed=Speed(1000.0, 100.0))).tell(2048, 16384)
    Pace(SimpleNamespace(speed=None)).tell(2048, 16384)
    assert not caplog.messages
    pace = Pace(SimpleNamespace(speed=Speed(34.0, 10.0)))
    pace.tell(2048, 16384)
    pace.tell(2048, 16384)
    assert len(caplog.messages) == 1
    (said,) = caplog.messages
    for part in (
        "reads 34 and writes 10 tokens a second",
        "is left out beyond about 2040 tokens",
        "after 1500 tokens (--max-tokens)",
    ):
        assert part in said
    assert "though task and program alone may be longer" in said


@pytest.mark.parametrize(
    ("speed", "said", "not_said"),
    [(Speed(34.0, None), "what a prompt can", "a reply"), (Speed(None, 10.0), "a reply ends", "a prompt")],
)
def test_what_stays_as_it_was_is_not_spoken_of(caplog, speed, said, not_said):
    caplog.set_level(logging.INFO)
    Pace(SimpleNamespace(speed=speed)).tell(2048, 16384)
    assert said in caplog.messages[0] and not_said not in caplog.messages[0]
