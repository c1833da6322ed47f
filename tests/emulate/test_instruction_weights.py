"""What x86 instructions stand for on a GPU, and that programs rank by it as they do there."""

from pathlib import Path

import pytest

import regrapht.emulate
from regrapht.emulate.disassembly import WEIGHED_HEADERS, Disassembly
from regrapht.emulate.emulator import EmulatedProgram
from regrapht.emulate.instruction_weights import weight

HEADERS = Path(regrapht.emulate.__file__).parent / "runtime" / "include" / "emulated"


@pytest.mark.parametrize(
    ("text", "instructions", "flops"),
    [
        ("vfmadd231ss %xmm1,%xmm2,%xmm3", 1, 2),
        ("vfmadd213ss 0x84(%rsp),%xmm5,%xmm1", 1, 2),
        ("vmulss %xmm1,%xmm2,%xmm3", 1, 1),
        ("vdivss %xmm1,%xmm2,%xmm3", 10, 1),
        ("add %eax,%ebx", 1, 0),
        ("cmp $0x20,%ebx", 1, 0),
        ("idivl 0x8(%rsp)", 25, 0),
        ("div %rcx", 60, 0),
        ("div %ecx", 18, 0),
        # moves: registers, constants, the frame
        ("mov %rax,%rdi", 0, 0),
        ("vmovss %xmm2,0xd4(%rsp)", 0, 0),
        ("vmovss 0xc4(%rsp),%xmm8", 0, 0),
        ("movslq %eax,%rdx", 0, 0),
        ("xor %eax,%eax", 0, 0),
        ("vxorps %xmm0,%xmm0,%xmm0", 0, 0),
        ("xor %eax,%edx", 1, 0),
        ("sub $0x98,%rsp", 0, 0),
        # an array of the thread that is indexed by a variable
        ("vmovss 0x20(%rsp,%rax,4),%xmm0", 1, 0),
        # calls
        ("call 1060 <__tsan_write4@plt>", 1, 0),
        ("call 1060 <emulated_warp@plt>", 1, 0),
        ("call 1060 <emulated_atomic32@plt>", 1, 0),
        ("call 1060 <emulated_shared@plt>", 0, 0),
        ("call 1060 <fmaxf@plt>", 1, 1),
        ("call 1060 <expf@plt>", 10, 10),
        ("call 1060 <something@plt>", 20, 10),
        # a weight that a header carries, and padding that looks like one
        ("nopl 0x4d0205(%rax)", 5, 2),
        ("nopl 0x0(%rax)", 0, 0),
        ("cs nopw 0x0(%rax,%rax,1)", 0, 0),
    ],
)
def test_weights(text, instructions, flops):
    operation, _, operands = text.partition(" ")
    found = weight(operation, operands, weighed=False)
    assert (found.instructions, found.flops) == (instructions, flops)


def test_of_a_header_with_weights_nothing_else_counts():
    for text in ("popcnt %eax,%ebx", "call 1060 <expf@plt>", "idivl %ecx", "lea (%rax,%rax,1),%ebx"):
        operation, _, operands = text.partition(" ")
        found = weight(operation, operands, weighed=True)
        assert (found.instructions, found.flops, found.addresses) == (0, 0, 0)
    assert weight("nopl", "0x4d0001(%rax)", weighed=True).instructions == 1
    assert weight("call", "1060 <__tsan_read4@plt>", weighed=True).instructions == 1


def test_one_sum_for_each_access_is_free():
    listing = """
/scratch/candidate.cu:7
    1000:\tcall   900 <__sanitizer_cov_trace_pc@plt>
    1005:\tlea    0x4(%rax,%rbx,4),%rdi
    100a:\tlea    0x8(%rax,%rbx,4),%rcx
    100f:\tcall   910 <__tsan_read4@plt>
    1014:\tvmovss 0x4(%rax,%rbx,4),%xmm0
    1019:\tret
"""
    assert Disassembly(listing, "candidate.cu").block(0x1005).instructions == 2


def test_the_headers_with_weights_are_there_and_carry_them():
    for name in WEIGHED_HEADERS:
        text = (HEADERS / f"{name}.h").read_text()
        assert "emulated::weighs<" in text, name


def evidence(bench, source):
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(source, program)
    told = [
        finding for finding in outcome.run.findings if finding.kind != "number_beyond_type"
    ]  # of words that are made at random
    assert outcome.run.completed.ok and not told, outcome.run
    return outcome.run.evidence[0]


# Many blocks and a short sum: a device that is full, where a tile in registers pays, at a size that can be emulated.
GEMM = """// arrays: a in float32 N*8; b in float32 8*N; out out float32 N*N
// N: 1024
constexpr int K = 8, BM = BLOCK, BN = BLOCK, TM = THREAD, TN = THREAD, COLUMNS = BN / TN, THREADS = BM / TM * COLUMNS;
__global__ void gemm(int n, const float* a, const float* b, float* c) {
    __shared__ float as[K][BM], bs[K][BN];
    const int row = blockIdx.y * BM, column = blockIdx.x * BN, ty = threadIdx.x / COLUMNS, tx = threadIdx.x % COLUMNS;
    for (int i = threadIdx.x; i < BM * K; i += THREADS) as[i % K][i / K] = a[(row + i / K) * K + i % K];
    for (int i = threadIdx.x; i < BN * K; i += THREADS) bs[i / BN][i % BN] = b[i / BN * n + column + i % BN];
    __syncthreads();
    float sums[TM][TN] = {}, x[TM], y[TN];
    for (int k = 0; k < K; ++k) {
        UNROLL
        for (int i = 0; i < TM; ++i) x[i] = as[k][ty + i * (BM / TM)];
        UNROLL
        for (int j = 0; j < TN; ++j) y[j] = bs[k][tx + j * COLUMNS];
        UNROLL
        for (int i = 0; i < TM; ++i) {
            UNROLL
            for (int j = 0; j < TN; ++j) sums[i][j] += x[i] * y[j];
        }
    }
    UNROLL
    for (int i = 0; i < TM; ++i) {
        UNROLL
        for (int j = 0; j < TN; ++j) c[(row + ty + i * (BM / TM)) * n + column + tx + j * COLUMNS] = sums[i][j];
    }
}
extern "C" void run(int n, const float* a, const float* b, float* c) {
    gemm<<<dim3(n / BN, n / BM), THREADS>>>(n, a, b, c);
}
"""


def gemm(block, thread, unroll="#pragma unroll"):
    return GEMM.replace("BLOCK", str(block)).replace("THREAD,", f"{thread},").replace("UNROLL", unroll)


def test_a_tile_in_registers_is_cheaper_than_one_in_shared_memory(bench):
    plain, tile = evidence(bench, gemm(16, 1)), evidence(bench, gemm(64, 4))
    assert plain.flops == tile.flops == 2 * 1024 * 1024 * 8
    assert tile.instructions < 0.6 * plain.instructions and tile.modelled_cost < plain.modelled_cost
    # Sixteen fused multiply-adds and eight loads a step, and little else: counters of the unrolled loops and the arrays are free.
    (line,) = [line for line in tile.lines if line.flops]
    assert line.instructions == line.flops // 2


@pytest.mark.slow
def test_a_loop_that_is_to_stay_one_costs_its_counter(bench):
    unrolled, loop = evidence(bench, gemm(64, 4)), evidence(bench, gemm(64, 4, "#pragma unroll 1"))
    assert loop.flops == unrolled.flops and loop.instructions > 2 * unrolled.instructions


ELEMENTS = """// arrays: x in uint32 N; out out uint32 N
// N: 8192
#include <cuda_fp16.h>
__global__ void k(const unsigned* x, unsigned* out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    unsigned v = x[i] * 2654435761u;
    BODY
    out[i] = v;
}
extern "C" void run(int n, const unsigned* x, unsigned* out) { k<<<n / 256, 256>>>(x, out); }
"""
HALVES = "half a = __ushort2half_rn(v & 63), b = a; half2 p = __halves2half2(a, b);"
PAIRS = {
    "bits": ("v = __popc(v);", "unsigned count = 0; for (; v; v &= v - 1) ++count; v = count;"),
    "reversal": (
        "v = __brev(v);",
        "unsigned r = 0; for (int b = 0; b < 32; ++b) r |= (v >> b & 1) << (31 - b); v = r;",
    ),
    "sum of a warp": (
        "v = __reduce_add_sync(~0u, v);",
        "for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);",
    ),
    "shuffles": (
        "for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);",
        "__shared__ unsigned s[256]; s[threadIdx.x] = v; __syncthreads(); unsigned t = 0; "
        "for (int j = 0; j < 32; ++j) t += s[threadIdx.x / 32 * 32 + j]; v = t;",
    ),
    "pairs of halves": (
        f"{HALVES} for (int j = 0; j < 32; ++j) p = __hfma2(p, p, p); v = __half2int_rz(p.x) + __half2int_rz(p.y);",
        f"{HALVES} for (int j = 0; j < 32; ++j) a = __hfma(a, a, a), b = __hfma(b, b, b); "
        "v = __half2int_rz(a) + __half2int_rz(b);",
    ),
    "division": (
        "v = __float2uint_rz(__fdividef((float)v, 3.5f + v));",
        "v = __float2uint_rz((float)v / (3.5f + v));",
    ),
    "maximum": (
        "float f = v; for (int j = 0; j < 16; ++j) f = fmaxf(f, (float)j); v = (unsigned)f;",
        "float f = v; for (int j = 0; j < 16; ++j) f = expf(f - j); v = (unsigned)f;",
    ),
    "registers": (
        "unsigned r[8]; for (int j = 0; j < 8; ++j) r[j] = v >> j; for (int j = 0; j < 8; ++j) v += r[j];",
        "unsigned r[8]; for (int j = 0; j < 8; ++j) r[j] = v >> j; for (int j = 0; j < 8; ++j) v += r[v & 7];",
    ),
}


SLOW = ("reversal", "sum of a warp", "division", "maximum")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in PAIRS])
def test_the_cheaper_one_of_a_pair(bench, name):
    cheap, dear = (evidence(bench, ELEMENTS.replace("BODY", body)) for body in PAIRS[name])
    assert cheap.instructions < dear.instructions and cheap.modelled_cost < dear.modelled_cost


@pytest.mark.slow
def test_an_intrinsic_weighs_what_a_gpu_executes(bench):
    """Of each the difference to the same program without it."""
    bare = evidence(bench, ELEMENTS.replace("BODY", "")).instructions
    for body, most in (("v = __popc(v);", 1), ("v = __reduce_add_sync(~0u, v);", 1), ("v = __vabsdiffu4(v, 9u);", 5),
                       ("v = __dp4a(v, v, v);", 1), ("v = min(v, 77u);", 1)):  # fmt: skip
        added = (evidence(bench, ELEMENTS.replace("BODY", body)).instructions - bare) / 8192
        assert 0 <= added <= most + 1, (body, added)
