"""A small experiment made up, and a suite of two tasks as a folder."""

from pathlib import Path

import pytest

from regrapht.bench.experiment.results import CellResult, Experiment, Improvement, TaskRef
from regrapht.records.measurement import Environment, Scale
from regrapht.records.run import Budget

TASK = """schema = 1
id = "NAME"
title = "y = 2 x"
entry = "twice"
family = "FAMILY"
tier = "TIER"
[reference]
file = "twice.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "out"
[sizes]
check = [ { n = 1 }, { n = 203 } ]
bench = [ { n = 4000 } ]
"""


def _write_task(folder: Path, name: str, family: str = "layout", tier: str = "easy", code: str = "2 * x[i]") -> Path:
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text(TASK.replace("NAME", name).replace("FAMILY", family).replace("TIER", tier))
    (folder / "twice.cpp").write_text(
        f"void twice(int n, const float* x, float* y) {{ for (int i = 0; i < n; i++) y[i] = {code}; }}\n"
    )
    return folder


@pytest.fixture
def suite_folder(tmp_path: Path) -> Path:
    _write_task(tmp_path / "suite" / "layout" / "twice", "twice")
    _write_task(tmp_path / "suite" / "stencil" / "square", "square", "stencil", "hard", "x[i] * x[i]")
    return tmp_path / "suite"


def _experiment(**more: object) -> Experiment:
    fields = {
        "suite": "made-up",
        "tasks": tuple(
            TaskRef(
                id=f"task{i}", content_hash=f"{i}", family="scan" if i % 2 else "fft", tier="easy", inside_engine=i < 3
            )
            for i in range(4)
        ),
        "methods": ("mcgs", "direct"),
        "proposer": "transform",
        "model": None,
        "seeds": 2,
        "budget": Budget(candidates=20),
        "level": "screen",
        "evaluator": "local_gpu",
        "protocol": "2",
        "environment": Environment(
            device="a device", architecture="sm_90", cpu="a processor", tools={"nvcc": "13.0"}, clocks={}
        ),
        "graph_hash": "0" * 64,
        "hide_family": False,
        "version": "0",
        "command": "regrapht bench run <made & up>",
        "created": "2026-01-01T00:00:00+00:00",
    }
    return Experiment(**{**fields, **more})


def _cell(method: str, task: int, seed: int, *, speedup: float | None = 2.0, **more: object) -> CellResult:
    """A solved cell, or with `speedup=None` a failed one."""
    passed = speedup is not None
    fields = {
        "method": method,
        "task_id": f"task{task}",
        "seed": seed,
        "built": True,
        "passed": passed,
        "status": "PASSED" if passed else None,
        "techniques": ("map_to_threads",) if passed else (),
        "scale": Scale.MEASURED_US,
        "start": 100.0,
        "floor": 1.0,
        "figure": 100 / speedup if passed else None,
        "speedups": {"sequential": speedup, "naive": speedup / 2} if passed else {},
        "floor_fraction": speedup / 100 if passed else None,
        "improvements": (
            Improvement(judged=1, tokens=0, seconds=1.0, reward=0.1, figure=90.0),
            Improvement(judged=7, tokens=0, seconds=2.0, reward=0.1 * speedup, figure=100 / speedup),
        )
        if passed
        else (),
        "judged": 20,
        "proposals": 22,
        "tokens": 0,
        "usd": 0.0,
        "seconds": 30.0,
        "judge_seconds": 20.0,
        "statuses": {"PASSED": 15, "WRONG_VALUE": 5} if passed else {"WRONG_VALUE": 20},
        "labels": (),
        "reason": "finished",
        "run": "r",
    }
    return CellResult(**{**fields, **more})


@pytest.fixture
def write_task():
    """Writes a small task into a folder."""
    return _write_task


@pytest.fixture
def make_experiment():
    """An experiment of two methods on four tasks with two seeds; fields may be given."""
    return _experiment


@pytest.fixture
def make_cell():
    return _cell
