"""The notebook in `examples/` runs from its first cell to its last, and shows what its words say."""

import ast
import json
from pathlib import Path

import pytest

pytest.importorskip("pandas")
FOLDER = Path(__file__).parents[1] / "examples"


def shown(cell, names):
    """Run a cell; what it ends with is what a notebook would show."""
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last is not None else None


def test_the_notebook_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path))
    notebook = json.loads((FOLDER / "results.ipynb").read_text())
    assert all(not cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"), "kept without outputs"
    names = {}
    results = [shown(cell, names) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    conclusion, by_method, paired, curve, best, verdict = results
    assert "mcgs is better than direct" in conclusion[0] and set(by_method.index) == {"direct", "fsr", "mcgs"}
    assert len(paired) == 3 and curve._repr_svg_().startswith("<svg")
    assert len(best) == 5 and best.speedup_naive.is_monotonic_decreasing
    assert verdict[0].value == "PASSED", verdict
