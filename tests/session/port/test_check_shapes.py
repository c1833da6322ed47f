"""A task whose run had large shapes alone is checked at a smaller one, where its reference is right there too."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.expression import Expression
from regrapht.records.task import ArgKind, Init, Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.session.port.captured import CHECKED_ELEMENTS, elements
from regrapht.session.port.check_shapes import checked_small
from regrapht.tasks.infer import infer_task

PRODUCT = """\
void product(const int* starts, const double* val, const int* col, const double* x, double* y, int rows, int nnz, int turns) {
    for (int t = 0; t < turns; ++t)
        for (int i = 0; i < rows; ++i) {
            double sum = 0.0;
            for (int k = starts[i]; k < starts[i + 1]; ++k) sum += val[k] * x[col[k]];
            y[i] = sum;
        }
}
"""
LARGE = {"rows": 90_000, "nnz": 448_800, "turns": 30}
EXTENTS = {"starts": "rows + 1", "val": "nnz", "col": "nnz", "x": "rows", "y": "rows"}


def product(folder: Path, col: Init, text: str = PRODUCT) -> Task:
    """As a port makes it of a run: arrays as long as they were, row starts that end where the entries do."""
    (folder / "product.cpp").write_text(text)
    task = infer_task(folder / "product.cpp").task
    inits = {"starts": Init(kind="csr_row_ptr", parameters={"nnz": Expression("nnz")}), "col": col}
    args = tuple(
        replace(arg, shape=(Expression(EXTENTS[arg.name]),), init=inits.get(arg.name, arg.init))
        if arg.name in EXTENTS
        else replace(arg, kind=ArgKind.SIZE, init=None)
        for arg in task.args
    )
    return replace(task, args=args, check_sizes=(LARGE,), bench_sizes=(LARGE,), hidden_sizes=False, require=())


BELOW_ROWS = Init(kind="integers", parameters={"low": 0, "high": Expression("rows")})
AS_IN_THE_RUN = Init(kind="integers", parameters={"low": 0, "high": 90_000})
SQUARE = PRODUCT.replace("i < rows", "i < turns * turns")


def test_extents_are_smaller_in_proportion_and_repetitions_stay(tmp_path: Path) -> None:
    task = product(tmp_path, BELOW_ROWS)
    found = checked_small(task, choose_sandbox(allow_root=True))
    (row,) = found.check_sizes
    assert CHECKED_ELEMENTS / 2 < elements(found, row) <= CHECKED_ELEMENTS
    assert row["turns"] == 30 and abs(row["nnz"] / row["rows"] - 448_800 / 90_000) < 0.01
    assert found.bench_sizes == (LARGE,), "what is timed is what the run had"


@pytest.mark.parametrize(
    ("col", "text", "turns"),
    [(AS_IN_THE_RUN, PRODUCT, 30), (BELOW_ROWS, SQUARE, 300)],
    ids=["subscripts of the large shape", "rows that are a square of what stays"],
)
def test_a_large_shape_stays_where_a_smaller_one_leaves_the_arrays(
    tmp_path: Path, col: Init, text: str, turns: int
) -> None:
    task = replace(product(tmp_path, col, text), check_sizes=({**LARGE, "turns": turns},))
    assert checked_small(task, choose_sandbox(allow_root=True)) == task


def test_a_requirement_is_kept_to(tmp_path: Path) -> None:
    task = replace(product(tmp_path, BELOW_ROWS), require=("rows >= 50000",))
    assert checked_small(task, choose_sandbox(allow_root=True)) == task


def test_a_task_with_a_small_shape_stays_as_it_is(tmp_path: Path) -> None:
    task = replace(product(tmp_path, BELOW_ROWS), check_sizes=(LARGE, {"rows": 40, "nnz": 80, "turns": 1}))
    assert checked_small(task, choose_sandbox(allow_root=True)) == task
