"""Every candidate in `candidates/` gets the status that its first lines name: cheats and faults are refused by name, honest ones pass."""

import re
import runpy
from pathlib import Path

import pytest

from regrapht.evaluate import emulated
from regrapht.evaluate.build import text_policy, toolchain_names
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "judge.md"
catalogue = runpy.run_path(str(HERE / "catalogue.py"))
CHEATS, ROWS = catalogue["CHEATS"], catalogue["ROWS"]
NAMED = catalogue["tests_named_in"](HERE / "README.md")
ELSEWHERE = {
    Status.SKIPPED: "tests/cheats/test_cheats.py::test_a_technique_that_does_not_apply_is_skipped",
    Status.IMPOSSIBLE: "tests/evaluate/test_gpu_processes.py::test_less_than_the_data_take_is_impossible",
    Status.SUSPECT: "tests/evaluate/test_gpu_processes.py::test_a_time_that_is_not_borne_out_is_suspect",
    Status.INVALID_TASK: "tests/evaluate/test_emulated.py::test_the_tasks_fault_is_the_tasks",
}
"""Statuses that no candidate of this folder gets, and the test that a judge gives them in, without a GPU."""
NEED_GPU = {
    Status.TIMING_INVALID: "tests/evaluate/test_local_gpu.py::test_cheats",
}
"""Statuses that only a real device is sure to bring about, and the test that names them there."""


NEEDS_NAMESPACES = {"asks_for_files", "incbin_pasted", "traces_parent"}
"""What only bubblewrap contains, so that it is tried nowhere else."""


@pytest.fixture(scope="module")
def sandbox():
    return choose_sandbox()


@pytest.fixture(scope="module")
def evaluator(sandbox):
    judge = emulated.EmulatedEvaluator(sandbox)
    available = judge.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")
    return judge


@pytest.fixture(scope="module")
def tasks():
    return {folder.name: load_task(folder) for folder in (HERE / "tasks").iterdir()}


@pytest.fixture(scope="module")
def judged(evaluator, tasks):
    def judge(cheat, level=None):
        source = cheat.source
        made = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))
        return evaluator.evaluate(tasks[cheat.task], made, level=level or cheat.level)

    return judge


def parameter(cheat, *, slow):
    return pytest.param(cheat, id=cheat.name, marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize("cheat", [parameter(cheat, slow=cheat.slow) for cheat in CHEATS])
def test_status(cheat, judged, sandbox):
    if cheat.name in NEEDS_NAMESPACES and sandbox.labels:
        pytest.skip("the weak sandbox does not contain it")
    verdict = judged(cheat)
    assert verdict.status in cheat.expect, f"{verdict.status}: {verdict.reason}\n{verdict.stages}"
    if verdict.status is Status.PASSED:
        assert verdict.evidence is not None and verdict.timing is None and verdict.no_timing == "no_gpu"
    else:
        assert verdict.feedback, "a refusal says why"


@pytest.mark.parametrize(
    "cheat",
    [parameter(cheat, slow=cheat.slow or cheat.behind is Status.TIMED_OUT) for cheat in CHEATS if cheat.behind],
)
def test_second_line_of_defence(cheat, judged, sandbox, monkeypatch):
    if sandbox.labels:
        pytest.skip("there is no second line: the weak sandbox does not contain it")
    monkeypatch.setattr(text_policy, "check_text", lambda source, task: None)
    monkeypatch.setattr(emulated, "refuse_imports", lambda compiled, task: None)
    monkeypatch.setattr(emulated, "refuse_preprocessed", lambda text, task: None)
    monkeypatch.setattr(emulated, "refuse_strange_code", lambda compiled: None)
    monkeypatch.setattr(emulated, "refuse_start_code", lambda compiled: False)
    monkeypatch.setattr(toolchain_names, "examine", lambda draft: None)
    verdict = judged(cheat)
    assert verdict.status is cheat.behind, f"{verdict.status}: {verdict.reason}\n{verdict.stages}"


def test_a_technique_that_does_not_apply_is_skipped(evaluator, tasks):
    origin = Origin(proposer="hand", seconds=0.0)
    empty = Candidate(source=None, program_hash=None, origin=origin, no_source=NoSource.SKIPPED, reason="no loop")
    verdict = evaluator.evaluate(tasks["affine"], empty, level=Level.SCREEN)
    assert verdict.status is Status.SKIPPED and verdict.reason == "no loop"


def test_honest_candidates_pass_and_the_sums_are_judged_by_name():
    expected = {cheat.name: cheat.expect for cheat in CHEATS}
    for cheat in CHEATS:
        assert not cheat.honest or Status.PASSED in (*cheat.expect, *cheat.gpu), cheat.name
        assert cheat.honest == cheat.name.startswith("honest_"), cheat.name
    assert "n = 131072" in (HERE / "tasks" / "total" / "task.toml").read_text()
    for name in ("honest_in_order", "honest_pairwise", "honest_atomics"):
        assert expected[name] == (Status.PASSED,)
    assert expected["half_accumulator"] == (Status.WRONG_VALUE,)
    assert expected["multiple_of_256"] == (Status.UNWRITTEN,)
    assert expected["swallows_nan"] == (Status.NON_FINITE,)


def test_a_passing_exploit_is_harmless_on_one_of_the_judges():
    """An exploit that passes says in its own line why that is right, or the other judge refuses it."""
    for cheat in CHEATS:
        if cheat.rows and Status.PASSED in cheat.expect and Status.PASSED in cheat.gpu:
            assert "the answer is right" in cheat.source.split("\n#")[0].split("\n\n")[0], cheat.name


@pytest.mark.parametrize("row", ROWS)
def test_every_row_is_tried(row):
    named = NAMED.get(row, [])
    assert named or any(row in cheat.rows for cheat in CHEATS)
    for test_id in named:
        assert catalogue["test_source"](test_id), f"there is no {test_id}"


def given_by(status):
    """Where a status is given: candidates that the emulated judge gives it alone, or a test."""
    tried = [cheat.name for cheat in CHEATS if cheat.expect == (status,)]
    on_device = [cheat.name for cheat in CHEATS if cheat.gpu == (status,)]
    return tried, on_device, ELSEWHERE.get(status), NEED_GPU.get(status)


@pytest.mark.parametrize("status", Status)
def test_every_status_is_given(status):
    tried, on_device, elsewhere, on_gpu = given_by(status)
    assert tried or elsewhere or on_gpu, f"nothing gives {status}: add a candidate, or a row here that names a test"
    assert bool(tried) + bool(elsewhere) + bool(on_gpu) == 1, (
        f"{status} has a second row: keep the one that needs least"
    )
    for test_id in filter(None, (elsewhere, on_gpu)):
        source = catalogue["test_source"](test_id)
        assert source, f"there is no {test_id}"
        assert f"Status.{status}" in source or (on_gpu and on_device), f"{test_id} does not speak of {status}"


def test_the_page_shows_what_the_candidates_say():
    rows = {
        int(cells[1]): cells
        for cells in (line.split("|") for line in PAGE.read_text().splitlines() if re.match(r"\| \d+ \|", line))
    }
    assert list(rows) == list(ROWS)
    for row, cells in rows.items():
        tried = [cheat for cheat in CHEATS if row in cheat.rows]
        shown = [", ".join(cheat.name for cheat in tried) or "-"]
        for statuses in ([cheat.expect for cheat in tried], [cheat.gpu for cheat in tried]):
            shown.append(", ".join(dict.fromkeys(" or ".join(each) for each in statuses)) or "-")
        assert [cell.strip() for cell in cells[4:7]] == shown, (
            f"row {row} of {PAGE.name} must end in: | {' | '.join(shown)} |"
        )


def test_feedback_names_no_hidden_shape(judged):
    cheat = next(cheat for cheat in CHEATS if cheat.name == "multiple_of_256")
    verdict = judged(cheat, Level.FULL)
    hidden = [case.sizes["n"] for case in verdict.cases if case.hidden]
    assert hidden
    numbers = set(re.findall(r"(?<![\w.])\d+(?![\w.])", verdict.feedback)) - {"1"}
    assert not numbers & {str(n) for n in hidden}
