"""Times and machines: raw samples with their summaries, the environment they were taken in, and what a speed is compared with."""

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

WITHOUT_PLAIN = "1000 x floor"
"""The start of a scale that no program gave; nothing is told in units of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingSamples:
    """Raw times of one program at one shape, in microseconds, in the order they were taken."""

    samples_us: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.samples_us:
            raise ValueError("timing without samples is absent, not empty")
        if not all(math.isfinite(sample) and sample > 0 for sample in self.samples_us):
            raise ValueError("a time is a finite number above 0")

    @property
    def median_us(self) -> float:
        return statistics.median(self.samples_us)

    @property
    def quartiles_us(self) -> tuple[float, float]:
        """First and third quartile; the sample itself when there is only one."""
        if len(self.samples_us) < 2:
            return self.samples_us[0], self.samples_us[0]
        first, _, third = statistics.quantiles(self.samples_us, n=4, method="inclusive")
        return first, third

    @property
    def median_interval_us(self) -> tuple[float, float]:
        """A 95 % interval of the median from order statistics (normal approximation of the binomial), wide for few samples."""
        ordered, n = sorted(self.samples_us), len(self.samples_us)
        reach = 1.96 * math.sqrt(n) / 2
        low = max(0, math.floor(n / 2 - reach))
        high = min(n - 1, math.ceil(n / 2 + reach) - 1)
        return ordered[low], ordered[high]


DEAD_ZONE = 0.02
_FURTHER_TIMES = ("kernel", "end_to_end", "with_transfers")


class Comparison(StrEnum):
    """Two programs' times compared, with a dead zone of 2 %."""

    FAST = "FAST"
    SLOW = "SLOW"
    SAME = "SAME"
    AMBIGUOUS = "AMBIGUOUS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """A speed-up: time of `against` / time of the candidate, with a 95 % interval, wider by a factor of 1.3 to either side where launches
    decide a time."""

    against: str
    """Which baseline: `sequential`, `naive`, `library` or a name of the task's own. Baselines are never mixed."""
    value: float
    low: float
    high: float
    paired: bool = False
    """True when both were timed in turn, block by block; False when the baseline's samples are from another time."""

    @property
    def comparison(self) -> Comparison:
        """What the interval allows to be said of the candidate."""
        if self.low > 1 + DEAD_ZONE:
            return Comparison.FAST
        if self.high < 1 - DEAD_ZONE:
            return Comparison.SLOW
        if self.low >= 1 - DEAD_ZONE and self.high <= 1 + DEAD_ZONE:
            return Comparison.SAME
        return Comparison.AMBIGUOUS


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeTiming:
    """The candidate at one bench shape: its samples, those of each baseline, and the ratios between them.

    `candidate` and every baseline are the device's clock around one call on an idle device with a cold cache, arguments where the task's
    contract has them: launches and the gaps between kernels count, the final synchronisation does not.
    """

    sizes: Mapping[str, int]
    candidate: TimingSamples
    baselines: Mapping[str, TimingSamples]
    ratios: tuple[Ratio, ...]
    floor_us: float | None = None
    """Speed-of-light time from the task's work counts and this machine's peaks; None when a peak is unknown."""
    kernel: TimingSamples | None = None
    """The device's clock when the call is enqueued behind other work: what its kernels take without the host's share."""
    end_to_end: TimingSamples | None = None
    """The host's clock around call and synchronisation, in the same repetitions as `candidate`."""
    with_transfers: TimingSamples | None = None
    """The host's clock around inputs to the device, call, outputs to the host; page-locked memory."""
    absent: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(_FURTHER_TIMES, "not_recorded"))
    """Why one of the three above was not measured: `screening`, `not_measured` ..."""
    first_call_us: float | None = None
    """Host time of the process's first call: loading of code and allocations that later calls may not pay for. None where the process was
    called before it was timed, as in screening."""

    def __post_init__(self) -> None:
        unknown = {ratio.against for ratio in self.ratios} - set(self.baselines)
        if unknown:
            raise ValueError(f"a ratio against {', '.join(sorted(unknown))} without its samples")
        for name in _FURTHER_TIMES:
            if (getattr(self, name) is None) != (name in self.absent):
                raise ValueError(f"{name} is either measured or absent for a reason")

    @property
    def floor_fraction(self) -> float | None:
        """Fraction of the speed of light that the candidate reached."""
        return None if self.floor_us is None else self.floor_us / self.candidate.median_us

    def ratio(self, against: str) -> Ratio | None:
        return next((ratio for ratio in self.ratios if ratio.against == against), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The machine and the tools a verdict was made with."""

    device: str
    """`NVIDIA H200 (sm_90)`, or `emulator (x86_64)`."""
    architecture: str
    """`sm_90`, or `emulated`: what outcomes are kept by."""
    cpu: str
    tools: Mapping[str, str]
    """Versions: regrapht, python, g++, nvcc, driver ..."""
    clocks: Mapping[str, float]
    """Clock rates in MHz as read, empty where there is no device."""


class Scale(StrEnum):
    """What the numbers of a yardstick are."""

    MEASURED_US = "measured_us"
    MODELLED = "modelled"
    """Unit-less modelled cost of the emulator; never a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """What one run measures speed with, fixed when the run starts so that every reward of the run means the same.

    `start` is the time (or modelled cost) that earns a reward of 0, `floor` the one that earns 1.
    """

    scale: Scale
    start: float
    floor: float
    start_name: str
    """`sequential` for measured times, `plain` for modelled costs; `WITHOUT_PLAIN` where nothing could be modelled to start from."""
    one_core_us: float | None = None
    """Measured: a call of the reference on one core of the machine that judges, beside modelled costs, which say nothing of it. None
    where it was not timed, or where the start is measured itself."""
    one_core_at: str = ""
    """At which sizes."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.start) and math.isfinite(self.floor) and self.floor > 0):
            raise ValueError("a yardstick needs finite numbers above 0")
