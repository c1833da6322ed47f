"""Runs that version 1 stored, byte for byte: a search with tuning, a person's own program, a model, a cell of an experiment."""

import json
import sqlite3
from pathlib import Path

import pytest

from regrapht.errors import SchemaError
from regrapht.records.encoding import from_json, to_json
from regrapht.records.run import Budget, Run, RunOptions
from regrapht.records.verdict import Level
from regrapht.store.run_migration import in_this_schema
from regrapht.store.runs import RunStore

ROWS = [json.loads(line) for line in Path(__file__).with_name("runs_of_version_1.jsonl").read_text().splitlines()]


@pytest.fixture
def runs(tmp_path):
    RunStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        for row in ROWS:
            columns = (row["id"], row["body"], row["checksum"], row["state"])
            connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, NULL, 0)", columns)
    with RunStore(tmp_path) as store:
        return {run.id: run for run in store.runs()}


def test_options_are_as_they_were_given(runs):
    searched, given, asked, cell = (runs[row["id"]].settings.options for row in ROWS)
    assert searched == RunOptions(
        evaluator="emulated",
        budget=Budget(candidates=2, seconds=300.0),
        seed=3,
        workers=2,
        tune=2,
        hide_family=True,
        architecture="sm_90",
        out=Path("/tmp/old/out"),
        graph=Path("/tmp/old/graph.json"),
    )
    assert (given.search, given.proposer, given.tune, given.given_file) == (
        "direct",
        "given",
        2,
        Path("/tmp/old/mine.cu"),
    )
    assert given.given is not None and given.given.source is not None and "tune: BLOCK" in given.given.source
    assert (asked.proposer, asked.model) == ("language_model", "scripted:/tmp/old/replies.json")
    assert asked.hide_reference and (asked.context_tokens, asked.max_tokens) == (9000, 2000)
    assert cell == RunOptions(search="direct", evaluator="emulated", level=Level.SCREEN, budget=Budget(candidates=1))


def test_what_the_options_came_to_is_kept(runs):
    for row in ROWS:
        then, now = json.loads(row["body"])["settings"], runs[row["id"]].settings
        assert now.task.id == "saxpy" and now.task.content_hash == now.task_hash == then["task_hash"]
        assert (now.protocol, now.graph_hash, now.prompts_hash) == tuple(
            then[name] for name in ("protocol", "graph_hash", "prompts_hash")
        )
    *others, cell = (runs[row["id"]].settings for row in ROWS)
    assert {(settings.path, settings.device, settings.cell) for settings in others} == {
        (Path("/tmp/old/saxpy"), "emulator (x86_64)", None)
    }
    assert (cell.path, cell.device, cell.cell) == (None, None, "direct saxpy 0")


def test_a_run_that_was_read_is_of_this_version(runs):
    for run in runs.values():
        assert from_json(Run, to_json(run)) == run


def test_a_run_without_its_task_says_what_to_do():
    with pytest.raises(SchemaError, match="start it again"):
        in_this_schema({"id": "r", "schema_version": 1, "settings": {"options": {}}})
