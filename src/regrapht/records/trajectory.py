"""A strong model's (or engine's, or person's) way from the first program to the last, step by step."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One technique applied, with the program it gave."""

    think: str
    """Why this technique, here, now."""
    method: str
    """The technique as its author named it."""
    detail: str
    """What changed in the code."""
    code: str
    """The whole program after the step."""
    technique: str | None = None
    """The vocabulary's slug, once relabelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """Steps in order; the first turns the sequential reference into CUDA."""

    task_id: str
    family: str | None
    source: str
    """Who wrote it: a model's name, an engine, or `hand`."""
    licence: str
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a trajectory needs at least one step")
