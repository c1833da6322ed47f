"""The search graph as a run walked it, from the run's own steps: works for every search, whatever it keeps inside.

Programs are nodes, merged when they differ in comments and layout only. An edge is a technique applied to a program; its visits are the
judged candidates asked for on it or anywhere below it. What failed, or gave a program known from further up, hangs on the program that it
was tried at.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from regrapht.report.story import JudgedStep

TASK = 0
"""The number that stands for the task itself, before any program."""


@dataclass(slots=True, kw_only=True)
class WalkedEdge:
    """A way from one program to another; numbers are those of the steps that first gave them."""

    parent: int
    child: int
    technique: str
    visits: int = 0
    first: bool = True
    """False for a further way to a program that was known already: a transposition."""


@dataclass(slots=True, kw_only=True)
class WalkedGraph:
    """All programs of a run that passed, the ways between them, and what came to nothing."""

    programs: dict[int, JudgedStep] = field(default_factory=dict)
    edges: dict[tuple[int, int, str], WalkedEdge] = field(default_factory=dict)
    nothing: dict[tuple[int, str], Counter[str]] = field(default_factory=dict)
    """By program and technique: how often tries ended in which status; `known` for one that led back."""
    best: set[int] = field(default_factory=set)
    """Programs on the way to the best."""

    def children(self, number: int) -> list[WalkedEdge]:
        """The ways on which programs were first reached from this one, the most visited first."""
        ways = [edge for edge in self.edges.values() if edge.parent == number and edge.first]
        return sorted(ways, key=lambda edge: (-edge.visits, edge.child))


def walked_graph(steps: Sequence[JudgedStep], best_path: Sequence[JudgedStep]) -> WalkedGraph:
    """The graph of a run's steps; `best_path` are those that led to its best program."""
    graph, program_of, stands_for = WalkedGraph(), dict[str, int](), {TASK: TASK}
    way_to: dict[int, WalkedEdge] = {}
    for step in steps:
        at = stands_for.get(step.parent_number or TASK, TASK)
        candidate = step.judged.candidate
        target = (
            program_of.setdefault(candidate.program_hash or "", step.number) if step.judged.verdict.passed else None
        )
        stands_for[step.number] = at if target is None else target
        above = _above(at, way_to)
        if target is None or target == at or target in above:
            outcome = "known" if target is not None else step.judged.verdict.status.value
            graph.nothing.setdefault((at, step.technique), Counter())[outcome] += 1
        else:
            edge = _edge(graph, at, target, step)
            if edge.first:
                way_to.setdefault(target, edge)
            edge.visits += 1
        for number in (at, *above):
            if number in way_to:
                way_to[number].visits += 1
    graph.best = {stands_for[step.number] for step in best_path}
    return graph


def _edge(graph: WalkedGraph, at: int, target: int, step: JudgedStep) -> WalkedEdge:
    key = (at, target, step.technique)
    if key not in graph.edges:
        graph.edges[key] = WalkedEdge(
            parent=at, child=target, technique=step.technique, first=target not in graph.programs
        )
    graph.programs.setdefault(target, step)
    return graph.edges[key]


def _above(number: int, way_to: dict[int, WalkedEdge]) -> tuple[int, ...]:
    """The programs above this one on the way it was first reached."""
    found: list[int] = []
    while number in way_to:
        number = way_to[number].parent
        found.append(number)
    return tuple(found)
