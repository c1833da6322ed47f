"""The tables of cuda-llm-20, from results and trajectories made up here, against figures worked out by hand."""

import importlib.util
import sys
from contextlib import closing
from pathlib import Path

import pytest

from regrapht.bench.experiment.results import ResultFile, TaskRef
from regrapht.bench.suite import open_suite
from regrapht.construct.verdict_file import ShapeSummary, StepVerdict, write_verdicts
from regrapht.graph.technique_graph import text_hash
from regrapht.records.measurement import Environment, Ratio, ShapeTiming, TimingSamples
from regrapht.records.verdict import Level, Status

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "against_libraries.py"
SUITE = {task.task.id: task.task for task in open_suite("cuda-llm-20").tasks}
H200, H100 = (
    Environment(device=f"NVIDIA {name} (sm_90)", architecture="sm_90", cpu="a processor", tools={}, clocks={})
    for name in ("H200", "H100")
)


@pytest.fixture
def script(monkeypatch):
    spec = importlib.util.spec_from_file_location("against_libraries", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "against_libraries", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def shown(script, monkeypatch, capsys, tmp_path):
    """What the script prints, by section: the rows of its table by task (with `--sizes`, in lists) and its other lines."""

    def call(results, *arguments):
        command = ["against_libraries.py", str(results), "--solutions", str(tmp_path / "solutions"), *arguments]
        monkeypatch.setattr(sys, "argv", command)
        assert script.main() == 0
        sections = capsys.readouterr().out.split("## ")[1:]
        return [([table_row(line) for line in s.splitlines() if line.startswith("|")], s) for s in sections]

    return call


def table_row(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def by_name(table):
    header, _, *rows = table
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows}


@pytest.fixture
def results(make_experiment, tmp_path):
    """Writes a file of results on `matmul`, which has a library, and `relu`, which has none."""

    def write(*cells, **more):
        refs = [
            TaskRef(id=id, content_hash=SUITE[id].content_hash, family="f", tier=None, inside_engine=True)
            for id in ("matmul", "relu")
        ]
        fields = {"suite": "cuda-llm-20", "tasks": tuple(refs), "seeds": 1, "environment": H200, **more}
        with closing(ResultFile(tmp_path / "results.jsonl", make_experiment(**fields))) as file:
            for cell in cells:
                file.add(cell)
        return file.path

    return write


@pytest.fixture
def cell(make_cell):
    def make(method, task, seed=0, *, figure, naive, library=None, light=0.5):
        speedups = {"sequential": 99.0, "naive": naive, **({"library": library} if library else {})}
        return make_cell(method, 0, seed, task_id=task, figure=figure, speedups=speedups, floor_fraction=light)

    return make


@pytest.fixture
def failed(make_cell):
    return lambda method, task: make_cell(method, 0, 0, task_id=task, speedup=None)


@pytest.fixture
def step(tmp_path):
    """Writes a step of a trajectory with what a judge said of it: its times at the bench sizes, and those of its baselines."""
    kept = {}

    def write(task, name, times, *, of="", environment=H200, protocol="2", evaluator="local_gpu", floor_us=1.0, **over):
        folder = tmp_path / "solutions" / task
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"// {name}\n")
        shapes = [
            ShapeTiming(
                sizes=sizes,
                candidate=TimingSamples(samples_us=(time,)),
                baselines={b: TimingSamples(samples_us=(us[i],)) for b, us in over.items()},
                ratios=tuple(Ratio(against=b, value=us[i] / time, low=0.1, high=99.0) for b, us in over.items()),
                floor_us=floor_us,
            )
            for i, (sizes, time) in enumerate(zip(SUITE[task].bench_sizes, times, strict=False))
        ]
        verdict = StepVerdict(
            file=name,
            source_hash=text_hash(f"// {name}{of}\n"),
            task_hash=SUITE[task].content_hash,
            status=Status.PASSED,
            level=Level.FULL,
            evaluator=evaluator,
            protocol=protocol,
            reason="",
            labels=(),
            environment=environment,
            timing=tuple(map(ShapeSummary.of, shapes)),
            date="2026-01-01T00:00:00+00:00",
        )
        kept.setdefault(task, []).append(verdict)
        write_verdicts(folder, kept[task])

    return write


def test_a_row_a_task_and_the_means(results, cell, failed, step, shown):
    path = results(
        cell("mcgs", "matmul", figure=10.0, naive=8.0, library=0.5, light=0.25),
        cell("direct", "matmul", figure=40.0, naive=2.0, library=0.125, light=0.0625),
        cell("mcgs", "relu", figure=5.0, naive=2.0, light=0.81),
        failed("direct", "relu"),
    )
    step("matmul", "01_map_2d.cu", [100] * 5, naive=[200] * 5, library=[10] * 5)
    step("matmul", "02_register_tiling.cu", [2, 4, 8, 16, 32], naive=[8, 16, 32, 64, 128], library=[4] * 5)
    [(table, text), _] = shown(path)
    rows = by_name(table)
    assert list(rows["matmul"])[4:8] == [
        "mcgs over library",
        "mcgs of light",
        "direct over plain",
        "direct over library",
    ]
    assert list(rows["matmul"].values()) == [
        *("matmul", "80.000", "0.062"),
        *("8.000", "0.500", "0.250"),
        *("2.000", "0.125", "0.062"),
        *("4.000", "0.500", "0.125", "register_tiling"),
    ]
    assert list(rows["relu"].values())[1:] == ["10.000", "-", "2.000", "-", "0.810", *"-------"]
    assert set(rows["sum"].values()) == {"sum", "-"} and len(rows) == 20 + 2
    assert list(rows["geometric mean of 20"].values())[1:6] == [
        "28.284 (2)",
        "0.062 (1)",
        "4.000 (2)",
        "0.500 (1)",
        "0.450 (2)",
    ]
    assert rows["of the 1 that all of mcgs, direct, trajectory have"]["mcgs over plain"] == "8.000"
    assert (
        "* direct: nothing passed: 1 of 20 (relu)" in text
        and "* mcgs: not in the results: 18 of 20 (attention," in text
    )
    assert "* library: the task has none: 11 of 20 (attention," in text and "Different" not in text
    assert "* trajectory: no step passed on a GPU and was timed at every size, as steps and task are: 19 of 20" in text


def test_the_fastest_of_several_seeds(results, cell, shown):
    seeds = [cell("mcgs", "relu", seed, figure=20.0 / n, naive=n) for seed, n in enumerate((2.0, 4.0, 1.0))]
    [(table, text), _] = shown(results(*seeds, seeds=3))
    assert by_name(table)["relu"]["mcgs over plain"] == "4.000" and "the fastest of 3 seeds" in text
    assert by_name(table)["relu"]["plain CUDA, µs"] == "20.000"


def test_a_library_that_was_not_timed_at_every_size_is_told_from_one_that_is_not_there(results, cell, shown):
    path = results(
        cell("mcgs", "matmul", figure=1.0, naive=2.0, light=None), cell("mcgs", "relu", figure=1.0, naive=2.0)
    )
    [(table, text), _] = shown(path)
    assert by_name(table)["matmul"]["mcgs over library"] == by_name(table)["relu"]["mcgs over library"] == "-"
    assert "* mcgs: no time of `library` at every size: 1 of 20 (matmul)" in text
    assert "* mcgs: the speed of light is not known: 1 of 20 (matmul)" in text


@pytest.mark.parametrize(
    "more",
    [{"times": [1.0] * 4}, {"evaluator": "emulated"}, {"of": "as it was before"}],
)
def test_what_is_no_time_of_a_trajectory(results, step, shown, more):
    why = "no step passed on a GPU and was timed at every size, as steps and task are"
    step("relu", "01_map_to_threads.cu", more.pop("times", [1.0] * 5), naive=[2.0] * 5, **more)
    [(table, text), _] = shown(results())
    assert by_name(table)["relu"]["trajectory over plain"] == "-"
    assert f"* trajectory: {why}: " in text and "relu" in text.split(f"{why}: ")[1].splitlines()[0]


def test_other_devices_other_rules_and_changed_tasks_are_said(results, step, shown):
    step("relu", "01_map_to_threads.cu", [1.0] * 5, naive=[2.0] * 5, environment=H100, protocol="1")
    [(table, text), _] = shown(results())
    assert by_name(table)["relu"]["trajectory over plain"] == "2.000"
    assert "results are of NVIDIA H200 (sm_90), steps of the trajectories of NVIDIA H100 (sm_90)" in text
    assert "2 in the results, 1 in trajectories" in text and "have changed" not in text


def test_a_task_that_has_changed_since_the_results_takes_its_steps_along(results, step, shown):
    step("relu", "01_map_to_threads.cu", [1.0] * 5, naive=[2.0] * 5)
    old = TaskRef(id="relu", content_hash="0" * 64, family="f", tier=None, inside_engine=True)
    [(table, text), _] = shown(results(tasks=(old,)))
    assert by_name(table)["relu"]["trajectory over plain"] == "-", "another task than that of the results"
    assert "Tasks that have changed since the results: 1 (relu)" in text


def test_published_figures_stand_apart(results, cell, shown):
    [_, (table, text)] = shown(results(cell("mcgs", "matmul", figure=1.0, naive=3.0)))
    assert "other baselines and other GPUs, not to be divided by ours" in text.splitlines()[0]
    rows = by_name(table)
    assert rows["matmul"]["published, RTX 3090 Ti"] == "5.2616" and rows["matmul"]["mcgs over plain"] == "3.000"
    assert rows["bubble_sort"]["published, GTX 1660 SUPER"] == "1.3100" and "race" in rows["bubble_sort"]["remark"]
    assert "NaN" in rows["attention"]["remark"] and rows["relu"]["remark"] == "" and rows.keys() == SUITE.keys()


def test_published_figures_are_of_tasks_of_the_suite(script):
    published = script.tomllib.loads(script.PUBLISHED.read_text())
    assert published["speedups"].keys() == SUITE.keys() >= published["remarks"].keys()
    assert all(len(figures) == len(published["gpus"]) for figures in published["speedups"].values())


def test_sizes(results, step, shown):
    step("matmul", "01_map_2d.cu", [2, 4, 8, 16, 32], naive=[8, 16, 32, 64, 64], library=[4] * 5)
    [_, _, (table, text)] = shown(results(), "--sizes")
    of = [row[1:] for row in table if row[0] == "matmul"]
    assert of[0] == ["map_2d", "m=1024 n=2048 k=4096", "2.000", "4.000", "2.000", "0.500"]
    assert of[4] == ["map_2d", "m=262144 n=2048 k=4096", "32.000", "2.000", "0.125", "0.031"]
    assert "On NVIDIA H200 (sm_90)." in text and ["relu", *"------"] in table and len(of) == 5


def test_another_suite_and_another_judge_are_refused(script, results, monkeypatch, capsys):
    for fields, said in (({"suite": "cudaeval"}, "cudaeval by local_gpu"), ({"evaluator": "emulated"}, "by emulated")):
        path = results(**fields)
        monkeypatch.setattr(sys, "argv", ["against_libraries.py", str(path)])
        with pytest.raises(SystemExit) as ended:
            script.main()
        assert ended.value.code == 2 and said in capsys.readouterr().err
        path.unlink()


def test_another_suite_by_name_has_no_published_figures(results, suite_folder, shown):
    [(table, _)] = shown(results(suite=str(suite_folder), tasks=()), "--suite", str(suite_folder))
    assert {"square", "twice"} <= by_name(table).keys()
