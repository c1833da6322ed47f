"""What commands print with `--json` where that is no record of its own. docs/schemas has each as a JSON schema, made from here."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorTold:
    """What is wrong, and what helps."""

    kind: str
    """The name in `regrapht.errors`; `UsageError` of a command's words, `Machine`, `Interrupted`, or `internal` for a fault of ours."""
    message: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAnswer:
    """What every command prints with `--json` where it could not do its work; the exit code is 2, 3 or 130."""

    error: ErrorTold


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioTold:
    """A speed-up over one baseline, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeTold:
    """The best program at one timed shape."""

    sizes: Mapping[str, int]
    time_us: float
    ratios: Mapping[str, RatioTold]
    """By baseline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTold:
    """What was asked of a model."""

    requests: int
    tokens: int
    tokens_estimated_in: int
    """So many replies."""
    usd: float | None
    begun_replies: int
    answered_as: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTold:
    """What `optimize`, `tune` and `runs resume` print: what a run came to."""

    run: str
    headline: str
    passed: bool
    ended: str
    """`finished`, `seconds`, `interrupted`, or `refused: ` or `nothing was judged: ` and why."""
    judged: int
    judged_by: Mapping[str, int]
    """By who wrote them: `engine`, `rule`, `hint`, `model`, `other`."""
    written_by: tuple[str, ...]
    """Who wrote the programs on the way to the best one, in order."""
    model: ModelTold | None
    techniques: tuple[str, ...]
    """The best one's, in order."""
    status: str | None
    no_timing: str | None
    time_us: float | None
    gain: float | None
    """How many times less the best one takes than what `gain_over` names."""
    gain_over: str
    gain_is_measured: bool
    """False: a modelled cost, and no time."""
    one_core_us: float | None
    """Measured beside a modelled gain: the reference on one core of the machine that judged. No cost is compared with it."""
    shapes: tuple[ShapeTold, ...]
    labels: tuple[str, ...]
    """What the judge could not do, or found worth saying, about the best one."""
    in_one_thread: bool
    notes: tuple[str, ...]
    """What was guessed of the task, what the judge cannot do here, what speaks against the task."""
    folder: str
    files: tuple[str, ...]
