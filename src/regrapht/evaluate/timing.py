"""Times: what is believed of a child's claims, and what ratios are made of them."""

import math
from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from regrapht.records.measurement import Ratio, TimingSamples

_RESAMPLES = 1000
_SLACK_US, _SLACK_SHARE = 20.0, 0.10
DEAD_ZONE = 0.02


class Comparison(StrEnum):
    """Two programs' times compared, with a dead zone of 2 %."""

    FAST = "FAST"
    SLOW = "SLOW"
    SAME = "SAME"
    AMBIGUOUS = "AMBIGUOUS"


def taken(samples_us: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The repetitions that were made: a harness that stops early leaves zeros behind."""
    return [
        (event, host)
        for event, host in samples_us
        if math.isfinite(event) and math.isfinite(host) and event > 0 and host > 0
    ]


def clocks_agree(samples: Sequence[tuple[float, float]]) -> bool:
    """Whether the device's events account for the host's time around call and synchronisation.

    Work on a stream that the events do not see, or on a thread of the host, takes time that only the host's clock has. The host also pays
    for launches and the final synchronisation, hence the slack.
    """
    events, hosts = (np.median([pair[i] for pair in samples]) for i in (0, 1))
    return bool(hosts <= events + max(_SLACK_US, _SLACK_SHARE * events))


def plausible_wall(samples: Sequence[tuple[float, float]], wall_s: float) -> bool:
    """Whether the parent's clock leaves room for the time claimed: a child cannot have taken longer than it lived."""
    return sum(host for _, host in samples) <= wall_s * 1e6 * 1.25


def is_settled(samples: TimingSamples) -> bool:
    """Whether the 95 % interval of the median is within 1 % to either side."""
    low, high = samples.median_interval_us
    return (high - low) / 2 <= 0.01 * samples.median_us


def ratio(against: str, baseline: TimingSamples, candidate: TimingSamples) -> Ratio:
    """Speed-up of medians with a 95 % bootstrap interval. The resampling is seeded, so equal samples give equal intervals."""
    rng = np.random.default_rng(0)
    tops, bottoms = (
        np.median(rng.choice(samples.samples_us, (_RESAMPLES, len(samples.samples_us))), axis=1)
        for samples in (baseline, candidate)
    )
    low, high = np.quantile(tops / bottoms, (0.025, 0.975))
    value = baseline.median_us / candidate.median_us
    return Ratio(against=against, value=value, low=float(min(low, value)), high=float(max(high, value)))


def compare(speed_up: Ratio) -> Comparison:
    """What a ratio's interval allows to be said."""
    if speed_up.low > 1 + DEAD_ZONE:
        return Comparison.FAST
    if speed_up.high < 1 - DEAD_ZONE:
        return Comparison.SLOW
    if speed_up.low >= 1 - DEAD_ZONE and speed_up.high <= 1 + DEAD_ZONE:
        return Comparison.SAME
    return Comparison.AMBIGUOUS
