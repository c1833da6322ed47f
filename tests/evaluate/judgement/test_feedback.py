"""Text of others, made fit to be shown."""

from dataclasses import replace

import pytest

from regrapht.emulate.finding_groups import FindingGroup
from regrapht.evaluate.judgement.feedback import fault, fault_group, scrub
from regrapht.records.verdict import Finding, Severity, Status


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("error: \x1b[31mred\x07", r"error: \x1b[31mred\x07"),
        ("right \u202e to left \u2066 and \x9b", r"right \x202e to left \x2066 and \x9b"),
        ("half \ud800 a character", r"half \ud800 a character"),
        ("/home/someone/secret/kernel.cu:3", "kernel.cu:3"),
        ("at 0x7fff12345678", "at 0x..."),
        ("lines\n\tstay", "lines\n\tstay"),
    ],
)
def test_scrub(raw, shown):
    assert scrub(raw) == shown


def test_it_is_capped():
    assert len(scrub("x" * 10**6, limit=500)) <= 500


def test_findings_of_one_cause_are_told_once():
    race = Finding(
        kind="race_shared_rw",
        status=Status.RACE,
        severity=Severity.ERROR,
        checker="emulator",
        message="written after another thread's read",
        kernel="k",
        line=9,
        other_line=12,
        hint="Put __syncthreads() after line 10 and before line 11.",
    )
    back = replace(race, kind="race_shared_wr", line=12, other_line=9)
    group = FindingGroup(race, (back, replace(back, other_line=10)))
    assert fault_group(group) == (
        "emulator: written after another thread's read at line 9 and line 12 in kernel k. "
        "Put __syncthreads() after line 10 and before line 11. "
        "Of the same cause: race_shared_wr in line 12 against line 9, race_shared_wr in line 12 against line 10."
    )
    assert fault_group(FindingGroup(race)) == fault(race)
