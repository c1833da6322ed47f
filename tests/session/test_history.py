"""Looking back at runs: rows, one run as a story, and a run by the beginning of its id."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.assemble import open_store
from regrapht.errors import SchemaError, UnknownName
from regrapht.records.run import Budget, RunOptions
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
