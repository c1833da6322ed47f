"""One run of a search on a task: what it was asked to do, what it found, and the events that it consists of.

A run is its settings and its events in order; replaying the events on a fresh search gives the search's state again.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Yardstick
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.task import Task
from regrapht.records.user_code import NO_FLAGS, BuildFlags
from regrapht.records.verdict import Level

WORKERS = "regrapht-run"
"""What the names of a run's threads begin with."""
NOTHING_JUDGED = "nothing was judged"
"""Begins the reason of a run that ended because every answer was skipped; why the last one was follows."""
SCHEMA_VERSION = 2
"""Of `Run` and `RunOptions`. Runs of version 1 had their options in a dictionary; `store.run_migration` reads them."""


_LIMITS = {"candidates": int, "proposals": int, "tokens": int, "seconds": float, "usd": float}


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

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """`20`, or limits such as `candidates=20,seconds=600,usd=1.5`; a bare number counts judged candidates.

        Raises:
            ValueError: A limit is unknown or given twice, no number, not above 0 or not finite.
        """
        limits: dict[str, int | float] = {}
        for part in text.split(","):
            name, _, value = part.strip().rpartition("=")
            name = name or "candidates"
            if name not in _LIMITS:
                raise ValueError(f"there is no limit {name!r}; known: {', '.join(_LIMITS)}")
            if name in limits:
                raise ValueError(f"{name} is limited twice")
            try:
                limits[name] = _LIMITS[name](value)
            except ValueError as error:
                raise ValueError(f"{value!r} is not a number for {name}") from error
        return cls(**limits)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """As the command line's `--budget` has it: `candidates=20,seconds=60`."""
        named = ((name, getattr(self, name)) for name in ("candidates", "proposals", "tokens", "seconds", "usd"))
        return ",".join(f"{name}={limit}" for name, limit in named if limit is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a task is to be optimised: names and numbers, nothing opened yet. The one place of the defaults.

    The command line is read into this, Python makes it, a session opens what it names, a stored run keeps it. What may be done on a machine
    (run code as root, reach a remote model) is not in it: it is allowed anew each time.

    Raises:
        ValueError: A number is out of range, a level is none, or a given program has another proposer.
    """

    entry: str | None = None
    """The function, where a bare file has several."""
    flags: BuildFlags = NO_FLAGS
    """How the file is compiled, where it is one of a project."""
    residency: str | None = None
    """`host`, `device` or `managed`: where arrays are when the result is called; None is as the task says."""
    bindings: tuple[str, ...] = ()
    """`python` and `torch`: files of the result by which it is called from there."""
    search: str = "mcgs"
    proposer: str = ""
    """Left empty it becomes `hybrid` where a model is named, and `transform` where none is."""
    model: str | None = None
    """A spec such as `gguf:FILE` or `openai:NAME@URL`, or a name in the user's configuration (`llm.specs`), with the proposers `hybrid`
    and `language_model`."""
    reasoning_effort: str | None = None
    """How long a reasoning model is to think, in its server's words."""
    evaluator: str | None = None
    """None is the GPU's where there is one, else the emulated one."""
    level: Level = Level.SCREEN
    """How candidates are judged while searching; in the end the best ones are judged in full until one passes."""
    budget: Budget = Budget(candidates=20)
    graph: Path | None = None
    """A reasoning graph's file; None is the shipped one."""
    seed: int = 0
    workers: int = 1
    """Candidates written and judged side by side."""
    out: Path | None = None
    """Folder for the result; None is one of the run's own in `regrapht-out`."""
    architecture: str | None = None
    """What the result is compiled for, such as `sm_90`; None is the local GPU's, else sm_80."""
    hide_family: bool = False
    """Keep exemplars of the task's own family out of the search."""
    hide_reference: bool = False
    """Do not show a model the sequential code."""
    context_tokens: int | None = None
    """The model's context, prompt and reply together; None sends prompts of any length."""
    max_tokens: int = 8192
    """The model's longest reply."""
    mend: bool = True
    """Mend faults of form in a model's replies, and ask for a first program as a kernel in a file of ours; False as in the papers."""
    repair: bool = True
    """Ask for repairs of programs that failed; False to see what they are worth."""
    choice_weight: float = 0.5
    """How much of the prior over techniques is what the model chose, 0 to 1, with the proposer `hybrid` and a search that has a prior; 0
    does not ask it to choose."""
    prompts: Path | None = None
    """A folder with templates that take the place of ours in what a model is asked (`prompts.templates.read_folder`)."""
    tune: int | None = None
    """Settings of the best program's open parameters to judge after the search; None does not tune."""
    proved: bool = False
    """Take programs of the transform engine only where their threads are proved independent, not where that was observed or promised."""
    given: Candidate | None = None
    """A program that its author brings along, with the proposer `given`."""
    given_file: Path | None = None
    """Where that program stands."""
    schema_version: int = SCHEMA_VERSION

    def __post_init__(self) -> None:
        if not self.proposer:
            object.__setattr__(self, "proposer", "hybrid" if self.model is not None else "transform")
        if not 0 <= self.choice_weight <= 1:
            raise ValueError("the weight of a model's choice is from 0 to 1")
        if self.workers < 1 or (self.tune is not None and self.tune < 1):
            raise ValueError("workers, and the settings to tune, are at least 1")
        if self.given is not None and self.proposer != "given":
            raise ValueError(f"a given program goes with the proposer 'given', not {self.proposer!r}")
        if self.residency not in (None, "host", "device", "managed"):
            raise ValueError(f"residency is host, device or managed, not {self.residency!r}")
        if not set(self.bindings) <= {"python", "torch"}:
            raise ValueError(f"bindings are python and torch, not {', '.join(self.bindings)}")
        if not isinstance(self.level, Level):
            raise ValueError(f"a level is {' or '.join(map(str, Level))} (regrapht.Level), not {self.level!r}")


TUNED_SETTINGS = 30
"""Settings that tuning judges unless it is told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What a run was started with: its options, and what they came to on the machine that started it. Any change makes it another run."""

    options: RunOptions
    """With nothing left to find out: the evaluator is named, and paths are absolute."""
    task: Task
    task_hash: str
    path: Path | None
    """Where the task was read; None for a task of a suite."""
    protocol: str
    """The judge's."""
    device: str | None
    """What the yardstick and all times are of; None where that was not kept."""
    graph_hash: str | None
    prompts_hash: str | None
    """None without a model."""
    not_admitted: tuple[str, ...] = ()
    """The rules that the task breaks; its result is labelled then."""
    cell: str | None = None
    """The cell of an experiment that this run is."""


class RunState(StrEnum):
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"
    REFUSED = "refused"
    """The model's provider declined for good; once that is mended the run can be resumed."""


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
