"""Correct programs give the right outputs in every build and schedule, and no finding of severity error.

A program of `valid/` begins with two comments: `// arrays: name role type length; ...`, the arrays that `run` takes after its first
argument `int n`, and `// N: number`, the size; lengths are expressions in N. What `run` must compute is in `expected.py`. The programs
need nothing of the emulator: `benchmarks/emulator_on_gpu.py` gives the same files to nvcc and a GPU.
"""

import random
from pathlib import Path

import pytest

from regrapht.emulate.emulator import EmulatedProgram, Schedule
from regrapht.records.verdict import Severity

from .expected import EXPECTED, REMARKS, compare

FILES = sorted((Path(__file__).parent / "valid").glob("*.cu"))


def test_every_program_has_an_expectation():
    assert {path.stem for path in FILES} == set(EXPECTED) and len(FILES) >= 60


def check(bench, path, *, checked, orders, calls):
    """Build once, run in each order."""
    source = path.read_text()
    program = bench.build(source, checked=checked)
    assert isinstance(program, EmulatedProgram), program
    for schedule, seed in orders:
        outcome = bench.run(source, program, schedule=schedule, seed=seed, calls=calls)
        what = f"{path.stem}, checked {checked}, {schedule}, seed {seed}: {outcome.run.completed} {outcome.calls}"
        assert outcome.run.completed.ok and outcome.completed, (what, outcome.run.findings)
        assert outcome.run.unsupported is None, what
        assert all(call.flags == 0 for call in outcome.calls), (what, outcome.run.findings)
        errors = [finding for finding in outcome.run.findings if finding.severity is Severity.ERROR]
        assert not errors, (what, errors)
        remarks = {finding.kind for finding in outcome.run.findings}
        assert remarks <= REMARKS.get(path.stem, set()), (what, outcome.run.findings)
        for got in outcome.outputs:
            compare(path.stem, got, outcome.inputs, what)
        if checked:
            assert all(evidence is not None and evidence.modelled_cost > 0 for evidence in outcome.run.evidence)


BUILDS = [pytest.param(True, id="checked"), pytest.param(False, id="plain", marks=pytest.mark.slow)]


@pytest.mark.parametrize("checked", BUILDS)
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow if number % 2 else ()) for number, path in enumerate(FILES)],
    ids=lambda path: path.stem,
)
def test_valid_program(bench, path, checked):
    check(bench, path, checked=checked, orders=[(Schedule.FORWARD, 0)], calls=2)


@pytest.mark.slow
@pytest.mark.parametrize("checked", [True, False], ids=["checked", "plain"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_valid_program_in_other_orders(bench, path, checked):
    seeds = random.sample(range(2**31), 3)
    print(f"{path.stem}: seeds {seeds}")
    check(
        bench,
        path,
        checked=checked,
        orders=[(Schedule.REVERSE, 0), *((Schedule.RANDOM, seed) for seed in seeds)],
        calls=1,
    )
