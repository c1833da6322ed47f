"""The judge on a real GPU: right candidates pass with a time, wrong ones are refused by name, clocks cannot be fooled."""

import re
from pathlib import Path

import pytest

from regrapht.evaluate.gpu_device import exclusive, peaks
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.nvcc import find_nvcc
from regrapht.records.measurement import Scale
from regrapht.records.verdict import Level, StageName, StageOutcome, Status
from regrapht.tasks.load import load_task

pytestmark = pytest.mark.gpu
CHEATS = Path(__file__).parents[1] / "cheats"
HEADER = re.compile(r"// task: (\w+)\n// expect: (\w+)\n// level: (screen|full|slow)\n")
# What a GPU says of a cheat where it differs from the emulator: the device's own error or the check that comes first there.
ON_A_GPU = {
    "host_dereference": {Status.CRASHED},
    "exits_with_pass": {Status.CRASHED},
    "counts_calls": {Status.UNWRITTEN},
    "replaces_runtime": {Status.BUILD_FAILED, Status.POLICY_REJECTED},
    "missing_barrier": {Status.RACE, Status.WRONG_VALUE, Status.NONDETERMINISTIC},
    "histogram_race": {Status.RACE, Status.WRONG_VALUE},
    "uninitialised_shared": {Status.UNINITIALISED_READ, Status.WRONG_VALUE, Status.NON_FINITE},
    "one_past_end": {Status.OUT_OF_BOUNDS},
    "divergent_barrier": {Status.BARRIER_FAULT, Status.WRONG_VALUE, Status.TIMED_OUT},
    "endless_kernel": {Status.TIMED_OUT},
    "multiple_of_256": {Status.UNWRITTEN, Status.CRASHED},  # a grid without blocks is an error of the device
    "too_few_blocks": {Status.UNWRITTEN, Status.CRASHED},
    "order_dependent": {Status.NONDETERMINISTIC, Status.WRONG_VALUE},  # its atomics flush denormals
    "forges_descriptors": {Status.CRASHED, Status.UNWRITTEN},
    "computed_on_host": {Status.POLICY_REJECTED},
}

AFFINE = """__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    LAUNCH
}
"""
PLAIN = AFFINE.replace("LAUNCH", "affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);")


@pytest.fixture(scope="module")
def evaluator(sandbox):
    judge = LocalGpuEvaluator(sandbox)
    available = judge.availability()
    if not available.available:
        pytest.skip(f"no GPU to judge on: {available.reason}")
    return judge


@pytest.fixture(scope="module")
def affine():
    return load_task(CHEATS / "tasks" / "affine")


def test_environment_and_peaks(evaluator, sandbox):
    environment = evaluator.environment()
    assert environment.architecture.startswith("sm_") and environment.clocks["sm"] > 100
    machine = evaluator._machine()
    measured = peaks(sandbox, find_nvcc(), machine.gpu)
    assert measured.bytes_per_us > 1e4 and measured.flops_per_us > 1e5, "over 10 GB/s and 0.1 TFLOP/s"


def test_a_right_candidate_is_timed(evaluator, affine, candidate):
    yardstick = evaluator.prepare(affine, candidate(PLAIN))
    assert yardstick.scale is Scale.MEASURED_US and yardstick.start > yardstick.floor
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.FULL)
    assert verdict.status is Status.PASSED, f"{verdict.status} {verdict.reason}"
    outcomes = {stage.name: stage.outcome for stage in verdict.stages}
    assert outcomes[StageName.TIME] is StageOutcome.PASSED and outcomes[StageName.MEMORY] is StageOutcome.PASSED
    (shape,) = verdict.timing
    assert len(shape.candidate.samples_us) >= 30 and shape.ratio("sequential").value > 1
    assert 0.05 < shape.floor_fraction <= 1.1 and 0.8 < shape.ratio("naive").value < 1.25, (
        "the plain program against itself"
    )
    assert verdict.resources[0].name == "affine_kernel" and verdict.resources[0].registers_per_thread > 0


def test_screening_is_quick_and_timed(evaluator, affine, candidate):
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and len(verdict.timing[0].candidate.samples_us) >= 10


@pytest.mark.parametrize("path", sorted((CHEATS / "candidates").glob("*.cu")), ids=lambda path: path.stem)
def test_cheats(evaluator, candidate, path):
    source = path.read_text()
    task, expected, _ = HEADER.match(source).groups()
    if path.stem == "memory_hog":
        pytest.skip("a GPU machine's host limit is larger")
    verdict = evaluator.evaluate(load_task(CHEATS / "tasks" / task), candidate(source), level=Level.FULL)
    assert verdict.status in ON_A_GPU.get(path.stem, {Status(expected)}), f"{verdict.status}: {verdict.reason}"


@pytest.mark.parametrize(
    ("launch", "statuses"),
    [
        (
            "cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);"
            "for (int r = 0; r < 2000; ++r) affine_kernel<<<(n + 255) / 256, 256, 0, s>>>(n, a, x, y, z);",
            {Status.LATE_WRITE, Status.TIMING_INVALID, Status.UNWRITTEN},
        ),
        ("affine_kernel<<<n, 2048>>>(n, a, x, y, z);", {Status.CRASHED}),
        ("affine_kernel<<<(n + 255) / 256, 256, 1 << 20>>>(n, a, x, y, z);", {Status.CRASHED}),
        ("affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z + (1 << 28));", {Status.OUT_OF_BOUNDS}),
    ],
    ids=["other_stream", "too_many_threads", "too_much_shared", "wild_pointer"],
)
def test_what_only_a_device_shows(evaluator, affine, candidate, launch, statuses):
    verdict = evaluator.evaluate(affine, candidate(AFFINE.replace("LAUNCH", launch)), level=Level.SCREEN)
    assert verdict.status in statuses, f"{verdict.status}: {verdict.reason}"


def test_a_replayed_result_in_the_timed_loop_is_wrong(evaluator, affine, candidate):
    counting = PLAIN.replace('extern "C"', 'static int calls = 0;\nextern "C"').replace(
        "affine_kernel<<<", "if (++calls <= 60 || n < 100000) affine_kernel<<<"
    )
    verdict = evaluator.evaluate(affine, candidate(counting), level=Level.FULL)
    assert verdict.status in {Status.UNWRITTEN, Status.WRONG_VALUE, Status.NONDETERMINISTIC, Status.IMPOSSIBLE}


def test_the_device_works_after_a_crash(evaluator, affine, candidate):
    wild = AFFINE.replace("LAUNCH", "affine_kernel<<<1, 32>>>(n, a, x, y, (float*)8);")
    assert evaluator.evaluate(affine, candidate(wild), level=Level.SCREEN).status is Status.OUT_OF_BOUNDS
    assert evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN).passed


def test_the_device_is_held_alone(evaluator):
    from concurrent.futures import ThreadPoolExecutor

    gpu = evaluator._machine().gpu
    inside, most = 0, 0

    def hold(_):
        nonlocal inside, most
        with exclusive(gpu):
            inside += 1
            most = max(most, inside)
            inside -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hold, range(64)))
    assert most == 1
