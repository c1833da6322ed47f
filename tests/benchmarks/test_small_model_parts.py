"""The tasks of an experiment in parts: every part has a task file of its own, and every task is in one of them."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "small_model_parts.sh"
ARMS = '#!/bin/sh\nmkdir -p "$5"\necho "$CUDA_VISIBLE_DEVICES" > "$5/gpu"\ncp "$2" "$5/tasks"\n'
"""Stands in the place of the runs: keeps what a part was given."""


def run(folder: Path, tasks: str, parts: int) -> subprocess.CompletedProcess[str]:
    shutil.copy(SCRIPT, folder)
    arms = folder / "small_model_arms.sh"
    arms.write_text(ARMS)
    arms.chmod(0o755)
    (folder / "tasks.txt").write_text(tasks)
    words = [
        *("sh", str(folder / SCRIPT.name), "http://127.0.0.1:1/v1", "tasks.txt", str(parts), "1,2", "10", "5"),
        *("out", "hybrid:mcgs"),
    ]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("tasks", "parts", "made"),
    [
        ("a\nb\nc\nd\ne\n", 2, 2),
        ("a\nb\n", 5, 2),
        ("# those of today\n\na  # easy\n\n\nb\n", 2, 2),  # blank lines are no tasks
        ("a\n\nb\n\nc\n", 2, 2),
        ("a", 1, 1),
    ],
)
def test_each_task_is_in_one_part_and_no_part_is_empty(tmp_path, tasks, parts, made):
    done = run(tmp_path, tasks, parts)
    assert done.returncode == 0, done.stderr
    folders = sorted(path for path in (tmp_path / "out").iterdir() if path.is_dir())
    assert [folder.name for folder in folders] == [str(part) for part in range(made)]
    given = [(folder / "tasks").read_text().split() for folder in folders]
    assert all(given) and sorted(one for part in given for one in part) == [
        c for c in "abcde" if c in tasks.replace("easy", "").split()
    ]
    assert [(folder / "gpu").read_text().strip() for folder in folders] == ["1", "2"][:made]


def test_a_list_without_tasks_is_said(tmp_path):
    done = run(tmp_path, "# none yet\n\n", 3)
    assert done.returncode == 2 and "tasks.txt names no task" in done.stderr and not list((tmp_path / "out").iterdir())
