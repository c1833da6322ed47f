"""Modelled evidence: textbook counts, and a cost that ranks programs as their memory behaviour and parallelism deserve."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.emulate.cost import KernelWork, modelled_cost
from regrapht.emulate.emulator import EmulatedProgram

VALID = Path(__file__).parent / "valid"


def evidence(bench, source):
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(source, program)
    assert outcome.run.completed.ok and not outcome.run.findings, outcome.run
    return outcome.run.evidence[0]


def ratio(found, space, kind):
    (site,) = [site for site in found.sites if (site.space, site.kind) == (space, kind)]
    return site.transactions / site.requests


def test_naive_transpose(bench):
    found = evidence(bench, (VALID / "transpose_naive.cu").read_text())
    assert ratio(found, "global", "load") == 4.0
    assert ratio(found, "global", "store") == 32.0
    assert found.threads == 96 * 96 and found.launches == 1 and found.divergence == 1.0
    assert found.global_sectors == 96 * 96 // 32 * 36 and found.ideal_global_sectors == 96 * 96 // 32 * 8


@pytest.mark.parametrize(("pad", "passes"), [(0, 32.0), (1, 1.0)])
def test_bank_conflicts(bench, pad, passes):
    source = (VALID / f"transpose_tiled_pad{pad}.cu").read_text()
    found = evidence(bench, source)
    assert ratio(found, "shared", "load") == passes
    assert ratio(found, "shared", "store") == 1.0
    assert ratio(found, "global", "load") == ratio(found, "global", "store") == 4.0
    (site,) = [site for site in found.sites if (site.space, site.kind) == ("shared", "load")]
    assert "patch[lane][row]" in source.splitlines()[site.line - 1]
    assert found.barriers == 9


def test_float4_is_one_request_of_16_sectors(bench):
    found = evidence(bench, (VALID / "copy_float4.cu").read_text())
    assert (
        ratio(found, "global", "load") == 16.0
        and found.global_sectors == found.ideal_global_sectors == 2 * 8192 * 4 // 32
    )


MATMUL = """// arrays: a in float32 N*N; b in float32 N*N; out out float32 N*N
// N: 64
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    int x = blockIdx.x * 16 + threadIdx.COLUMN, y = blockIdx.y * 16 + threadIdx.ROW;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
extern "C" void run(int n, const float* a, const float* b, float* out) {
    matmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, out, n);
}
"""


def test_flops_of_a_matrix_product(bench):
    found = evidence(bench, MATMUL.replace("COLUMN", "x").replace("ROW", "y"))
    assert found.flops == 2 * 64**3


def test_coalescing_and_tiling_rank_below_what_they_improve(bench):
    strided = evidence(bench, MATMUL.replace("COLUMN", "y").replace("ROW", "x"))
    coalesced = evidence(bench, MATMUL.replace("COLUMN", "x").replace("ROW", "y"))
    tiled = evidence(bench, (VALID / "matmul_tiled_template.cu").read_text().replace("// N: 50", "// N: 64"))
    assert tiled.modelled_cost < coalesced.modelled_cost < strided.modelled_cost


def test_serial_kernel_costs_far_more(bench):
    source = (VALID / "template_functor.cu").read_text()
    parallel = evidence(bench, source)
    serial = evidence(bench, source.replace("<<<4, 96>>>", "<<<1, 1>>>"))
    assert serial.modelled_cost > 20 * parallel.modelled_cost


def test_a_busy_warp_beside_idle_ones_costs_more(bench):
    source = (VALID / "template_functor.cu").read_text().replace("<<<4, 96>>>", "<<<1, 256>>>")
    one_warp = source.replace("i < n; i +=", "threadIdx.x < 32 && i < n; i +=").replace(
        "+= gridDim.x * blockDim.x", "+= 32"
    )
    assert evidence(bench, one_warp).modelled_cost > 3 * evidence(bench, source).modelled_cost


WORK = KernelWork(
    launches=1,
    warps=100,
    warp_instructions=1e4,
    global_requests=1e3,
    sectors=4e3,
    shared_passes=100,
    atomic_passes=10,
    block_barriers=10,
    blocks=10,
    imbalance=1.0,
)


@pytest.mark.parametrize(
    "name",
    [
        "launches",
        "warp_instructions",
        "global_requests",
        "sectors",
        "shared_passes",
        "atomic_passes",
        "block_barriers",
        "imbalance",
    ],
)
def test_every_kind_of_work_costs(name):
    more = replace(WORK, **{name: 2 * getattr(WORK, name)})
    assert modelled_cost([more]) > modelled_cost([WORK]) > 0
    assert modelled_cost([WORK, WORK]) == 2 * modelled_cost([WORK])


def test_a_cooperative_launch_is_modelled_by_one_block(bench):
    found = evidence(bench, (VALID / "grid_sync_jacobi.cu").read_text())
    (kernel,) = found.kernels
    assert kernel.traced_blocks == 1 and kernel.instructions > kernel.threads
    assert 4.0 <= ratio(found, "global", "store") <= 5.0
