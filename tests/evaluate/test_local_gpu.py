"""The judge on a real GPU: right candidates pass with a time, wrong ones are refused by name, clocks cannot be fooled."""

import contextlib
import runpy
import subprocess
from pathlib import Path

import pytest

from regrapht.evaluate import local_gpu
from regrapht.evaluate.build.nvcc import find_nvcc
from regrapht.evaluate.device.gpu import peaks
from regrapht.evaluate.device.sharing import exclusive
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.timing import gpu_timer, second_look
from regrapht.records.measurement import Scale
from regrapht.records.verdict import Level, StageName, StageOutcome, Status
from regrapht.tasks.load import load_task

pytestmark = pytest.mark.gpu
CHEATS = Path(__file__).parents[1] / "cheats"
CATALOGUE = runpy.run_path(str(CHEATS / "catalogue.py"))["CHEATS"]
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
    (shape,) = verdict.timing
    assert verdict.passed and len(shape.candidate.samples_us) >= 10
    assert shape.kernel is None and shape.absent == {"kernel": "screening", "with_transfers": "screening"}
    assert shape.first_call_us is None, "its process made the check calls before"


@pytest.fixture
def suspicious_at_once(evaluator, affine, candidate, monkeypatch):
    """Whatever is timed seems too fast, and the emulator cannot take it: every checker of the second look is the device's own."""
    evaluator.prepare(affine, candidate(PLAIN))
    monkeypatch.setattr(second_look, "SUSPECT_RATIO", 1e-9)
    monkeypatch.setattr(local_gpu, "emulated_beside", lambda *arguments, **more: None)


def test_a_second_look_bears_out_a_right_candidate(evaluator, affine, candidate, suspicious_at_once):
    verdict = evaluator.evaluate(affine, candidate(PLAIN), level=Level.SCREEN)
    assert verdict.passed and second_look.RECHECKED in verdict.labels, f"{verdict.status}: {verdict.reason}"
    assert any(case.hidden for case in verdict.cases)


def test_a_second_look_sees_a_race_that_screening_does_not_look_for(evaluator, affine, candidate, suspicious_at_once):
    """Screening has memcheck alone where the emulator is out; racecheck is the second look's."""
    racy = PLAIN.replace(
        "    if (i < n) z[i]",
        "    __shared__ float seen[256];\n    seen[threadIdx.x] = i;\n    const float other = seen[threadIdx.x ^ 32];\n"
        "    if (i < n && other == 0.5f) z[i] = other;\n    else if (i < n) z[i]",
    )
    assert racy != PLAIN
    verdict = evaluator.evaluate(affine, candidate(racy), level=Level.SCREEN)
    assert verdict.status is Status.RACE, f"{verdict.status}: {verdict.reason}"
    assert verdict.stages[-1].name is StageName.TIME


def test_the_kinds_of_time_in_full(evaluator, affine, candidate):
    evaluator.prepare(affine, candidate(PLAIN))
    (shape,) = evaluator.evaluate(affine, candidate(PLAIN), level=Level.FULL).timing
    kernel, call, host, moved = (
        times.median_us for times in (shape.kernel, shape.candidate, shape.end_to_end, shape.with_transfers)
    )
    assert kernel <= 1.05 * call and call < host < moved and shape.first_call_us > 0 and not shape.absent
    assert shape.ratio("naive").paired and not shape.ratio("sequential").paired


def test_results_kept_by_a_sample_of_the_inputs_are_wrong(evaluator, affine, candidate):
    """A program that keeps results by a digest of some elements meets a call in which other elements changed."""
    keeping = """#include <cstring>
static unsigned long long keys[64]; static float* kept[64]; static int count = 0;
__global__ void digest(int n, const float* x, const float* y, unsigned long long* sum) {
    unsigned long long own = 0;
    for (int i = threadIdx.x; i < 64; i += blockDim.x) {
        long long at = (long long)i * (n - 1) / 63;
        own += (__float_as_uint(x[at]) * 2654435761ull + __float_as_uint(y[at]) * 40503ull) * (i + 1);
    }
    atomicAdd(sum, own);
}
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float waste = i;
    for (int s = 0; s < 20000; ++s) waste = waste * 1.0001f + 0.5f;
    if (i < n) z[i] = a * x[i] + y[i] + (waste == 12.5f ? 1 : 0);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    unsigned long long *sum, key = 0;
    cudaMalloc(&sum, 8); cudaMemset(sum, 0, 8);
    digest<<<1, 64>>>(n, x, y, sum);
    cudaMemcpy(&key, sum, 8, cudaMemcpyDeviceToHost); cudaFree(sum);
    unsigned bits; memcpy(&bits, &a, 4); key = key * 31 + bits + n;
    for (int k = 0; k < count; ++k)
        if (keys[k] == key) { cudaMemcpy(z, kept[k], 4ll * n, cudaMemcpyDeviceToDevice); return; }
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
    if (count < 64 && cudaMalloc(&kept[count], 4ll * n + 4) == cudaSuccess) {
        cudaMemcpy(kept[count], z, 4ll * n, cudaMemcpyDeviceToDevice); keys[count++] = key;
    }
}
"""
    honest = keeping.replace("if (keys[k] == key)", "if (false)").replace("count < 64", "count < 0")
    evaluator.prepare(affine, candidate(PLAIN))
    verdicts = [evaluator.evaluate(affine, candidate(source), level=Level.FULL) for source in (keeping, honest)]
    assert [verdict.status for verdict in verdicts] == [Status.WRONG_VALUE, Status.PASSED], verdicts[1].reason
    assert "changed since the call before" in verdicts[0].reason


@pytest.mark.parametrize("cheat", CATALOGUE, ids=lambda cheat: cheat.name)
def test_cheats(evaluator, candidate, cheat):
    if cheat.name == "memory_hog":
        pytest.skip("a GPU machine's host limit is larger")
    verdict = evaluator.evaluate(load_task(CHEATS / "tasks" / cheat.task), candidate(cheat.source), level=Level.FULL)
    assert verdict.status in cheat.gpu, f"{verdict.status}: {verdict.reason}"


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
        # What lies a GiB further on is the driver's to say: nothing, or an address of another kind.
        (
            "affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z + (1 << 28));",
            {Status.OUT_OF_BOUNDS, Status.BAD_POINTER},
        ),
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
        with exclusive(gpu.uuid):
            inside += 1
            most = max(most, inside)
            inside -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hold, range(64)))
    assert most == 1


BURNER = """
#include <cstdio>
__global__ void burn(volatile float* x) { for (int i = 0; i < 1 << 20; ++i) *x = *x * 0.5f + 1.0f; }
int main() {
    float* x;
    if (cudaMalloc(&x, sizeof *x)) return 1;
    for (;;) {
        burn<<<1, 32>>>(x);
        if (cudaDeviceSynchronize()) return 1;
        puts("computing");
        fflush(stdout);
    }
}
"""


def test_another_process_on_the_device_is_a_label(evaluator, affine, candidate, tmp_path, monkeypatch):
    """T1: a stranger computes there meanwhile; while the device is held alone only, or other tests would suffer."""
    (tmp_path / "burner.cu").write_text(BURNER)
    subprocess.run([find_nvcc().path, "-o", tmp_path / "burner", tmp_path / "burner.cu"], check=True)
    lonely = candidate(PLAIN + "// alone")
    assert "shared_gpu" not in evaluator.evaluate(affine, lonely, level=Level.SCREEN).labels

    @contextlib.contextmanager
    def in_company(uuid):
        with exclusive(uuid), subprocess.Popen([tmp_path / "burner"], stdout=subprocess.PIPE) as burner:
            assert burner.stdout is not None and burner.stdout.readline(), "it computes"
            try:
                yield
            finally:
                burner.kill()

    monkeypatch.setattr(gpu_timer, "exclusive", in_company)
    verdict = evaluator.evaluate(affine, candidate(PLAIN + "// in company"), level=Level.SCREEN)
    assert "shared_gpu" in verdict.labels, verdict
