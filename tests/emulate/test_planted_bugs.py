"""Every planted bug is found in a checked build, with its kind and its line, in every schedule; its twin has no finding.

The head of a program says which arrays its `run` takes (`conftest.py`). In its lines, comments say:

* `// finding: kind ...` here is the bug: at least one of these kinds is found on such a line, and no error on any other line;
* `// other access` the second place of a race;
* `// twin: code` what stands here in the twin (nothing: the line is left out).

In the head: `// schedules: ...`, where a bug shows in some schedules only; `// seconds: ...`, the limit of an endless one;
`// twin warns: ...`, warnings that the mended program keeps.
"""

import re
from pathlib import Path

import pytest

from regrapht.emulate.emulator import EmulatedProgram, Schedule
from regrapht.emulate.fault_kinds import FAULTS
from regrapht.records.verdict import Severity
from regrapht.sandbox.sandbox import Limits

FILES = sorted((Path(__file__).parent / "planted").glob("*.cu"))
TWINS = [path for path in FILES if "// twin:" in path.read_text()]
SEED = 5
# Kinds that no small program of this form shows: they are tested where they arise.
ELSEWHERE = {
    "block_order",
    "guard_broken",
    "built_in_write",
    "clock_read",
    "too_many_registers",
    "perhaps_too_many_registers",
}


def marked(source: str) -> dict[int, set[str]]:
    lines = enumerate(source.splitlines(), start=1)
    return {
        number: set(found[1].split()) for number, line in lines if (found := re.search(r"// finding: ([^/]*)", line))
    }


def others(source: str) -> set[int]:
    return {number for number, line in enumerate(source.splitlines(), start=1) if "// other access" in line}


def twin(source: str) -> str:
    lines = (re.sub(r".*// twin:(.*)", r"\1", line) for line in source.splitlines())
    return "\n".join(lines) + "\n"


def head(source: str, key: str) -> str | None:
    found = re.search(rf"^// {key}: (.*)$", source, re.M)
    return found[1] if found else None


def schedules(path: Path) -> list[Schedule]:
    named = head(path.read_text(), "schedules")
    return [Schedule(name.strip()) for name in named.split(",")] if named else list(Schedule)


def quick() -> list[object]:
    """The files, the long tests' own marked: at once come the first of each kind, and a third of the others."""
    seen: set[str] = set()
    cases = []
    for number, path in enumerate(FILES):
        kinds = set().union(*marked(path.read_text()).values())
        cases.append(pytest.param(path, marks=() if kinds - seen or number % 3 == 0 else pytest.mark.slow))
        seen |= kinds
    return cases


@pytest.mark.parametrize("path", quick(), ids=lambda path: path.stem)
def test_planted_bug(bench, path):
    source = path.read_text()
    program, limits = built(bench, source), Limits(wall_s=float(head(source, "seconds") or 20))
    for schedule in schedules(path):
        require_found(source, bench.run(source, program, schedule=schedule, seed=SEED, limits=limits), schedule)


def require_found(source, outcome, schedule):
    expected, said = marked(source), f"{schedule}, seed {SEED}: {outcome.run}"
    assert any(f.kind in expected.get(f.line, ()) for f in outcome.run.findings), said
    for finding in outcome.run.findings:
        assert finding.hint and finding.message
        if finding.severity is not Severity.ERROR:
            continue
        assert finding.kind in expected.get(finding.line, ()), (finding, said)
        if finding.kind.startswith("race_"):
            assert finding.other_line in {*expected, *others(source)}, finding
            assert " by " in finding.message, "both accesses are named"
            assert finding.kernel or "a transfer" in finding.message or "freed by" in finding.message, finding
        if finding.kind in ("race_streams", "late_write"):
            assert "; enqueued in line " in finding.message, finding
        if finding.kind == "barrier_divergence":
            assert finding.other_line not in (None, finding.line), finding


@pytest.mark.slow
@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)
def test_twin_without_the_bug(bench, path):
    source = twin(path.read_text())
    allowed = set((head(source, "twin warns") or "").split())
    program = built(bench, source)
    for schedule in Schedule:
        outcome = bench.run(source, program, schedule=schedule, seed=SEED)
        assert outcome.completed and outcome.run.completed.ok, (schedule, outcome.run)
        assert {finding.kind for finding in outcome.run.findings} <= allowed, (schedule, outcome.run.findings)


def test_every_kind_is_planted_and_has_a_twin():
    planted = set().union(*(kinds for path in FILES for kinds in marked(path.read_text()).values()))
    mended = set().union(*(kinds for path in TWINS for kinds in marked(path.read_text()).values()))
    assert planted == set(FAULTS) - ELSEWHERE
    assert planted == mended
    assert len(FILES) >= 40


PROGRAMS: dict[str, EmulatedProgram] = {}


def built(bench, source) -> EmulatedProgram:
    """One build serves all schedules."""
    if source not in PROGRAMS:
        program = bench.build(source, checked=True)
        assert isinstance(program, EmulatedProgram), program
        PROGRAMS[source] = program
    return PROGRAMS[source]
