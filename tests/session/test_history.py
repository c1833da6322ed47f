"""Looking back at runs: rows, one run as a story, and a run by the beginning of its id."""

import sqlite3
import threading
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.assemble import open_store
from regrapht.errors import ConfigError, SchemaError, UnknownName
from regrapht.records.proposal import Judged
from regrapht.records.run import Budget, RunOptions
from regrapht.records.verdict import Level, Status
from regrapht.report.story import headline
from regrapht.session.export import export_run
from regrapht.session.finish import finish
from regrapht.session.history import find_run, show_run, summaries
from regrapht.session.launch import launch

OPTIONS = RunOptions(budget=Budget(candidates=3), seed=3)


def test_rows_and_a_story(judge):
    assert summaries() == []
    launched = launch(Path("task"), OPTIONS)
    finish(launched, out=None, observer=lambda event: None, stop=threading.Event())
    (row,) = summaries()
    assert (row["id"], row["state"], row["judged"], row["best_status"]) == (launched.run.id, "finished", 3, "PASSED")
    assert (row["task"], row["search"], row["proposer"]) == (launched.task.id, "mcgs", "transform")
    shown = show_run(launched.run.id[:-2])
    run, story = shown.run, shown.story
    assert run.id == launched.run.id and [step.number for step in story.steps] == [1, 2, 3]


class InFull:
    """The made-up judge, with a word of its own on a program that is judged in full, and something done after the first that passes."""

    def __init__(self, inner, *, in_full="passes", passed=None):
        self.inner, self.in_full, self.passed = inner, in_full, passed

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def evaluate(self, task, candidate, *, level):
        verdict = self.inner.evaluate(task, candidate, level=level)
        if level is Level.FULL and self.in_full == "refused":
            return replace(verdict, level=level, status=Status.WRONG_VALUE, reason="wrong in full", evidence=None)
        if verdict.passed and self.passed is not None:
            self.passed()
        return verdict


@pytest.mark.parametrize("how", ["finished", "refused in full", "interrupted", "killed", "kept by an earlier version"])
def test_what_is_shown_and_exported_is_what_the_run_came_to(judge, tmp_path, how):
    """Nothing that was only screened is called verified, and what was judged in full is not called screened."""
    stop = threading.Event()
    launched = launch(Path("task"), OPTIONS)
    judge = InFull(
        launched.evaluator,
        in_full="refused" if how == "refused in full" else "passes",
        passed=stop.set if how == "interrupted" else None,
    )
    killed = how == "killed"

    def observer(event):
        if killed and isinstance(event, Judged) and event.verdict.passed:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) if killed else nullcontext():
        result = finish(replace(launched, evaluator=judge), out=tmp_path / "out", observer=observer, stop=stop)
    if how == "kept by an earlier version":
        database = launched.store.folder / "runs.sqlite3"
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("DROP TABLE finals")
            connection.commit()
    said = headline(show_run(launched.run.id).story)
    if how in ("killed", "kept by an earlier version"):
        assert "screened only" in said
    else:
        assert said == result.headline
    assert ("screened only" in said) == (how not in ("finished", "refused in full"))
    (row,) = summaries()
    assert row["best_status"] == (None if how == "refused in full" else "PASSED")
    if how == "refused in full":
        with pytest.raises(ConfigError, match="nothing to export"):
            export_run(launched.run.id, tmp_path / "again")
    else:
        assert export_run(launched.run.id, tmp_path / "again")[0] == said


def test_a_run_by_the_beginning_of_its_id(judge):
    ids = [launch(Path("task"), OPTIONS).run.id for _ in range(2)]
    with open_store() as store:
        assert find_run(store, ids[0]).id == ids[0]
        with pytest.raises(UnknownName, match="2 runs begin with '20'"):
            find_run(store, "20")
        with pytest.raises(UnknownName, match="there is no run 'x'"):
            find_run(store, "x")


def test_a_run_without_a_yardstick_has_nothing_to_show(judge):
    launched = launch(Path("task"), OPTIONS)
    bare = launched.store.create(replace(launched.run.settings), None)
    with pytest.raises(SchemaError, match="ended before its task was examined"):
        show_run(bare.id)
