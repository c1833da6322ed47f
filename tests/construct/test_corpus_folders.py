"""The corpus folders as a reader finds them: every trajectory can be read, every task has its line."""

from pathlib import Path

import pytest

from regrapht.construct.corpus import read_corpus

ROOT = Path(__file__).parents[2]
FOLDERS = ("trajectories/written", "trajectories/hopper")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_trajectory_is_read(folder):
    found = read_corpus(ROOT / folder)
    steps = list((ROOT / folder).glob("*/*/*/*.cu"))
    assert sum(len(one.files) for one in found) == len(steps) > 0


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_task_has_a_line(folder):
    text = (ROOT / folder / "README.md").read_text()
    tasks = {path.parent.name for path in (ROOT / folder).glob("*/*/task.toml")}
    assert {line.split("`")[1] for line in text.splitlines() if line.startswith("* `")} == tasks
