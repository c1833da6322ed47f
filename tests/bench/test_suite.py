"""Suites: shipped or a folder, chosen from by tier, family and name."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from regrapht.bench.suite import TIERS_FILE, balanced, open_suite, reach_of
from regrapht.errors import ConfigError, SchemaError, TaskError, UnknownName
from regrapht.records.reach import Reached
from regrapht.transform import Engine


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


@pytest.fixture(scope="module")
def suite():
    return open_suite("cudaeval")


def test_as_many_of_each_tier_and_every_family(suite):
    chosen = balanced(suite.tasks, 20)
    assert Counter(task.tier for task in chosen) == {"easy": 20, "medium": 20, "hard": 20}
    assert len({task.task.id for task in chosen}) == 60
    assert [task.task.id for task in chosen] == sorted(task.task.id for task in chosen)
    for tier in ("easy", "medium", "hard"):
        families = {task.family for task in suite.tasks if task.tier == tier}
        counts = Counter(task.family for task in chosen if task.tier == tier)
        assert len(counts) == min(20, len(families)), "no family comes twice before each came once"


def test_nothing_but_names_and_tiers_decides(suite):
    chosen = balanced(suite.tasks, 5)
    assert balanced(suite.tasks[::-1], 5) == chosen
    more = {task.task.id for task in balanced(suite.tasks, 6)}
    assert {task.task.id for task in chosen} < more, "a larger part holds the smaller one"
    moved = [replace(task, tier="hard") if task.task.id == chosen[0].task.id else task for task in suite.tasks]
    assert balanced(moved, 5) != chosen


def test_too_few(suite):
    with pytest.raises(ConfigError, match=r"tasks of the tier \w+, not 500"):
        balanced(suite.tasks, 500)
    with pytest.raises(ConfigError, match="no tiers"):
        balanced([replace(task, tier=None) for task in suite.tasks], 5)


def test_how_the_engine_takes_a_task(write_task, tmp_path):
    write_task(tmp_path / "suite" / "taken", "taken")
    write_task(tmp_path / "suite" / "refused", "refused", code="strtof(reinterpret_cast<const char*>(x), nullptr)")
    found = {task.task.id: reach_of(task.task) for task in open_suite(str(tmp_path / "suite")).tasks}
    assert (found["taken"].how, found["taken"].reason) == (Reached.PROVED, None)
    assert found["refused"].how is Reached.REFUSED and "line 1" in (found["refused"].reason or ""), found


def test_a_third_of_cudaeval_is_not_proved():
    """Counted with nothing observed; what is reached by observation is a file of results."""
    suite, engine, outside = open_suite("cudaeval"), Engine(), 0
    wanted = 0.3 * len(suite.tasks)
    for task in suite.tasks:
        outside += engine.refusal(task.task) is not None
        if outside >= wanted:
            break
    assert outside >= max(wanted, 45), f"only {outside} of {len(suite.tasks)} tasks are refused by the reader"
