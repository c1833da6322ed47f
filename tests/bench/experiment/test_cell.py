"""What a verdict's times come to in a cell: means over all bench shapes, or nothing."""

import pytest

from regrapht.bench.experiment.cell import floor_fraction_of, speedups_of
from regrapht.records.measurement import Ratio, ShapeTiming, TimingSamples
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict

CASE = CaseResult(
    sizes={"n": 1},
    family="declared",
    hidden=False,
    output="y",
    norm_error=0.0,
    norm_bar=1.0,
    element_error=0.0,
    mismatches=0,
    passed=True,
)


def shape(time_us, floor_us, **speedups):
    return ShapeTiming(
        sizes={"n": 1},
        candidate=TimingSamples(samples_us=(time_us,)),
        baselines={name: TimingSamples(samples_us=(time_us * value,)) for name, value in speedups.items()},
        ratios=tuple(Ratio(against=name, value=value, low=value, high=value) for name, value in speedups.items()),
        floor_us=floor_us,
    )


def verdict(*shapes):
    return Verdict(
        status=Status.PASSED,
        level=Level.FULL,
        evaluator="local_gpu",
        task_hash="t",
        candidate_id="c",
        reason="as told",
        stages=tuple(
            Stage(name=n, outcome=StageOutcome.PASSED, seconds=0.0) for n in (StageName.BUILD, StageName.CHECK)
        ),
        cases=(CASE,),
        timing=shapes or None,
        no_timing=None if shapes else "no_gpu",
    )


def test_means_over_shapes_are_geometric():
    two = verdict(shape(10.0, 1.0, naive=2.0, sequential=30.0), shape(10.0, 4.0, naive=8.0, sequential=30.0))
    assert speedups_of(two) == {"naive": pytest.approx(4.0), "sequential": pytest.approx(30.0)}
    assert floor_fraction_of(two) == pytest.approx(0.2)


def test_what_was_not_known_at_every_shape_has_no_mean():
    part = verdict(shape(10.0, 1.0, naive=2.0, sequential=30.0), shape(10.0, None, sequential=30.0))
    assert speedups_of(part) == {"sequential": pytest.approx(30.0)} and floor_fraction_of(part) is None
    nothing = verdict()
    assert speedups_of(nothing) == {} and floor_fraction_of(nothing) is None
