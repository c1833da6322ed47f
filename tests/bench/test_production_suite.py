"""production-20: twenty functions as production code has them, with a library beside those that a toolkit's library has."""

import itertools
from pathlib import Path

import pytest

from regrapht.bench.admit.solutions import read_solution
from regrapht.bench.harvest.kernels import ALIKE
from regrapht.bench.suite import open_suite
from regrapht.source.shingles import shingles, similarity

SOLUTIONS = Path(__file__).parents[2] / "trajectories" / "cudaeval"
WITH_LIBRARY = {"csr_times_dense", "grouped_products", "lower_solve", "matched_echo"}


@pytest.fixture(scope="module")
def suite():
    return open_suite("production-20")


def test_it_is_twenty_tasks_with_trajectories(suite):
    assert len(suite.tasks) == 20
    for task in suite.tasks:
        assert 3 <= len(read_solution(SOLUTIONS, task.task.id)) <= 8, task.task.id
        assert task.folder.parent.name == task.family and task.folder.name == task.task.id
        assert task.task.licence and task.task.bench_sizes and task.task.work.bytes is not None


def test_a_library_stands_beside_what_a_toolkit_has_a_library_for(suite):
    with_library = {task.task.id for task in suite.tasks if "library" in {one.name for one in task.task.baselines}}
    assert with_library == WITH_LIBRARY


def test_no_task_is_near_one_of_the_other_suites(suite):
    ours = {task.task.id: shingles(task.task.reference.source.text) for task in suite.tasks}
    others = {
        task.task.id: shingles(task.task.reference.source.text)
        for name in ("cudaeval", "cuda-llm-20")
        for task in open_suite(name).tasks
    }
    assert not ours.keys() & others.keys()
    pairs = [*itertools.product(ours, others), *itertools.combinations(ours, 2)]
    known = ours | others
    assert [(a, b) for a, b in pairs if similarity(known[a], known[b]) >= ALIKE] == []
