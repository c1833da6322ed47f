"""What one part of a method is worth, against figures worked out by hand."""

import math

import pytest

from regrapht.bench.experiment.method import Method
from regrapht.bench.summary.tables import tabulate
from regrapht.report.experiment import render_text

MADE = [("a", "mcgs", "m1"), ("b", "mcgs", "m2"), ("c", "fsr", "m1"), ("d", "fsr", "m2")]
SPEED = {"a": 10.0, "b": 1.0, "c": 100.0, "d": 10.0}


@pytest.fixture
def tabulated(make_experiment, make_cell):
    methods = [Method(name=name, search=search, proposer="hybrid", model=model) for name, search, model in MADE]
    cells = [make_cell(name, task, 0, speedup=SPEED[name]) for name, *_ in MADE for task in range(4)]
    return tabulate(make_experiment(methods=tuple("abcd"), seeds=1, parts=tuple(methods)), cells)


def test_models_and_searches_are_compared_with_all_else_the_same(tabulated):
    (table,) = [table for table in tabulated.tables if table.name == "parts"]
    rows = {row[:4]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert set(rows) == {("model", "m1", "m2", 2), ("search", "fsr", "mcgs", 2)}
    for row in rows.values():
        assert row["higher by"] == pytest.approx(math.log(10) / math.log(100)) and row["won"] == 4
        assert row["p, corrected"] == pytest.approx(2 * row["p"]), "Holm, two comparisons with equal p"
    text = render_text(tabulated)
    assert "One part changed, all else the same" in text and "Method a: mcgs with hybrid, m1" in text


def test_methods_that_differ_in_more_are_not_compared(make_experiment, make_cell):
    methods = (
        Method(name="a", search="mcgs", proposer="hybrid", model="m1"),
        Method(name="b", search="fsr", proposer="hybrid", model="m2"),
    )
    cells = [make_cell(name, task, 0) for name in "ab" for task in range(4)]
    found = tabulate(make_experiment(methods=("a", "b"), seeds=1, parts=methods), cells)
    assert not next(table for table in found.tables if table.name == "parts").rows
