"""Every planted bug is found in a checked build, with its kind and its line, whatever the schedule.

A line with the bug carries the comment `// finding: kind ...`; at least one of these kinds must be found there, and no error elsewhere.
"""

import re
from pathlib import Path

import pytest

from regrapht.emulate.emulator import EmulatedProgram, Schedule
from regrapht.records.verdict import Severity

FILES = sorted((Path(__file__).parent / "planted").glob("*.cu"))


def marked(source: str) -> dict[int, set[str]]:
    lines = enumerate(source.splitlines(), start=1)
    return {number: set(found[1].split()) for number, line in lines if (found := re.search(r"// finding: (.*)", line))}


@pytest.mark.parametrize("schedule", [Schedule.FORWARD, Schedule.REVERSE, Schedule.RANDOM])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_planted_bug(bench, path, schedule):
    source = path.read_text()
    program = built(bench, source)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(source, program, schedule=schedule, seed=5)
    expected = marked(source)
    errors = [finding for finding in outcome.run.findings if finding.severity is Severity.ERROR]
    assert errors, (outcome.run, outcome.calls)
    assert any(f.kind in expected.get(f.line, ()) for f in errors), errors
    for finding in errors:
        assert finding.line in expected and finding.kind in expected[finding.line], finding
        assert finding.hint and finding.message
        if finding.kind.startswith("race_"):
            assert finding.other_line in expected, finding
        if finding.kind == "barrier_divergence":
            assert finding.other_line == finding.line + 3, finding


PROGRAMS: dict[str, object] = {}


def built(bench, source):
    """One build serves all schedules."""
    if source not in PROGRAMS:
        PROGRAMS[source] = bench.build(source, checked=True)
    return PROGRAMS[source]
