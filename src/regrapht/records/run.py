"""One run of a search on a task, and the events that it consists of.

A run is its configuration and its events in order; replaying the events on a fresh search gives the search's state again.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged, Proposal

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of a run; None is no limit. `candidates` are judged ones: a verdict of SKIPPED, and one that was known already (a duplicate
    program), do not count."""

    candidates: int | None = None
    proposals: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    usd: float | None = None

    def __post_init__(self) -> None:
        limits = (self.candidates, self.proposals, self.tokens, self.seconds, self.usd)
        if all(limit is None for limit in limits):
            raise ValueError("a budget limits at least one thing")
        if any(limit is not None and not 0 < limit < math.inf for limit in limits):
            raise ValueError("a limit is above 0, and a finite number")

    def __str__(self) -> str:
        """As the command line's `--budget` has it: `candidates=20,seconds=60`."""
        named = ((name, getattr(self, name)) for name in ("candidates", "proposals", "tokens", "seconds", "usd"))
        return ",".join(f"{name}={limit}" for name, limit in named if limit is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What a run was started with; any change makes it another run."""

    task_hash: str
    task_id: str
    search: str
    proposer: str
    evaluator: str
    model: str | None
    graph_hash: str | None
    prompts_hash: str | None
    level: str
    budget: Budget
    seed: int
    workers: int
    protocol: str
    options: Mapping[str, object]


class RunState(StrEnum):
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The search asked for something."""

    proposal: Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Abandoned:
    """A proposal could not be served: the machine's fault, or the run ended before its answer."""

    proposal_id: int
    reason: str


Event = Asked | Judged | Abandoned


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stored run."""

    id: str
    settings: RunSettings
    yardstick: Yardstick | None
    state: RunState
    created: str
    """UTC, ISO 8601."""
    schema_version: int = SCHEMA_VERSION
