"""Kinds of holes, a file each in `kinds/`: what is tried there is refused by name, and honest neighbours pass.

All of it is judged in full, by the emulated judge and by a GPU's.
"""

import runpy
from pathlib import Path

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash

HERE = Path(__file__).parent
READING = runpy.run_path(str(HERE / "programs.py"))
PROGRAMS, TASKS = READING["programs_in"](HERE / "kinds"), READING["TASKS"]
NAMES_A_GAP = (
    "toolchain_condition",
    "host_lines_unchecked",
    "host_work_unchecked",
    "host_takes_part",
    "bench_elements_unchecked",
    "keeps_state",
    "may_hang_on",
    "never_equal_to",
    "never_taken",
    "beyond_untried",
    "ties_unchecked",
    "warning_",
)
"""Labels with which an attack may pass: they name what was not checked."""


def opened(kind):
    judge = kind(choose_sandbox())
    available = judge.availability()
    if not available.available:
        pytest.skip(f"this judge cannot work here: {available.reason}")
    return judge


@pytest.fixture(scope="module")
def emulated():
    return opened(EmulatedEvaluator)


@pytest.fixture(scope="module")
def on_gpu():
    return opened(LocalGpuEvaluator)


def judged(judge, program):
    made = Candidate(
        source=program.source,
        program_hash=program_hash(program.source),
        origin=Origin(proposer="hand", seconds=0.0),
    )
    return judge.evaluate(TASKS[program.task], made, level=Level.FULL)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_on_the_emulator(emulated, program):
    verdict = judged(emulated, program)
    assert verdict.status in program.expect, f"{verdict.status}: {verdict.reason} {verdict.labels}"
    if program.expect == (Status.PASSED,) and "honest" not in program.name:
        assert any(label.startswith(NAMES_A_GAP) for label in verdict.labels), verdict.labels


@pytest.mark.gpu
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_on_a_gpu(on_gpu, program):
    verdict = judged(on_gpu, program)
    assert verdict.status in program.gpu, f"{verdict.status}: {verdict.reason} {verdict.labels}"
