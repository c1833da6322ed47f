"""Whole programs with a main: arguments, output, exit status, headers of their own, faults, time limits, what is not CUDA."""

from pathlib import Path

import pytest

from regrapht.emulate.build import BuildRefused
from regrapht.emulate.occupancy import occupancy
from regrapht.emulate.program import WholeProgram, build_whole, run_whole
from regrapht.records.verdict import Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits

DOUBLE = """#include <cstdio>
#include <cstdlib>
#include "scale.h"
__global__ void twice(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = scaled(a[i]);
}
int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    float *host = new float[n], *device;
    for (int i = 0; i < n; i++) host[i] = i;
    cudaMalloc(&device, n * sizeof(float));
    cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(n + 31) / 32, 32>>>(device, n);
    cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%d arguments, last %g\\n", argc, host[n - 1]);
    cudaFree(device);
    delete[] host;
    if (argc > 2) exit(atoi(argv[2]));
    return host == nullptr;
}
"""
SCALE = """#pragma once
__device__ inline float scaled(float x) {
    __shared__ float kept[32];
    kept[threadIdx.x] = 2 * x;
    return kept[threadIdx.x];
}
"""
LIMITS = Limits(wall_s=20)


@pytest.fixture
def built(emulator, tmp_path):
    def build(source: str, *, checked: bool = True, include: tuple[Path, ...] = ()):
        file = tmp_path / "program.cu"
        file.write_text(source)
        return build_whole(
            source, file, sandbox=choose_sandbox(), checked=checked, include=include, cache=emulator._cache
        )

    return build


def run(program, *arguments: str, limits: Limits = LIMITS):
    assert isinstance(program, WholeProgram), program
    return run_whole(program, arguments, sandbox=choose_sandbox(), limits=limits)


@pytest.mark.parametrize("checked", [True, False])
def test_arguments_output_and_exit_status(built, tmp_path, checked):
    (tmp_path / "scale.h").write_text(SCALE)
    program = built(DOUBLE, checked=checked)
    done = run(program, "70")
    assert (done.completed.exit_code, done.completed.stdout) == (0, "2 arguments, last 138\n")
    assert run(program, "70", "7").completed.exit_code == 7
    assert done.findings == () and len(done.evidence) == (1 if checked else 0)


def test_evidence_of_a_program_that_calls_exit(built, tmp_path):
    (tmp_path / "scale.h").write_text(SCALE)
    done = run(built(DOUBLE), "64", "3")
    (evidence,) = done.evidence
    (kernel,) = evidence.kernels
    assert (kernel.name, kernel.grid, kernel.block, kernel.shared_bytes) == ("twice", (2, 1, 1), (32, 1, 1), 128)
    assert (kernel.launches, kernel.threads, kernel.global_requests, kernel.global_sectors) == (1, 64, 4, 16)
    assert kernel.flops == 64 and kernel.intensity == 64 / (16 * 32) and not done.partial
    assert sum(line.flops for line in evidence.lines) <= evidence.flops == 64


def test_headers_are_found_by_include_folders_and_in_each_other(built, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "scale.h").write_text('#include "inner/factor.h"\n' + SCALE.replace("2 * x", "FACTOR * x"))
    (folder / "inner").mkdir()
    (folder / "inner" / "factor.h").write_text("#define FACTOR 5\n")
    assert run(built(DOUBLE, include=(folder,)), "11").completed.stdout == "2 arguments, last 50\n"
    assert isinstance(built(DOUBLE), BuildRefused)
    bracketed = DOUBLE.replace('"scale.h"', "<scale.h>")
    assert run(built(bracketed, include=(folder,)), "3").completed.stdout == "2 arguments, last 10\n"


def test_a_header_with_a_byte_order_mark_is_read_as_nvcc_reads_it(built, tmp_path):
    (tmp_path / "scale.h").write_bytes(b"\xef\xbb\xbf" + SCALE.replace("\n", "\r\n").encode())
    assert run(built(DOUBLE), "11").completed.stdout == "2 arguments, last 20\n"


def test_a_fault_ends_in_a_finding_and_partial_evidence(built, tmp_path):
    (tmp_path / "scale.h").write_text(SCALE)
    done = run(built(DOUBLE.replace("if (i < n) ", "")), "40")
    assert {finding.kind for finding in done.findings} == {"global_oob"}
    assert done.findings[0].line == 6 and done.partial


def test_output_before_a_crash_is_kept(built):
    source = '#include <cstdio>\nint main() { printf("so far\\n"); int* p = nullptr; *(volatile int*)p = 1; }\n'
    done = run(built(source))
    assert done.completed.stdout == "so far\n" and done.completed.exit_code != 0
    assert [(finding.kind, finding.line) for finding in done.findings] == [("crash", 2)]


def test_a_program_that_does_not_end_leaves_what_it_did(built):
    source = """__global__ void spin(int* a, int n) {
    for (int k = 0; k < n; k++) a[threadIdx.x] += k;
}
int main() {
    int* a;
    cudaMalloc(&a, 1024);
    cudaMemset(a, 0, 1024);
    for (;;) spin<<<1, 256>>>(a, 1000);
}
"""
    done = run(built(source), limits=Limits(wall_s=3))
    assert done.completed.stopped == "timeout" and done.partial
    (evidence,) = done.evidence
    assert evidence is not None and evidence.kernels[0].launches > 1 and evidence.flops == 0


@pytest.mark.parametrize(
    ("source", "status", "said"),
    [
        ("int nothing;\n", Status.BUILD_FAILED, "main"),
        ("int main() { return undeclared; }\n", Status.BUILD_FAILED, "candidate.cu:1"),
        (
            '__global__ void k() {\n    asm volatile("nop;");\n}\nint main() { k<<<1, 1>>>(); }\n',
            Status.UNSUPPORTED,
            "inline PTX (line 2)",
        ),
    ],
)
def test_what_is_not_built_says_why(built, source, status, said):
    refused = built(source)
    assert isinstance(refused, BuildRefused) and refused.status is status and said in refused.message


def test_the_heap_of_a_program_is_sandboxed(built):
    source = '#include <cstdio>\nint main() { FILE* f = fopen("/etc/hostname-of-nobody", "r"); printf("%d\\n", f == nullptr); }\n'
    assert run(built(source)).completed.stdout == "1\n"


@pytest.mark.parametrize(
    ("threads", "shared", "registers", "warps", "limit"),
    [
        (256, 0, 32, 64, "warps"),
        (256, 0, 33, 48, "registers"),
        (32, 0, None, 32, "blocks"),
        (128, 100_000, None, 8, "shared memory"),
        (1024, 0, 64, 32, "registers"),
        (1024, 233_472, None, 0, "shared memory"),
    ],
)
def test_occupancy(threads, shared, registers, warps, limit):
    found = occupancy(threads, shared_bytes=shared, registers=registers)
    assert (found.warps, found.limit) == (warps, limit)
