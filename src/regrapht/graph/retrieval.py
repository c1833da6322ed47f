"""Retrieval by likeness of code, which asks nothing of techniques: what retrieval-augmented generation shows a model.

Likeness is the Jaccard index of runs of tokens (`source.shingles`): names and constants do not count. ReGraphT's baseline uses
CodeBERTScore, which needs a model; this needs none, and is another measure.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from regrapht.graph.code_likeness import CLOSEST, structural_likeness, token_likeness
from regrapht.graph.query import Viewer
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Exemplar, Transition
from regrapht.source.shingles import shingles, similarity

_COMMENT_MARKS = re.compile(r"//|/\*|\*/")


def similar_solutions(graph: TechniqueGraph, reference: str, viewer: Viewer, *, limit: int) -> tuple[Exemplar, ...]:
    """Whole solutions of other tasks, the one whose sequential program is most like `reference` first; at most one a task.

    Each goes from a task's sequential program to the last program of a trajectory, put together from the trajectory's first and last
    exemplar. Its speed-up is absent: exemplars hold those of single steps.
    """
    return _most_alike(graph, _solutions(graph, viewer), reference, limit)


def similar_first_programs(
    graph: TechniqueGraph, reference: str, viewer: Viewer, *, limit: int
) -> tuple[Exemplar, ...]:
    """First programs of other tasks, at most one a task; the nearest by what their sequential programs say of themselves first.

    That is the words of comments and names together, which tell a task better than its tokens; among the closest, the structure of the
    code decides too. Steps that made nothing faster are left out.
    """
    found = [e for edge in graph.successors(INIT) for e in _shown(graph, edge, viewer) if (e.speedup or 1.0) >= 1.0]
    texts = [graph.programs[e.before] for e in found]
    alike = token_likeness(_described(reference), [_described(text) for text in texts])
    closest = np.argsort(-alike, kind="stable")[:CLOSEST]
    alike[closest] += structural_likeness(reference, [texts[place] for place in closest])
    of_task: dict[str, Exemplar] = {}
    for place in sorted(range(len(found)), key=lambda place: (-alike[place], found[place].task_id, found[place].after)):
        of_task.setdefault(found[place].task_id, found[place])
    return tuple(of_task.values())[:limit]


def _described(program: str) -> str:
    """The program with its comments as words among the others."""
    return _COMMENT_MARKS.sub(" ", program)


def similar_steps(graph: TechniqueGraph, program: str, viewer: Viewer, *, limit: int) -> tuple[Exemplar, ...]:
    """Single steps on other tasks, the one whose program before the step is most like `program` first; at most one a task."""
    steps = (e for edge in graph.transitions if edge.source != INIT for e in _shown(graph, edge, viewer))
    return _most_alike(graph, steps, program, limit)


def _solutions(graph: TechniqueGraph, viewer: Viewer) -> Iterable[Exemplar]:
    by_origin: dict[tuple[str, str, str], list[Exemplar]] = {}
    for edge in graph.transitions:
        for exemplar in _shown(graph, edge, viewer):
            by_origin.setdefault((exemplar.task_id, exemplar.source, exemplar.provenance), []).append(exemplar)
    for exemplars in by_origin.values():
        first = next((e for e in exemplars if e.transition.source == INIT), None)
        gone_on_from = {e.before for e in exemplars}
        for last in exemplars:
            if first is not None and last.after not in gone_on_from:
                yield replace(
                    first,
                    transition=Transition(INIT, last.transition.target),
                    rationale=last.rationale,
                    detail=last.detail,
                    after=last.after,
                    after_status=last.after_status,
                    speedup=None,
                )


def _shown(graph: TechniqueGraph, edge: Transition, viewer: Viewer) -> tuple[Exemplar, ...]:
    return graph.exemplars(edge, hide_family=viewer.hidden_family, hide_tasks=viewer.hide_tasks)


def _most_alike(graph: TechniqueGraph, exemplars: Iterable[Exemplar], program: str, limit: int) -> tuple[Exemplar, ...]:
    wanted = _runs(program)
    ranked = sorted(exemplars, key=lambda e: (-similarity(wanted, _runs(graph.programs[e.before])), e.task_id, e.after))
    of_task: dict[str, Exemplar] = {}
    for exemplar in ranked:
        of_task.setdefault(exemplar.task_id, exemplar)
    return tuple(of_task.values())[:limit]


@lru_cache(maxsize=2048)
def _runs(source: str) -> frozenset[str]:
    return shingles(source)
