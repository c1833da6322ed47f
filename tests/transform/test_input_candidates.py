"""Plain candidates of the eighty numbered inputs: which the judge accepts at all shapes, and which the engine refuses, and why."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from regrapht.errors import CannotTransform, EvaluatorUnavailable
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox

from .inputs_loader import InputFunction, load_inputs

REFUSED: dict[str, str] = {}
"""Input -> a word of the reason. Every other input is accepted."""
AT_LEAST_ACCEPTED = 65
INPUTS = load_inputs()
IN_CI = {one.row.stem for one in load_inputs(part=1, parts=6)}


def cases() -> Iterator[object]:
    for one in INPUTS:
        marks = () if one.row.stem in IN_CI else (pytest.mark.slow,)
        yield pytest.param(one, id=one.row.stem, marks=marks)


@pytest.fixture(scope="module")
def judge() -> EmulatedEvaluator:
    try:
        evaluator = EmulatedEvaluator(choose_sandbox(), secret=7)
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    availability = evaluator.availability()
    if not availability.available:
        pytest.skip(f"no emulator: {availability.reason}")
    return evaluator


def test_the_table_is_of_these_inputs() -> None:
    stems = {one.row.stem for one in INPUTS}
    assert REFUSED.keys() <= stems
    assert len(stems) - len(REFUSED) >= AT_LEAST_ACCEPTED


@pytest.mark.parametrize("one", list(cases()))
def test_the_plain_candidate(one: InputFunction, judge: EmulatedEvaluator) -> None:
    task = replace(one.task, bench_sizes=())
    if one.row.stem in REFUSED:
        with pytest.raises(CannotTransform) as refused:
            TransformProposer().plain(task)
        assert REFUSED[one.row.stem] in str(refused.value)
        assert refused.value.remedy
        return
    candidate = TransformProposer().plain(task)
    verdict = judge.evaluate(task, candidate, level=Level.SCREEN)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{candidate.source}"
