"""The GPU judge's processes, orders, clocks and comparisons, with the judge's own harness on an emulated device."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate import gpu_timing, timing
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.records.measurement import Scale
from regrapht.records.task import Baseline, SourceFile
from regrapht.records.verdict import Level, StageName, StageOutcome, Status
from regrapht.tasks.load import load_task
from regrapht.testing.emulated_device import emulated_machine

CHEATS = Path(__file__).parents[1] / "cheats"
KERNEL = """__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
"""
PLAIN = KERNEL + (
    'extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {\n'
    "    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);\n}\n"
)
DEAD = "{\n    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);"


@pytest.fixture(scope="module")
def evaluator(sandbox, emulated, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        # What one evaluator keeps of times and marks is not to reach another run; the emulator's own cache may stay.
        machine = emulated_machine(sandbox)
        judge = LocalGpuEvaluator(sandbox)
        machine.timer._times._machine = f"test {tmp_path_factory.mktemp('times')}"
        patch.setattr(judge, "_found", machine)
        # This processor is the device and runs other tests too, so its clocks may disagree with reason. Whether the judge sees that is a
        # question of its own, below.
        patch.setattr(gpu_timing, "clocks_agree", lambda *arguments, **more: True)
        patch.setattr(gpu_timing, "hidden_us", lambda *arguments: 0.0)
        yield judge


@pytest.fixture(scope="module")
def affine():
    """The task at one small bench shape, its plain version a baseline."""
    task = load_task(CHEATS / "tasks" / "affine")
    naive = Baseline(name="naive", source=SourceFile(name="naive.cu", text=PLAIN))
    return replace(task, bench_sizes=({"n": 5000},), baselines=(naive,))


def cheat(name):
    return (CHEATS / "candidates" / f"{name}.cu").read_text()


def test_a_right_candidate_in_full(evaluator, affine, candidate):
    yardstick = evaluator.prepare(affine, None)
    assert yardstick.scale is Scale.MEASURED_US and yardstick.floor < yardstick.start
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.FULL)
    assert verdict.status is Status.PASSED, f"{verdict.status} {verdict.reason}"
    assert {s.outcome for s in verdict.stages if s.name in (StageName.CHECK, StageName.MEMORY, StageName.TIME)} == {
        StageOutcome.PASSED
    }
    (shape,) = verdict.timing
    assert (
        len(shape.candidate.samples_us) >= 30 and shape.ratio("naive").paired and not shape.ratio("sequential").paired
    )
    assert shape.kernel and shape.with_transfers and shape.end_to_end and shape.first_call_us > 0 and not shape.absent
    assert "no_sanitizer" in verdict.labels and verdict.evidence is not None
    assert any(case.hidden for case in verdict.cases)


def test_a_right_candidate_screened(evaluator, affine, candidate):
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    (shape,) = verdict.timing
    assert verdict.passed and shape.absent == {"kernel": "screening", "with_transfers": "screening"}
    assert shape.ratio("naive") is not None and not shape.ratio("naive").paired


def test_a_baseline_that_cannot_be_timed_is_said(evaluator, affine, candidate):
    broken = Baseline(name="library", source=SourceFile(name="library.cu", text="no program"))
    task = replace(affine, baselines=(*affine.baselines, broken))
    verdict = evaluator.evaluate(task, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and "baseline_failed library" in verdict.labels
    assert {ratio.against for ratio in verdict.timing[0].ratios} == {"naive", "sequential"}


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("noop", {Status.UNWRITTEN}),
        ("cached_by_shape", {Status.WRONG_VALUE}),
        ("zeroes_input", {Status.INPUT_MODIFIED, Status.BUILD_FAILED}),
        ("one_past_end", {Status.OUT_OF_BOUNDS}),
        ("recurses", {Status.CRASHED}),
        ("exits_with_pass", {Status.CRASHED}),
        ("prints", {Status.POLICY_REJECTED}),
        ("too_much_shared", {Status.CRASHED}),
    ],
)
def test_wrong_candidates(evaluator, affine, candidate, name, statuses):
    verdict = evaluator.evaluate(affine, candidate(cheat(name)), level=Level.SCREEN)
    assert verdict.status in statuses, f"{verdict.status}: {verdict.reason}"


@pytest.mark.slow  # of no use on a processor that is busy otherwise
def test_forged_times_are_found_by_the_parents_clock(evaluator, affine, candidate, monkeypatch):
    monkeypatch.setattr(gpu_timing, "clocks_agree", timing.clocks_agree)
    monkeypatch.setattr(gpu_timing, "hidden_us", timing.hidden_us)
    larger = replace(affine, bench_sizes=({"n": 60_000},))
    verdict = evaluator.evaluate(larger, candidate(cheat("forges_times")), level=Level.FULL)
    assert verdict.status is Status.TIMING_INVALID, f"{verdict.status}: {verdict.reason}"
    assert "outside of its process" in verdict.reason


def test_results_that_change_from_call_to_call(evaluator, affine, candidate):
    turning = PLAIN.replace(DEAD, "{\n    static int calls = 0;\n    a *= 1 + 1e-7f * (++calls % 2);" + DEAD[1:])
    assert turning != PLAIN
    verdict = evaluator.evaluate(affine, candidate(turning), level=Level.FULL)
    assert verdict.status is Status.NONDETERMINISTIC, f"{verdict.status}: {verdict.reason}"


def test_a_candidate_that_is_wrong_only_when_timed(evaluator, affine, candidate):
    lazy = PLAIN.replace(DEAD, "{\n    if (n == 5000) return;" + DEAD[1:])
    verdict = evaluator.evaluate(affine, candidate(lazy), level=Level.SCREEN)
    assert verdict.stages[-1].name is StageName.TIME
    # Which: an output lies at the addresses of another data set half of the time, and holds that one's poison then.
    assert verdict.status in (Status.UNWRITTEN, Status.WRONG_VALUE), f"{verdict.status}: {verdict.reason}"


def test_what_ends_as_the_harness_does_is_tried_twice_and_then_blamed(evaluator, affine, candidate, monkeypatch):
    posing = PLAIN.replace('extern "C"', '#include <cstdlib>\nextern "C"', 1).replace(
        DEAD, "{\n    std::exit(71);" + DEAD[1:]
    )
    looks = []
    machine = evaluator._machine()
    monkeypatch.setattr(type(machine), "probe", lambda self: looks.append(1) or self.gpu)
    verdict = evaluator.evaluate(affine, candidate(posing), level=Level.SCREEN)
    assert verdict.status in (Status.CRASHED, Status.POLICY_REJECTED), f"{verdict.status}: {verdict.reason}"
    if verdict.status is Status.CRASHED:
        assert "harness could not go on" in verdict.reason and len(looks) >= 2


def test_a_device_that_no_longer_works_is_no_verdict(evaluator, sandbox, affine, candidate, monkeypatch):
    machine = evaluator._machine()
    broken = replace(machine, gpu=replace(machine.gpu, uuid=uuid4().hex))

    def fails(self):
        raise EvaluatorUnavailable("no answer")

    monkeypatch.setattr(type(machine), "probe", fails)
    judge = LocalGpuEvaluator(sandbox)
    judge._found = broken
    try:
        for source in (cheat("recurses"), PLAIN):
            with pytest.raises(EvaluatorUnavailable, match="out of use"):
                judge.evaluate(affine, candidate(source), level=Level.SCREEN)
    finally:
        (settings.cache() / "quarantine" / f"gpu-{broken.gpu.uuid}.json").unlink(missing_ok=True)
