"""Verdicts that cannot be are refused."""

from dataclasses import replace

import pytest

from regrapht.records.encoding import from_json, to_json
from regrapht.records.measurement import Ratio, ShapeTiming, TimingSamples
from regrapht.records.verdict import (
    CaseResult,
    Finding,
    Level,
    Severity,
    Stage,
    StageName,
    StageOutcome,
    Status,
    Verdict,
)

CASE = CaseResult(
    sizes={"n": 3},
    family="declared",
    hidden=False,
    output="y",
    norm_error=1e-9,
    norm_bar=1e-5,
    element_error=None,
    mismatches=0,
    passed=True,
)
FINDING = Finding(kind="race", status=Status.RACE, severity=Severity.ERROR, checker="emulator", message="two threads")
TIMES = TimingSamples(samples_us=(4.0, 1.0, 2.0))
TIMING = ShapeTiming(
    sizes={"n": 3},
    candidate=TIMES,
    baselines={"naive": TIMES},
    ratios=(Ratio(against="naive", value=1, low=0.9, high=1.1),),
)


def stage(name, outcome=StageOutcome.PASSED):
    return Stage(name=name, outcome=outcome, seconds=0.1)


BUILD, CHECK = stage(StageName.BUILD), stage(StageName.CHECK)
GOOD = Verdict(
    status=Status.PASSED,
    level=Level.FULL,
    evaluator="emulated",
    task_hash="t",
    candidate_id="c",
    reason="equal at every shape",
    stages=(BUILD, CHECK),
    cases=(CASE,),
    no_timing="no_gpu",
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"no_timing": None}, "timing or the reason"),
        ({"timing": (TIMING,)}, "timing or the reason"),
        ({"timing": (), "no_timing": None}, "absent, not empty"),
        ({"stages": (CHECK,)}, "passed build"),
        ({"stages": (BUILD,)}, "passed check"),
        ({"stages": (BUILD, stage(StageName.CHECK, StageOutcome.ABSENT))}, "passed check"),
        ({"stages": (BUILD, CHECK, stage(StageName.MEMORY, StageOutcome.FAILED))}, "failed stage"),
        ({"findings": (FINDING,)}, "severity error"),
        ({"cases": ()}, "needs cases"),
        ({"cases": (CASE, replace(CASE, passed=False))}, "all of them passed"),
        ({"status": Status.WRONG_VALUE, "stages": ()}, "needs a passed build"),
        ({"status": Status.RACE, "stages": (stage(StageName.BUILD, StageOutcome.FAILED),)}, "needs a passed build"),
        ({"status": Status.BUILD_FAILED}, "neither cases nor timing"),
        ({"status": Status.SKIPPED, "stages": ()}, "neither cases nor timing"),
    ],
)
def test_impossible_verdicts(changes, words):
    with pytest.raises(ValueError, match=words):
        replace(GOOD, **changes)


def test_possible_verdicts():
    timed = replace(GOOD, timing=(TIMING, replace(TIMING, candidate=TimingSamples(samples_us=(8.0,)))), no_timing=None)
    assert timed.passed and timed.time_us == pytest.approx(4.0) and GOOD.time_us is None
    warned = replace(GOOD, findings=(replace(FINDING, severity=Severity.WARNING),), labels=("weak_sandbox",))
    failed = replace(GOOD, status=Status.WRONG_VALUE, cases=(replace(CASE, passed=False, mismatches=3),))
    unbuilt = replace(GOOD, status=Status.BUILD_FAILED, stages=(stage(StageName.BUILD, StageOutcome.FAILED),), cases=())
    for verdict in (GOOD, timed, warned, failed, unbuilt):
        assert from_json(Verdict, to_json(verdict)) == verdict


def test_impossible_measurements():
    with pytest.raises(ValueError, match="absent, not empty"):
        TimingSamples(samples_us=())
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="above 0"):
            TimingSamples(samples_us=(1.0, bad))
    with pytest.raises(ValueError, match="without its samples"):
        replace(TIMING, baselines={})
    assert TIMES.median_us == 2.0 and TIMES.quartiles_us == (1.5, 3.0)
