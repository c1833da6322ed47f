"""Means over landscapes and seeds, and paired differences."""

import numpy as np
import pytest
from study.run import Cell
from study.statistics import Results
from study.tables import ablations_table, differences_table, methods_table, overall, share_at, tables_of


def cell(table, method, seed, gain, *, near=None, spoil=0.3):
    return Cell(
        table=table,
        values="synthetic",
        method=method,
        seed=seed,
        spoil=spoil,
        best_gain=2.0,
        budgets=(5, 10, 20, 50, 100, 200),
        gains=(0.0, 0.0, gain, gain, gain, gain),
        near_after=near,
        judged=200,
        proposals=210,
        seconds=0.1,
    )


def made(shift=0.5, tables=6, seeds=10, noise=0.02):
    random = np.random.default_rng(4)
    cells = []
    for table in range(tables):
        level = random.uniform(0.5, 1.0)
        for seed in range(seeds):
            own = level + random.normal(0, noise)
            cells += [cell(f"t{table}", "mcgs", seed, own + shift), cell(f"t{table}", "other", seed, own)]
    return Results(cells)


def test_a_paired_difference_sees_what_means_do_not():
    results = made(shift=0.05)
    difference = results.difference("mcgs", "other", 0.3, share_at(50))
    assert difference is not None and difference.interval.value == pytest.approx(0.025)
    assert difference.interval.excludes_zero and difference.p_value < 0.05
    means = [results.mean(name, 0.3, share_at(50)) for name in ("mcgs", "other")]
    assert means[0] is not None and means[1] is not None and means[0].low < means[1].high  # the two overlap


def test_runs_that_do_not_match_are_not_compared():
    complete = [cell("a", "x", 0, 1.0), cell("b", "x", 0, 1.0), cell("a", "y", 0, 1.0)]
    results = Results(complete)
    assert results.matrix("y", 0.3, overall) is None  # not on every landscape
    assert results.difference("x", "y", 0.3, overall) is None
    assert results.mean("x", 0.6, overall) is None and results.median_near("x", 0.6) is None
    with pytest.raises(ValueError, match="twice"):
        Results([*complete, complete[0]])


def test_tables_rank_methods_and_mark_what_is_settled():
    results = made()
    rows = methods_table(results, 0.3).splitlines()
    assert rows[2].startswith("| mcgs |") and rows[3].startswith("| other |") and rows[2].endswith("| > 200 |")
    assert "**+0.250 [" in differences_table(results, 0.3)
    assert "other" in ablations_table(results, 0.3).splitlines()[2]
    assert tables_of(results).count("4.00") == 6
    near = Results([cell("a", "x", seed, 1.9, near=seed + 3) for seed in range(5)])
    assert "| 5 |" in methods_table(near, 0.3)
