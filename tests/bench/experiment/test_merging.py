"""Parts of one experiment put together: what belongs together, and what does not."""

from contextlib import closing
from dataclasses import replace

import pytest

from regrapht.bench.experiment.merging import Part, merge_results
from regrapht.bench.experiment.results import RESULTS, ResultFile, read_results
from regrapht.errors import ConfigError
from regrapht.records.run import Budget


@pytest.fixture
def part(tmp_path, make_experiment):
    """Write a part with some tasks of the made-up experiment."""

    def write(name, tasks, cells, **more):
        whole = make_experiment(**more)
        part = replace(whole, tasks=tuple(whole.tasks[i] for i in tasks))
        with closing(ResultFile(tmp_path / name / RESULTS, part)) as file:
            for cell in cells:
                file.add(cell)
        return tmp_path / name

    return write


def test_parts_become_the_whole(tmp_path, part, make_cell, make_experiment):
    cells = [make_cell(method, task, seed) for seed in range(2) for task in range(4) for method in ("mcgs", "direct")]
    parts = [
        part(str(i), tasks, [c for c in cells if c.task_id in {f"task{k}" for k in tasks}], created=f"day {i}")
        for i, tasks in enumerate(((3, 2), (0,), (1, 0)))
    ]
    file = merge_results(parts, tmp_path / "out", command="regrapht bench merge 0 1 2")
    experiment, found = read_results(file)
    assert found == tuple(cells)
    expected = make_experiment(command="regrapht bench merge 0 1 2", created="day 0")
    assert experiment == expected


def test_the_first_seeds_of_parts_that_have_come_further(tmp_path, part, make_cell, make_experiment):
    first = [make_cell("mcgs", task, 0) for task in range(2)]
    parts = [
        part("a", (0,), [first[0], make_cell("mcgs", 0, 1)], seeds=2),
        part("b", (1,), [first[1], make_cell("mcgs", 1, 2)], seeds=3),
    ]
    with pytest.raises(ConfigError, match="seeds"):
        merge_results(parts, tmp_path / "all", command="")
    with pytest.raises(ConfigError, match="a has 2 seeds, not 3"):
        merge_results(parts, tmp_path / "three", command="", seeds=3)
    experiment, cells = read_results(merge_results(parts, tmp_path / "one", command="", seeds=1))
    assert cells == tuple(first) and experiment.seeds == 1 and len(experiment.tasks) == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [({"seeds": 3}, "seeds"), ({"budget": Budget(candidates=4)}, "budget"), ({"graph_hash": "1" * 64}, "graph_hash")],
)
def test_another_experiment_is_refused(tmp_path, part, more, said):
    parts = [part("a", (0,), []), part("b", (1,), [], **more)]
    with pytest.raises(ConfigError, match=said):
        merge_results(parts, tmp_path / "out", command="")
    assert not (tmp_path / "out").exists()


def test_two_answers_for_one_cell_are_refused(tmp_path, part, make_cell):
    parts = [
        part("a", (0,), [make_cell("mcgs", 0, 0)]),
        part("b", (0,), [make_cell("mcgs", 0, 0, speedup=99.0)]),
    ]
    with pytest.raises(ConfigError, match="mcgs at task0 with seed 0"):
        merge_results(parts, tmp_path / "out", command="")


def test_a_task_that_changed_is_refused(tmp_path, part, make_experiment):
    parts = [part("a", (0,), []), part("b", (0,), [])]
    whole = make_experiment()
    changed = replace(whole, tasks=(replace(whole.tasks[0], content_hash="new"),))
    (parts[1] / RESULTS).unlink()
    ResultFile(parts[1] / RESULTS, changed).close()
    with pytest.raises(ConfigError, match=r"task0 of .*b is another one"):
        merge_results(parts, tmp_path / "out", command="")


def test_nothing_is_overwritten(tmp_path, part):
    whole = part("a", (0,), [])
    with pytest.raises(ConfigError, match="there already"):
        merge_results([whole], whole, command="")


def model(name):
    return {"proposer": "hybrid", "model": name, "mend": True, "choice_weight": 0.5}


def test_two_models_tried_one_after_the_other_become_one_comparison(tmp_path, part, make_cell):
    cells = [make_cell(method, task, seed) for seed in range(2) for task in range(4) for method in ("mcgs", "direct")]
    ours = part("engine", range(4), cells)
    small, large = (part(name, range(4), cells, **model(f"gguf:{name}")) for name in ("small", "large"))
    with pytest.raises(
        ConfigError, match=r"mcgs of .*large is another method .*\(another model\): name them apart, NAME="
    ):
        merge_results([small, large], tmp_path / "none", command="")
    named = [Part.read(str(ours)), Part.read(f"small={small}"), Part.read(f"large={large}")]
    experiment, found = read_results(merge_results(named, tmp_path / "all", command=""))
    assert experiment.methods == ("mcgs", "direct", "small/mcgs", "small/direct", "large/mcgs", "large/direct")
    assert [(m.name, m.search, m.proposer, m.model) for m in experiment.parts[1:3]] == [
        ("direct", "direct", "transform", None), ("small/mcgs", "mcgs", "hybrid", "gguf:small"),
    ]  # fmt: skip
    assert len(found) == 3 * len(cells) == experiment.cell_count and experiment.mend is True
    assert (experiment.proposer, experiment.model) == ("several", None) and experiment.asks_models


def test_other_switches_of_models_are_refused(tmp_path, part):
    parts = [part("a", (0,), [], **model("m")), part("b", (1,), [], **model("m") | {"mend": False})]
    with pytest.raises(ConfigError, match="mend: True and False"):
        merge_results(parts, tmp_path / "out", command="")
