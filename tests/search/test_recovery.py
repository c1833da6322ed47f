"""What comes after a failure that a checker or a compiler names: no second turn, and no third ask, for what fails just as before."""

from dataclasses import replace
from itertools import count

import pytest

from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import ProposalKind
from regrapht.records.run import Budget
from regrapht.records.verdict import Finding, Severity, Status, Verdict
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.testing.search_conformance import context
from regrapht.testing.synthetic import synthetic_verdict


def beyond(element: int, line: int) -> Verdict:
    at = Finding(
        kind="global_oob",
        status=Status.OUT_OF_BOUNDS,
        severity=Severity.ERROR,
        checker="emulator",
        message=f"write at element {element}",
        line=line,
    )
    return replace(synthetic_verdict(Status.OUT_OF_BOUNDS), findings=(at,))


def unbuilt(name: str, line: int) -> Verdict:
    verdict = synthetic_verdict(Status.BUILD_FAILED)
    output = f'candidate.cu({line}): error: identifier "{name}" is undefined\n'
    return replace(verdict, stages=(replace(verdict.stages[0], output=output),))


def unnamed(status: Status, line: int) -> Verdict:
    return synthetic_verdict(status)


APART = [(beyond, 1), (beyond, 2), (beyond, 3), (beyond, 4)]
FAULTS = {
    "each another": (APART, "repair repair anew other"),
    "a repair that changes nothing": ([(beyond, 1), (beyond, 1), (beyond, 2), (beyond, 3)], "repair anew anew other"),
    "nor does an ask anew": ([(beyond, 1), (beyond, 1), (beyond, 1)], "repair anew other"),
    "an unknown name again": ([(unbuilt, "a"), (unbuilt, "a"), (unbuilt, "a")], "repair anew other"),
    "unknown names": ([(unbuilt, "a"), (unbuilt, "b"), (unbuilt, "c"), (unbuilt, "d")], "repair repair anew other"),
    "another kind": ([(beyond, 1), (unbuilt, "a"), (beyond, 1)], "repair repair anew"),
    "nothing is named": ([(unnamed, Status.RACE)] * 4, "repair repair anew other"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_what_fails_just_as_before_is_left(kind):
    search = GraphSearch(context(Budget(candidates=50)), GraphSearchSettings(enough=None))
    names = count()
    search.tell(search.ask(), program("plain"), synthetic_verdict(Status.PASSED))
    asked = first = search.ask()
    ways = []
    for line, (fails, what) in enumerate(FAULTS[kind][0], 1):
        search.tell(asked, program(f"broken-{next(names)}"), fails(what, line))
        asked = search.ask()
        same = asked.transition == first.transition
        ways.append("repair" if asked.kind is ProposalKind.REPAIR else "anew" if same else "other")
    assert " ".join(ways) == FAULTS[kind][1]


def test_a_first_program_is_asked_for_on():
    """There is nothing else to do before one passes."""
    search = GraphSearch(context(Budget(candidates=50)), GraphSearchSettings(enough=None))
    for line in range(1, 9):
        asked = search.ask()
        assert asked.transition is None
        search.tell(asked, program(f"broken-{line}"), beyond(1, line))


def program(name: str) -> Candidate:
    return Candidate(source=name, program_hash=name, origin=Origin(proposer="test", seconds=0.0))
