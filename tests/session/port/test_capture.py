"""The lengths of arrays in tasks of a real run: the code's guess where the run agrees, else those of the run."""

import json
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.task import ArgKind, Task
from regrapht.records.user_code import BuildFlags
from regrapht.session.port.capture import Application, slug_of, task_of
from regrapht.session.port.captured import CapturedArray, CapturedCall, is_refuted, with_captured
from regrapht.session.port.compile_log import Compiled
from regrapht.session.port.functions_of import OwnFunction, functions_of
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

SOURCE = """\
#include <vector>
double apart(const std::vector<int>& group, const std::vector<double>& at, const std::vector<double>& middle) {
    double sum = 0;
    for (int p = 0; p < (int)group.size(); ++p) sum += (at[p] - middle[group[p]]) * (at[p] - middle[group[p]]);
    return sum;
}
void multiplied(const std::vector<int>& start, const std::vector<int>& column, const std::vector<double>& value,
                const std::vector<double>& x, std::vector<double>& y) {
    for (int i = 0; i < (int)y.size(); ++i) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
void banded(const std::vector<double>& in, std::vector<double>& out, int rows, int n, int band) {
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 2 * band + 1; ++k) {
                const int j = i + k - band;
                if (j >= 0 && j < n) out[r * n + i] += in[r * n + j];
            }
}
class Table {
public:
    double operator()(int i) const { return values_[i]; }
private:
    std::vector<double> values_;
};
template <class T> class Shown {
public:
    T operator()(int i) const { return values_[i]; }
    const std::vector<T>& values() const { return values_; }
private:
    std::vector<T> values_;
};
void looked_up(std::vector<double>& at, const Table& table) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += table((int)(at[i] * 3));
}
void looked_into(std::vector<double>& at, const Shown<double>& table) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += table((int)(at[i] * 3));
}
void doubled(std::vector<double>& of, int count) {
    for (int i = 0; i < count; ++i) of[i] *= 2;
}
"""


@pytest.fixture
def app(tmp_path: Path) -> Application:
    project = tmp_path / "app"
    project.mkdir()
    (project / "all.cpp").write_text(SOURCE)
    database = tmp_path / "compile_commands.json"
    words = ["c++", "-std=c++17", "-c", "all.cpp"]
    database.write_text(json.dumps([{"directory": str(project), "file": str(project / "all.cpp"), "arguments": words}]))
    return Application(project=project, build="", run="", work=tmp_path, out=tmp_path / "out", database=database)


def function(app: Application, name: str) -> OwnFunction:
    source = Compiled(source=Path("all.cpp"), folder=app.project, words=(), output="all.o")
    return next(one for one in functions_of(app.project, app.database, [source]) if one.name == name)


def made(app: Application, name: str, call: CapturedCall) -> Task:
    one = function(app, name)
    flags = BuildFlags(project=app.database)
    home = project_function(app.project / one.unit, entry=one.entry, flags=flags, sized=True).home
    assert home is not None
    return task_of(app, one, home, [call])


def called(number: int = 0, **arrays: CapturedArray | int) -> CapturedCall:
    held = {name: one for name, one in arrays.items() if isinstance(one, CapturedArray)}
    numbers = {name: one for name, one in arrays.items() if isinstance(one, int)}
    sizes = {f"{name}_size": one.count for name, one in held.items()}
    return CapturedCall(call=number, numbers={**sizes, **numbers}, arrays=held)


def shapes_of(task: Task) -> dict[str, str]:
    return {arg.name: ", ".join(one.text for one in arg.shape) for arg in task.args if arg.kind is ArgKind.ARRAY}


def test_a_guessed_length_that_the_run_refutes_is_taken_from_the_run(app: Application) -> None:
    group = CapturedArray(count=40, low=0, high=2)
    call = called(group=group, at=CapturedArray(count=40), middle=CapturedArray(count=3))
    task = made(app, "apart", call)
    assert shapes_of(task) == {"group": "group_size", "at": "group_size", "middle": "middle_size"}
    assert not is_refuted(task, [call])


def test_row_starts_of_a_matrix_end_where_the_run_says(app: Application) -> None:
    start = CapturedArray(count=5, low=0, high=23, ascending=True)
    column = CapturedArray(count=23, low=0, high=3)
    rest = {name: CapturedArray(count=4, low=0, high=1) for name in ("x", "y")}
    call = called(start=start, column=column, value=CapturedArray(count=23), **rest)
    task = with_captured(made(app, "multiplied", call), [call])
    assert shapes_of(task)["value"] == "value_size" and task.bench_sizes[0]["value_size"] == 23
    init = next(arg.init for arg in task.args if arg.name == "start")
    assert init is not None and init.kind == "csr_row_ptr" and init.number("nnz", task.bench_sizes[0]) == 23


def test_a_bound_above_what_a_condition_lets_through_is_no_length(app: Application) -> None:
    held = {name: CapturedArray(count=60) for name in ("in", "out")}
    call = called(rows=3, n=20, band=4, **held)
    task = made(app, "banded", call)
    assert not is_refuted(task, [call]) and shapes_of(task)["in"] in ("in_size", "rows, n"), shapes_of(task)


def test_a_guessed_length_that_the_run_agrees_with_is_kept(app: Application) -> None:
    call = called(count=10, of=CapturedArray(count=12))
    task = made(app, "doubled", call)
    assert task.size_names == ("count",) and not is_refuted(task, [call])
    assert is_refuted(task, [called(count=10, of=CapturedArray(count=9))])


def test_files_of_functions_have_names_of_their_own(app: Application) -> None:
    assert slug_of(function(app, "apart")) != slug_of(function(app, "doubled"))


def test_a_length_that_neither_code_nor_run_shows_is_told(app: Application) -> None:
    with pytest.raises(TaskError, match=r"no call of the run says 'table_values_size' .*public method"):
        made(app, "looked_up", called(at=CapturedArray(count=12)))
    call = called(at=CapturedArray(count=12), table_values=CapturedArray(count=5))
    assert shapes_of(made(app, "looked_into", call)) == {"at": "at_size", "table_values": "table_values_size"}
