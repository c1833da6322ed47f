"""The file of results: what is kept over a kill, and what is refused."""

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from regrapht.bench.experiment.results import RESULTS, ResultFile, of_methods, read_results
from regrapht.errors import ConfigError, SchemaError, UnknownName
from regrapht.records.run import Budget


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / RESULTS


def begun(path, experiment, *cells):
    """What the file knows when it is opened; then `cells` are added, and it is closed."""
    with closing(ResultFile(path, experiment)) as file:
        known = file.experiment, set(file.done)
        for cell in cells:
            file.add(cell)
    return known


def test_what_is_added_comes_back(path, make_cell, make_experiment):
    cells = (make_cell("mcgs", 0, 0), make_cell("direct", 0, 0, speedup=None))
    begun(path, make_experiment(), *cells)
    assert read_results(path) == (make_experiment(), cells) == read_results(path.parent)
    assert begun(path, make_experiment())[1] == {("mcgs", "task0", 0), ("direct", "task0", 0)}


@pytest.mark.parametrize("left", ["half of the last line", "nothing"])
def test_a_kill_while_writing_loses_one_line_at_most(path, left, make_cell, make_experiment):
    begun(path, make_experiment(), make_cell("mcgs", 0, 0), make_cell("mcgs", 1, 0))
    lines = path.read_text().splitlines(keepends=True)
    kept = {
        "half of the last line": "".join(lines[:2]) + lines[2][:50],
        "nothing": "",
    }[left]
    path.write_text(kept)
    _, done = begun(path, make_experiment(), make_cell("mcgs", 1, 0))
    assert done == ({("mcgs", "task0", 0)} if left == "half of the last line" else set())
    assert read_results(path)[1][-1] == make_cell("mcgs", 1, 0)


@pytest.mark.parametrize("content", ['{"a": 1}\n{"b', '{"suite": "half of a li', "[1]\n", "\n"])
def test_a_file_of_something_else_is_left_alone(path, content, make_experiment):
    path.parent.mkdir()
    path.write_text(content)
    with pytest.raises(ConfigError, match="holds something else: name another --out"):
        ResultFile(path, make_experiment())
    assert path.read_text() == content


def test_another_experiment_is_named_and_not_mixed_in(path, make_experiment):
    begun(path, make_experiment())
    with pytest.raises(ConfigError, match="seeds: 2 and 1"):
        ResultFile(path, make_experiment(seeds=1))
    with pytest.raises(ConfigError, match="seeds: 2 and 3; protocol: 2 and 3"):
        ResultFile(path, make_experiment(seeds=3, protocol="3"))
    with pytest.raises(ConfigError, match="budget: candidates=20 and candidates=4; protocol"):
        ResultFile(path, make_experiment(protocol="3", budget=Budget(candidates=4)))
    later = make_experiment(command="regrapht bench run --workers 2", created="later", suite="/elsewhere/made-up")
    assert begun(path, later)[0] == make_experiment()


def test_the_task_that_differs_is_named(path, make_experiment):
    whole = make_experiment()
    begun(path, whole)
    changed = (whole.tasks[0], replace(whole.tasks[1], content_hash="new"), *whole.tasks[2:])
    for tasks, said in ((changed, "task1 is not"), (whole.tasks[1:], "4 and 3, task0"), (whole.tasks[::-1], "order")):
        with pytest.raises(ConfigError, match=f"tasks: .*{said}"):
            ResultFile(path, replace(whole, tasks=tasks))


def test_it_is_open_once_at_a_time(path, make_experiment):
    other = "import sys; from regrapht.bench.experiment.results import *; ResultFile(Path(sys.argv[1]), read_results(Path(sys.argv[1]))[0])"
    command = [sys.executable, "-c", other, str(path)]
    with closing(ResultFile(path, make_experiment())):
        for _ in range(2):
            refused = subprocess.run(command, capture_output=True, text=True, check=False)
            assert "another process works on" in refused.stderr
            with pytest.raises(ConfigError, match="works on"):
                ResultFile(path, make_experiment())
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_more_seeds_go_on_with_what_is_there(path, make_cell, make_experiment):
    begun(path, make_experiment(), make_cell("mcgs", 0, 0))
    more = make_experiment(seeds=3, command="regrapht bench run --seeds 3")
    assert begun(path, more, make_cell("mcgs", 0, 2))[1] == {("mcgs", "task0", 0)}
    experiment, cells = read_results(path)
    assert experiment == make_experiment(seeds=3, command="regrapht bench run --seeds 3")
    assert cells == (make_cell("mcgs", 0, 0), make_cell("mcgs", 0, 2))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [lines[0], lines[1].replace("true", "maybe")], "line 2"),
        (lambda lines: [lines[0], lines[1], lines[1]], "line 3.*twice"),
        (lambda lines: [lines[1]], "line 1 is not an experiment"),
        (lambda lines: ["[", *lines], "line 1 is not an experiment"),
        (lambda lines: [json.dumps({**json.loads(lines[0]), "schema_version": 99}), lines[1]], "line 1"),
        (lambda lines: [lines[0], json.dumps({**json.loads(lines[1]), "surprise": 1})], "line 2"),
    ],
)
def test_damage_is_refused_by_line(path, damage, said, make_cell, make_experiment):
    begun(path, make_experiment(), make_cell("mcgs", 0, 0))
    path.write_text("\n".join(damage(path.read_text().splitlines())) + "\n")
    with pytest.raises(SchemaError, match=said):
        read_results(path)


def test_no_file(tmp_path):
    with pytest.raises(ConfigError, match="bench run"):
        read_results(tmp_path)


def test_the_best_so_far(make_cell):
    cell = make_cell("mcgs", 0, 0, speedup=4.0)
    assert [cell.reward_at(budget) for budget in (0, 1, 6, 7, 200)] == [0.0, 0.1, 0.1, 0.4, 0.4]
    assert make_cell("mcgs", 0, 0, speedup=None).reward_at(200) == 0.0


def test_some_methods_of_an_unfinished_experiment(make_cell, make_experiment):
    experiment = make_experiment()
    cells = (make_cell("mcgs", 0, 0), make_cell("direct", 0, 0), make_cell("mcgs", 1, 0))
    alone, kept = of_methods(experiment, cells, ["mcgs"])
    assert (alone.methods, kept) == (("mcgs",), (cells[0], cells[2]))
    assert of_methods(experiment, cells, list(reversed(experiment.methods)))[0].methods == experiment.methods
    with pytest.raises(UnknownName, match="no method 'mcg'; did you mean 'mcgs'"):
        of_methods(experiment, cells, ["mcg"])
