"""Programs that people wrote and the judge accepted have no faults of form: a mend that finds one there is wrong."""

from pathlib import Path

import pytest

from regrapht.bench.suite import open_suite, suite_names
from regrapht.construct.corpus import read_corpus
from regrapht.propose.form import mend
from regrapht.propose.form.host_alone import runs_on_the_host_alone
from regrapht.propose.form.program import Program
from regrapht.tasks.load import load_task

TRAJECTORIES = Path(__file__).parents[3] / "trajectories"


def programs():
    """Every accepted step with its task."""
    for part in ("written", "hopper"):
        for one in read_corpus(TRAJECTORIES / part):
            yield from ((one.task, one.folder / name) for name in one.files)
    tasks = {one.task.id: one.folder for suite in suite_names() for one in open_suite(suite).tasks}
    for folder in sorted((TRAJECTORIES / "cudaeval").iterdir()):
        if folder.is_dir():
            task = load_task(tasks[folder.name])
            yield from ((task, path) for path in sorted(folder.glob("*.cu")))


def mended(sample):
    return [(str(path), done.mends) for task, path in sample if (done := mend(path.read_text(), task)).mends]


def host_code(sample):
    return [str(path) for task, path in sample if runs_on_the_host_alone(Program(path.read_text(), task))]


def test_one_in_forty_of_them_comes_back_as_it_is():
    sample = list(programs())[::40]
    assert len(sample) > 40
    assert mended(sample) == []
    assert host_code(sample) == []


@pytest.mark.slow
def test_all_of_them_come_back_as_they_are():
    assert mended(programs()) == []
    assert host_code(programs()) == []
