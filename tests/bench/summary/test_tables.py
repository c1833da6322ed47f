"""The tables against figures worked out by hand."""

import math
from dataclasses import replace

import pytest

from regrapht.bench.summary.comparable import Comparable, why_not_solved
from regrapht.bench.summary.definitions import definition_of
from regrapht.bench.summary.tables import tabulate, task_table
from regrapht.records.measurement import Scale
from regrapht.records.reach import Reached
from regrapht.records.run import Budget
from regrapht.report.curves import budget_curves
from regrapht.report.experiment import render_page, render_text


@pytest.fixture
def every(make_cell):
    """All cells of the experiment, solved with the speed-up that a function of method, task and seed gives."""

    def cells(speed):
        return [
            make_cell(method, task, seed, speedup=speed(method, task, seed))
            for method in ("mcgs", "direct")
            for task in range(4)
            for seed in range(2)
        ]

    return cells


def named(tables, name):
    (table,) = [table for table in tables.tables if table.name == name]
    return {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}


def ends(interval):
    return interval.low, interval.high


@pytest.fixture
def tables(make_experiment, every):
    """mcgs solves tasks 0 to 2, at twice the speed of direct, which solves 0 and 1, the second with one seed of two."""

    def speed(method, task, seed):
        if method == "mcgs":
            return 4.0 if task < 3 else None
        return 2.0 if task == 0 or (task == 1 and seed == 0) else None

    return tabulate(make_experiment(), every(speed))


def test_methods(tables):
    rows = named(tables, "methods")
    assert rows["mcgs"]["pass@1"] == 0.75 and rows["direct"]["pass@1"] == pytest.approx((1 + 0.5) / 4)
    assert rows["direct"]["solved inside engine"] == "2 of 3" and rows["mcgs"]["solved outside"] == "0 of 1"
    assert rows["mcgs"]["measured reward"] == pytest.approx(0.75 * math.log(4, 100))
    assert rows["mcgs"]["build rate"] == 1.0 and ends(rows["mcgs"]["95 % of pass@1"]) == (0.25, 1.0)


def test_build_at_k_beside_pass_at_k(make_cell, make_experiment):
    """Of three seeds one is built at every task: one drawn is built with chance 1/3, and of three drawn one is."""
    cells = [
        make_cell("mcgs", task, seed, speedup=2.0 if seed == 1 else None, built=seed == 1)
        for task in range(4)
        for seed in range(3)
    ]
    (row,) = named(tabulate(make_experiment(methods=("mcgs",), seeds=3), cells), "methods").values()
    assert row["build rate"] == pytest.approx(1 / 3) and row["build@3"] == 1.0
    assert row["pass@1"] == pytest.approx(1 / 3) and row["pass@3"] == 1.0


def test_no_column_is_there_twice(make_cell, make_experiment):
    for seeds in (1, 2, 3):
        cells = [make_cell(m, t, s) for m in ("mcgs", "direct") for t in range(4) for s in range(seeds)]
        for table in tabulate(make_experiment(seeds=seeds), cells).tables:
            assert len(set(table.columns)) == len(table.columns), (seeds, table.name)
            assert {len(row) for row in table.rows} <= {len(table.columns)}


def test_every_column_is_defined_beside_its_table(tables, make_cell, make_experiment):
    modelled = make_cell("mcgs", 0, 0, scale=Scale.MODELLED, speedups={}, floor_fraction=None)
    for each in (tables, tabulate(make_experiment(methods=("mcgs",), seeds=1), [modelled])):
        for table in each.tables:
            undefined = [column for column in table.columns if definition_of(column) is None]
            assert undefined == [], table.name
            assert len(table.definitions) <= len(table.columns)


def test_speed_against_each_baseline_by_itself(tables):
    (table,) = [table for table in tables.tables if table.name == "speed"]
    rows = {row[:2]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    sequential = rows["direct", "sequential"]
    assert sequential["speedup@1, failed = 0"] == pytest.approx((2 + 1 + 0 + 0) / 4)
    assert sequential["speedup@1, failed = 1"] == pytest.approx((2 + 1.5 + 1 + 1) / 4)
    assert sequential["speedup@2, failed = 1"] == pytest.approx((2 + 2 + 1 + 1) / 4)
    assert sequential["solved only (the papers')"] == 2.0 and sequential["fast_1"] == 0.5
    assert rows["mcgs", "naive"]["geometric mean of solved"] == pytest.approx(2.0)
    assert rows["mcgs", "naive"]["of speed of light"] == pytest.approx(0.04)
    assert ends(rows["mcgs", "naive"]["95 % of geometric mean"]) == pytest.approx((2, 2)), (
        "one value at every solved task"
    )
    assert sequential["median of solved"] == 2.0


def test_groups_curves_pairs_and_what_nobody_solved(tables):
    assert named(tables, "families")["scan"]["mcgs pass@1"] == 0.5
    assert named(tables, "tiers")["mcgs"]["easy (4) pass@1"] == 0.75
    budgets = named(tables, "budgets")["mcgs"]
    assert ends(budgets.pop("95 % of anytime reward")) == pytest.approx((0.078, 0.310), abs=0.001)
    assert budgets == {
        "method": "mcgs",
        **{f"after {b}": pytest.approx(0.075) for b in (1, 2, 5)},
        **{f"after {b}": pytest.approx(0.3) for b in (10, 20)},
        "anytime reward": pytest.approx(0.75 * (6 * 0.1 + 14 * 0.4) / 20),
    }
    pair = named(tables, "paired")["mcgs"]
    assert pair["lower"] == "direct" and pair["higher by"] > 0
    assert (pair["won"], pair["lost"], pair["equal"]) == (3, 0, 1)
    assert named(tables, "paired_anytime")["mcgs"]["higher by"] > 0
    assert (
        list(named(tables, "unsolved")) == ["task3"]
        and "80 x WRONG_VALUE" in named(tables, "unsolved")["task3"]["what happened"]
    )
    assert [curve.method for curve in tables.curves] == ["mcgs", "direct"]
    assert [budget for budget, _ in tables.curves[0].points] == [1, 2, 5, 10, 20]


def test_methods_are_compared_on_what_all_have_finished(make_experiment, every):
    cells = [cell for cell in every(lambda *_: 2.0) if not (cell.method == "direct" and cell.task_id == "task3")]
    tables = tabulate(make_experiment(), cells)
    assert named(tables, "methods")["mcgs"]["tasks"] == 3 and (tables.finished, tables.expected) == (14, 16)
    (table,) = [table for table in tables.tables if table.name == "methods"]
    assert "2 cells are left out" in table.note


def test_what_was_not_measured_has_no_speed(make_cell, make_experiment):
    cells = [make_cell("mcgs", 0, 0, scale=Scale.MODELLED, speedups={}, floor_fraction=None)]
    tables = tabulate(make_experiment(methods=("mcgs",), seeds=1), cells)
    assert "speed" not in {table.name for table in tables.with_rows} and "modelled" in tables.reward_name
    assert "modelled" in named(tables, "methods")["mcgs"].keys().__str__()


def test_what_did_not_pass_in_full_earns_nothing(make_experiment, every):
    """The search had found it fast; the judgement in full found a race."""
    cells = every(lambda *_: 2.0)
    refused = [replace(c, passed=False, status="RACE", figure=None) if c.method == "mcgs" else c for c in cells]
    tables = tabulate(make_experiment(), refused)
    assert named(tables, "methods")["mcgs"]["measured reward"] == 0.0
    assert named(tables, "paired")["direct"]["lower"] == "mcgs" and named(tables, "paired")["direct"]["won"] == 4
    assert named(tables, "budgets")["mcgs"]["after 20"] == pytest.approx(0.2), "what the search saw"


def test_a_mean_is_not_of_some_of_the_solved(make_experiment, every):
    cells = every(lambda *_: 2.0)
    untimed = [replace(c, speedups={}, floor_fraction=None) if c.task_id == "task1" else c for c in cells]
    (table,) = [table for table in tabulate(make_experiment(), untimed).tables if table.name == "speed"]
    for row in table.rows:
        found = dict(zip(table.columns, row, strict=True))
        assert found["geometric mean of solved"] is None and found["of speed of light"] is None


def test_a_baseline_that_some_tasks_have_is_shown_over_these(make_cell, make_experiment):
    """Tasks 0 and 1 have a vendor library, task 2 has none, and task 3, which nobody solved, does not say."""
    others = {"sequential": 8.0, "naive": 4.0}
    cells = [
        make_cell(method, task, 0, speedups={**others, "library": fast} if task < 2 else others)
        for method, fast in (("mcgs", 2.0), ("direct", 0.5))
        for task in range(3)
        if (method, task) != ("direct", 1)
    ]
    cells += [make_cell("direct", 1, 0, speedup=None), *(make_cell(m, 3, 0, speedup=None) for m in ("mcgs", "direct"))]
    (table,) = [table for table in tabulate(make_experiment(seeds=1), cells).tables if table.name == "speed"]
    rows = {row[:2]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert {over: row["tasks with it"] for (_, over), row in rows.items()} == {
        "library": "2 of 4",
        "naive": "4 of 4",
        "sequential": "4 of 4",
    }
    slow, fast = rows["direct", "library"], rows["mcgs", "library"]
    assert fast["speedup@1, failed = 1"] == fast["geometric mean of solved"] == 2.0 and fast["fast_1"] == 1.0
    assert (slow["speedup@1, failed = 0"], slow["speedup@1, failed = 1"]) == (0.25, 1.0), "task 1 failed"
    assert slow["geometric mean of solved"] == 0.5 and slow["fast_1"] == 0.0
    assert rows["mcgs", "naive"]["speedup@1, failed = 0"] == 3.0, "of all four, as before"


def test_a_reference_too_slow_at_a_shape_leaves_a_task_out_of_its_own_baseline_alone(make_cell, make_experiment):
    slow = {"naive": 2.0}
    cells = [make_cell(m, t, 0, **({"speedups": slow} if t == 0 else {})) for m in ("mcgs", "direct") for t in range(4)]
    (table,) = [table for table in tabulate(make_experiment(seeds=1), cells).tables if table.name == "speed"]
    rows = {row[:2]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert rows["mcgs", "sequential"]["tasks with it"] == "3 of 4"
    assert rows["mcgs", "sequential"]["geometric mean of solved"] == pytest.approx(2.0)
    assert rows["mcgs", "naive"]["geometric mean of solved"] == pytest.approx(2 ** (1 / 4))


def test_one_task_says_nothing_of_others(make_cell, make_experiment):
    one = make_experiment(tasks=make_experiment().tasks[:1], seeds=1)
    tables = tabulate(one, [make_cell(method, 0, 0) for method in ("mcgs", "direct")])
    assert named(tables, "methods")["mcgs"]["95 % of reward"] is None
    assert "paired" not in [table.name for table in tables.with_rows]


def test_cells_that_judged_nothing_can_be_drawn(make_cell, make_experiment):
    limit = make_experiment(budget=Budget(seconds=5.0))
    nothing = [make_cell(m, t, s, speedup=None, judged=0) for m in ("mcgs", "direct") for t in range(4) for s in (0, 1)]
    tables = tabulate(limit, nothing)
    assert "<svg" in budget_curves(tables.curves, tables.reward_name)


def test_nothing_finished_yet(make_experiment):
    tables = tabulate(make_experiment(), [])
    assert named(tables, "methods")["mcgs"]["pass@1"] is None and tables.curves[0].points == ()
    assert tables.conclusion == ("No cell is done yet, of 16.",)
    assert "0 of 16 cells, not finished" in render_page(tables) and "No cell is done yet" in render_text(tables)


def test_nothing_finished_by_every_method_yet(make_cell, make_experiment):
    tables = tabulate(make_experiment(), [make_cell("mcgs", 0, 0)])
    assert tables.conclusion == ("Nothing can be said yet: no task is finished by every method.",)
    assert "1 of 16 cells, not finished" in render_page(tables) and "Nothing can be said yet" in render_text(tables)


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


def test_tasks_by_how_the_engine_takes_them(make_experiment, every):
    """A file from before that was asked has no such table, and says inside or outside."""
    hows = [Reached.PROVED, Reached.OBSERVED, Reached.OBSERVED, Reached.SERIAL]
    experiment = make_experiment()
    asked = replace(experiment, tasks=tuple(map(lambda t, how: replace(t, reached=how), experiment.tasks, hows)))
    cells = every(lambda method, task, seed: 2.0 if task < 2 or (method == "mcgs" and task == 2) else None)
    found = named(tabulate(asked, cells), "labels")
    assert {how: (row["tasks"], row["mcgs solved"], row["direct solved"]) for how, row in found.items()} == {
        "proved": (1, 1, 1),
        "observed": (2, 2, 1),
        "serial": (1, 0, 0),
    }
    assert rows_of(asked, cells)["task3", "mcgs"]["engine"] == "serial"
    assert named(tabulate(experiment, cells), "labels") == {} and not asked.differences(experiment)


def test_what_is_modelled_has_a_gain_and_no_speedup(make_experiment, make_cell):
    more = {"scale": Scale.MODELLED, "speedups": {}, "floor_fraction": None}
    cells = [make_cell("mcgs", 0, seed, speedup=2.0 + seed, one_core_us=90.0 - seed, **more) for seed in range(2)]
    row = rows_of(make_experiment(methods=("mcgs",)), cells)["task0", "mcgs"]
    assert row["best modelled gain"] == pytest.approx(3.0) and not any(name.startswith("best x") for name in row)
    assert row["reference on one core, us"] == 89.0


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


def test_who_wrote_what_stands_apart(make_experiment, make_cell):
    """The engine's programs are never counted among a model's replies; files from before they were told apart still read."""
    hybrid = {
        "judged_by": {"engine": 1, "rule": 4, "model": 10, "hint": 5},
        "passed_by": {"engine": 1, "rule": 3, "model": 2},
        "replies": {"PASSED": 2, "BUILD_FAILED": 8},
        "mended": {"any": 5, "host_helpers": 5},
    }
    cells = [
        make_cell("mcgs", 0, 0, written_by=("engine", "rule"), **hybrid),
        make_cell("mcgs", 1, 0, written_by=("engine", "model"), **hybrid),
        make_cell("mcgs", 2, 0, speedup=None, **hybrid),
    ]
    tables = tabulate(make_experiment(methods=("mcgs",), seeds=1, proposer="hybrid", model="scripted:x"), cells)
    (table,) = [table for table in tables.tables if table.name == "writers"]
    assert table.rows == (
        ("mcgs", "engine", 3, 1.0, 0, 2),
        ("mcgs", "rule", 12, 0.75, 1, 1),
        ("mcgs", "hint", 15, 0.0, 0, 0),
        ("mcgs", "model", 30, 0.2, 1, 1),
    )
    replies = named(tables, "replies")["mcgs"]
    assert (replies["replies"], replies["mended"], replies["passed"]) == (30, 0.5, 0.2)
    older = tabulate(make_experiment(methods=("mcgs",), seeds=1, model="scripted:x"), [make_cell("mcgs", 0, 0)])
    assert named(older, "replies")["mcgs"]["replies"] == 20 and not named(older, "writers")
    assert all(definition_of(column) for column in table.columns)
