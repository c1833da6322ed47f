"""What a search is let loose on in a study: a table of programs, recorded or made up."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from regrapht.bench.landscape.records import Landscape, RecordedProgram
from regrapht.bench.landscape.records import Step as RecordedStep
from regrapht.evaluate.replay import ReplayEvaluator
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.search.reward import doublings


class Values(StrEnum):
    """Where a table's figures come from."""

    MEASURED = "measured"
    MODELLED = "modelled"
    """The emulator's modelled cost."""
    SYNTHETIC = "synthetic"
    """Made up."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where one attempt leads."""

    program: str
    """The child's program hash."""
    techniques: tuple[str, ...]
    """What was applied, in order."""


class Table(Protocol):
    """The programs of one task. Programs are named by their hashes; gains are in doublings of the first program's speed."""

    name: str
    values: Values
    task: Task
    yardstick: Yardstick
    graph: TechniqueGraph
    """What the searches may know beforehand."""
    device: str
    best_gain: float
    """Of the best program there is, as far as known."""
    size: float
    """Programs; infinite where they are made up as they are asked for."""

    def first(self, attempt: int) -> Way | None:
        """The first program of that attempt; None when there are no more."""
        ...

    def techniques(self, program: str) -> Sequence[str]:
        """What is offered at a program."""
        ...

    def way(self, program: str, technique: str, attempt: int) -> Way | None:
        """Where an offered technique leads; None when its settings are used up."""
        ...

    def fits(self, program: str, technique: str) -> bool | None:
        """What a search is told of whether a technique applies: False for one that is not offered."""
        ...

    def source(self, program: str) -> str:
        """The program's text."""
        ...

    def verdict(self, candidate: Candidate) -> Verdict:
        """The judge's answer for one of the table's programs."""
        ...

    def gain(self, program: str) -> float | None:
        """What the program is worth in truth; None for one that is not correct."""
        ...


class RecordedTable:
    """A landscape as a table: its transitions are offered, and no others.

    Args:
        graph: What the searches may know beforehand.
    """

    def __init__(self, landscape: Landscape, graph: TechniqueGraph) -> None:
        self.name = landscape.task.id
        self.values = Values.MEASURED if landscape.is_measured else Values.MODELLED
        self.task, self.yardstick, self.graph = landscape.task, landscape.yardstick, graph
        self.device = landscape.environment.architecture
        self._programs = {program.program_hash: program for program in landscape.programs}
        self.size = float(len(self._programs))
        hashes = [program.program_hash for program in landscape.programs]

        def ways(steps: Sequence[RecordedStep]) -> tuple[Way, ...]:
            return tuple(Way(hashes[step.program], step.techniques) for step in steps)

        self._first = ways(landscape.first)
        self._ways = {
            program.program_hash: {
                transition.technique: ways(transition.steps)
                for transition in program.transitions
                if transition.technique in graph.techniques
            }
            for program in landscape.programs
        }
        figures = {key: doublings(p.screened, landscape.yardstick) for key, p in self._programs.items()}
        plain = figures[self._first[0].program] or 0.0
        self._gains = {key: None if gain is None else gain - plain for key, gain in figures.items()}
        self.best_gain = max((gain for gain in self._gains.values() if gain is not None), default=0.0)
        self._judge = ReplayEvaluator(
            landscape.verdicts(), landscape.yardstick, environment=landscape.environment, task=landscape.task
        )

    def first(self, attempt: int) -> Way | None:
        """As `Table.first`."""
        return self._first[attempt] if attempt < len(self._first) else None

    def techniques(self, program: str) -> Sequence[str]:
        """As `Table.techniques`."""
        return tuple(self._ways[program])

    def way(self, program: str, technique: str, attempt: int) -> Way | None:
        """As `Table.way`."""
        ways = self._ways[program][technique]
        return ways[attempt] if attempt < len(ways) else None

    def fits(self, program: str, technique: str) -> bool | None:
        """Whether it is recorded."""
        return technique in self._ways[program]

    def source(self, program: str) -> str:
        """As `Table.source`."""
        return self.program(program).source

    def program(self, program: str) -> RecordedProgram:
        """Everything recorded of a program."""
        return self._programs[program]

    def verdict(self, candidate: Candidate) -> Verdict:
        """The recorded screening verdict."""
        return self._judge.evaluate(self.task, candidate, level=Level.SCREEN)

    def gain(self, program: str) -> float | None:
        """By the recorded figures: a landscape has no truth behind them."""
        return self._gains[program]
