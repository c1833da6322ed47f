"""Every candidate in `candidates/` gets the status that its first lines name: cheats and faults are refused by name, honest ones pass.

A new cheat is a new file: `// task:`, `// expect:`, `// level: screen|full|slow`, then one line that says what it tries.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

HERE = Path(__file__).parent
HEADER = re.compile(r"// task: (\w+)\n// expect: (\w+)\n// level: (screen|full|slow)\n// (.+)\n")


@dataclass(frozen=True)
class Cheat:
    name: str
    task: str
    expect: Status
    level: str
    source: str


def read_cheat(path: Path) -> Cheat:
    source = path.read_text()
    match = HEADER.match(source)
    assert match, f"{path.name} lacks its first four lines"
    return Cheat(name=path.stem, task=match[1], expect=Status(match[2]), level=match[3], source=source)


CHEATS = [read_cheat(path) for path in sorted((HERE / "candidates").glob("*.cu"))]


def candidate(cheat: Cheat) -> Candidate:
    return Candidate(
        source=cheat.source, program_hash=program_hash(cheat.source), origin=Origin(proposer="hand", seconds=0.0)
    )


@pytest.fixture(scope="module")
def evaluator():
    judge = EmulatedEvaluator(choose_sandbox())
    available = judge.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")
    return judge


@pytest.fixture(scope="module")
def tasks():
    return {folder.name: load_task(folder) for folder in (HERE / "tasks").iterdir()}


@pytest.mark.parametrize(
    "cheat",
    [pytest.param(cheat, id=cheat.name, marks=pytest.mark.slow if cheat.level == "slow" else ()) for cheat in CHEATS],
)
def test_status(cheat, evaluator, tasks):
    level = Level.FULL if cheat.level == "full" else Level.SCREEN
    verdict = evaluator.evaluate(tasks[cheat.task], candidate(cheat), level=level)
    assert verdict.status is cheat.expect, f"{verdict.status}: {verdict.reason}\n{verdict.stages}"
    if verdict.status is Status.PASSED:
        assert verdict.evidence is not None and verdict.timing is None and verdict.no_timing == "no_gpu"
    else:
        assert verdict.feedback, "a refusal says why"


def test_feedback_names_no_hidden_shape(evaluator, tasks):
    cheat = next(cheat for cheat in CHEATS if cheat.name == "multiple_of_256")
    verdict = evaluator.evaluate(tasks["affine"], candidate(cheat), level=Level.FULL)
    hidden = [case.sizes["n"] for case in verdict.cases if case.hidden]
    assert hidden
    numbers = set(re.findall(r"(?<![\w.])\d+(?![\w.])", verdict.feedback)) - {"1"}
    assert not numbers & {str(n) for n in hidden}
