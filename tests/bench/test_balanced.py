"""A part of a suite with as many tasks of each tier."""

from collections import Counter
from dataclasses import replace

import pytest

from regrapht.bench.balanced import balanced
from regrapht.bench.suite import open_suite
from regrapht.errors import ConfigError


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
