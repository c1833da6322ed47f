"""Building candidates for a GPU, as far as a machine without one can see."""

from dataclasses import replace

import pytest

from regrapht.evaluate.build.gpu_program import build_gpu_program, call_stub, ordinary_load_code, queues_for
from regrapht.evaluate.build.nvcc import find_nvcc, kernel_resources
from regrapht.evaluate.device.gpu import Gpu
from regrapht.evaluate.device.harness import build_harness
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.memory.compute_sanitizer import TOOLS, tools_for_ptx, tools_for_text
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.task import ArgKind, Contract, Rounding
from regrapht.records.verdict import Status

GEMM = """__global__ void k(int M, int N, int K, const float* A, const float* B, float* C) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    float s = 0;
    for (int q = 0; q < K; ++q) s += A[i * K + q] * B[q * N + j];
    C[i * N + j] = s;
}
extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C) {
    k<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(M, N, K, A, B, C);
}
"""
PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z6kernelILi4EEvPfi' for 'sm_90'
ptxas info    : Function properties for _Z6kernelILi4EEvPfi
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compiling entry function '_ZN12_GLOBAL__N_15innerEv' for 'sm_90'
ptxas info    : Used 8 registers, used 0 barriers
"""
H200 = Gpu(
    name="H200",
    architecture="sm_90",
    uuid="a5cf18d8bab197521cd0d5df69e56f09",
    driver="13.0",
    l2_bytes=2**25,
    clock_mhz=1980.0,
    memory_clock_mhz=3201.0,
)
needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")


def test_resources_from_ptxas():
    kernel, inner = kernel_resources(PTXAS)
    assert (kernel.name, kernel.registers_per_thread, kernel.static_shared_bytes, kernel.spill_bytes) == (
        "kernel",
        40,
        2048,
        20,
    )
    assert (inner.name, inner.registers_per_thread, inner.static_shared_bytes, inner.spill_bytes) == (
        "inner",
        8,
        0,
        None,
    )


def test_streams_and_graphs_need_queues():
    plain = "k<<<1, 64>>>(n);  // streaming stores, read in a graph of tiles"
    for more in (
        "cudaStream_t s;",
        "cudaGraphLaunch(g, 0);",
        "k<<<1, 1, 0, cudaStreamPerThread>>>();",
        "#include <cublas_v2.h>",
    ):
        assert queues_for(f"{plain}\n{more}\n") is None, more
    assert queues_for(plain) == 1


def test_a_kernels_name_is_capped():
    (kernel,) = kernel_resources(
        PTXAS.splitlines()[1].replace("_Z6kernelILi4EEvPfi", "k" * 50_000) + "\nUsed 8 registers"
    )
    assert len(kernel.name) == 200


def test_the_stub_passes_values_and_pointers(saxpy):
    stub = call_stub(saxpy)
    assert 'extern "C" void saxpy(int, float, const float*, float*);' in stub
    assert "*(const float*)a[1]" in stub and "(const float*)a[2]" in stub and "(float*)a[3]" in stub


@pytest.mark.slow
@needs_nvcc
def test_the_harness_builds_and_is_cached(sandbox):
    first = build_harness(sandbox, find_nvcc(), H200)
    assert first.code[:4] == b"\x7fELF" and build_harness(sandbox, find_nvcc(), H200) == first


@pytest.mark.slow
@needs_nvcc
def test_a_candidate_builds(gemm, sandbox):
    program = build_gpu_program(GEMM, gemm, sandbox, find_nvcc(), architecture="sm_90")
    assert program.library[:4] == b"\x7fELF" and [kernel.name for kernel in program.resources] == ["k"]
    assert program.labels == () and program.code_hash is not None
    assert tools_for_ptx(program.ptx) == ("memcheck", "initcheck"), "nothing is shared, nobody waits"


@pytest.mark.slow
@needs_nvcc
@pytest.mark.parametrize("rounding", list(Rounding))
def test_a_product_and_a_sum_round_as_the_task_says(gemm, sandbox, rounding):
    task = replace(gemm, contract=Contract(rounding=rounding))
    program = build_gpu_program(GEMM, task, sandbox, find_nvcc(), architecture="sm_90")
    assert program.ptx is not None and ("fma.rn.f32" in program.ptx) == (rounding is Rounding.FUSED)


@pytest.mark.slow
@needs_nvcc
def test_shared_memory_that_the_text_hides_is_seen(gemm, sandbox):
    paste = "#define JOIN(a, b) a##b\n"
    hidden = paste + GEMM.replace("float s = 0;", "JOIN(__sha, red__) float s; s = 0;\n    JOIN(__sync, threads)();")
    assert tools_for_text(hidden) == ("memcheck", "initcheck", "synccheck")
    program = build_gpu_program(hidden, gemm, sandbox, find_nvcc(), architecture="sm_90")
    assert tools_for_ptx(program.ptx) == TOOLS


@pytest.mark.slow
@needs_nvcc
def test_instructions_that_one_architecture_alone_has(gemm, sandbox):
    hopper = GEMM.replace("float s = 0;", 'float s = 0;\n    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");')
    assert build_gpu_program(hopper, gemm, sandbox, find_nvcc(), architecture="sm_90").code_hash is not None
    with pytest.raises(Rejected, match="wgmma") as rejected:
        build_gpu_program(hopper, gemm, sandbox, find_nvcc(), architecture="sm_80")
    assert rejected.value.status is Status.BUILD_FAILED


@pytest.mark.slow
@needs_nvcc
def test_what_every_object_of_this_toolkit_runs_at_load_is_no_label(gemm, sandbox):
    found = ordinary_load_code(sandbox, find_nvcc(), architecture="sm_90")
    print(found)
    assert found.entries >= 1 and found.init_bytes > 0
    early = "#include <cstdlib>\nstruct Early { Early() { std::srand(1); } };\nstatic Early early;\n"
    assert build_gpu_program(early + GEMM, gemm, sandbox, find_nvcc(), architecture="sm_90").labels == (
        "runs_code_at_load",
    )


@pytest.mark.slow
@needs_nvcc
@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        (
            GEMM.replace("float s = 0", "float s = oops"),
            Status.BUILD_FAILED,
            r'candidate.cu\(4\): error: identifier "oops"',
        ),
        (
            GEMM.replace("int K, const float* A, const float* B, float* C) {\n    k<<<", "float* C) {\n    k<<<"),
            Status.BUILD_FAILED,
            "must be declared exactly as",
        ),
        (
            'extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C);',
            Status.BUILD_FAILED,
            "does not define the entry",
        ),
        (
            GEMM + 'extern "C" __attribute__((visibility("default"))) int stranger() { return 0; }',
            Status.POLICY_REJECTED,
            "stranger",
        ),
        (
            'extern "C" __attribute__((weak)) cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }\n' + GEMM,
            Status.POLICY_REJECTED,
            "defines cudaDeviceSynchronize",
        ),
        (
            GEMM
            + 'extern "C" { int one() { return 1; } void* pick() { return (void*)one; } int chosen() __attribute__((ifunc("pick"))); }\n'
            "int use() { return chosen(); }",
            Status.POLICY_REJECTED,
            "when the object is loaded",
        ),
        (
            "__attribute__((constructor)) static void early() {}\n" + GEMM,
            Status.POLICY_REJECTED,
            "when the object is loaded",
        ),
        (
            '#define OF(x) __attribute__((x))\n#define HERE section(".init_array"), used\nstatic void early() {}\n'
            "OF(HERE) static void (*now)() = early;\n" + GEMM,
            Status.POLICY_REJECTED,
            "section is not allowed",
        ),
        (
            '#define NOW asm volatile("syscall")\nstatic void f() { NOW; }\n'
            + GEMM
            + "void* use() { return (void*)f; }",
            Status.POLICY_REJECTED,
            "assembler outside of device code",
        ),
    ],
    ids=[
        "error",
        "signature",
        "undefined",
        "interposes",
        "weak",
        "ifunc",
        "constructor",
        "section",
        "assembler",
    ],
)
def test_what_is_refused(gemm, sandbox, source, status, words):
    with pytest.raises(Rejected, match=words) as rejected:
        build_gpu_program(source, gemm, sandbox, find_nvcc(), architecture="sm_90")
    assert rejected.value.status is status


@pytest.mark.slow
@needs_nvcc
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#define H <thread>\n#include H\n", "<thread>"),
        ('// R"\n#\\\ninclude <sys/mman.h>\n', "mman.h"),
        ("#ifdef __CUDA_ARCH__\n#define H <future>\n#include H\n#endif\n", "<future>"),
        ("#define JOIN(a, b) a##b\nvoid f() { JOIN(fo, rk)(); }\n", "fork"),
    ],
)
def test_what_nvcc_itself_included_and_made_of_macros_is_judged(gemm, sandbox, text, words):
    with pytest.raises(Rejected, match="line") as refused:
        build_gpu_program(text + GEMM, gemm, sandbox, find_nvcc(), architecture="sm_90")
    assert refused.value.status is Status.POLICY_REJECTED and words in refused.value.reason


@pytest.mark.slow
@needs_nvcc
@pytest.mark.parametrize("spelling", ["int64_t", "long long"])
def test_wide_integers_in_each_spelling(saxpy, sandbox, spelling):
    wide = [replace(arg, dtype=SCALAR_TYPES["int64"]) if arg.kind is ArgKind.ARRAY else arg for arg in saxpy.args]
    task = replace(saxpy, args=tuple(wide))
    source = f"#include <cstdint>\n__global__ void k(int n, float a, const {spelling}* x, {spelling}* y) {{ if (n) y[0] += a * x[0]; }}\n"
    source += (
        f'extern "C" void saxpy(int n, float a, const {spelling}* x, {spelling}* y) {{ k<<<1, 1>>>(n, a, x, y); }}\n'
    )
    assert build_gpu_program(source, task, sandbox, find_nvcc(), architecture="sm_90").library[:4] == b"\x7fELF"
    with pytest.raises(Rejected, match="must be declared exactly as"):
        build_gpu_program(
            source.replace("int n, float a,", "float a, int n,"), task, sandbox, find_nvcc(), architecture="sm_90"
        )
