"""Ratios of times, with their intervals: what a speed-up is worth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from regrapht.records.measurement import Ratio, TimingSamples

_RESAMPLES = 1000
_SHORT_KERNELS_US, _LAUNCH_SHARE = 50.0, 0.25
_LAUNCH_NOISE = 1.3
"""On an H200, 28 of 30 ratios of eight tiny launches to themselves lay within this factor (0.65 and 1.31 did not). The interval of each
spanned 2 to 5 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One ABBA round: the candidate's two blocks around the partner's two. Every round of a session has as many repetitions."""

    candidate: tuple[float, ...]
    partner: tuple[float, ...]


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
    return _interval(against, tops / bottoms, baseline.median_us / candidate.median_us, paired=False)


def paired_ratio(against: str, rounds: Sequence[Round]) -> Ratio:
    """Speed-up of medians over ABBA rounds, with a 95 % interval that resamples rounds, and repetitions within them.

    What drifts from round to round (clocks, temperature, another user of the machine) reaches both programs and cancels.
    """
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(rounds), size=(_RESAMPLES, len(rounds)))
    partner, candidate = np.array([r.partner for r in rounds]), np.array([r.candidate for r in rounds])
    ratios = _resampled_medians(partner, drawn, rng) / _resampled_medians(candidate, drawn, rng)
    return _interval(against, ratios, float(np.median(partner) / np.median(candidate)), paired=True)


def is_launch_bound(samples: TimingSamples, kernel_us: Sequence[float]) -> bool:
    """Whether a call from an idle device takes noticeably longer than its kernels, which are short: the host's launches decide its time."""
    kernel = float(np.median(kernel_us)) if kernel_us else math.inf
    return kernel < _SHORT_KERNELS_US and samples.median_us > (1 + _LAUNCH_SHARE) * kernel


def with_launch_noise(ratio: Ratio) -> Ratio:
    """The ratio with the interval that it deserves where launches decide a time.

    How fast a process launches differs from one to the next and changes within seconds, so that the interval of one session's rounds says
    nothing of another session.
    """
    return replace(ratio, low=ratio.low / _LAUNCH_NOISE, high=ratio.high * _LAUNCH_NOISE)


def _resampled_medians(times: np.ndarray, drawn: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Medians of resamples: the rounds in each row of `drawn`, and within each of them as many repetitions as it has."""
    each = times.shape[1]
    within = rng.integers(each, size=(*drawn.shape, each))
    return np.median(times[drawn[:, :, None], within].reshape(len(drawn), -1), axis=1)


def _interval(against: str, ratios: np.ndarray, value: float, *, paired: bool) -> Ratio:
    low, high = np.quantile(ratios, (0.025, 0.975))
    return Ratio(against=against, value=value, low=float(min(low, value)), high=float(max(high, value)), paired=paired)
