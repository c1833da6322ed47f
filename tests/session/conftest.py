"""Sessions on a made-up task and judge, which take milliseconds, with a store of the test's own."""

from dataclasses import dataclass

import pytest

from regrapht.assemble import OpenedTask
from regrapht.records.run import Budget
from regrapht.session import launch
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_task,
)

WORLD = SyntheticWorld.draw(3)
GRAPH = synthetic_graph(WORLD, seed=1)
INNER = SyntheticEvaluator(world=WORLD)


@dataclass
class Judge:
    """The made-up judge with what a session asks of one besides."""

    name: str = INNER.name
    protocol: str = "1"
    judged: int = 0

    def environment(self):
        return INNER.environment()

    def prepare(self, task, plain):
        return synthetic_context(WORLD, GRAPH, budget=Budget(candidates=1)).yardstick

    def evaluate(self, task, candidate, *, level):
        self.judged += 1
        return INNER.evaluate(task, candidate, level=level)


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """The judge that sessions open; everything else that costs time is made up too."""
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    made_up = Judge()
    monkeypatch.setattr(launch, "open_task", lambda path, **more: OpenedTask(task=synthetic_task()))
    monkeypatch.setattr(launch, "open_graph", lambda path: GRAPH)
    monkeypatch.setattr(launch, "open_evaluator", lambda name, *, allow_root: made_up)
    monkeypatch.setattr(
        launch, "open_proposer", lambda options, **more: SyntheticProposer(world=WORLD, seed=options.seed)
    )
    monkeypatch.setattr(launch, "plain_version", lambda task: None)
    return made_up
