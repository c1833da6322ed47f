"""How far the transform engine reaches: whether a task's program has threads, and what is known of them."""

from dataclasses import dataclass
from enum import StrEnum


class Reached(StrEnum):
    """How the engine takes a task."""

    PROVED = "proved"
    """By isl: the engine understands the function."""
    OBSERVED = "observed"
    """Bodies as they are written, in loops whose turns did not meet on drawn inputs."""
    PROMISED = "promised"
    """Bodies as they are written, in loops that a pragma calls parallel."""
    SERIAL = "serial"
    """There is a program, and one thread does its main work: no result."""
    REFUSED = "refused"
    """There is no program."""

    @property
    def has_threads(self) -> bool:
        return self not in (Reached.SERIAL, Reached.REFUSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What the engine makes of one task."""

    how: Reached
    reason: str | None
    """What was looked at, which loops one thread runs, or why there is no program; None where threads run all of it by proof."""
