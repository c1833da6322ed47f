"""Which times are too good to be believed at once."""

import pytest

from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.timing.second_look import slower_of, suspicious
from regrapht.records.measurement import Ratio, ShapeTiming, TimingSamples

SIZES = {"n": 4096}


def timed(us: float, **baselines_us: float) -> ShapeTiming:
    def ratio(name: str, base_us: float) -> Ratio:
        return Ratio(against=name, value=base_us / us, low=base_us / us, high=base_us / us)

    return ShapeTiming(
        sizes=SIZES,
        candidate=TimingSamples(samples_us=(us,) * 3),
        baselines={name: TimingSamples(samples_us=(base_us,) * 3) for name, base_us in baselines_us.items()},
        ratios=tuple(ratio(name, base_us) for name, base_us in baselines_us.items()),
    )


@pytest.mark.parametrize(
    ("shape", "believed", "doubtful"),
    [
        (timed(100.0, naive=900.0), None, False),
        (timed(100.0, naive=1100.0), None, True),
        (timed(100.0, naive=1100.0, library=500.0), None, False),
        (timed(100.0, sequential=1e6), None, False),
        (timed(100.0, naive=1e6), 150.0, False),
        (timed(100.0, naive=1e6), 2000.0, True),
    ],
)
def test_what_is_looked_at_again(shape, believed, doubtful):
    known = {} if believed is None else {shape_text(SIZES): believed}
    assert suspicious([shape], known) == ([0] if doubtful else [])


def test_the_slower_time_counts():
    first, again = timed(100.0, naive=2000.0), timed(140.0, naive=2000.0)
    assert slower_of(first, again) is again and slower_of(again, first) is again


def test_a_claim_that_the_second_look_does_not_reach_is_suspect():
    with pytest.raises(Rejected, match="100 us at n=4096, but 160 us when timed again"):
        slower_of(timed(100.0, naive=2000.0), timed(160.0, naive=2000.0))


def test_a_second_look_that_finds_more_speed_bears_the_claim_out():
    """A first time on a noisy machine claims too little, which is no reason to refuse a program."""
    first = timed(183.0, naive=4460.0)
    assert slower_of(first, timed(85.2, naive=4460.0)) is first
