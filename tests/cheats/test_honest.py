"""Unusual honest programs, many a file in `honest/`: none is refused, screened by the emulated judge and judged in full by a GPU's."""

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
PROGRAMS, TASKS = READING["programs_in"](HERE / "honest"), READING["TASKS"]


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


def judged(judge, program, level):
    made = Candidate(
        source=program.source,
        program_hash=program_hash(program.source),
        origin=Origin(proposer="hand", seconds=0.0),
    )
    return judge.evaluate(TASKS[program.task], made, level=level)


def test_there_are_many_and_all_differ():
    assert len(PROGRAMS) >= 200
    assert len({program_hash(program.source) for program in PROGRAMS}) == len(PROGRAMS)
    assert all(Status.PASSED in program.gpu for program in PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_on_the_emulator(emulated, program):
    verdict = judged(emulated, program, Level.SCREEN)
    assert verdict.status in program.expect, f"{verdict.status}: {verdict.reason}\n{verdict.feedback}"


@pytest.mark.gpu
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_on_a_gpu(on_gpu, program):
    verdict = judged(on_gpu, program, Level.FULL)
    assert verdict.status in program.gpu, f"{verdict.status}: {verdict.reason}\n{verdict.feedback}"
