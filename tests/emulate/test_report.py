"""The child's report is a claim: what does not fit is refused whole, and its text is made harmless."""

import json

import pytest

from regrapht.emulate.disassembly import Disassembly
from regrapht.emulate.fault_kinds import FAULTS
from regrapht.emulate.report import read_report
from regrapht.errors import SchemaError
from regrapht.records.verdict import Severity, Status

LISTING = """
0000000000001000 <k>:
k():
/scratch/candidate.cu:7
    1000:	push   %rbp
    1001:	call   900 <__sanitizer_cov_trace_pc@plt>
    1006:	vmulss %xmm0,%xmm1,%xmm2
/usr/include/emulated/warp.h:9
inlined by /scratch/candidate.cu:12 (k)
    100a:	call   910 <__tsan_read4@plt>
inlined by /scratch/candidate.cu:13 (k)
    100f:	vfmadd213ss %xmm0,%xmm1,%xmm2
    1014:	ret
"""
FINDING = {"kind": "global_oob", "pc": 0x100F, "other_pc": 0, "count": 2, "kernel": "k", "detail": "read\u0007"}
FINDING |= {"scope": "", "since": [], "enqueued": [], "guess": False}
SITE = {
    "pc": 0x100F,
    "space": "global",
    "kind": "load",
    "requests": 4,
    "transactions": 16,
    "ideal": 16,
    "lanes": 128,
    "same_word": 0,
}
KERNEL = {
    "name": "k",
    "grid": [8, 1, 1],
    "block": [32, 1, 1],
    "shared_bytes": 512,
    "launches": 1,
    "blocks": 8,
    "threads": 256,
    "warps": 8,
    "traced_blocks": 4,
    "barriers": 3,
    "imbalance_percent": 100,
    "sites": [SITE],
    "basic_blocks": [[0x1006, 128, 4]],
}
MOVED = {"transfers": 0, "host_bytes": 0, "device_bytes": 0, "to_host": 12, "from_host": 7, "unmatched": 0}
REPORT = {
    "unsupported": None,
    "keeps_state": False,
    "comparisons": [],
    "findings": [FINDING],
    "calls": [{**MOVED, "ended": True, "kernels": [KERNEL]}],
}


def read(report):
    return read_report(json.dumps(report).encode(), Disassembly(LISTING, "candidate.cu"), [{"N": 1}], source="")


def test_counts_are_scaled_to_all_blocks():
    (evidence,) = read(REPORT).evidence
    assert (evidence.global_sectors, evidence.threads, evidence.barriers) == (32, 256, 3)
    assert evidence.flops == 256 * 3 and evidence.instructions == 256 * 3 and evidence.divergence == 1.0
    (site,) = evidence.sites
    assert (site.line, site.requests, site.active_lanes) == (12, 8, 32.0)


def test_each_kernel_and_each_line_has_its_counts():
    (evidence,) = read(REPORT).evidence
    (kernel,) = evidence.kernels
    assert (kernel.grid, kernel.block, kernel.shared_bytes, kernel.traced_blocks) == ((8, 1, 1), (32, 1, 1), 512, 4)
    assert (kernel.global_requests, kernel.global_sectors, kernel.flops) == (8, 32, 768)
    assert kernel.intensity == 768 / (32 * 32) and kernel.active_lanes == 32.0
    lines = {line.line: (line.instructions, line.flops, line.active_lanes) for line in evidence.lines}
    assert lines == {7: (256, 256, 32.0), 12: (256, 0, 32.0), 13: (256, 512, 32.0)}


def test_finding_has_line_status_and_clean_text():
    (finding,) = read(REPORT).findings
    assert (finding.line, finding.other_line, finding.count, finding.status) == (12, None, 2, Status.OUT_OF_BOUNDS)
    assert finding.message.endswith("read?")


def test_findings_of_the_copies_of_an_unrolled_loop_are_one():
    copy = {**FINDING, "pc": 0x1014, "count": 5}
    others = [{**FINDING, "kernel": "other"}, {**FINDING, "kind": "shared_oob"}, {**FINDING, "other_pc": 0x1006}]
    listing = LISTING.replace("    1014:", "inlined by /scratch/candidate.cu:12 (k)\n    1012:\tnop\n    1014:")
    report = {**REPORT, "findings": [FINDING, copy, *others]}
    found = read_report(
        json.dumps(report).encode(), Disassembly(listing, "candidate.cu"), [{"N": 1}], source=""
    ).findings
    assert sorted((f.kind, f.kernel, f.other_line, f.count) for f in found if f.other_line is None) == [
        ("global_oob", "k", None, 7), ("global_oob", "other", None, 2), ("shared_oob", "k", None, 2),
    ]  # fmt: skip
    assert len(found) == 4


def test_what_the_host_enqueued_is_told_with_its_lines():
    two = {**FINDING, "kind": "race_streams", "scope": "streams", "enqueued": [0x1006, 0x100F]}
    (finding,) = read({**REPORT, "findings": [two]}).findings
    assert finding.message.endswith("; enqueued in line 7 and line 12")
    late = {**FINDING, "kind": "late_write", "enqueued": [0]}
    (finding,) = read({**REPORT, "findings": [late]}).findings
    assert finding.status is Status.LATE_WRITE and "enqueued" not in finding.message


def test_a_guess_gives_way_to_what_is_known():
    race = {**FINDING, "kind": "race_shared_rw", "scope": "block", "since": [0]}
    known, guess = {**race, "other_pc": 0x1006}, {**race, "other_pc": 0x100F, "guess": True}
    for report in ([known, guess], [guess, known]):
        (finding,) = read({**REPORT, "findings": report}).findings
        assert (finding.line, finding.other_line, finding.count) == (12, 7, 4)
    assert len(read({**REPORT, "findings": [guess, {**known, "kind": "race_global_rw"}]}).findings) == 2


def test_a_call_that_did_not_end_has_no_evidence():
    assert read({**REPORT, "calls": [{**MOVED, "ended": False, "kernels": [KERNEL]}]}).evidence == (None,)
    assert read({**REPORT, "calls": []}).evidence == (None,)
    unended = json.dumps({**REPORT, "calls": [{**MOVED, "ended": False, "kernels": [KERNEL]}]}).encode()
    report = read_report(unended, Disassembly(LISTING, "candidate.cu"), [{}], source="", accept_partial=True)
    assert report.partial and report.evidence[0] is not None


@pytest.mark.parametrize(
    "damaged",
    [
        {},
        {**REPORT, "findings": [{**FINDING, "kind": "all_is_well"}]},
        {**REPORT, "findings": [{**FINDING, "pc": -1}]},
        {**REPORT, "findings": [FINDING] * 10_000},
        {**REPORT, "findings": [{**FINDING, "scope": "galaxy"}]},
        {**REPORT, "findings": [{**FINDING, "since": [0] * 100}]},
        {**REPORT, "findings": [{**FINDING, "since": ["0"]}]},
        {**REPORT, "findings": [{**FINDING, "enqueued": [1, 2, 3]}]},
        {**REPORT, "findings": [{**FINDING, "enqueued": None}]},
        {**REPORT, "calls": [{**MOVED, "ended": True, "kernels": [{**KERNEL, "blocks": 1e300}]}]},
        {
            **REPORT,
            "calls": [{**MOVED, "ended": True, "kernels": [{**KERNEL, "sites": [{**SITE, "requests": 2**64}]}]}],
        },
        {**REPORT, "calls": [{**MOVED, "ended": True, "kernels": [{**KERNEL, "basic_blocks": [[1, 2]]}]}]},
        {**REPORT, "calls": [{**MOVED, "ended": True, "kernels": [{**KERNEL, "grid": [1, 1]}]}]},
        {**REPORT, "calls": [None]},
        {**REPORT, "unsupported": 3},
        [],
    ],
)
def test_damage_is_refused(damaged):
    with pytest.raises(SchemaError):
        read(damaged)


def test_no_json():
    with pytest.raises(SchemaError):
        read_report(b"\xff{", Disassembly("", "candidate.cu"), [], source="")


def test_every_kind_says_how_to_mend_it():
    for kind, fault in FAULTS.items():
        assert fault.hint and fault.meaning and kind == kind.lower()
    assert FAULTS["race_unverified_fence"].severity is Severity.WARNING


def test_what_moves_costs():
    moving = {**MOVED, "transfers": 2, "host_bytes": 1 << 20, "device_bytes": 1 << 20}
    (still,), (moved,) = (
        read({**REPORT, "calls": [{**each, "ended": True, "kernels": [KERNEL]}]}).evidence for each in (MOVED, moving)
    )
    # Two starts, a mebibyte at 32 bytes a cycle across the link, and one at 2048 within the device.
    assert moved.modelled_cost - still.modelled_cost == pytest.approx(2 * 4000 + 2**20 / 32 + 2**20 / 2048)
