"""The study's script, small: every step, on made-up landscapes, into files."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "search_study.py"


@pytest.fixture
def study(monkeypatch):
    spec = importlib.util.spec_from_file_location("search_study", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["search_study.py", *map(str, arguments)])
        return module.main()

    return run


def test_a_small_study_goes_through_every_step(study, tmp_path):
    out, docs = tmp_path / "out", tmp_path / "docs"
    arguments = ["--out", out, "--docs", docs, "--worlds", 2, "--seeds", 1, "--spoils", 0.3, "--workers", 1]
    arguments += ["--draws", 1, "--tuning-seeds", 1, "--ablation-seeds", 1, "--only", "mcgs", "direct", "best-of-n"]
    assert study(*arguments, "--stop-after", 0) == 1  # stopped before its first cell
    assert study(*arguments, "--steps", "tune", "run", "report") == 0
    dials = json.loads((out / "dials.json").read_text())
    assert set(dials) == {"mcgs", "direct", "best-of-n"} and dials["mcgs"]["enough"] is None
    text = (docs / "synthetic.inc").read_text()
    assert "made up by a generator" in text and "| mcgs minus |" in text and text.count("| direct |") >= 2
    assert (docs / "synthetic.svg").read_text().startswith("<svg")
    lines = (out / "study.jsonl").read_text()
    assert study(*arguments, "--steps", "run") == 0  # nothing is left to do
    assert (out / "study.jsonl").read_text() == lines


def test_without_landscapes_it_says_so(study, tmp_path, capsys):
    with pytest.raises(SystemExit):
        study("--kind", "invented")
    assert study("--kind", "measured", "--landscapes", tmp_path, "--out", tmp_path) == 2
    assert "record_landscapes" in capsys.readouterr().err
