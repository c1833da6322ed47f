"""What is known about optimising: techniques, transitions between them, exemplars and measured outcomes.

ReGraphT (arXiv 2510.19873), section 3: a reasoning graph whose nodes are optimisation techniques and whose directed edges say that one was
applied after another. Exemplars and outcomes hang on the edges.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

INIT = "init"
"""The root of every graph: the program before any technique."""


class Area(StrEnum):
    """What a technique works on."""

    ALGORITHM = "algorithm"
    PARALLELISM = "parallelism"
    MEMORY = "memory"
    SHARED_MEMORY = "shared_memory"
    REGISTERS = "registers"
    LATENCY = "latency"
    DIVERGENCE = "divergence"
    PRECISION = "precision"
    LIBRARY = "library"
    HOST = "host"
    ARCHITECTURE = "architecture"


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """A named optimisation: a node of the graph."""

    slug: str
    title: str
    area: Area
    meaning: str
    """One paragraph: what it does to the code and why that helps."""
    condition: str
    """What code must look like for it to apply."""
    aliases: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Features of the code that make it more likely to apply, from a fixed list: `loop_reuse stencil reduction ...`."""


@dataclass(frozen=True, slots=True, order=True)
class Transition:
    """A directed edge: `target` was applied to a program whose last technique was `source`."""

    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemplar:
    """One verified application of a transition. Programs are named by the SHA-256 of their text; the graph keeps the texts."""

    transition: Transition
    task_id: str
    family: str | None
    rationale: str
    detail: str
    before: str
    after: str
    before_status: str
    after_status: str
    speedup: float | None
    """Time before / time after on `device`; None when nothing was measured."""
    device: str | None
    source: str
    """Who wrote it: a model, an engine, or `hand`."""
    licence: str
    provenance: str = ""
    """What it came out of, from the large to the small: `task/trajectory` of a written one, `run/task/trajectory` of a collected one."""

    def __post_init__(self) -> None:
        if self.speedup is not None and self.device is None:
            raise ValueError("a speed-up needs the device it was measured on")
        if self.speedup is not None and not (math.isfinite(self.speedup) and self.speedup > 0):
            raise ValueError("a speed-up is a finite number above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a transition's attempts on one device architecture by one kind of proposer, on tasks of one family.

    `gain_*` are over log2(time before / time after) of the correct attempts that were timed on a GPU. `task_id`, `applied` and
    `provenance` are given where attempts are kept apart by them, so that a task, or what one run contributed, can be left out.
    """

    transition: Transition
    device: str
    proposer: str
    family: str | None = None
    """The tasks' family; None when it is unknown or not kept apart."""
    task_id: str | None = None
    applied: tuple[str, ...] | None = None
    """The set of techniques applied before, sorted; empty for the sequential program, None when it is not kept apart."""
    provenance: str = ""
    """As an exemplar's."""
    attempts: int = 0
    built: int = 0
    correct: int = 0
    gain_count: int = 0
    gain_mean: float = 0.0
    gain_m2: float = 0.0
    """Sum of squared deviations from the mean (Welford); the variance is gain_m2 / (gain_count - 1)."""

    def __post_init__(self) -> None:
        if not self.attempts >= self.built >= self.correct >= self.gain_count >= 0:
            raise ValueError("an outcome needs attempts >= built >= correct >= gain_count >= 0")
        if not (math.isfinite(self.gain_mean) and math.isfinite(self.gain_m2) and self.gain_m2 >= 0):
            raise ValueError("a gain is a finite number, and its squared deviations are not negative")
        if self.applied is not None and list(self.applied) != sorted(set(self.applied)):
            raise ValueError("the techniques applied before are a set: sorted, each once")
