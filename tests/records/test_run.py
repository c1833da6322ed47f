"""Options of a run: one place for the defaults, what is refused, and JSON that keeps every field."""

from pathlib import Path

import pytest

from regrapht.errors import SchemaError
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.encoding import from_json, to_json
from regrapht.records.run import Budget, RunOptions
from regrapht.records.verdict import Level

GIVEN = Candidate(source="int x;", program_hash="0" * 64, origin=Origin(proposer="given", seconds=0.0))
EVERY = RunOptions(
    entry="f",
    search="fsr",
    proposer="given",
    model="scripted:replies.json",
    evaluator="emulated",
    level=Level.FULL,
    budget=Budget(candidates=3, seconds=1.5),
    graph=Path("graph.json"),
    seed=7,
    workers=2,
    out=Path("/out"),
    architecture="sm_90",
    hide_family=True,
    hide_reference=True,
    context_tokens=9000,
    max_tokens=2000,
    tune=4,
    given=GIVEN,
    given_file=Path("mine.cu"),
)


@pytest.mark.parametrize("options", [RunOptions(), EVERY], ids=["defaults", "everything"])
def test_options_survive(options):
    assert from_json(RunOptions, to_json(options)) == options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"workers": 0}, "at least 1"),
        ({"tune": 0}, "at least 1"),
        ({"level": "full"}, "a level is screen or full"),
        ({"given": GIVEN}, "goes with the proposer 'given'"),
    ],
)
def test_what_makes_no_sense_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        RunOptions(**options)


def test_damaged_options_are_refused_by_place():
    with pytest.raises(SchemaError, match=r"\$\.graph"):
        from_json(RunOptions, to_json(EVERY).replace('"graph.json"', "3"))


def test_the_root_of_the_package_has_them():
    import regrapht

    assert regrapht.RunOptions is RunOptions
