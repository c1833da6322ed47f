"""The emulator against random kernels whose results numpy knows: no false alarm, right outputs in every order, every planted fault found.

`make fuzz` runs for FUZZ_SECONDS with seeds of its own. Each failure prints its seed and the program.
"""

import os
import random
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from regrapht.emulate.emulator import EmulatedProgram, Schedule

from .fuzz_kernels import Case, Fault, Program, cases

CI_SEED, CI_EXAMPLES = 20261, 8
ORDERS = ((Schedule.FORWARD, 0), (Schedule.REVERSE, 0), (Schedule.RANDOM, 1))


def check_valid(bench, program: Program) -> None:
    """No finding in any order of threads, and the output that numpy computes."""
    built = bench.build(program.source, checked=True)
    assert isinstance(built, EmulatedProgram), (built, program.source)
    for schedule, number in ORDERS:
        outcome = bench.run(program.source, built, schedule=schedule, seed=number)
        assert outcome.run.completed.ok, (schedule, outcome.run, program.source)
        assert outcome.run.findings == (), (schedule, outcome.run.findings, program.source)
        with np.errstate(over="ignore"):
            expected = program.expected(outcome.inputs["x"], outcome.inputs["y"])
        assert np.array_equal(outcome.outputs[0]["out"], expected), (schedule, program.source)


def check_fault(bench, fault: Fault) -> None:
    """Some order shows a finding of the right kind on the marked line, or against it."""
    built = bench.build(fault.source, checked=True)
    assert isinstance(built, EmulatedProgram), (built, fault.source)
    findings = []
    for schedule, number in ORDERS:
        findings += bench.run(fault.source, built, schedule=schedule, seed=number).run.findings
    right = [f for f in findings if f.kind in fault.kinds and {f.line, f.other_line} & fault.lines]
    assert right, (fault.name, fault.kinds, fault.lines, findings, fault.source)


def explore(bench, *, number: int, examples: int) -> None:
    """Hypothesis on `examples` random programs, and one fault of each."""

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(), st.integers(0, 100))
    def one(case: Case, which: int) -> None:
        program, faults = case
        check_valid(bench, program)
        check_fault(bench, faults[which % len(faults)])

    print(f"seed {number}, {examples} programs")
    one()


def test_a_few_random_kernels(bench):
    explore(bench, number=CI_SEED, examples=CI_EXAMPLES)


@pytest.mark.slow
def test_random_kernels_for_a_while(bench):
    seconds = float(os.environ.get("FUZZ_SECONDS", "60"))
    deadline, seeds = time.monotonic() + seconds, random.SystemRandom()
    while time.monotonic() < deadline:
        explore(bench, number=seeds.randrange(2**32), examples=20)
