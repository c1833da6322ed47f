"""Results as DataFrames say what the files and the report say."""

from pathlib import Path

import pytest

import regrapht as rg
from regrapht.bench.experiment.results import read_results

pytest.importorskip("pandas")
FILE = Path(__file__).parents[2] / "benchmarks/results/cuda_llm_20_h100_2026-11-26.jsonl"


@pytest.fixture(scope="module")
def found():
    return rg.results(str(FILE))


def test_cells_are_those_of_the_file(found):
    experiment, cells = read_results(FILE)
    frame = found.cells
    assert len(frame) == len(cells) and set(frame.method) == set(experiment.methods)
    assert frame.passed.sum() == sum(cell.passed for cell in cells)
    assert frame.groupby("method").reward.mean().to_dict() == pytest.approx(
        {
            method: sum(cell.reward for cell in cells if cell.method == method) / len(experiment.tasks)
            for method in experiment.methods
        }
    )
    assert {"speedup_sequential", "tier", "family"} <= set(frame.columns)
    assert len(found.improvements) == sum(len(cell.improvements) for cell in cells)


def test_tables_are_those_of_the_report(found):
    methods = found.tables["methods"]
    assert list(methods.method) == list(found.experiment.methods) and "95 % of pass@1, low" in methods.columns
    assert found.conclusion and str(found).startswith("3 methods on 20 tasks")


def test_a_figure_is_the_reports(found, tmp_path):
    figure = found.budget_curves
    saved = figure.save(str(tmp_path / "curves.svg"))
    assert saved.read_text() == figure.svg == figure._repr_svg_() and figure.svg.startswith("<svg")
