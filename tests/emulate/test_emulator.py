"""The emulator as its users see it: outputs, refusals, limits, evidence."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from regrapht.emulate.emulator import BuildRefused, EmulatedProgram, Emulator, Schedule
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.task import Residency
from regrapht.records.verdict import Severity, Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import CallInput, Exchange

HEAD = "// arrays: x in float32 N; out out float32 N\n// N: 1000\n"
SAXPY = (
    HEAD
    + """__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, out);
}
"""
)


def built(bench, source, *, checked=True, residency=Residency.DEVICE) -> EmulatedProgram:
    program = bench.build(source, checked=checked, residency=residency)
    assert isinstance(program, EmulatedProgram), program
    return program


def refused(bench, source) -> BuildRefused:
    program = bench.build(source, checked=False)
    assert isinstance(program, BuildRefused), program
    return program


@pytest.mark.parametrize(
    ("call", "is_cuda"),
    [
        ("min(n, 3)", True),
        ("max(n, 3u)", True),
        ("min(1LL * n, 3LL)", True),
        ("max(1LL * n, 3ULL)", True),
        ("min((short)n, (char)3)", True),
        ("max(1.0f, 2.0)", True),
        ("min(1LL * n, 3)", False),
        ("max((size_t)n, 3)", False),
        ("min(n, 2.0f)", False),
    ],
)
def test_min_and_max_are_there_for_the_types_that_cuda_has_them_for(bench, call, is_cuda):
    """A program that only this machine compiles would fail on the one with the GPU."""
    source = f"""__global__ void k(int n, float* y) {{ if (threadIdx.x < n) y[threadIdx.x] = (float){call}; }}
extern "C" void run(int N, float* out) {{ k<<<1, 64>>>(N, out); }}
// arrays: out out float32 N
// N: 4
"""
    built = bench.build(source, checked=False)
    assert isinstance(built, EmulatedProgram) == is_cuda, built
    if not is_cuda:
        assert built.status is Status.BUILD_FAILED and "ambiguous" in built.output


@pytest.mark.parametrize("checked", [True, False])
def test_outputs_come_back(bench, checked):
    outcome = bench.run(SAXPY, built(bench, SAXPY, checked=checked), calls=3)
    assert outcome.completed and outcome.run.completed.ok
    assert len(outcome.run.evidence) == (3 if checked else 0)
    for output in outcome.outputs:
        np.testing.assert_array_equal(output["out"], 2 * outcome.inputs["x"])


def test_out_of_bounds_names_line_and_allocation(bench):
    source = SAXPY.replace("if (i < n) ", "")
    outcome = bench.run(source, built(bench, source))
    (finding,) = outcome.run.findings
    assert (finding.kind, finding.status, finding.severity) == ("global_oob", Status.OUT_OF_BOUNDS, Severity.ERROR)
    assert source.splitlines()[finding.line - 1].strip() == "y[i] = a * x[i];"
    assert "at element 1000 of x, an array of 1000 float" in finding.message and finding.kernel == "saxpy"
    assert outcome.calls[0].flags and outcome.calls[0].error_code == 700
    assert outcome.run.evidence == (None,)


def test_guard_band_of_a_plain_build(bench):
    source = SAXPY.replace("if (i < n) ", "if (i <= n) ")
    outcome = bench.run(source, built(bench, source, checked=False))
    assert outcome.calls[0].flags & 1 and outcome.calls[0].parameter == 2


def test_missing_entry(bench):
    said = refused(bench, SAXPY.replace(" run(", " walk("))
    assert said.status is Status.BUILD_FAILED and 'extern "C" void run(int N' in said.message


def test_entry_without_c_linkage(bench):
    said = refused(bench, SAXPY.replace('extern "C" ', ""))
    assert said.status is Status.BUILD_FAILED and "declared exactly as" in said.message


WIDE = (
    "// arrays: x in int64 N; y in uint64 N; out out int64 N\n// N: 300\n"
    """__global__ void joined(int n, const int64_t* x, const uint64_t* y, int64_t* out) {
    int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] - (int64_t)y[i];
}
extern "C" void run(int32_t n, const int64_t* x, const uint64_t* y, int64_t* out) { joined<<<3, 128>>>(n, x, y, out); }
"""
)


@pytest.mark.parametrize("spelling", ["int64_t", "long long", "long"])
def test_wide_integers_in_each_spelling(bench, spelling):
    source = WIDE.replace("uint64_t", f"unsigned {spelling}" if spelling != "int64_t" else "uint64_t")
    source = source.replace(" int64_t", f" {spelling}").replace("(int64_t", f"({spelling}")
    outcome = bench.run(source, built(bench, source))
    assert outcome.completed and not outcome.run.findings
    inputs = outcome.inputs
    np.testing.assert_array_equal(outcome.outputs[0]["out"], inputs["x"] - inputs["y"].astype("i8"))


def test_wide_integers_of_another_signature_are_refused(bench):
    said = refused(bench, WIDE.replace("void run(int32_t n, const int64_t* x, const u", "void run(int32_t n, const u"))
    assert said.status is Status.BUILD_FAILED and "declared exactly as" in said.message and "long long" in said.message


STRUCTS = (
    "// arrays: x in int64 N; out out int64 N\n// N: 64\n"
    """struct Pair { long long first; int second; };
__global__ void twice(const long long* x, Pair* out) {
    out[threadIdx.x] = {x[threadIdx.x], 1};
    const Pair back = out[threadIdx.x];
    out[threadIdx.x] = {2 * back.first, back.second + 1};
}
extern "C" void run(int n, const long long* x, Pair* out) { twice<<<1, n>>>(x, out); }
"""
)


@pytest.mark.parametrize("whole", [True, False])
def test_padding_of_an_output_of_structs_needs_no_value(bench, whole):
    source = (
        STRUCTS if whole else STRUCTS.replace("out[threadIdx.x] = {x[threadIdx.x], 1};", "out[threadIdx.x].first = 3;")
    )
    pair = StructType(c_name="Pair", fields=(("first", SCALAR_TYPES["int64"]), ("second", SCALAR_TYPES["int32"])))
    task = bench.task(source)
    task = replace(task, args=(*task.args[:-1], replace(task.args[-1], dtype=pair)))
    program = bench.emulator.build(source, task, checked=True)
    assert isinstance(program, EmulatedProgram), program
    n, x = 64, np.arange(64, dtype="i8")
    call = CallInput(
        values={"N": np.int32(n).tobytes()},
        arrays={"x": x.tobytes()},
        array_bytes={"x": 8 * n, "out": 16 * n},
        wanted=frozenset({"out"}),
    )
    with Exchange(task.parameters, [call]) as exchange:
        run = bench.emulator.run(program, exchange, limits=Limits(wall_s=20), sizes=[{"N": n}])
        out = np.frombuffer(exchange.array(0, "out"), np.dtype([("first", "i8"), ("second", "i4")], align=True))
    assert {f.kind for f in run.findings} == (set() if whole else {"uninit_read_global"})
    if whole:
        np.testing.assert_array_equal(out["first"], 2 * x)
        assert (out["second"] == 2).all()


def test_kernel_whose_pointer_lost_its_type_in_a_macro(bench):
    source = SAXPY.replace("extern", "#define UNTYPED(kernel) ((const void*)kernel)\nextern")
    source = source.replace(
        "saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, x, out);",
        "float two = 2; void* a[] = {&n, &two, &x, &out}; cudaLaunchKernel(UNTYPED(saxpy), dim3(4), dim3(256), a, 0, 0);",
    )
    outcome = bench.run(source, built(bench, source))
    assert outcome.run.unsupported is not None and "lost its type" in outcome.run.unsupported


def test_compile_error_names_the_candidates_line(bench):
    said = refused(bench, SAXPY.replace("a * x[i]", "a * z[i]"))
    line = 1 + next(i for i, text in enumerate(SAXPY.splitlines()) if "a * x[i]" in text)
    assert said.status is Status.BUILD_FAILED
    assert f"candidate.cu:{line}:" in said.output and "'z' was not declared" in said.output


def test_undefined_function(bench):
    said = refused(bench, 'extern "C" float elsewhere(float);\n' + SAXPY.replace("a * x[i]", "elsewhere(x[i])"))
    assert said.status is Status.BUILD_FAILED and "elsewhere" in said.message


@pytest.mark.parametrize(
    ("text", "feature"),
    [
        ('asm volatile("mov.u32 %0, %%laneid;" : "=r"(i));', "inline PTX"),
        ("saxpy<<<1, 1>>>(n, a, x, y);", "dynamic parallelism"),
        ("float* p = new float[4];", "allocation in device code"),
        ("int v = __vabsdiffx4(i, n);", "__vabsdiffx4"),
        ("y[0] = __shfl(y[0], 1);", "without _sync"),
    ],
)
def test_unsupported_is_said(bench, text, feature):
    said = refused(bench, SAXPY.replace("    if (i < n)", f"    {text}\n    if (i < n)"))
    assert said.status is Status.UNSUPPORTED and feature in said.message, said


def test_comments_and_strings_are_no_features(bench):
    built(bench, SAXPY.replace("if (i < n)", '/* asm("x") thrust:: */ if (i < n)'), checked=False)


def test_missing_cuda_header(bench):
    said = refused(bench, SAXPY.replace("a * x[i]", "__half2float(__float2half(x[i]))"))
    assert said.status is Status.BUILD_FAILED and "cuda_fp16.h" in said.message


STANDARD_HEADERS = """
    algorithm any array atomic bitset charconv chrono cmath complex condition_variable deque exception filesystem forward_list
    fstream functional future initializer_list iomanip ios iostream istream iterator limits list locale map memory memory_resource
    mutex new numeric optional ostream queue random ratio regex set shared_mutex sstream stack stdexcept streambuf string
    string_view system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant
    vector
"""


@pytest.mark.slow
def test_every_header_of_the_library_may_be_included(bench):
    """CUDA's keywords are words that a library may use as names of attributes: which ones changes with its version."""
    built(bench, "".join(f"#include <{header}>\n" for header in STANDARD_HEADERS.split()) + SAXPY, checked=False)


def test_headers_of_the_library_are_included_as_for_nvcc(bench):
    uses = """__device__ __noinline__ int one() { return 1; }
__attribute__((__noinline__, __cold__)) static void as_libraries_write_it() {}
[[gnu::__noinline__]] static void or_so() {}
std::shared_ptr<int> shared() { as_libraries_write_it(), or_so(); return std::make_shared<int>(1); }
"""
    said = refused(bench, uses + SAXPY)
    assert said.status is Status.BUILD_FAILED and "shared_ptr" in said.message, said
    built(bench, "#include <memory>\n#include <iostream>\n" + uses + SAXPY, checked=False)


@pytest.mark.parametrize(
    "definition",
    [
        "int main() { return 0; }",
        "void* operator new(unsigned long n) { return nullptr; }",
        'extern "C" __attribute__((weak)) int cudaLaunchKernel_ptsz = 1;',
    ],
)
def test_symbols_of_the_process_are_not_the_candidates(bench, definition):
    assert refused(bench, SAXPY + definition).status is Status.POLICY_REJECTED


def test_endless_loop(bench):
    source = SAXPY.replace("if (i < n)", "while (*(volatile const float*)x != 77.0f);\n    if (i < n)")
    outcome = bench.run(source, built(bench, source), limits=Limits(wall_s=2))
    kinds = {finding.kind for finding in outcome.run.findings}
    assert outcome.run.completed.stopped == "timeout" or "livelock" in kinds, "whichever is seen first"
    plain = bench.run(source, built(bench, source, checked=False), limits=Limits(wall_s=1))
    assert plain.run.completed.stopped == "timeout" and not plain.completed


def test_crash_is_found_with_its_line(bench):
    source = SAXPY.replace("    saxpy<<<", "    *(volatile int*)8 = n;\n    saxpy<<<")
    outcome = bench.run(source, built(bench, source))
    (finding,) = outcome.run.findings
    assert outcome.run.completed.signal == 11 and not outcome.completed
    assert finding.status is Status.CRASHED and "*(volatile int*)8" in source.splitlines()[finding.line - 1]


@pytest.mark.parametrize(
    "launch", ["<<<1, 2048>>>", "<<<0, 32>>>", "<<<1, 32, 64 * 1024>>>", "<<<dim3(1, 70000), 32>>>"]
)
def test_launch_errors_are_cudas(bench, launch):
    source = SAXPY.replace("<<<(n + 255) / 256, 256>>>", launch)
    outcome = bench.run(source, built(bench, source))
    assert outcome.calls[0].flags & 4 and outcome.calls[0].error_code in (1, 9)
    assert [finding.kind for finding in outcome.run.findings] == ["launch_refused"] and outcome.run.evidence == (None,)


def test_host_residency(bench):
    source = (
        HEAD
        + """__global__ void twice(float* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] *= 2;
}
extern "C" void run(int n, const float* x, float* out) {
    float* device;
    cudaMalloc(&device, n * sizeof(float));
    cudaMemcpy(device, x, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(device, n);
    cudaMemcpy(out, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
}
"""
    )
    outcome = bench.run(source, built(bench, source, residency=Residency.HOST))
    assert outcome.run.findings == ()
    np.testing.assert_array_equal(outcome.outputs[0]["out"], 2 * outcome.inputs["x"])


def test_output_left_alone_keeps_its_poison(bench):
    source = SAXPY.replace("saxpy<<<", "if (n < 0) saxpy<<<")
    outcome = bench.run(source, built(bench, source))
    assert outcome.outputs[0]["out"].tobytes() == b"\xff" * 4000


def test_random_schedule_follows_its_seed(bench):
    source = (
        "// arrays: out out int32 N\n// N: 64\n"
        + """__global__ void order(int* out, int* next) {
    out[threadIdx.x] = atomicAdd(next, 1);
}
extern "C" void run(int n, int* out) {
    int* next;
    cudaMalloc(&next, sizeof(int));
    cudaMemset(next, 0, sizeof(int));
    order<<<1, n>>>(out, next);
}
"""
    )
    program = built(bench, source)
    orders = [
        bench.run(source, program, schedule=Schedule.RANDOM, seed=seed).outputs[0]["out"].tolist() for seed in (1, 1, 2)
    ]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[2]) == list(range(64))
    assert bench.run(source, program, schedule=Schedule.REVERSE).outputs[0]["out"].tolist() == list(range(63, -1, -1))


@pytest.mark.slow
def test_two_threads_prepare_one_cache(emulator, bench, tmp_path_factory):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="emulate-") as folder:
        Path(folder).chmod(0o755)
        outcomes = []

        def work():
            own = Emulator(emulator._sandbox, cache=Path(folder))
            outcomes.append(own.build(SAXPY, bench.task(SAXPY), checked=False))

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(isinstance(outcome, EmulatedProgram) for outcome in outcomes) and len(outcomes) == 2
