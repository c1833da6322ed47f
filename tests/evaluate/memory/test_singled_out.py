"""Numbers that a program asks for: read from the compiled code, however they are spelled; what no case met is a label with the line."""

import random
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.emulate.emulator import EmulatedProgram, EmulatedRun, Emulator
from regrapht.evaluate.cases.sizes import own_sizes
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.memory.own_arrays import look_at_own_arrays
from regrapht.evaluate.memory.singled_out import NEVER_EQUAL, asked_for, numbers_asked_for
from regrapht.evaluate.reference.expected import Expected, Trial
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

TASK = load_task(Path(__file__).parents[2] / "cheats" / "tasks" / "affine")
SPELLINGS = {
    "n == 777": 777,
    "n == power(3, 7)": 2187,
    "!(n ^ 0x1f3)": 499,
    "n - Mark ? 0 : 1": 1331,
    "n > 620 && n < 622": 621,
    "n == -1234": -1234,
    "n == int(sizeof(float) * 131)": 524,
    "1ll * n * n == 123456789012ll": 123456789012,
    "seven(n) == 'q' - 3": 110,
    "blockIdx.x + gridDim.x == 919": 919,
    "n % 1009 == 518": 518,
    "n == Marks[n & 3]": None,
    "x[0] == 7.25f": None,
}
"""What is asked, and the number that it asks for; None for what is no constant of whole numbers."""
UNASKED = ("n < 801", "n >= 1802", "n % 803 > 5", "n == 0", "n != 1", "n + 805 > a")
METS = {"n == 64 * 2": 128, "threadIdx.x == 31": 31}
ASKED = "    found += {} ? 3 : 0;\n"
BEFORE = """constexpr int power(int a, int b) { return b ? a * power(a, b - 1) : 1; }
enum { Mark = 1331 };
__constant__ int Marks[4] = {311, 415, 555, 666};
__device__ int seven(int n) { return n & 127; }
__global__ void work(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    int found = 0;
"""
AFTER = """    if (i < n) z[i] = a * x[i] + y[i] + found;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { work<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
"""
LINES = [*SPELLINGS, *UNASKED, *METS]
SOURCE = BEFORE + "".join(ASKED.format(each) for each in LINES) + AFTER
FIRST = BEFORE.count("\n") + 1


@pytest.fixture(scope="module")
def emulator():
    return Emulator(choose_sandbox())


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(SOURCE, TASK, checked=True)


def test_each_number_is_read_from_the_compiled_code(program):
    expected = {**SPELLINGS, **METS}
    found = asked_for(program)
    assert {(FIRST + LINES.index(text), number) for text, number in expected.items()} <= found
    assert not {line for line, _ in found} & {FIRST + LINES.index(text) for text in UNASKED}
    assert {number for number in expected.values() if number is not None} <= set(numbers_asked_for(program))


def test_what_no_case_met_is_a_label(emulator, program, monkeypatch):
    monkeypatch.setattr("regrapht.evaluate.memory.singled_out._MOST", 100)
    trials = [
        Trial(
            inputs=draw(TASK, Case(sizes={"n": n}, family=Family.DECLARED), secret=7, index=n),
            expected=Expected(as_written={}, wide=None),
        )
        for n in (128, 499)
    ]
    made = Candidate(source=SOURCE, program_hash=program_hash(SOURCE), origin=Origin(proposer="hand", seconds=0))
    draft = Draft(task=TASK, candidate=made, level=Level.FULL, evaluator="emulated", environment=SimpleNamespace())
    look_at_own_arrays(
        emulator, draft, program, [], everything=trials, limits=Limits(wall_s=60, memory_bytes=4 * 2**30)
    )
    told = {int(re.search(r"\(line (\d+)\)", label)[1]) for label in draft.labels if label.startswith(NEVER_EQUAL)}
    assert told == {FIRST + LINES.index(text) for text, number in SPELLINGS.items() if number != 499}, draft.labels


def test_fewer_calls_are_looked_at_where_all_take_too_long(emulator, program):
    made = Candidate(source=SOURCE, program_hash=program_hash(SOURCE), origin=Origin(proposer="hand", seconds=0))
    draft = Draft(task=TASK, candidate=made, level=Level.FULL, evaluator="emulated", environment=SimpleNamespace())
    asked = []

    class Slow:
        labels, build = emulator.labels, emulator.build

        def run(self, *_, **__):
            asked.append("run")
            stopped = SimpleNamespace(ok=len(asked) > 1, stopped="timeout" if len(asked) == 1 else None)
            return EmulatedRun(completed=stopped, never_equal=frozenset({(FIRST, 777)}))

    limits = Limits(wall_s=60, memory_bytes=4 * 2**30)
    look_at_own_arrays(Slow(), draft, program, [], everything=[], limits=limits)
    assert asked == ["run", "run"]
    assert draft.labels == [f"{NEVER_EQUAL} 777 (line {FIRST})"]


def test_objects_that_are_made_when_a_program_is_loaded_have_such_a_build(emulator):
    table = "struct Table { float v[9]; Table() { for (int i = 0; i < 9; ++i) v[i] = i * sqrtf(i); } };\nstatic Table table;\n"
    program = emulator.build(table + SOURCE, TASK, checked=False, stacks=True)
    assert isinstance(program, EmulatedProgram), program


def test_sizes_that_are_asked_for_come_before_those_of_the_text():
    listed = own_sizes(TASK, [*range(100, 140), 777.0], first=[777.0], others=[], rng=random.Random(1))
    assert {"n": 777} in listed
