"""When racecheck's word refuses, and when the emulator's stands against it."""

import pytest

from regrapht.evaluate.memory.findings import without_races_of_locks
from regrapht.records.verdict import Finding, Severity, Status

LOCK = "atom.shared.cas.b32 %r1, [%r2], 0, 1;"


def said(checker, status=Status.RACE, severity=Severity.ERROR):
    return Finding(kind=f"{checker}_error", status=status, severity=severity, checker=checker, message="met", count=1)


@pytest.mark.parametrize(
    ("findings", "ptx", "kept"),
    [
        ([said("racecheck")], LOCK, []),
        ([said("racecheck")], "atom.global.acquire.gpu.exch.b32 %r1, [%r2], 0;", []),
        ([said("racecheck")], "atom.shared.add.u32 %r1, [%r2], 1;", ["racecheck"]),
        ([said("racecheck")], None, ["racecheck"]),
        ([said("racecheck"), said("emulator")], LOCK, ["racecheck", "emulator"]),
        ([said("racecheck"), said("emulator", severity=Severity.WARNING)], LOCK, ["emulator"]),
        ([said("racecheck"), said("memcheck", Status.OUT_OF_BOUNDS)], LOCK, ["memcheck"]),
        ([said("racecheck", Status.MISALIGNED)], LOCK, ["racecheck"]),
    ],
    ids=["lock", "exchange", "no-lock", "code-not-known", "both-saw-it", "not-verified", "others-stay", "no-race"],
)
def test_racecheck_alone_does_not_refuse_a_lock(findings, ptx, kept):
    assert [finding.checker for finding in without_races_of_locks(findings, ptx)] == kept
