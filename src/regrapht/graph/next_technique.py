"""Which technique an expert would apply next: shares over all techniques, given the program, the task and what was applied.

A product of nine estimates, each raised to an exponent that was fitted by leave-one-task-out log-likelihood (`benchmarks/retrieval.py`; the
table is in docs/graph-study.md):

    P(t) ~ product over k of (share_k(t) + FLOOR) ** exponent_k, times `repeat` where t was applied already

Eight are learnt from the trajectories that may be seen: popularity, the bigram of the last technique, the *set* applied, programs alike by
tokens and by structure, tasks alike by their sequential program, the task's family, and a regression on all of these with the way in which
lanes meet memory (`graph.step_regression`). The ninth, `signs`, is what a person would look for in the program (`graph.technique_signs`)
and needs no graph. What may not be seen is left out before anything is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from regrapht.graph.code_likeness import TokenIndex, structural_likeness
from regrapht.graph.query import Viewer
from regrapht.graph.step_regression import Situation, StepRegression
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.graph.technique_signs import sign_scores
from regrapht.records.technique import INIT, Exemplar

FLOOR = 0.003
BACK_OFF = 3.0
"""Samples that a more general estimate counts as."""
MOST_PROGRAMS = 4000
"""Programs that are compared; of a larger graph, so many, spread evenly over their hashes."""
ALIKE_POWER = {"set": 4.0, "tokens": 2.0, "structure": 2.0, "task": 2.0}
"""Likeness to weight: the larger, the fewer neighbours count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponents:
    """How much each estimate counts; 0 leaves it out."""

    popularity: float = 0.0
    bigram: float = 0.0
    applied: float = 0.05
    tokens: float = 0.65
    structure: float = 0.0
    task: float = 0.15
    family: float = 0.1
    regression: float = 0.3
    signs: float = 0.6
    repeat: float = 0.15
    """Factor for a technique that was applied already."""


KINDS = tuple(field.name for field in fields(Exponents) if field.name != "repeat")


@dataclass(frozen=True, slots=True)
class _Seen:
    """One step of a trajectory: `target` was applied to a program."""

    applied: tuple[str, ...]
    last: str
    future: tuple[str, ...]
    """The techniques from here on, the one applied next first."""
    family: str | None
    before: str
    """The program, by hash; empty where the graph has no exemplar of the step."""
    task: str
    """The sequential program, by hash; as above."""

    @property
    def target(self) -> str:
        return self.future[0]


class NextTechnique:
    """The estimates for one viewer of a graph, ready for questions.

    The first question that asks the regression reads every program that may be seen: about 3 s of one CPU for 850 steps, and a tenth of
    a second for the next viewer in the same process. A further question takes milliseconds.
    """

    def __init__(self, graph: TechniqueGraph, viewer: Viewer, *, exponents: Exponents | None = None) -> None:
        self._slugs = tuple(graph.techniques)
        self._column = {slug: place for place, slug in enumerate(self._slugs)}
        self._exponents = exponents or Exponents()
        self._family = viewer.family
        self._seen = list(_seen(graph, viewer))
        self._target = np.array([self._column[step.target] for step in self._seen], dtype=int)
        self._sets = np.zeros((len(self._seen), len(self._slugs)))
        for row, step in enumerate(self._seen):
            self._sets[row, [self._column[slug] for slug in step.applied]] = 1
        self._is_first = np.array([step.last == INIT for step in self._seen], dtype=bool)
        self._programs = _Compared(graph, [step.before for step in self._seen])
        self._tasks = _Compared(graph, [step.task for step in self._seen])
        self._programs_of = graph.programs

    def shares(self, program: str, reference: str, techniques: Sequence[str]) -> dict[str, float]:
        """The share of every technique of the graph, the largest first; they sum to 1.

        Args:
            program: The present program; the sequential one before the first step.
            reference: The task's sequential program.
            techniques: What was applied, in order.
        """
        used = tuple(kind for kind in KINDS if getattr(self._exponents, kind))
        estimates = self.estimates(program, reference, techniques, kinds=used)
        found = combined(estimates, self._exponents, self._applied_mask(techniques))
        ranked = sorted(zip(found, self._slugs, strict=True), key=lambda pair: (-pair[0], pair[1]))
        return {slug: float(share) for share, slug in ranked}

    def estimates(
        self, program: str, reference: str, techniques: Sequence[str], *, kinds: Sequence[str] = KINDS
    ) -> Mapping[str, np.ndarray]:
        """Each estimate by its name in `KINDS`: shares over the techniques in the graph's order, each summing to 1."""
        known = [slug for slug in techniques if slug in self._column]
        popularity = self._shares(np.ones(len(self._seen)), np.full(len(self._slugs), 1 / len(self._slugs)))
        if not self._seen:
            return dict.fromkeys(kinds, popularity) | {
                kind: self._signs(program, known) for kind in kinds if kind == "signs"
            }
        return {kind: self._estimate(kind, program, reference, known, popularity) for kind in kinds}

    def _estimate(
        self, kind: str, program: str, reference: str, known: Sequence[str], popularity: np.ndarray
    ) -> np.ndarray:
        if kind == "popularity":
            return popularity
        if kind == "signs":
            return self._signs(program, known)
        if kind == "regression":
            here = Situation(program=program, reference=reference, applied=tuple(known), family=self._family)
            scores = np.maximum(self._regression.scores(here), 0.0)
            return scores / scores.sum() if scores.any() else popularity
        if kind == "bigram":
            last = known[-1] if known else INIT
            return self._shares(np.array([float(step.last == last) for step in self._seen]), popularity)
        if kind in ("applied", "family"):
            by_set = self._set_likeness(known)
            shares = self._shares(by_set ** ALIKE_POWER["set"], popularity)
            if kind == "applied":
                return shares
            own = np.array([float(s.family is not None and s.family == self._family) for s in self._seen])
            return self._shares(own * by_set, shares, weight=0.5)
        same_phase = (self._is_first == (not known)).astype(float)
        phase = self._shares(same_phase, popularity)
        if kind == "task":
            alike = self._tasks.by_tokens(reference)
        else:
            alike = self._programs.by_tokens(program) if kind == "tokens" else self._programs.by_structure(program)
        return self._shares(same_phase * alike ** ALIKE_POWER[kind], phase, weight=0.05)

    @cached_property
    def _regression(self) -> StepRegression:
        """On the steps whose programs are known; the first question pays for it."""
        whole = [step for step in self._seen if step.before and step.task]
        situations = [
            Situation(
                program=self._programs_of[step.before],
                reference=self._programs_of[step.task],
                applied=step.applied,
                family=step.family,
            )
            for step in whole
        ]
        return StepRegression(situations, [step.future for step in whole], self._slugs)

    def _signs(self, program: str, known: Sequence[str]) -> np.ndarray:
        scores = sign_scores(program, known, self._slugs)
        shares: np.ndarray = np.exp(scores - scores.max(initial=0.0))
        return shares / shares.sum()

    def _applied_mask(self, techniques: Sequence[str]) -> np.ndarray:
        mask = np.zeros(len(self._slugs), dtype=bool)
        mask[[self._column[slug] for slug in techniques if slug in self._column]] = True
        return mask

    def _set_likeness(self, known: Sequence[str]) -> np.ndarray:
        mine = np.zeros(len(self._slugs))
        mine[[self._column[slug] for slug in known]] = 1
        shared = self._sets @ mine
        found: np.ndarray = (shared + 1) / (self._sets.sum(axis=1) + mine.sum() - shared + 1)
        return found

    def _shares(self, weights: np.ndarray, back: np.ndarray, *, weight: float = BACK_OFF) -> np.ndarray:
        counts = np.bincount(self._target, weights=weights, minlength=len(self._slugs))
        found: np.ndarray = (counts + weight * back) / (counts.sum() + weight)
        return found


def combined(estimates: Mapping[str, np.ndarray], exponents: Exponents, applied: np.ndarray) -> np.ndarray:
    """The product of estimates by `exponents`, as shares; `applied` marks techniques that were applied already."""
    logs = np.zeros(len(applied))
    for kind in KINDS:
        if exponent := getattr(exponents, kind):
            logs = logs + exponent * np.log(estimates[kind] + FLOOR)
    weights = np.exp(logs - logs.max()) * np.where(applied, exponents.repeat, 1.0)
    found: np.ndarray = weights / weights.sum()
    return found


class _Compared:
    """Likeness of a program to those of the steps seen; 0 for steps without one."""

    def __init__(self, graph: TechniqueGraph, hashes: Sequence[str]) -> None:
        distinct = sorted({key for key in hashes if key})
        kept = distinct[:: -(-len(distinct) // MOST_PROGRAMS)] if len(distinct) > MOST_PROGRAMS else distinct
        place_of = {key: place for place, key in enumerate(kept)}
        self._texts = [graph.programs[key] for key in kept]
        self._place = np.array([place_of.get(key, len(kept)) for key in hashes], dtype=int)
        self._index = TokenIndex(self._texts)

    def by_tokens(self, program: str) -> np.ndarray:
        """One number a step, 0 to 1."""
        found: np.ndarray = np.append(self._index.cosines(program), 0.0)[self._place]
        return found

    def by_structure(self, program: str) -> np.ndarray:
        """One number a step, 0 to 1; reads every program's syntax once."""
        found: np.ndarray = np.append(structural_likeness(program, self._texts), 0.0)[self._place]
        return found


def _seen(graph: TechniqueGraph, viewer: Viewer) -> Iterator[_Seen]:
    """The steps of experts' paths that the viewer may see, each with its programs where an exemplar shows them."""
    exemplars: dict[tuple[str, str, str], list[Exemplar]] = {}
    for edge in graph.transitions:
        for exemplar in graph.exemplars(edge, hide_family=viewer.hidden_family, hide_tasks=viewer.hide_tasks):
            key = (exemplar.task_id, exemplar.source, exemplar.provenance)
            exemplars.setdefault(key, []).append(exemplar)
    for path in graph.paths:
        hidden = path.task_id in viewer.hide_tasks or (viewer.hide_family and path.family == viewer.family)
        if hidden or not path.by_expert:
            continue
        own = exemplars.get((path.task_id, path.source, path.provenance), [])
        task = next((one.before for one in own if one.transition.source == INIT), "")
        at = task
        for place, edge in enumerate(path.transitions):
            step = next((one for one in own if one.transition == edge and one.before == at), None)
            if step is None:  # a step without a label lies between: its programs are not chained
                step = next((one for one in own if one.transition == edge), None)
            yield _Seen(
                applied=path.slugs[:place],
                last=edge.source,
                future=path.slugs[place:],
                family=path.family,
                before="" if step is None else step.before,
                task=task,
            )
            at = "" if step is None else step.after
