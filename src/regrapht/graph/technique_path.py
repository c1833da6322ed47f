"""What an expert did, in order: the part of a graph from which a search learns what is chosen after which *set* of techniques."""

import math
from dataclasses import dataclass

from regrapht.records.technique import INIT, Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniquePath:
    """The techniques of one verified trajectory, in the order its author applied them."""

    task_id: str
    family: str | None
    source: str
    """Who wrote the trajectory: a model, an engine, or `hand`."""
    slugs: tuple[str, ...]
    speedups: tuple[float | None, ...] | None = None
    """For each step, time before / time after; None for a step that was not timed, and for a path without any time."""
    trajectory: str = ""
    """The trajectory's name within its task: two paths of one task may hold the same techniques."""

    def __post_init__(self) -> None:
        if not self.slugs:
            raise ValueError("a path needs at least one technique")
        if self.speedups is not None:
            if len(self.speedups) != len(self.slugs):
                raise ValueError("a path has one speed-up for each technique, or none at all")
            if not all(gain is None or (math.isfinite(gain) and gain > 0) for gain in self.speedups):
                raise ValueError("a speed-up is a finite number above 0")

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The edges that the path takes, the first one from `init`."""
        return tuple(Transition(a, b) for a, b in zip((INIT, *self.slugs), self.slugs, strict=False))


def path_order(path: TechniquePath) -> tuple[object, ...]:
    """Sort key of a graph's paths."""
    return (path.task_id, path.source, path.trajectory, path.slugs, repr(path))
