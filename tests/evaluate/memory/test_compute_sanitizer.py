"""compute-sanitizer's reports, as its tools print them."""

from regrapht.evaluate.memory.compute_sanitizer import TOOLS, parse_log, read_result, tools_for_ptx, tools_for_text
from regrapht.records.verdict import Severity, Status
from regrapht.sandbox.sandbox import Completed

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at affine_kernel(int, float, const float *, const float *, float *)+0xd0 in candidate.cu:12
=========     by thread (0,0,0) in block (1,0,0)
=========     Access at 0x7f0000000400 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 1024 bytes
=========
========= Invalid __global__ write of size 4 bytes
=========     at affine_kernel(int, float, const float *, const float *, float *)+0xd0 in candidate.cu:12
=========     by thread (1,0,0) in block (1,0,0)
=========
========= ERROR SUMMARY: 2 errors
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at total_kernel(int, const float *, float *)+0x3d0 in candidate.cu:9
=========     and Read access at total_kernel(int, const float *, float *)+0x2b0 in candidate.cu:10 [1016 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
CLEAN = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"


def completed(log, stopped=None):
    return Completed(
        exit_code=None if stopped else 0,
        signal=None,
        stopped=stopped,
        stdout="",
        stderr="",
        files={"sanitizer.log": log.encode()},
        wall_s=1.0,
    )


def test_memcheck():
    (finding,) = parse_log("memcheck", MEMCHECK)
    assert (finding.status, finding.severity, finding.count) == (Status.OUT_OF_BOUNDS, Severity.ERROR, 2)
    assert (finding.kernel, finding.line, finding.checker) == ("affine_kernel", 12, "memcheck")
    assert "0x" not in finding.message


def test_racecheck_names_both_lines():
    (finding,) = parse_log("racecheck", RACECHECK)
    assert (finding.status, finding.line, finding.other_line) == (Status.RACE, 9, 10)


def test_misaligned():
    (finding,) = parse_log(
        "memcheck",
        "========= Misaligned __global__ read of size 8 bytes\n=========     at k(int)+0x10 in candidate.cu:3\n",
    )
    assert finding.status is Status.MISALIGNED


def test_only_a_summary_is_a_finish():
    assert read_result("memcheck", completed(CLEAN)).finished
    assert not read_result("memcheck", completed("")).finished, "a tool that did not work says nothing"
    assert not read_result("memcheck", completed(CLEAN, stopped="timeout")).finished


def test_errors_without_a_known_report_still_count():
    report = read_result("synccheck", completed("========= Something new\n========= ERROR SUMMARY: 3 errors\n"))
    assert report.finished and report.findings[0].count == 3 and report.findings[0].status is Status.BARRIER_FAULT


def test_tools_that_could_find_nothing_are_left_out():
    assert tools_for_ptx("ld.global.u32 %r2, [%rd4];") == ("memcheck", "initcheck")
    assert tools_for_ptx("st.shared.f32 [%r1], %f1;") == ("memcheck", "racecheck", "initcheck")
    for line in (
        "bar.warp.sync -1;",
        "barrier.sync 0;",
        "mbarrier.try_wait.b64 %p, [%rd1], %rd2;",
        "shfl.sync.idx.b32",
    ):
        assert tools_for_ptx(line) == ("memcheck", "initcheck", "synccheck"), line


def test_the_text_says_which_tools_to_start():
    assert tools_for_text("x[threadIdx.x] = 1;") == ("memcheck", "initcheck")
    assert tools_for_text("__shared__ float s[32]; __syncthreads();") == TOOLS
    assert tools_for_text("#include <cub/cub.cuh>") == TOOLS
