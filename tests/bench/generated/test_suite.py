"""Suites of templates and a seed: the same bytes again, other ones of another seed, tasks that load and are near none of ours."""

import pytest

from regrapht.bench.generated.suite import write_suite
from regrapht.bench.generated.templates import TEMPLATES
from regrapht.bench.harvest.kernels import ALIKE
from regrapht.bench.suite import open_suite
from regrapht.errors import ConfigError
from regrapht.evaluate.admission.admit import admit_task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.shingles import shingles, similarity


def contents(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_a_seed_gives_the_same_bytes_and_another_one_others(tmp_path):
    one, again, other = (write_suite(tmp_path / n, seed=seed, count=24) for n, seed in (("a", 5), ("b", 5), ("c", 6)))
    assert contents(one) == contents(again) and contents(one).keys() == contents(other).keys()
    same = [name for name, text in contents(one).items() if contents(other)[name] == text]
    assert same == []
    longer = write_suite(tmp_path / "d", seed=5, count=25)
    assert contents(one).items() - {("seed.json", contents(one)["seed.json"])} <= contents(longer).items()


def test_every_template_gives_tasks_that_load(tmp_path):
    suite = open_suite(str(write_suite(tmp_path / "x", seed=11, count=4 * len(TEMPLATES))))
    assert len(suite.tasks) == 4 * len(TEMPLATES) and len({task.family for task in suite.tasks}) == len(TEMPLATES)
    assert all(task.task.bench_sizes and len(task.task.description) > 40 for task in suite.tasks)


def test_none_is_near_a_task_of_cudaeval(tmp_path):
    ours = {task.task.id: shingles(task.task.reference.source.text) for task in open_suite("cudaeval").tasks}
    made = open_suite(str(write_suite(tmp_path / "x", seed=12, count=len(TEMPLATES)))).tasks
    for task in made:
        own = shingles(task.task.reference.source.text)
        assert [id for id, other in ours.items() if similarity(own, other) >= ALIKE] == [], (
            task.task.reference.source.text
        )


def test_a_folder_that_has_something_is_left_alone(tmp_path):
    (tmp_path / "note").write_text("mine")
    with pytest.raises(ConfigError, match="not empty"):
        write_suite(tmp_path, seed=1, count=1)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(TEMPLATES)))
def test_its_tasks_are_admitted(tmp_path, number):
    suite = open_suite(str(write_suite(tmp_path / "x", seed=13 + number, count=len(TEMPLATES))))
    found = admit_task(suite.tasks[number].task, choose_sandbox())
    assert [str(finding) for finding in found.errors] == []
