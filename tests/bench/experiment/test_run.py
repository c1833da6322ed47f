"""Whole experiments on a made-up judge: kept cell by cell, gone on with after a stop, the same figures in any order."""

import threading

import pytest

from regrapht.bench.experiment import run as experiment
from regrapht.bench.experiment.results import read_results
from regrapht.bench.experiment.run import ExperimentRequest, ExperimentRunner
from regrapht.bench.suite import open_suite
from regrapht.errors import EvaluatorUnavailable, UnknownName
from regrapht.records.run import Budget, RunOptions, RunState
from regrapht.store.runs import RunStore
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
)

METHODS = ("mcgs", "random-walk")
WORLD = SyntheticWorld.draw(3)
GRAPH = synthetic_graph(WORLD, seed=1)


INNER = SyntheticEvaluator(world=WORLD)


class Judge:
    """The made-up judge with what an experiment asks of one besides."""

    name, protocol = INNER.name, "1"
    judged = 0

    def environment(self):
        return INNER.environment()

    def prepare(self, task, plain):
        return synthetic_context(WORLD, GRAPH, budget=Budget(candidates=1)).yardstick

    def evaluate(self, task, candidate, *, level):
        type(self).judged += 1
        return INNER.evaluate(task, candidate, level=level)


@pytest.fixture
def request_of(suite_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "open_evaluator", lambda *arguments, **more: Judge())
    monkeypatch.setattr(experiment, "open_graph", lambda path: GRAPH)
    monkeypatch.setattr(
        experiment, "open_proposer", lambda options, **more: SyntheticProposer(world=WORLD, seed=options.seed)
    )
    Judge.judged = 0

    def make(**more):
        fields = {
            "suite": open_suite(str(suite_folder)),
            "methods": METHODS,
            "options": RunOptions(budget=Budget(candidates=6)),
            "seeds": 2,
            "out": tmp_path / "out",
            "command": "regrapht bench run",
        }
        return ExperimentRequest(**{**fields, **more})

    return make


def figures(cells):
    """What must not depend on machine, order or interruption."""
    return {
        cell.key: (cell.judged, cell.statuses, cell.techniques, [(i.judged, i.reward) for i in cell.improvements])
        for cell in cells
    }


def test_what_takes_a_while_is_told_as_it_begins(request_of, caplog):
    """Preparing a task is told once, whatever the number of its cells, and a finished experiment prepares nothing."""
    caplog.set_level("INFO", logger="regrapht")
    ExperimentRunner(request_of()).conduct()
    told = [record.getMessage() for record in caplog.records]
    assert told[0].startswith("reading 2 tasks")
    assert sorted(line.split(":")[0] for line in told[1:]) == ["preparing square", "preparing twice"]
    caplog.clear()
    ExperimentRunner(request_of()).conduct()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == ["reading 2 tasks"]


def test_every_cell_once(request_of):
    seen = []
    conducted = ExperimentRunner(request_of()).conduct(
        observer=lambda cell, done, cells: seen.append((cell.key, done, cells))
    )
    assert (
        conducted.is_complete
        and [done for _, done, _ in seen] == list(range(1, 9))
        and {cells for *_, cells in seen} == {8}
    )
    made, cells = read_results(conducted.file)
    assert {cell.key for cell in cells} == {(m, t, s) for m in METHODS for t in ("square", "twice") for s in (0, 1)}
    assert all(cell.judged <= 6 and cell.reason == "finished" for cell in cells) and made.methods == METHODS
    assert {run.state for run in RunStore(conducted.file.parent).runs()} == {RunState.FINISHED}
    before = Judge.judged
    assert ExperimentRunner(request_of()).conduct().is_complete and Judge.judged == before, "nothing is done twice"


def test_workers_and_interruptions_change_no_figure(request_of, tmp_path):
    straight = ExperimentRunner(request_of()).conduct()
    again = request_of(out=tmp_path / "again", workers=3)
    rounds = 0
    while True:
        stop, judged = threading.Event(), []

        def soon(self, task, candidate, *, level, stop=stop, judged=judged):
            judged.append(1)
            if len(judged) > 9:
                stop.set()
            return INNER.evaluate(task, candidate, level=level)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Judge, "evaluate", soon)
            conducted = ExperimentRunner(again).conduct(stop=stop)
        rounds += 1
        if conducted.is_complete:
            break
        assert rounds < 40
    assert rounds > 2, "it was interrupted"
    assert figures(read_results(conducted.file)[1]) == figures(read_results(straight.file)[1])


def test_a_machine_that_fails_ends_it_with_everything_kept(request_of, monkeypatch):
    monkeypatch.setattr(
        "regrapht.bench.experiment.cell.OptimizeSettings", lambda **fields: experiment_settings(**fields)
    )
    calls = []

    def failing(self, task, candidate, *, level):
        calls.append(1)
        if len(calls) > 20:
            raise EvaluatorUnavailable("the device is gone")
        return INNER.evaluate(task, candidate, level=level)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Judge, "evaluate", failing)
        with pytest.raises(EvaluatorUnavailable, match="the device is gone"):
            ExperimentRunner(request_of()).conduct()
    done = len(read_results(request_of().out)[1])
    assert 0 < done < 8
    assert ExperimentRunner(request_of()).conduct().is_complete


def experiment_settings(**fields):
    """As in earnest, without the pauses between tries."""
    from regrapht.loop import OptimizeSettings

    return OptimizeSettings(**fields, retries=0, pause_s=0.0, outages=1)


def test_each_cell_s_model_is_closed(request_of, monkeypatch):
    opened, closed = [], []

    class Closing(SyntheticProposer):
        def close(self):
            closed.append(self)

    def opening(options, **more):
        opened.append(Closing(world=WORLD, seed=options.seed))
        return opened[-1]

    monkeypatch.setattr(experiment, "open_proposer", opening)
    ExperimentRunner(request_of()).conduct()
    assert (
        len(opened) > 1
        and len(set(map(id, closed))) == len(closed)
        and set(map(id, closed)) >= set(map(id, opened[1:]))
    )


def test_a_proposer_that_is_wrong_leaves_nothing_behind(request_of, tmp_path, monkeypatch):
    def unknown(options, **more):
        raise UnknownName(f"there is no proposer {options.proposer}")

    right = experiment.open_proposer
    monkeypatch.setattr(experiment, "open_proposer", unknown)
    with pytest.raises(UnknownName):
        ExperimentRunner(request_of(options=RunOptions(proposer="transfrom", budget=Budget(candidates=6))))
    monkeypatch.setattr(experiment, "open_proposer", right)
    assert ExperimentRunner(request_of()).conduct().is_complete, "the corrected command works in the same folder"


def test_unknown_methods_are_said_before_any_work(request_of, tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'mcgs'"):
        ExperimentRunner(request_of(methods=("mcg",)))
    assert not (tmp_path / "out" / "results.jsonl").exists()
