"""What an expert did, in order: the part of a graph from which a search learns what is chosen after which *set* of techniques."""

import math
from dataclasses import dataclass

from regrapht.records.technique import INIT, Transition

ENGINES = frozenset({"transform"})
"""Sources that apply techniques by rule or by lot."""


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
    provenance: str = ""
    """As an exemplar's: `task/trajectory`, or `run/task/trajectory`. Two paths of one task may hold the same techniques."""

    def __post_init__(self) -> None:
        if not self.slugs:
            raise ValueError("a path needs at least one technique")
        if self.speedups is not None:
            if len(self.speedups) != len(self.slugs):
                raise ValueError("a path has one speed-up for each technique, or none at all")
            if not all(gain is None or (math.isfinite(gain) and gain > 0) for gain in self.speedups):
                raise ValueError("a speed-up is a finite number above 0")

    @property
    def trajectory(self) -> str:
        """The trajectory's name within its task; empty when it is not known."""
        return self.provenance.rpartition("/")[2]

    @property
    def by_expert(self) -> bool:
        """Whether somebody chose these techniques. An engine applies what it can: its paths say what works, not what is preferred."""
        return self.source not in ENGINES

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The edges that the path takes, the first one from `init`."""
        return tuple(Transition(a, b) for a, b in zip((INIT, *self.slugs), self.slugs, strict=False))


def path_order(path: TechniquePath) -> tuple[object, ...]:
    """Sort key of a graph's paths."""
    timed = tuple((gain is not None, gain or 0.0) for gain in path.speedups or ())
    family = (path.family is not None, path.family or "")
    return (path.task_id, path.source, path.provenance, path.slugs, family, path.speedups is not None, timed)
