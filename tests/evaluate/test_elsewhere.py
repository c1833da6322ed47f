"""Jobs that travel: whole, as texts, with results and errors that mean the same on both sides."""

import json
from dataclasses import replace

import pytest

from regrapht.errors import ConfigError, EvaluatorUnavailable, InvalidTask
from regrapht.evaluate import elsewhere
from regrapht.evaluate.elsewhere import (
    JudgeAtHand,
    PlainOf,
    job,
    require_same_judge,
    result_of,
    verdict_of,
    yardstick_of,
)
from regrapht.evaluate.evaluator import Availability
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.run import Budget
from regrapht.records.task import Init
from regrapht.records.verdict import Level
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_task,
)

WORLD = SyntheticWorld.draw(3)
TASK = synthetic_task()
CANDIDATE = SyntheticProposer(world=WORLD, failure=0.0).propose(TASK, Proposal(id=1, kind=ProposalKind.INITIAL))


class Judge(SyntheticEvaluator):
    """The made-up judge, made from a sandbox as one is that has a name."""

    prepared = 0
    protocol = "1"
    reference_fails = False

    def availability(self):
        return Availability(available=True)

    def prepare(self, task, plain):
        type(self).prepared += 1
        if self.reference_fails:
            raise InvalidTask("its reference never ends")
        return synthetic_context(WORLD, synthetic_graph(WORLD, seed=1), budget=Budget(candidates=1)).yardstick


@pytest.fixture
def at_hand(monkeypatch):
    monkeypatch.setattr(elsewhere.EVALUATORS.__class__, "make", lambda self, name, sandbox: Judge(world=WORLD))
    monkeypatch.setattr(Judge, "prepared", 0)
    return JudgeAtHand("made_up")


def travelled(asked):
    """As it comes out of a line of JSON."""
    return json.loads(json.dumps(asked))


def test_a_job_gives_what_the_judge_gives(at_hand):
    asked = job("evaluate", TASK, CANDIDATE, candidate=CANDIDATE, level=Level.SCREEN)
    verdict = verdict_of(result_of(travelled(at_hand.answer(travelled(asked)))))
    assert verdict == Judge(world=WORLD).evaluate(TASK, CANDIDATE, level=Level.SCREEN)
    again = at_hand.answer(travelled(asked))
    assert verdict_of(result_of(again)) == verdict and Judge.prepared == 1, "a task is prepared once"
    yardstick = yardstick_of(result_of(at_hand.answer(travelled(job("prepare", TASK, CANDIDATE)))))
    assert yardstick.start_name and Judge.prepared == 1
    at_hand.answer(travelled(job("prepare", TASK, None)))
    assert Judge.prepared == 2, "another scale is another preparation"


def test_errors_are_those_of_the_other_side(at_hand, monkeypatch):
    monkeypatch.setattr(Judge, "reference_fails", True)
    with pytest.raises(InvalidTask, match="never ends"):
        result_of(travelled(at_hand.answer(travelled(job("prepare", TASK, None)))))
    for nonsense in (
        {},
        {"method": "evaluate"},
        {"method": "evaluate", "task": "x"},
        {"method": "run", "task": "{}", "plain": None},
    ):
        with pytest.raises((ConfigError, EvaluatorUnavailable)):
            result_of(travelled(at_hand.answer(nonsense)))
    with pytest.raises(EvaluatorUnavailable, match="odd"):
        result_of({"error": {"kind": "Something", "message": "odd"}})


def test_a_task_that_reads_files_does_not_travel():
    reads = replace(TASK.args[1], init=Init(kind="file", parameters={"path": "x.bin"}))
    with pytest.raises(ConfigError, match="reads files of this machine"):
        job("prepare", replace(TASK, args=(TASK.args[0], reads, *TASK.args[2:])), None)


def test_another_versions_judge_is_refused(at_hand):
    hello = travelled(at_hand.answer({"method": "hello"}))["result"]
    require_same_judge(hello, "there")
    with pytest.raises(ConfigError, match="another regrapht"):
        require_same_judge({**hello, "judge": "0"}, "there")


def test_the_scale_of_a_task_stays_once_it_has_one():
    plain = PlainOf()
    plain.keep(TASK, None)
    assert plain.of(TASK) is None
    plain.keep(TASK, CANDIDATE)
    plain.keep(TASK, None)
    assert plain.of(TASK) is CANDIDATE
