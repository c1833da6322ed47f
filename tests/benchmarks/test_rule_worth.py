"""What a rule is worth: rounds in turn, a clock, a file that is gone on with, and a table of ratios."""

import json
import runpy
import time
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.measurement import Environment, ShapeTiming, TimingSamples
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.transform import BY_SLUG

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "rule_worth.py"))
Case = SCRIPT["Case"]
CASE = Case(rule="map_2d", task="examples/image_blur", before="map", last="map_2d")
REFUSED = Case(rule="block_scan", task="examples/image_blur", before="map", last="block_scan")
RIGHT = CaseResult(
    sizes={},
    family="declared",
    hidden=False,
    output="out",
    norm_error=0.0,
    norm_bar=1.0,
    element_error=0.0,
    mismatches=0,
    passed=True,
)


class Judge:
    """Says that programs pass, those with `map_2d` in half the time; keeps what it was asked."""

    name, protocol = "local_gpu", "0"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def environment(self):
        return Environment(device="none", architecture="sm_90", cpu="none", tools={}, clocks={})

    def evaluate(self, task, candidate, *, level):
        quick = "map_2d" in candidate.source
        self.asked.append("with" if quick else "without")
        samples = TimingSamples(samples_us=(10.0,) if quick else (20.0,))
        passed = (
            Stage(name=name, outcome=StageOutcome.PASSED, seconds=0.0) for name in (StageName.BUILD, StageName.CHECK)
        )
        return Verdict(
            status=Status.PASSED,
            level=Level(level),
            evaluator=self.name,
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason="",
            stages=tuple(passed),
            cases=(RIGHT,),
            timing=(ShapeTiming(sizes={"n": 1}, candidate=samples, baselines={}, ratios=()),),
        )


def measured(judge, out, *, rounds, left_s=100.0, chosen=(CASE,)):
    measurement = SCRIPT["Measurement"](judge, chosen, out, rounds=rounds, deadline=time.monotonic() + left_s)
    assert SCRIPT["work"](measurement, chosen, 1) == 0
    return SCRIPT["read"](out)


def test_rounds_take_turns_and_are_not_run_again(tmp_path):
    judge, out = Judge(), tmp_path / "worth.jsonl"
    assert [row["round"] for row in measured(judge, out, rounds=2)] == [0, 1]
    assert judge.asked == ["without", "with", "with", "without"]
    assert len(measured(judge, out, rounds=3)) == 3 and len(judge.asked) == 6
    assert json.loads(out.read_text().splitlines()[0])["with"]["shapes"] == [{"sizes": {"n": 1}, "samples_us": [10.0]}]
    assert "map_2d: 2.00 over 1 tasks" in SCRIPT["table"](SCRIPT["read"](out))


def test_nothing_begins_when_the_time_is_over(tmp_path):
    judge = Judge()
    assert measured(judge, tmp_path / "worth.jsonl", rounds=2, left_s=-1.0) == [] and judge.asked == []


def test_a_rule_that_does_not_apply_is_named_and_the_others_go_on(tmp_path, capsys):
    assert len(measured(Judge(), tmp_path / "worth.jsonl", rounds=1, chosen=(REFUSED, CASE))) == 1
    assert "block_scan at examples/image_blur: block_scan does not apply" in capsys.readouterr().err


def test_a_program_that_fails_has_no_ratio():
    row = {"round": 0, "without": {"status": "PASSED", "us": 2.0}, "with": {"status": "RACE", "us": 1.0}}
    case = {"rule": "map_2d", "task": "x", "before": "map", "last": "map_2d", "instead": ""}
    assert "| RACE |" in SCRIPT["table"]([case | row]) and "over" not in SCRIPT["table"]([case | row])


def test_every_case_names_a_rule_and_a_task():
    found = SCRIPT["cases"]()
    assert {case.rule for case in found} <= set(BY_SLUG) and set(SCRIPT["tasks_named"]({c.task for c in found}))
    assert len({case.key for case in found}) == len(found)


@pytest.mark.parametrize("case", SCRIPT["cases"](["warp_per_row"]), ids=lambda case: f"{case.task}-{case.instead}")
def test_the_two_programs_of_a_case_differ(case):
    engine, task = SCRIPT["Engine"](), SCRIPT["tasks_named"]({case.task})[case.task]
    found = SCRIPT["programs"](engine, task, case)
    assert found["with"].source != found["without"].source
    with pytest.raises(SCRIPT["DoesNotApply"]):
        SCRIPT["programs"](engine, task, replace(case, last=case.instead))
