"""Times: what is believed of a child's claims, and what ratios are made of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from regrapht.records.measurement import Ratio, TimingSamples

_RESAMPLES = 1000
_SLACK_US, _SLACK_SHARE = 20.0, 0.10
_UNCLAIMED_US, _UNCLAIMED_SHARE, _MISSING_SHARE = 30.0, 0.25, 0.5
_SHORT_KERNELS_US, _LAUNCH_SHARE = 50.0, 0.25
_LAUNCH_NOISE = 1.3
"""On an H200, 28 of 30 ratios of eight tiny launches to themselves lay within this factor (0.65 and 1.31 did not). The interval of each
spanned 2 to 5 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Repetitions that one command asked for: what the child's clocks say of each, and what the parent's says of all together."""

    pairs: tuple[tuple[float, float], ...]
    """(device, host) microseconds."""
    wall_us: float
    """From before the command was given until its answer was seen: at least what the block took."""
    seen_us: float
    """From after the command was given until it was last seen unanswered: at most what the block took. Other threads of this process can
    keep the parent from looking for long, which lies between the two."""

    @property
    def unclaimed_us(self) -> float:
        """The parent's time for one repetition beyond what the child's host clock claims, at most: restoring, flushing, and whatever is
        hidden."""
        return self._beyond_claims(self.wall_us)

    @property
    def surely_unclaimed_us(self) -> float:
        """The same, at least."""
        return self._beyond_claims(self.seen_us)

    def _beyond_claims(self, spent_us: float) -> float:
        return (spent_us - sum(host for _, host in self.pairs)) / len(self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One ABBA round: the candidate's two blocks around the partner's two. Every round of a session has as many repetitions."""

    candidate: tuple[float, ...]
    partner: tuple[float, ...]


def taken(samples_us: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The repetitions that were made: a harness that stops early leaves zeros behind."""
    return [
        (event, host)
        for event, host in samples_us
        if math.isfinite(event) and math.isfinite(host) and event > 0 and host > 0
    ]


def clocks_agree(samples: Sequence[tuple[float, float]], *, ordinary_gap_us: float = 0.0) -> bool:
    """Whether the device's events account for the host's time around call and synchronisation.

    Work on a stream that the events do not see, or on a thread of the host, takes time that only the host's clock has. The host also pays
    for launches and the final synchronisation, hence the slack; on a busy machine it pays more, as a trusted program's gap at the same
    time shows.
    """
    event = float(np.median([event for event, _ in samples]))
    return clock_gap_us(samples) <= ordinary_gap_us + max(_SLACK_US, _SLACK_SHARE * event)


def clock_gap_us(samples: Sequence[tuple[float, float]]) -> float:
    """By how much the host's clock is usually ahead of the device's events."""
    return float(np.median([host - event for event, host in samples]))


def hidden_us(
    blocks: Sequence[Block], ordinary_us: float, latency_us: float = 0.0, *, around_us: float | None = None
) -> float:
    """How much more (or less) of the parent's time a repetition takes than its claims and the ordinary work around a call explain; 0 when
    they do.

    `ordinary_us` is that work's time as a trusted program of the same arguments shows it, and `latency_us` what a command takes by itself,
    of which a block of many repetitions has as much as one of few. A child that forges its clocks, or does its work outside of them, is
    found by this: the parent's clock is out of its reach. `around_us` is the least that the work can take, where that is known: a slow
    program's ordinary work, whose repetitions come one at a time, was seen to take longer. Medians over blocks, because
    this process may be interrupted; more is what it surely took, less what it took at most, because this process may be kept from looking.
    """
    least_us = ordinary_us if around_us is None else min(ordinary_us, around_us)
    missing = float(np.median([block.unclaimed_us for block in blocks])) - least_us
    if missing < -max(_UNCLAIMED_US, _MISSING_SHARE * least_us):
        return missing  # inputs were not restored, or the cache not flushed: something stands in for the harness
    claimed = float(np.median([host for block in blocks for _, host in block.pairs]))
    excess = float(np.median([_without(latency_us, block) for block in blocks])) - ordinary_us
    return excess if excess > max(_UNCLAIMED_US, _UNCLAIMED_SHARE * claimed) else 0.0


def ordinary_us(blocks: Sequence[Block], latency_us: float = 0.0) -> float:
    """The time of the work around a call, from a trusted program's blocks: the upper quartile of what it surely took, since whatever keeps
    the parent from looking only takes away from that. Without `latency_us`, what a command takes by itself: a slow program's blocks are of
    one or two repetitions and a fast one's of eight."""
    return float(np.quantile([_without(latency_us, block) for block in blocks], 0.75))


def around_us(blocks: Sequence[Block], latency_us: float) -> float | None:
    """The time of the work around a call where there is no call: a trusted program's blocks of such repetitions. None of no block."""
    return float(np.median([_without(latency_us, block) for block in blocks])) if blocks else None


def _without(latency_us: float, block: Block) -> float:
    return block.surely_unclaimed_us - latency_us / len(block.pairs)


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
