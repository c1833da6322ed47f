"""Which times are too good to be believed at once."""

import pytest

from regrapht.evaluate.feedback import shape_text
from regrapht.evaluate.second_look import suspicious
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
