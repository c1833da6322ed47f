"""One task with helpers of its own, and the judge of the emulator for what mends made."""

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash

REFERENCE = """\
#include <algorithm>

namespace {

constexpr float kTop = 255.0f, kBottom = 0.0f;
enum { kOne = 1, kTwo };

struct Curve {
    float gain, lift;
    float at(float value) const { return gain * value + lift; }
};

float bounded(float value) { return std::min(std::max(value, 0.0f), kTop); }

float lifted(Curve curve, float value) { return bounded(curve.gain * value + curve.lift); }

}  // namespace

// Brightens a grey image.
void brighten(int rows, int cols, float gain, const float* image, float* out) {
    const int pixels = rows * cols;
    if (pixels == 0) return;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++) {
            Curve curve{gain, 2.0f};
            out[y * cols + x] = lifted(curve, image[y * cols + x]);
        }
    }
}
"""


def array(name: str, role: Role) -> Arg:
    return Arg(
        name=name,
        kind=ArgKind.ARRAY,
        dtype=SCALAR_TYPES["float32"],
        shape=(Expression("rows"), Expression("cols")),
        role=role,
        init=Init(kind="uniform", parameters={"low": 0.0, "high": 255.0}) if role is Role.IN else None,
    )


@pytest.fixture(scope="session")
def brighten() -> Task:
    int32, float32 = SCALAR_TYPES["int32"], SCALAR_TYPES["float32"]
    return Task(
        id="brighten",
        title="Brighten",
        description="",
        entry="brighten",
        reference=Reference(source=SourceFile(name="reference.cpp", text=REFERENCE)),
        args=(
            Arg(name="rows", kind=ArgKind.SIZE, dtype=int32),
            Arg(name="cols", kind=ArgKind.SIZE, dtype=int32),
            Arg(name="gain", kind=ArgKind.SCALAR, dtype=float32, value=1.25),
            array("image", Role.IN),
            array("out", Role.OUT),
        ),
        check_sizes=({"rows": 7, "cols": 33}, {"rows": 1, "cols": 1}),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8*rows*cols")),
    )


TALLY = """\
#include <cstdint>

// Adds up what is left and what is right of zero.
void tally(int n, const int64_t* step, int64_t* sums) {
    sums[0] = sums[1] = 0;
    for (int i = 0; i < n; i++) sums[step[i] < 0 ? 0 : 1] += step[i];
}
"""


@pytest.fixture(scope="session")
def tally() -> Task:
    """A task on integers of 64 bits, which C++ has two types for."""
    int32, int64 = SCALAR_TYPES["int32"], SCALAR_TYPES["int64"]
    step = Init(kind="integers", parameters={"low": -1000, "high": 1000})
    return Task(
        id="tally",
        title="Tally",
        description="",
        entry="tally",
        reference=Reference(source=SourceFile(name="reference.cpp", text=TALLY)),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=int32),
            Arg(name="step", kind=ArgKind.ARRAY, dtype=int64, shape=(Expression("n"),), role=Role.IN, init=step),
            Arg(name="sums", kind=ArgKind.ARRAY, dtype=int64, shape=(Expression("2"),), role=Role.OUT),
        ),
        check_sizes=({"n": 700}, {"n": 1}),
        tolerance=Tolerance(kind=Compare.EXACT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8*n")),
    )


@pytest.fixture(scope="session")
def judged():
    judge = EmulatedEvaluator(choose_sandbox())
    if not (available := judge.availability()).available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")

    def verdict_of(task: Task, source: str):
        origin = Origin(proposer="test", seconds=0.0)
        candidate = Candidate(source=source, program_hash=program_hash(source), origin=origin)
        return judge.evaluate(task, candidate, level=Level.SCREEN)

    return verdict_of
