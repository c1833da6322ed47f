"""Remembered verdicts."""

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate import EVALUATORS
from regrapht.evaluate.cached import CachedEvaluator
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.replay import ReplayEvaluator
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.verdict import Level, Status, Verdict

YARDSTICK = Yardstick(scale=Scale.MODELLED, start=10.0, floor=1.0, start_name="plain")


class Counting:
    """An evaluator that says UNSUPPORTED and counts how often it is asked."""

    name = "counting"
    protocol = "1"

    def __init__(self):
        self.asked = 0

    def availability(self):
        return Availability(available=True)

    def environment(self):
        return Environment(device="d", architecture="a", cpu="c", tools={"x": "1"}, clocks={"sm": float(self.asked)})

    def prepare(self, task, plain):
        return YARDSTICK

    def evaluate(self, task, candidate, *, level):
        self.asked += 1
        return Verdict(
            status=Status.UNSUPPORTED,
            level=level,
            evaluator=self.name,
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason=f"number {self.asked}",
            no_timing="not_reached",
        )


class Cache(dict):
    def put(self, key, verdict):
        self[key] = verdict


def test_a_cached_verdict_is_not_made_again(gemm, saxpy, candidate):
    inner = Counting()
    evaluator = CachedEvaluator(inner, Cache())
    one, two = candidate("int a;"), candidate("int b;")
    first = evaluator.evaluate(gemm, one, level=Level.SCREEN)
    assert evaluator.evaluate(gemm, one, level=Level.SCREEN) == first and inner.asked == 1
    evaluator.evaluate(gemm, one, level=Level.FULL)
    evaluator.evaluate(saxpy, one, level=Level.SCREEN)
    evaluator.evaluate(gemm, two, level=Level.SCREEN)
    assert inner.asked == 4 and evaluator.name == "counting" and evaluator.prepare(gemm, None) == YARDSTICK


def test_replay_answers_by_id_and_by_program(gemm, saxpy, candidate):
    one = candidate("int a;")
    verdict = Counting().evaluate(gemm, one, level=Level.SCREEN)
    for key in (one.id, one.program_hash):
        replay = ReplayEvaluator({key: verdict}, YARDSTICK)
        assert (
            replay.evaluate(gemm, candidate("int  a;" if key == one.program_hash else "int a;"), level=Level.FULL)
            == verdict
        )
    with pytest.raises(EvaluatorUnavailable, match="no verdict is recorded"):
        replay.evaluate(gemm, candidate("int other;"), level=Level.SCREEN)
    with pytest.raises(EvaluatorUnavailable):
        replay.evaluate(saxpy, one, level=Level.SCREEN)


def test_the_registry_knows_them():
    assert EVALUATORS.load("replay") is ReplayEvaluator
    assert {"emulated", "local_gpu", "replay"} <= set(EVALUATORS.names())
