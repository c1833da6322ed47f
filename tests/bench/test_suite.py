"""Suites: shipped or a folder, chosen from by tier, family and name."""

import json

import pytest

from regrapht.bench.suite import TIERS_FILE, open_suite
from regrapht.errors import ConfigError, SchemaError, TaskError, UnknownName


def ids(suite):
    return [task.task.id for task in suite.tasks]


def test_a_folder_is_a_suite(suite_folder):
    suite = open_suite(str(suite_folder))
    assert ids(suite) == ["square", "twice"]
    assert [(task.tier, task.family) for task in suite.tasks] == [("hard", "stencil"), ("easy", "layout")]


def test_hidden_folders_hold_no_tasks_of_a_suite(suite_folder, tmp_path, write_task):
    write_task(suite_folder / ".work" / "again", "twice")
    assert ids(open_suite(str(suite_folder))) == ["square", "twice"]
    hidden = suite_folder.rename(tmp_path / ".hidden")
    assert ids(open_suite(str(hidden))) == ["square", "twice"], "a suite may lie in a hidden folder itself"


def test_choosing(suite_folder):
    suite = open_suite(str(suite_folder))
    assert ids(suite.select(tiers=["easy"])) == ["twice"] == ids(suite.select(families=["layout"]))
    assert ids(suite.select(limit=1)) == ["square"] and ids(suite.select(ids=["twice"])) == ["twice"]
    for wrong, said in (
        ({"tiers": ["eassy"]}, "did you mean 'easy'"),
        ({"families": ["x"]}, "no family 'x'"),
        ({"ids": ["twize"]}, "did you mean 'twice'"),
        ({"tiers": ["easy"], "families": ["stencil"]}, "no task"),
    ):
        with pytest.raises(ConfigError, match=said):
            suite.select(**wrong)


def test_computed_tiers_go_before_written_ones(suite_folder):
    (suite_folder / TIERS_FILE).write_text(json.dumps({"tasks": {"twice": {"tier": "medium"}}}))
    assert {task.task.id: task.tier for task in open_suite(str(suite_folder)).tasks} == {
        "square": "hard",
        "twice": "medium",
    }
    for damaged in ("{", '{"tasks": []}', '{"tasks": {"twice": {"tier": "harder"}}}'):
        (suite_folder / TIERS_FILE).write_text(damaged)
        with pytest.raises(SchemaError, match=TIERS_FILE):
            open_suite(str(suite_folder))


def test_what_is_no_suite(suite_folder, tmp_path, write_task):
    with pytest.raises(UnknownName, match="no suite and no folder"):
        open_suite("cudaeva")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="no task below"):
        open_suite(str(tmp_path / "empty"))
    write_task(suite_folder / "again", "twice")
    with pytest.raises(TaskError, match="twice is the id of"):
        open_suite(str(suite_folder))
    (suite_folder / "again" / "task.toml").write_text("schema = 99")
    (suite_folder / "more").mkdir()
    (suite_folder / "more" / "task.toml").write_text("[")
    with pytest.raises(ConfigError, match=r"again/task.toml: schema.*\n.*more/task.toml: is no TOML"):
        open_suite(str(suite_folder))
