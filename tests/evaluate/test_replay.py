"""Recorded verdicts, given again."""

from dataclasses import replace

import pytest

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.evaluate import EVALUATORS
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.replay import ReplayEvaluator
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.verdict import Level, Stage, StageName, StageOutcome, Status, Verdict

YARDSTICK = Yardstick(scale=Scale.MODELLED, start=10.0, floor=1.0, start_name="plain")


class Counting:
    """An evaluator that says one status and counts how often it is asked."""

    name = "counting"
    protocol = "1"

    def __init__(self, status=Status.UNSUPPORTED):
        self.asked, self.status = 0, status

    def availability(self):
        return Availability(available=True)

    def environment(self):
        return Environment(device="d", architecture="a", cpu="c", tools={"x": "1"}, clocks={"sm": float(self.asked)})

    def prepare(self, task, plain):
        return YARDSTICK

    def evaluate(self, task, candidate, *, level):
        self.asked += 1
        return Verdict(
            status=self.status,
            level=level,
            evaluator=self.name,
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason=f"number {self.asked}",
            stages=(Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=0.0),),
            no_timing="not_reached",
        )


def test_replay_answers_by_id_and_by_program(gemm, saxpy, candidate):
    one, same_program, other = candidate("int a;"), candidate("int  a;"), candidate("int other;")
    verdict = Counting().evaluate(gemm, one, level=Level.SCREEN)
    for key, asked in ((one.id, one), (one.program_hash, same_program)):
        replay = ReplayEvaluator([(key, verdict)], YARDSTICK)
        assert replay.evaluate(gemm, asked, level=Level.SCREEN) == replace(verdict, candidate_id=asked.id)
    with pytest.raises(EvaluatorUnavailable, match="no verdict of level screen is recorded"):
        replay.evaluate(gemm, other, level=Level.SCREEN)
    with pytest.raises(EvaluatorUnavailable):
        replay.evaluate(saxpy, one, level=Level.SCREEN)


def test_replay_tells_levels_tasks_and_protocols_apart(gemm, saxpy, candidate):
    one = candidate("int a;")
    screened, full = (Counting().evaluate(gemm, one, level=level) for level in Level)
    replay = ReplayEvaluator([(one.id, screened)], YARDSTICK)
    with pytest.raises(EvaluatorUnavailable, match="of level full"):
        replay.evaluate(gemm, one, level=Level.FULL)
    replay = ReplayEvaluator([(one.id, screened), (one.id, full)], YARDSTICK)
    assert [replay.evaluate(gemm, one, level=level).level for level in Level] == list(Level)
    assert replay.prepare(gemm, None) == YARDSTICK
    with pytest.raises(EvaluatorUnavailable, match="saxpy"):
        replay.prepare(saxpy, None)
    assert ReplayEvaluator([(one.id, replace(full, protocol="old"))], YARDSTICK).protocol == "old"
    with pytest.raises(ConfigError, match="different protocols"):
        ReplayEvaluator([(one.id, screened), (one.id, replace(full, protocol="old"))], YARDSTICK)


def test_the_registry_knows_what_a_sandbox_is_enough_for():
    assert {"emulated", "local_gpu"} <= set(EVALUATORS.names())
    assert "replay" not in EVALUATORS.names(), "it needs a record, which has no name"
