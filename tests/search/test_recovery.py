"""What comes after a failure that a checker or a compiler names: no second turn, and no third ask, for what fails just as before."""

from dataclasses import replace
from itertools import count

import pytest

from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import ProposalKind
from regrapht.records.run import Budget
from regrapht.records.verdict import Finding, Severity, Status, Verdict
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.search.recovery import HOPELESS
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


@pytest.mark.parametrize(("reasons", "asks"), [(["no code"] * 4, 2), (["no code", "cut off", "no code", "cut off"], 4)])
def test_one_reason_for_no_program_twice_ends_a_technique_for_that_program(reasons, asks):
    """The other visits of the edge are not made either."""
    search = GraphSearch(context(Budget(candidates=50)), GraphSearchSettings(enough=None))
    search.tell(search.ask(), program("plain"), synthetic_verdict(Status.PASSED))
    technique, asked, told = None, search.ask(), 0
    for _ in range(40):
        technique = technique or asked.transition
        answer = program(f"broken {asked.id}")
        if asked.transition == technique:
            reason = reasons[min(told, len(reasons) - 1)]
            told += 1
            answer = replace(answer, source=None, program_hash=None, no_source=NoSource.UNPARSABLE, reason=reason)
        status = Status.BUILD_FAILED if answer.source else Status.UNPARSABLE
        search.tell(asked, answer, synthetic_verdict(status))
        asked = search.ask()
    assert told == asks


def test_repairs_that_never_worked_are_not_first_any_more():
    search = GraphSearch(context(Budget(candidates=50)), GraphSearchSettings(enough=None))
    search.tell(search.ask(), program("plain"), synthetic_verdict(Status.PASSED))
    kinds = []
    for line in range(1, 30):
        asked = search.ask()
        kinds.append(asked.kind is ProposalKind.REPAIR)
        search.tell(asked, program(f"broken {line}"), unbuilt(f"name{line}", line))
    assert sum(kinds[:7]) == HOPELESS, "two turns in each of two visits"
    assert sum(kinds[7:]) < len(kinds[7:]) / 2


def program(name: str) -> Candidate:
    return Candidate(source=name, program_hash=name, origin=Origin(proposer="test", seconds=0.0))
