"""Candidates build for the emulated device whichever way they spell 64-bit integers, as they do for a GPU."""

from types import SimpleNamespace

import pytest

from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.sandbox.choose import choose_sandbox
from regrapht.testing.emulated_device import EmulatedGpuMachine

REFERENCE = "void wide(int n, const long long* x, long long* y) { for (int i = 0; i < n; ++i) y[i] = x[i]; }"
CANDIDATE = """__global__ void copy(int n, const WIDE* x, WIDE* y) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }
extern "C" void wide(int n, const WIDE* x, WIDE* y) { copy<<<1, 64>>>(n, x, y); }
"""


@pytest.fixture(scope="module")
def build():
    wide, shape = SCALAR_TYPES["int64"], (Expression("n"),)
    task = Task(
        id="wide",
        title="wide",
        description="wide",
        entry="wide",
        reference=Reference(source=SourceFile(name="reference.cpp", text=REFERENCE)),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),
            Arg(name="x", kind=ArgKind.ARRAY, dtype=wide, shape=shape, role=Role.IN),
            Arg(name="y", kind=ArgKind.ARRAY, dtype=wide, shape=shape, role=Role.OUT),
        ),
        check_sizes=({"n": 50},),
        tolerance=Tolerance(kind=Compare.EXACT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8")),
    )
    machine = SimpleNamespace(sandbox=choose_sandbox())  # a build needs nothing else of it
    return lambda source: EmulatedGpuMachine.build(machine, source, task)


@pytest.mark.parametrize("spelling", ["int64_t", "long long"])
def test_wide_integers_in_each_spelling(build, spelling):
    assert build(CANDIDATE.replace("WIDE", spelling)).library[:4] == b"\x7fELF"


@pytest.mark.parametrize("wrong", ["int", "float"])
def test_another_signature_is_refused(build, wrong):
    with pytest.raises(Rejected, match="conflicting declaration"):
        build(CANDIDATE.replace("WIDE", wrong))
