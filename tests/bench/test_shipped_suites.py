"""The suites that ship: whole, told apart from the corpus and from each other, with reference trajectories kept elsewhere."""

import itertools
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from regrapht.bench.admit.solutions import read_solution
from regrapht.bench.harvest.kernels import ALIKE
from regrapht.bench.suite import open_suite, suite_names
from regrapht.source.shingles import shingles, similarity
from regrapht.tasks.load import load_task

ROOT = Path(__file__).parents[2]
SOLUTIONS = ROOT / "trajectories" / "cudaeval"
FAMILIES = {
    *("dense_la", "sparse", "reduction", "scan", "stencil", "fft", "histogram", "sort_search"),
    *("graph", "geometry", "image", "finance", "bio_text", "physics", "deep_learning", "layout"),
}


@pytest.fixture(scope="module")
def cudaeval():
    return open_suite("cudaeval")


def test_both_ship():
    assert {"cudaeval", "cuda-llm-20"} <= set(suite_names())


def test_no_task_is_in_the_corpus_or_near_it_or_near_another(cudaeval):
    files = [
        *(ROOT / "trajectories" / "written").glob("*/*/task.toml"),
        *(ROOT / "trajectories/hopper").glob("*/*/task.toml"),
    ]
    corpus = [load_task(path.parent) for path in sorted(files)]
    assert len(corpus) >= 100 and len(cudaeval.tasks) >= 150
    assert not {task.task.id for task in cudaeval.tasks} & {task.id for task in corpus}
    ours = {task.task.id: shingles(task.task.reference.source.text) for task in cudaeval.tasks}
    theirs = {task.id: shingles(task.reference.source.text) for task in corpus}
    pairs = [*itertools.product(ours, theirs), *itertools.combinations(ours, 2)]
    near = [(a, b) for a, b in pairs if similarity(ours[a], ours[b] if b in ours else theirs[b]) >= ALIKE]
    assert near == []


def test_every_task_has_a_family_and_a_trajectory_and_no_tier_that_someone_typed(cudaeval):
    for task in cudaeval.tasks:
        assert task.family in FAMILIES and task.folder.parent.name == task.family, task.task.id
        assert task.folder.name == task.task.id
        assert "tier" not in tomllib.loads((task.folder / "task.toml").read_text()), task.task.id
        assert read_solution(SOLUTIONS, task.task.id), f"{task.task.id} has no reference trajectory"
        assert task.task.licence and task.task.bench_sizes and task.task.work.bytes is not None


def test_every_trajectory_is_of_a_shipped_task():
    known = [task.task.id for suite in suite_names() for task in open_suite(suite).tasks]
    assert sorted(folder.name for folder in SOLUTIONS.iterdir()) == sorted(known)


def test_trajectories_are_not_in_the_package(cudaeval):
    assert ROOT / "src" not in SOLUTIONS.parents
    assert not list(cudaeval.root.rglob("0*_*.cu"))


def test_the_twenty_tasks_of_cuda_llm():
    suite = open_suite("cuda-llm-20")
    assert len(suite.tasks) == 20
    for task in suite.tasks:
        assert len(task.task.bench_sizes) == 5 and "naive" in {baseline.name for baseline in task.task.baselines}
        assert read_solution(SOLUTIONS, task.task.id), f"{task.task.id} has no reference trajectory"


def test_each_tier_has_fifty_tasks(cudaeval):
    tiers = Counter(task.tier for task in cudaeval.tasks)
    assert all(tiers[tier] >= 50 for tier in ("easy", "medium", "hard")), tiers


def test_the_page_counts_the_tasks(cudaeval):
    rows = [
        line.split("|")[1:-1]
        for line in (ROOT / "docs" / "cudaeval.md").read_text().splitlines()
        if line.startswith("| ")
    ]
    told = {family.strip(): [int(n) for n in numbers[:4]] for family, *numbers in rows if numbers[0].strip().isdigit()}
    tiers = Counter((task.task.family, task.tier) for task in cudaeval.tasks)

    def counted(family):
        of_family = {tier: n for (f, tier), n in tiers.items() if f == family}
        return [sum(of_family.values()), *(of_family.get(tier, 0) for tier in ("easy", "medium", "hard"))]

    assert {family: told[family] for family in FAMILIES} == {family: counted(family) for family in FAMILIES}
    assert told["**all**"] == [len(cudaeval.tasks), *(sum(told[f][k] for f in FAMILIES) for k in (1, 2, 3))]
