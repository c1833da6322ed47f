"""Whether a file of results holds: the project's own do, a tampered one is refused in one line that says why."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.bench.experiment.merging import merge_results
from regrapht.bench.experiment.results import ResultFile, TaskRef, read_results
from regrapht.bench.experiment.verification import published, verify_results
from regrapht.bench.pack import write_pack
from regrapht.bench.pack_archive import write_archive
from regrapht.bench.suite import open_suite, pack_of
from regrapht.errors import ConfigError, SchemaError

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"
OURS = [file for file in sorted(RESULTS.glob("*.jsonl")) if file.open().read(20).startswith('{"budget"')]


@pytest.fixture
def packed(suite_folder):
    """The suite as a pack, and the experiment's references to its tasks."""
    write_pack(suite_folder, pack_of(open_suite(str(suite_folder)), "1"))
    suite = open_suite(f"{suite_folder}@1")
    tasks = tuple(
        TaskRef(
            id=task.task.id, content_hash=task.task.content_hash, family=task.family, tier=task.tier, inside_engine=True
        )
        for task in suite.tasks
    )
    return suite, tasks


@pytest.fixture
def write(tmp_path, packed, make_experiment, make_cell):
    """Writes a file of results of the pack, two cells a task, after a change of experiment or cells."""
    suite, tasks = packed

    def written(experiment=lambda it: it, cell=lambda it: it, seal=True):
        made = experiment(make_experiment(suite=suite.name, tasks=tasks, pack_hash=suite.pack_hash, seeds=1))
        cells = [
            make_cell(
                method,
                0,
                0,
                task_id=task.id,
                figure=50.0,
                judged_by={"engine": 20},
                statuses={"PASSED": 17, "WRONG_VALUE": 5},
            )
            for task in tasks
            for method in ("mcgs", "direct")
        ]
        cells = [
            replace(it, improvements=tuple(replace(step, reward=_earned(step.figure)) for step in it.improvements))
            for it in cells
        ]
        cells[1] = cell(cells[1])
        with closing(ResultFile(tmp_path / "results.jsonl", made)) as file:
            for each in cells:
                file.add(each)
        return tmp_path / "results.jsonl"

    return written


def _earned(figure):
    from regrapht.search.reward import earned

    return earned(figure, start=100.0, floor=1.0)


def test_what_bench_run_writes_holds(write):
    experiment, cells, notes = verify_results(write())
    assert len(cells) == 4 and notes == [] and all(cell.seal for cell in cells)
    assert experiment.pack_hash


def edit(file, old, new):
    text = file.read_text()
    assert text.count(old) >= 1
    head, _, rest = text.partition("\n")
    file.write_text(f"{head}\n{rest.replace(old, new, 1)}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"naive":1.0', '"naive":1.1'),
        ('"figure":50.0', '"figure":49.0'),
        ('"tokens":0', '"tokens":1'),
        ('"seed":0', '"seed":1'),
        ('"method":"mcgs"', '"method":"direct"'),
        ('"labels":[]', '"labels":["x"]'),
    ],
)
def test_an_edited_value_is_refused(write, old, new):
    file = write()
    edit(file, old, new)
    with pytest.raises((ConfigError, SchemaError)) as refusal:
        verify_results(file)
    assert "is not as it was written down" in str(refusal.value) or "twice" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def head(**changes):
    """The experiment's own line with other values, and all cells as they are."""

    def changed(lines):
        plain = json.loads(lines[0])
        assert all(plain[name] != value for name, value in changes.items())
        return [json.dumps(plain | changes, sort_keys=True, separators=(",", ":")), *lines[1:]]

    return changed


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (lambda lines: [*lines[:2], *lines[3:]], "or a line is gone"),
        (lambda lines: [lines[0], *lines[2:]], "or a line is gone"),
        (lambda lines: lines[:-1], "1 of 4 cells missing: finish the experiment"),
        (lambda lines: lines[:1], "4 of 4 cells missing"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "or a line is gone"),
        (lambda lines: [*lines, lines[-1]], "is there twice"),
        (lambda lines: [lines[0], *(line.replace("17", "18", 1) for line in lines[1:])], "not as it was written down"),
        (head(seeds=2), "of a line before it, was edited"),
        (head(methods=["mcgs"]), "of a line before it, was edited"),
        (head(model="a smaller one"), "of a line before it, was edited"),
        (
            head(budget={"candidates": 40, "proposals": None, "seconds": None, "tokens": None, "usd": None}),
            "was edited",
        ),
        (head(graph_hash="f" * 64), "of a line before it, was edited"),
        (head(version="9"), "of a line before it, was edited"),
        (head(pack_hash="0" * 64), "of a line before it, was edited"),
        (head(tasks=[]), "of a line before it, was edited"),
    ],
)
def test_a_tampered_file_is_refused(write, tamper, said):
    file = write()
    lines = file.read_text().splitlines()
    changed = tamper(lines)
    assert changed != lines
    file.write_text("".join(f"{line}\n" for line in changed))
    with pytest.raises((ConfigError, SchemaError)) as refusal:
        verify_results(file)
    assert said in str(refusal.value) and "\n" not in str(refusal.value)


def test_an_edited_file_is_neither_merged_nor_gone_on_with_by_more_seeds(write, tmp_path):
    file = write()
    merged = merge_results([file], tmp_path / "merged", command="bench merge")
    assert verify_results(merged)[2] == []
    more = replace(read_results(file)[0], seeds=2)
    with closing(ResultFile(merged, more)):
        pass
    assert read_results(merged)[0].seeds == 2
    with pytest.raises(ConfigError, match="4 of 8 cells missing"):
        verify_results(merged)
    edit(file, '"tokens":0', '"tokens":1')
    with pytest.raises(ConfigError, match="is not as it was written down"):
        merge_results([file], tmp_path / "again", command="bench merge")
    with pytest.raises(ConfigError, match="is not as it was written down"):
        ResultFile(file, more)


@pytest.mark.parametrize("file", [file for file in OURS if '"seal":"' in file.read_text()], ids=lambda file: file.stem)
def test_a_committed_file_with_another_first_line_is_no_longer_known_and_refused(file, tmp_path):
    copy = tmp_path / file.name
    copy.write_text(file.read_text().replace('"seeds":1', '"seeds":2', 1))
    assert copy.read_text() != file.read_text()
    with pytest.raises(ConfigError, match="is not as it was written down"):
        verify_results(copy)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"speedups": {"sequential": 20.0, "naive": 1.0}}, "its speed-up over sequential contradicts"),
        ({"floor_fraction": 0.5}, "its fraction of the speed of light contradicts"),
        ({"proposals": 21}, "21 proposals, and statuses of 22"),
        ({"judged": 19}, "19 judged, and 20 by who wrote them"),
        ({"judged": 21, "judged_by": {"engine": 21}}, "the budget is 20"),
        ({"seed": 7}, "has the seeds 0 to 0"),
        ({"method": "guess"}, "no such method"),
        ({"task_id": "thrice"}, "no such task"),
        ({"status": "WRONG_VALUE"}, "says otherwise"),
        ({"improvements": ()}, "says otherwise"),
        ({"start": 200.0}, "its figure earns another"),
        ({"figure": -1.0}, "not above 0"),
        ({"passed": False}, "speed-ups are told"),
        ({"scale": "modelled"}, "is not modelled"),
    ],
)
def test_numbers_that_contradict_each_other_are_refused_though_sealed(write, change, said):
    from regrapht.records.measurement import Scale

    change = change | ({"scale": Scale.MODELLED} if "scale" in change else {})
    with pytest.raises(ConfigError, match=said) as refusal:
        verify_results(write(cell=lambda cell: replace(cell, **change)))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: replace(it, pack_hash="0" * 64), "results of another pack"),
        (lambda it: replace(it, suite="elsewhere"), "their suite 'elsewhere' is none"),
        (
            lambda it: replace(it, tasks=(replace(it.tasks[0], content_hash="1"), it.tasks[1])),
            "the task square of these results",
        ),
        (
            lambda it: replace(it, tasks=(it.tasks[0], replace(it.tasks[1], tier="hard"))),
            "the task twice of these results",
        ),
    ],
)
def test_results_of_another_pack_are_refused(write, change, said):
    with pytest.raises(ConfigError, match=said):
        verify_results(write(experiment=change))


def test_results_of_an_older_pack_hold_and_what_is_another_task_by_now_is_said(write, packed):
    file, root = write(), packed[0].root
    write_pack(root, pack_of(open_suite(str(root)), "1.1"))
    assert verify_results(file)[2] == [
        "the newest pack is suite@1.1: of the 2 tasks of these results all are the same there"
    ]
    code = root / "layout/twice/twice.cpp"
    write_archive(root, "1", (task.folder for task in open_suite(str(root)).tasks))
    code.write_text(code.read_text().replace("2", "(1 + 1)") + "\n")
    write_pack(root, pack_of(open_suite(str(root)), "1.2"))
    assert verify_results(file)[2][0].endswith(
        "suite@1.2: of the 2 tasks of these results all but twice are the same there"
    )


def test_a_file_without_seals_is_refused_unless_it_is_ours(write):
    file = write()
    lines = file.read_text().splitlines()
    bare = [json.dumps(json.loads(line) | {"seal": None}) for line in lines[1:]]
    file.write_text("\n".join([lines[0], *bare, ""]))
    with pytest.raises(ConfigError, match="has no seal"):
        verify_results(file)


def test_every_committed_file_is_known():
    assert len(OURS) == len(published()) >= 7


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.stem)
def test_the_committed_files_hold(file):
    experiment, cells, notes = verify_results(file)
    assert cells and not [note for note in notes if "edited" in note] and experiment == read_results(file)[0]


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.stem)
def test_a_committed_file_with_an_edited_number_is_refused(file, tmp_path):
    copy = tmp_path / file.name
    copy.write_bytes(file.read_bytes())
    edit(copy, '"proposals":', '"proposals":1')
    with pytest.raises(ConfigError, match="that was changed"):
        verify_results(copy)
