"""The table of tasks against figures worked out by hand."""

import pytest

from regrapht.bench.comparable import Comparable, why_not_solved
from regrapht.bench.task_table import task_table
from regrapht.records.measurement import Scale


def rows_of(experiment, cells):
    table = task_table(Comparable(experiment, cells))
    found = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {(row["task"], row["method"]): row for row in found}


def test_a_row_a_task_and_method(make_experiment, make_cell):
    def speed(method, task, seed):
        return None if task == 3 or (method == "direct" and seed == 1) else 2.0 + seed + (method == "mcgs")

    cells = [make_cell(m, t, s, speedup=speed(m, t, s)) for m in ("mcgs", "direct") for t in range(4) for s in range(2)]
    rows = rows_of(make_experiment(), cells)
    assert list(rows) == [(f"task{t}", method) for t in range(4) for method in ("mcgs", "direct")]
    first = rows["task0", "mcgs"]
    assert (first["tier"], first["family"], first["engine"], first["solved"]) == ("easy", "fft", "inside", "2 of 2")
    assert (first["best x sequential"], first["best x naive"], first["of speed of light"]) == (4.0, 2.0, 0.04)
    assert first["judged"] == 40 and first["why not solved"] is None
    half = rows["task1", "direct"]
    assert (
        half["solved"] == "1 of 2" and half["best x sequential"] == 2.0 and half["why not solved"] == "20 x WRONG_VALUE"
    )
    none = rows["task3", "direct"]
    assert (none["engine"], none["solved"], none["best x naive"], none["measured reward"]) == (
        "outside",
        "0 of 2",
        None,
        0.0,
    )


def test_what_is_modelled_has_a_gain_and_no_speedup(make_experiment, make_cell):
    more = {"scale": Scale.MODELLED, "speedups": {}, "floor_fraction": None}
    cells = [make_cell("mcgs", 0, seed, speedup=2.0 + seed, **more) for seed in range(2)]
    row = rows_of(make_experiment(methods=("mcgs",)), cells)["task0", "mcgs"]
    assert row["best modelled gain"] == pytest.approx(3.0) and not any(name.startswith("best x") for name in row)


def test_what_stood_in_the_way(make_cell):
    refused = make_cell("mcgs", 0, 0, speedup=None, status="RACE")
    wrong = make_cell("mcgs", 0, 1, speedup=None, statuses={"WRONG_VALUE": 3, "BUILD_FAILED": 1})
    untaken = make_cell("mcgs", 0, 2, speedup=None, statuses={}, reason="cannot_transform: line 3: a pointer")
    assert (
        why_not_solved([refused, wrong, untaken])
        == "RACE in full, 3 x WRONG_VALUE, BUILD_FAILED, cannot_transform: line 3: a pointer"
    )
    assert why_not_solved([refused, refused]) == "2 x RACE in full"
    assert why_not_solved([make_cell("mcgs", 0, 0)]) == ""
