"""Findings are told together when one change mends them, and none is lost."""

from dataclasses import replace

from regrapht.emulate.finding_groups import grouped
from regrapht.records.verdict import Finding, Severity, Status

RACE = Finding(
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
BACK = replace(RACE, kind="race_shared_wr", line=12, other_line=9)
UNWRITTEN = replace(
    RACE, kind="uninit_read_shared", status=Status.UNINITIALISED_READ, line=12, other_line=None, hint="Initialise."
)


def sizes(*findings):
    return [1 + len(group.others) for group in grouped(findings)]


def test_one_cause_is_one_group_in_the_order_of_the_list():
    (group,) = grouped([RACE, UNWRITTEN, BACK])
    assert group.first is RACE and group.others == (UNWRITTEN, BACK)
    assert group.places == "uninit_read_shared in line 12, race_shared_wr in line 12 against line 9"


def test_what_another_change_mends_is_apart():
    assert sizes(RACE, replace(BACK, hint="Put __syncthreads() after line 20.")) == [1, 1]
    assert sizes(RACE, replace(BACK, kernel="other")) == [1, 1]
    assert sizes(RACE, replace(BACK, severity=Severity.WARNING)) == [1, 1]
    assert sizes(RACE, replace(UNWRITTEN, line=30)) == [1, 1]
    assert sizes(RACE, replace(UNWRITTEN, kind="uninit_read_global")) == [1, 1]
    assert sizes(UNWRITTEN, replace(UNWRITTEN, line=13)) == [1, 1]


def test_other_checkers_name_no_place():
    sanitizer = replace(RACE, checker="racecheck", hint="Put a barrier between the two accesses.")
    assert sizes(sanitizer, replace(sanitizer, line=30)) == [1, 1]


def test_a_long_list_of_places_is_cut():
    (group,) = grouped(replace(RACE, line=line) for line in range(100, 150))
    assert group.places.endswith("and 41 more") and len(group.others) == 49


def test_nothing_found():
    assert grouped([]) == []
