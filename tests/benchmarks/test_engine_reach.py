"""A suite shared out among processes, and their files as one table."""

import argparse
import json
import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "engine_reach.py"))
TASKS = [f"task_{i:03}" for i in range(41)]


@pytest.mark.parametrize("n", [1, 2, 7, 8, 41, 50])
def test_the_slices_together_are_all_tasks_each_once(n):
    parts = [SCRIPT["dealt"](TASKS, k, n) for k in range(1, n + 1)]
    assert sorted(task for part in parts for task in part) == TASKS
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_a_slice_is_the_same_in_every_process_and_mixes_neighbours():
    first = SCRIPT["dealt"](iter(TASKS), 1, 4)
    assert first == SCRIPT["dealt"](TASKS, 1, 4)
    assert sorted(first) not in [TASKS[i::4] for i in range(4)]


@pytest.mark.parametrize("wrong", ["0/4", "5/4", "3", "1/0", "-1/4", "a/b", "/", ""])
def test_a_slice_that_is_none_is_an_error_that_says_how(wrong):
    with pytest.raises(argparse.ArgumentTypeError, match="K/N with K from 1 to N"):
        SCRIPT["part"](wrong)


def test_the_table_is_over_all_files_and_has_a_task_once(tmp_path):
    def written(name: str, *rows: dict) -> Path:
        (tmp_path / name).write_text("".join(json.dumps({"reason": "", "family": "f"} | row) + "\n" for row in rows))
        return tmp_path / name

    passed = {"status": "PASSED", "times_one_core": [2.0]}
    first = written("a", {"task": "t1", "reached": "proved"}, {"task": "t2", "reached": "refused"})
    second = written("b", {"task": "t1", "reached": "proved"} | passed, {"task": "t3", "reached": "proved"} | passed)
    shown = SCRIPT["table"](SCRIPT["rows_of"]([first, second]))
    assert "| proved | 2 | 2 | 2 | 0 |" in shown
    assert "| refused | 1 | 0 | 0 | - |" in shown
