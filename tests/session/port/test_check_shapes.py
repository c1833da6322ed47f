"""A task whose run had large shapes is checked at smaller ones, where its reference stays inside its arrays."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.expression import Expression
from regrapht.records.task import ArgKind, Init, Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.session.port.captured import CHECKED_ELEMENTS, elements
from regrapht.session.port.check_shapes import checked_small, smaller
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
    assert CHECKED_ELEMENTS / 4 < elements(found, row) <= CHECKED_ELEMENTS
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


GRID = """\
void blend(const double* a, double* b, const double* w, int rows, int length, int cells, int half, int turns) {
    for (int t = 0; t < turns; ++t)
        for (int r = 0; r < rows; ++r)
            for (int i = 0; i < length; ++i) b[r * length + i] = a[r * length + i] * w[i % half];
}
"""


@pytest.mark.parametrize(
    ("large", "small"),
    [
        ({"rows": 256, "length": 1024, "cells": 2**18, "half": 512}, {"rows": 32, "length": 128, "cells": 2**12, "half": 64}),
        ({"rows": 512, "length": 512, "cells": 2**18, "half": 256}, {"rows": 64, "length": 64, "cells": 2**12, "half": 32}),
        ({"rows": 3, "length": 2**16, "cells": 3 * 2**16, "half": 8}, {"rows": 3, "length": 2**12, "cells": 3 * 2**12, "half": 8}),
        ({"rows": 300, "length": 700, "cells": 210001, "half": 350}, {"rows": 18, "length": 43, "cells": 13125, "half": 21}),
    ],
    ids=["a product and a half", "a square", "a small factor", "no product"],
)  # fmt: skip
def test_powers_ratios_and_products_are_kept(tmp_path: Path, large: dict[str, int], small: dict[str, int]) -> None:
    (tmp_path / "blend.cpp").write_text(GRID)
    task = infer_task(tmp_path / "blend.cpp").task
    shapes = {"a": Expression("cells"), "b": Expression("cells"), "w": Expression("half")}
    sizes = ("rows", "length", "cells", "half", "turns")
    args = tuple(
        replace(arg, shape=(shapes[arg.name],))
        if arg.name in shapes
        else replace(arg, kind=ArgKind.SIZE, init=None, value=None)
        for arg in task.args
        if arg.name in (*shapes, *sizes)
    )
    extents = replace(args[0], name="names", shape=(Expression("rows * length + half + cells"),))
    task = replace(task, args=(*args, extents))
    assert smaller(task, {**large, "turns": 90}) == {**small, "turns": 90}, "what no array is as long as stays"


def test_a_requirement_is_kept_to_and_no_array_ends_before_it_begins(tmp_path: Path) -> None:
    task = replace(product(tmp_path, BELOW_ROWS), require=("rows >= 50000",))
    assert checked_small(task, choose_sandbox(allow_root=True)) == task
    task = product(tmp_path, BELOW_ROWS)
    inner = tuple(replace(arg, shape=(Expression("rows - 40000"),)) if arg.name == "y" else arg for arg in task.args)
    task = replace(task, args=inner)
    assert checked_small(task, choose_sandbox(allow_root=True)) == task


def test_small_shapes_stay_and_none_is_there_twice(tmp_path: Path) -> None:
    small = {"rows": 40, "nnz": 80, "turns": 1}
    task = product(tmp_path, BELOW_ROWS)
    (made,) = checked_small(task, choose_sandbox(allow_root=True)).check_sizes
    found = checked_small(replace(task, check_sizes=(small, made, LARGE)), choose_sandbox(allow_root=True))
    assert found.check_sizes == (small, made)
