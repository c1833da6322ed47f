"""The text and the page of an emulation: what a person must find on it, and that nothing of a program's is taken for markup."""

import re
from dataclasses import replace

import pytest

from regrapht.emulate.emulation import Emulation, ScheduleRun
from regrapht.records.encoding import from_json, to_json
from regrapht.records.verdict import (
    AccessSite,
    Evidence,
    Finding,
    KernelEvidence,
    KernelResources,
    LineWork,
    Severity,
    Status,
)
from regrapht.report.emulation import HEADING, describe_emulation, line_evidence, worst_lines
from regrapht.report.emulation_html import render_emulation

SOURCE = """__global__ void k(const float* in, float* out) {
    __shared__ float s[64]; // <script>alert(1)</script>
    s[threadIdx.x] = in[8 * threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x] + 1;
}
"""
RACE = Finding(
    kind="race_shared_wr",
    status=Status.RACE,
    severity=Severity.ERROR,
    checker="emulator",
    message="read after another thread's write: block (0,0,0)",
    kernel="k",
    line=4,
    other_line=3,
    hint="Put __syncthreads() between.",
    count=7,
)
KERNEL = KernelEvidence(
    name="k",
    grid=(1, 1, 1),
    block=(64, 1, 1),
    shared_bytes=256,
    launches=1,
    threads=64,
    traced_blocks=1,
    instructions=640,
    flops=64,
    global_requests=4,
    global_sectors=72,
    ideal_global_sectors=16,
    shared_requests=4,
    shared_passes=34,
    ideal_shared_passes=4,
    barriers=0,
    active_lanes=32.0,
)
EVIDENCE = Evidence(
    sizes={},
    launches=1,
    threads=64,
    instructions=640,
    flops=64,
    global_sectors=72,
    ideal_global_sectors=16,
    shared_passes=34,
    ideal_shared_passes=4,
    barriers=0,
    divergence=1.0,
    modelled_cost=5000.0,
    sites=(
        AccessSite(
            line=3, space="global", kind="load", requests=2, transactions=64, ideal_transactions=8, active_lanes=32.0
        ),
        AccessSite(
            line=3, space="shared", kind="store", requests=2, transactions=2, ideal_transactions=2, active_lanes=32.0
        ),
        AccessSite(
            line=4, space="shared", kind="load", requests=2, transactions=32, ideal_transactions=2, active_lanes=16.0
        ),
        AccessSite(
            line=4, space="global", kind="store", requests=2, transactions=8, ideal_transactions=8, active_lanes=16.0
        ),
    ),
    lines=(
        LineWork(line=3, instructions=320, flops=0, active_lanes=32.0),
        LineWork(line=4, instructions=320, flops=64, active_lanes=32.0),
    ),
    kernels=(KERNEL,),
)
EMULATION = Emulation(
    file="k.cu",
    source=SOURCE,
    checked=True,
    status=Status.RACE,
    reason="1 error in 2 runs",
    runs=(
        ScheduleRun(schedule="forward", seed=None, ending="ended", seconds=0.1, output="<b>sum</b> 3\n"),
        ScheduleRun(schedule="random", seed=5, ending="ended", seconds=0.1, output="<b>sum</b> 4\n"),
    ),
    findings=(RACE,),
    evidence=EVIDENCE,
    resources=(KernelResources(name="k", registers_per_thread=40, static_shared_bytes=256, spill_bytes=0),),
)


def test_findings_read_like_a_compilers():
    text = describe_emulation(EMULATION)
    assert "k.cu:4: error: race_shared_wr: read after another thread's write: block (0,0,0) (7 times) [in k]" in text
    assert "     4 |     out[threadIdx.x] = s[63 - threadIdx.x] + 1;" in text
    assert "k.cu:3: note: the other access" in text and "hint: Put __syncthreads() between." in text


def test_what_one_barrier_mends_is_told_once():
    back = replace(RACE, kind="race_shared_rw", line=3, other_line=4)
    text = describe_emulation(replace(EMULATION, findings=(RACE, back)))
    assert (
        text.count("error: race_shared") == 1 and "  the same cause: race_shared_rw in line 3 against line 4\n" in text
    )
    apart = describe_emulation(replace(EMULATION, findings=(RACE, replace(back, hint="Another."))))
    assert apart.count("error: race_shared") == 2 and "the same cause" not in apart


def test_evidence_is_headed_modelled_and_has_the_figures():
    text = describe_emulation(EMULATION)
    assert HEADING in text and "measured" in HEADING
    assert "k <<<1, 64>>>  1 launch, 64 threads" in text
    assert "4 requests, 18.00 sectors each (ideal 4.00)" in text and "8.50 bank passes for each needed" in text
    assert "0.03 FLOP a byte requested" in text and "40 registers a thread, says nvcc" in text
    assert not re.search(r"\b(seconds|ms|us|microseconds)\b", text)


def test_the_worst_line_comes_first():
    lines = worst_lines(EMULATION)
    assert [line.line for line in lines] == [3, 4]
    found = line_evidence(EMULATION)
    assert (found[3].sectors, found[3].ideal_sectors, found[3].ways, found[3].lanes) == (32.0, 4.0, 1.0, 32.0)
    assert (found[4].ways, found[4].lanes, found[4].flops) == (16.0, 16.0, 64)


def test_different_outputs_are_shown_with_their_schedules():
    text = describe_emulation(EMULATION)
    assert "printed (forward)" in text and "printed (random, seed 5)" in text and "| <b>sum</b> 4" in text
    same = replace(EMULATION, runs=(EMULATION.runs[0], replace(EMULATION.runs[1], output="<b>sum</b> 3\n")))
    assert "The program printed:\n  | <b>sum</b> 3" in describe_emulation(same)


def test_long_output_is_cut():
    long = replace(EMULATION, runs=(replace(EMULATION.runs[0], output="x" * 500 + "\n" + "line\n" * 100),))
    text = describe_emulation(long)
    assert "[61 more lines]" in text and "x" * 201 not in text


def test_the_page_escapes_and_needs_nothing_from_elsewhere():
    page = render_emulation(EMULATION)
    assert "<script" not in page and "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>sum</b>" not in page and "&lt;b&gt;sum&lt;/b&gt; 3" in page
    assert not re.search(r"(src|href)=\"(?!#)", page) and "http" not in page and "@import" not in page
    assert HEADING in page and "prefers-color-scheme: dark" in page
    assert 'style="--h:1.00" title="ideal 4.0, 8.0 times that">32.0<' in page
    assert '<a href="#L4">line 4</a>' in page and 'id="L4"' in page


@pytest.mark.parametrize(
    "evidence", [None, replace(EVIDENCE, kernels=(replace(KERNEL, traced_blocks=0),), sites=(), lines=())]
)
def test_little_evidence_still_gives_a_text_and_a_page(evidence):
    bare = replace(EMULATION, evidence=evidence, findings=(), runs=(), resources=())
    assert "k.cu" in render_emulation(bare) and describe_emulation(bare).endswith("RACE: 1 error in 2 runs")


def test_it_survives_json():
    assert from_json(Emulation, to_json(EMULATION)) == EMULATION
