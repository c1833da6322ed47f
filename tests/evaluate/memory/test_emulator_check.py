"""The emulator beside a GPU looks at one shape of the judge's own too: listed ones may all be whole tiles."""

from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.emulate.emulator import Emulator
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.memory.emulator_check import emulated_beside
from regrapht.evaluate.reference.expected import Expected, Trial
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

TASK = load_task(Path(__file__).parents[2] / "cheats" / "tasks" / "affine")
WHOLE_TILES = """__global__ void work(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float own = x[i];
    if (i < n || own == 7e37f) z[i % n] = a * own + y[i % n];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { work<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }
"""


def trial(n, *, hidden=False, near=""):
    case = Case(sizes={"n": n}, family=Family.DECLARED, hidden=hidden, near=near)
    return Trial(inputs=draw(TASK, case, secret=7, index=n), expected=Expected(as_written={}, wide=None))


LISTED = [trial(64), trial(128)]
HIDDEN = [trial(1000, hidden=True), trial(101, hidden=True), trial(300, hidden=True)]


@pytest.fixture(scope="module")
def looked_at():
    """The sizes of the calls that were made, and the kinds that were found."""
    emulator = Emulator(choose_sandbox())
    made = Candidate(
        source=WHOLE_TILES, program_hash=program_hash(WHOLE_TILES), origin=Origin(proposer="hand", seconds=0)
    )
    run_calls = emulator.run

    def run(trials):
        sizes = []
        emulator.run = lambda *given, **named: sizes.extend(named["sizes"]) or run_calls(*given, **named)
        told = Future()
        told.set_result(trials)
        draft = Draft(task=TASK, candidate=made, level=Level.SCREEN, evaluator="gpu", environment=SimpleNamespace())
        found = emulated_beside(emulator, draft, told, evidence_at={"n": 128})
        assert found is not None, draft.labels
        return [each["n"] for each in sizes], {finding.kind for finding in found.findings}

    return run


@pytest.mark.parametrize(
    ("trials", "sizes", "faulty"),
    [
        (LISTED, [128, 64], False),
        (LISTED + HIDDEN, [128, 64, 101], True),
        ([*LISTED, *HIDDEN, trial(33, hidden=True, near="one element")], [128, 64, 101], True),
    ],
    ids=["listed alone", "the smallest hidden one", "never one that is near another"],
)
def test_reading_past_an_end_that_whole_tiles_hide(looked_at, trials, sizes, faulty):
    called, kinds = looked_at(trials)
    assert called == sizes
    assert bool(kinds) == faulty, kinds
