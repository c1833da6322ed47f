"""A desk with a judge that takes no time, whose verdict is in the program's own words."""

import threading
from pathlib import Path

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.graph.shipped import shipped_graph
from regrapht.records.measurement import Environment, Scale, Yardstick
from regrapht.records.verdict import CaseResult, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.serve.desk import Desk
from regrapht.store.runs import RunStore

SAXPY = """void saxpy(int n, float a, const float* x, float* y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
"""


class WordJudge:
    """PASSED for a program with the word `right`, a machine fault for `broken`, a wait for `slow`, else WRONG_VALUE."""

    name = "words"
    protocol = "1"

    def __init__(self) -> None:
        self.judged: list[str] = []
        self.go_on = threading.Event()
        self.prepared = 0

    def environment(self):
        return Environment(device="words", architecture="emulated", cpu="cpu", tools={}, clocks={})

    def prepare(self, task, plain):
        self.prepared += 1
        return Yardstick(scale=Scale.MODELLED, start=100.0, floor=1.0, start_name="plain")

    def evaluate(self, task, candidate, *, level):
        source = candidate.source or ""
        self.judged.append(source)
        if "slow" in source:
            self.go_on.wait(30)
        if "broken" in source:
            raise EvaluatorUnavailable("the machine is away")
        if candidate.source is None:
            return Verdict(
                status=Status.SKIPPED, level=level, evaluator=self.name, task_hash=task.content_hash,
                candidate_id=candidate.id, reason=candidate.reason, no_timing="not_reached", protocol="1",
            )  # fmt: skip
        passed = "right" in source
        case = CaseResult(
            sizes={"n": 1}, family="declared", hidden=False, output="y", norm_error=0.0, norm_bar=1.0,
            element_error=None, mismatches=0, passed=True,
        )  # fmt: skip
        outcome = StageOutcome.PASSED if passed else StageOutcome.FAILED
        return Verdict(
            status=Status.PASSED if passed else Status.WRONG_VALUE,
            level=level,
            evaluator=self.name,
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason="right in every case" if passed else "y is wrong",
            feedback="" if passed else "y is wrong " * 600,
            stages=(
                Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=0),
                Stage(name=StageName.CHECK, outcome=outcome, seconds=0),
            ),
            cases=(case,) if passed else (),
            no_timing="no_gpu",
            environment=self.environment(),
            protocol="1",
        )


@pytest.fixture
def judge():
    made = WordJudge()
    yield made
    made.go_on.set()


@pytest.fixture
def desk(judge, tmp_path: Path):
    with RunStore(tmp_path / "store") as store:
        made = Desk(evaluator=judge, graph=shipped_graph(), store=store, workers=2)
        yield made
        judge.go_on.set()
        made.close()


@pytest.fixture
def task(desk) -> str:
    """A task that an agent made, by name."""
    return desk.call("create_task", {"source": SAXPY})["task"]
