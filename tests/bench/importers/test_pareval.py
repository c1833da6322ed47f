"""ParEval's problems as tasks, from miniature checkouts of our own writing."""

import json
import tomllib
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from regrapht.bench.importers.imported import Matter, write_import
from regrapht.bench.importers.pareval import read_pareval
from regrapht.errors import ConfigError, SchemaError
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Role
from regrapht.report.imported import import_text
from regrapht.sandbox.choose import choose_sandbox
from regrapht.tasks.load import load_task

TABLE = tomllib.loads(files("regrapht.bench.importers").joinpath("pareval.toml").read_text())
DEFECTIVE = sorted(name for name, facts in TABLE.items() if "defect" in facts)
REFUSED = sorted(name for name, facts in TABLE.items() if "refuse" in facts)


@pytest.fixture(scope="module")
def imported(pareval, tmp_path_factory):
    return write_import(read_pareval(pareval), tmp_path_factory.mktemp("imported") / "out")


def outputs(folder, sizes, *, draws=1, change=None):
    """What the reference of an imported task gives on declared draws at `sizes`."""
    task = load_task(folder)
    inputs = [draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=5, index=i) for i in range(draws)]
    if change is not None:
        inputs = [replace(one, arrays={**one.arrays, **change(one.arrays)}) for one in inputs]
    return task, inputs, CompiledReference(task, choose_sandbox(allow_root=True)).written(inputs)


def test_every_serial_prompt_is_a_task_or_a_named_refusal(pareval, problems):
    found = read_pareval(pareval)
    told = [task.problem for task in found.tasks] + [one.problem for one in found.not_imported]
    assert sorted(told) == sorted(name.partition("/")[2] for name in problems)
    assert all(one.reason and one.kind for one in found.not_imported)
    assert found.commit.startswith("tree:") and len(found.commit) == 69


def test_the_table_knows_the_sixty_problems():
    assert sorted(int(name[:2]) for name in TABLE if name[:2].isdigit()) == list(range(60))
    assert set(TABLE["examined"]) == {name for name in TABLE if name[:2].isdigit()}


@pytest.mark.parametrize("name", DEFECTIVE)
def test_a_known_defect_is_shown_and_kept_with_its_task(imported, name):
    defect, text = TABLE[name]["defect"], import_text(imported)
    assert " ".join(defect["finding"].split()) in " ".join(text.split())
    task = next((task for task in imported.found.tasks if task.problem == name), None)
    if task is None:
        assert name in REFUSED
        return
    folder = imported.out / task.id
    assert (
        defect["finding"] in (folder / "README.md").read_text()
        and defect["finding"] in (folder / "task.toml").read_text()
    )
    record = json.loads((folder / "imported.json").read_text())
    assert record["defects"][0]["finding"] == defect["finding"]
    assert f"source_defect_{defect['matter']}" in record["labels"]
    assert (defect["matter"] == Matter.HANDLED) == bool(defect.get("answer")), "what is handled says how"


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_or_undetermined_problem_is_refused_by_name(write_pareval, tmp_path, name):
    checkout = write_pareval(
        tmp_path / "c", {f"any/{name}": ("", "void f(std::vector<double> &x)", "x[0] = 1;", "correctF")}
    )
    found = read_pareval(checkout)
    assert not found.tasks
    assert (found.not_imported[0].problem, found.not_imported[0].reason) == (name, TABLE[name]["refuse"])


def test_lu_never_meets_a_small_pivot(imported):
    for name, sizes in (("00_dense_la_lu_decomp", {"N": 33}), ("49_sparse_la_sparse_lu_decomp", {"nnz": 107, "N": 33})):
        task, _, results = outputs(imported.out / name, sizes, draws=3)
        for result in results:
            for arg in task.outputs:
                assert np.all(np.isfinite(result[arg.name])), name
            upper = result.get("U", result.get("A")).reshape(33, 33)
            assert np.abs(np.diagonal(upper)).min() >= 1


def test_a_constant_does_not_answer_the_search(imported):
    _, _, results = outputs(imported.out / "39_search_xor_contains", {"n": 257, "m": 300}, draws=40)
    assert {int(result["result"][0]) for result in results} == {0, 1}


def test_products_stay_finite_at_the_timed_size(imported):
    task, _, results = outputs(imported.out / "26_reduce_product_of_inverses", {"n": 2**20}, draws=2)
    values = [result["result"][0] for result in results]
    assert all(1e-30 < value < 1e30 for value in values) and values[0] != values[1]
    assert task.tolerance.atol is None, "bars are relative"


def test_containers_become_flat_pointers(imported):
    task, inputs, results = outputs(imported.out / "48_sparse_la_sparse_axpy", {"n": 31, "nnz_x": 7, "nnz_y": 9})
    assert [arg.name for arg in task.args] == [
        *("n", "nnz_x", "nnz_y", "alpha", "x_index", "x_value", "y_index", "y_value", "z"),
    ]
    arrays, z = inputs[0].arrays, np.zeros(31)
    np.add.at(z, arrays["x_index"], np.frombuffer(inputs[0].values["alpha"], np.float64)[0] * arrays["x_value"])
    np.add.at(z, arrays["y_index"], arrays["y_value"])
    assert np.allclose(results[0]["z"], z), "what is written whole starts as zeros, whatever the output held"


def test_complex_numbers_and_points_are_two_numbers_each(imported):
    task, inputs, results = outputs(imported.out / "08_fft_split_fft", {"n": 8})
    x = inputs[0].arrays["x"].reshape(-1, 2)
    right = np.fft.fft(x[:, 0] + 1j * x[:, 1])
    assert np.allclose(results[0]["r"], right.real) and np.allclose(results[0]["i"], right.imag)
    assert task.require == ("n >= 2", "log2(n) == ceil(log2(n))")
    quadrants = load_task(imported.out / "22_histogram_count_quadrants")
    assert [extent.text for extent in quadrants.args[1].shape] == ["n", "2"]
    assert quadrants.args[2].role is Role.OUT, "counters start at zero, so what they held does not matter"


def test_strings_and_structs_with_strings(imported):
    _, inputs, results = outputs(imported.out / "23_histogram_first_letter_counts", {"n": 31})
    first = inputs[0].arrays["s"].reshape(-1, 8)[:, 0]
    assert np.array_equal(results[0]["bins"], np.bincount(first - ord("a"), minlength=26))
    books = load_task(imported.out / "35_search_search_for_last_struct_by_key")
    assert [arg.name for arg in books.args] == ["n", "books_pages"] and "titles" in books.description


def test_a_changed_baseline_is_told(write_pareval, problems, tmp_path, monkeypatch):
    axpy = {"dense_la/03_dense_la_axpy": problems["dense_la/03_dense_la_axpy"]}
    task = read_pareval(write_pareval(tmp_path / "c", axpy)).tasks[0]
    assert "unexamined_source" in task.labels and any("not the one that was examined" in note for note in task.notes)
    known = {
        **TABLE,
        "examined": {task.problem: next(n for n in task.notes if n.startswith("sha256")).split(": ")[1][:16]},
    }
    monkeypatch.setattr("regrapht.bench.importers.pareval._table", lambda: known)
    assert "unexamined_source" not in read_pareval(tmp_path / "c").tasks[0].labels


def test_code_that_only_indexes_is_kept_as_loops(imported):
    labels = {task.problem: task.labels for task in imported.found.tasks}
    assert "copying_reference" not in labels["03_dense_la_axpy"] and "copying_reference" in labels["25_reduce_xor"]
    task, inputs, results = outputs(imported.out / "03_dense_la_axpy", {"n": 31})
    alpha = np.frombuffer(inputs[0].values["alpha"], np.float64)[0]
    assert np.allclose(results[0]["z"], alpha * inputs[0].arrays["x"] + inputs[0].arrays["y"])
    assert "std::vector<" not in task.reference.source.text


def test_what_is_timed_comes_from_the_checkout(write_pareval, problems, tmp_path):
    axpy = {"dense_la/03_dense_la_axpy": problems["dense_la/03_dense_la_axpy"]}
    for sizes, expected in (
        ({"03_dense_la_axpy": {"cuda": "(1<<20)"}}, 2**20),
        ({"03_dense_la_axpy": {}}, 2**18),
        ({}, 2**18),
    ):
        root = write_pareval(tmp_path / f"{len(list(tmp_path.iterdir()))}", axpy, sizes)
        done = write_import(read_pareval(root), root / "out")
        assert load_task(done.out / "03_dense_la_axpy").bench_sizes == ({"n": expected},)
    bad = write_pareval(tmp_path / "bad", axpy, {"03_dense_la_axpy": {"cuda": "system()"}})
    with pytest.raises(SchemaError, match=r"03_dense_la_axpy.*not a size"):
        read_pareval(bad)


def test_no_text_of_the_launch_reaches_the_description(imported):
    task = load_task(imported.out / "03_dense_la_axpy")
    assert (
        task.description == "What 03_dense_la_axpy computes,\nin words of a test."
        and task.origin == "pareval 03_dense_la_axpy"
    )
    reference = task.reference.source.text
    assert "not_for_hosts" not in reference and "USE_CUDA" not in reference


@pytest.mark.parametrize(
    ("problem", "kind", "words"),
    [
        ("x/99_made_up", ("", "void f(std::vector<int> &x)", "x[0] = 1;", "correctF"), "none of the 60"),
        ("dense_la/03_dense_la_axpy", ("", "void axpy(std::map<int, int> &x)", "x[0] = 1;", "correctF"), "is not a number, vector or"),
        ("dense_la/03_dense_la_axpy", ("", "std::string axpy(int n)", "return {};", "correctF"), "returns 'std::string'"),
        ("dense_la/03_dense_la_axpy", ("", "void axpy(std::vector<Thing> &x)", ";", "correctF"), "elements of the type 'Thing'"),
        ("dense_la/03_dense_la_axpy", ("", "void axpy(double beta, std::vector<double> &z)", ";", "correctF"), "'beta' is drawn"),
        ("dense_la/03_dense_la_axpy", ("", "void axpy(std::vector<double> &z)", "", "correctF"), "there is no drivers"),
        ("dense_la/03_dense_la_axpy", ("", "void axpy(std::vector<double> &z)", ";", "wrongF"), "0 functions called correct"),
        ("dense_la/03_dense_la_axpy", ("struct T { char a; int b; };\n", "void axpy(std::vector<T> const& x)", ";", "correctF"), "'char'"),
        ("dense_la/03_dense_la_axpy", ("", "no signature at all", ";", "correctF"), "ends with no signature"),
    ],
)  # fmt: skip
def test_what_cannot_be_imported_says_why(write_pareval, tmp_path, problem, kind, words):
    checkout = write_pareval(tmp_path / "c", {problem: kind if "(" in kind[1] else (*kind[:2], "", kind[3])})
    if kind[1] == "no signature at all":
        folder = checkout / "drivers/cpp/benchmarks" / problem
        folder.mkdir(parents=True)
        (folder / "baseline.hpp").write_text("void correctF() {}\n")
    found = read_pareval(checkout)
    assert not found.tasks and words in found.not_imported[0].reason


def test_another_folder_is_refused(tmp_path, write_pareval, problems):
    pareval = write_pareval(tmp_path / "c", problems)
    with pytest.raises(ConfigError, match=r"not a ParEval checkout: there is no prompts/generation-prompts\.json"):
        read_pareval(tmp_path)
    with pytest.raises(ConfigError, match=r"drivers/problem-sizes\.json, drivers/cpp/benchmarks"):
        read_pareval(tmp_path)
    (pareval / "drivers/problem-sizes.json").rename(pareval / "elsewhere")
    with pytest.raises(ConfigError, match=r"there is no drivers/problem-sizes\.json$"):
        read_pareval(pareval)
    (pareval / "elsewhere").rename(pareval / "drivers/problem-sizes.json")
    (pareval / "prompts/generation-prompts.json").write_text("{}")
    with pytest.raises(SchemaError, match="not a list of prompts"):
        read_pareval(pareval)
    (pareval / "prompts/generation-prompts.json").write_text("[")
    with pytest.raises(SchemaError, match="not JSON"):
        read_pareval(pareval)
    (pareval / "prompts/generation-prompts.json").write_text("[]")
    with pytest.raises(SchemaError, match="serial"):
        read_pareval(pareval)
