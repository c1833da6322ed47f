"""Which best programs build with which compiler for which architecture, on a compiler that is a script."""

import tempfile
from pathlib import Path

import pytest

from regrapht.bench.stability import Program, best_programs, best_steps, examine, shares, toolkits
from regrapht.bench.suite import open_suite
from regrapht.records.measurement import Environment
from regrapht.records.verdict import Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.testing.synthetic import synthetic_verdict

COMPILER = """#!/bin/sh
case "$*" in
*--version*) echo "Cuda compilation tools, release 11.1, V11.1.105";;
*--list-gpu-arch*) printf 'compute_70\\ncompute_75\\ncompute_90\\ncompute_100\\n';;
*--help*) echo "sm_75 sm_90 sm_90a sm_100";;
*code=sm_75*)
  if grep -q __reduce_add_sync candidate.cu; then echo "candidate.cu(1): error: undefined" >&2; exit 1; fi
  echo o > candidate.o;;
*) echo o > candidate.o;;
esac
"""


@pytest.fixture
def kit(monkeypatch):
    monkeypatch.setenv("REGRAPHT_NVCC", "none")
    monkeypatch.setattr("regrapht.bench.stability._PLACES", ())
    monkeypatch.setattr("regrapht.bench.stability._site_folders", list)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # sandboxed programs run as another user where root runs the tests
        compiler = Path(folder) / "bin" / "nvcc"
        compiler.parent.mkdir()
        compiler.write_text(COMPILER)
        compiler.chmod(0o755)
        yield compiler


@pytest.fixture
def suite(suite_folder):
    return open_suite(str(suite_folder))


def test_a_toolkit_and_what_it_compiles_for(kit):
    (found,) = toolkits(choose_sandbox(), [kit, kit])
    assert (found.version, found.architectures) == ("11.1.105", ("sm_75", "sm_90", "sm_100"))
    (some,) = toolkits(choose_sandbox(), [kit], ["sm_90", "sm_120"])
    assert some.architectures == ("sm_90",)
    assert toolkits(choose_sandbox()) == []


def test_programs_are_told_with_the_architectures_that_they_fail_for(kit, suite):
    task = suite.tasks[0].task
    programs = [
        Program(task=task, maker="mcgs", source="// plain"),
        Program(task=task, maker="fsr", source="__reduce_add_sync"),
    ]
    seen = []
    sandbox = choose_sandbox()
    outcomes = examine(
        programs,
        toolkits(sandbox, [kit]),
        sandbox=sandbox,
        evaluator=None,
        workers=2,
        observer=lambda one, done, of: seen.append((done, of)),
    )
    assert seen == [(n, 6) for n in range(1, 7)] and not any(one.judged for one in outcomes)
    (failed,) = [one for one in outcomes if not one.passed]
    assert (failed.maker, failed.architecture, failed.toolkit) == ("fsr", "sm_75", "11.1.105")
    assert failed.reason == "candidate.cu(1): error: undefined"
    assert shares(outcomes)["11.1.105", "sm_75", False] == (1, 2) and shares(outcomes)["11.1.105", "sm_90", False] == (
        2,
        2,
    )


def test_with_a_gpu_each_program_is_judged_once_besides(kit, suite):
    class Judge:
        def prepare(self, task, plain):
            return None

        def evaluate(self, task, candidate, *, level):
            return synthetic_verdict(Status.PASSED, level=level)

        def environment(self):
            return Environment(device="a GPU", architecture="sm_90", cpu="x", tools={"nvcc": "13.0"}, clocks={})

    judge = Judge()
    outcomes = examine(
        [Program(task=suite.tasks[0].task, maker="mcgs", source="// plain")],
        toolkits(choose_sandbox(), [kit]),
        sandbox=choose_sandbox(),
        evaluator=judge,
        workers=1,
    )
    assert [one.judged for one in outcomes] == [False, False, False, True]
    assert (outcomes[-1].toolkit, outcomes[-1].architecture, outcomes[-1].passed) == ("13.0", "sm_90", True)


def test_best_programs_of_results_and_of_trajectories(suite, make_cell, tmp_path):
    cells = [
        make_cell("mcgs", 0, seed, task_id="twice", figure=figure, program=program)
        for seed, (figure, program) in enumerate([(9.0, "slow"), (3.0, "fast"), (1.0, None)])
    ]
    found = best_programs(suite, [*cells, make_cell("mcgs", 0, 0, task_id="elsewhere", program="x")])
    assert [(one.name, one.source) for one in found] == [("twice by mcgs", "fast")]
    folder = tmp_path / "solutions" / "square"
    folder.mkdir(parents=True)
    for name in ("01_map_to_threads.cu", "02_grid_stride_loop.cu"):
        (folder / name).write_text(f"// {name}\n")
    (step,) = best_steps(suite, tmp_path / "solutions")
    assert (step.name, step.source) == ("square by trajectory", "// 02_grid_stride_loop.cu\n"), (
        "none was timed: the last one"
    )
