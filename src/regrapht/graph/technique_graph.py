"""The reasoning graph: techniques as nodes, transitions as edges, and on the edges what is known of them.

ReGraphT (arXiv 2510.19873), section 3.1. Cycles and self-loops are allowed: tile, unroll, tile again. Two things are ours: measured
outcomes, and the experts' whole paths, from which a search learns what is chosen once a given *set* of techniques has been applied.

A `TechniqueGraph` is a value: it never changes, two equal graphs have one `content_hash`. `GraphBuilder` makes one.
"""

import difflib
import hashlib
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from regrapht.errors import SchemaError, UnknownName
from regrapht.graph.vocabulary import name_key, technique_names
from regrapht.records.technique import INIT, Exemplar, Outcome, Technique, Transition

ENGINES = frozenset({"transform"})
"""Sources that apply techniques by rule or by lot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniquePath:
    """The techniques of one verified trajectory, in the order its author applied them: what is chosen after which *set* of techniques."""

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


Key = TypeVar("Key")
Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True)
class TechniqueGraph:
    """Everything known about which technique follows which, with the programs that show it.

    `init`, the program before any technique, is the root of every graph and is not listed among `techniques`.

    Raises:
        SchemaError: The parts do not fit: an edge to an unknown technique, an exemplar without its programs, a program under a wrong hash.
    """

    techniques: Mapping[str, Technique]
    edges: Mapping[Transition, tuple[Exemplar, ...]] = field(default_factory=dict)
    """Every transition, with its exemplars (possibly none) in the order of `exemplar_order`."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Source text by its SHA-256: exactly the programs that exemplars name."""
    all_outcomes: tuple[Outcome, ...] = ()
    """Outcomes of any pair of techniques, also of transitions that never succeeded and are therefore no edges."""
    paths: tuple[TechniquePath, ...] = ()

    def __post_init__(self) -> None:
        exemplars = {edge: _ordered(self.edges[edge], exemplar_order) for edge in sorted(self.edges)}
        object.__setattr__(self, "techniques", {slug: self.techniques[slug] for slug in sorted(self.techniques)})
        object.__setattr__(self, "edges", exemplars)
        names = sorted(self.programs)
        in_order = names == list(self.programs)
        programs = dict(self.programs) if in_order else {name: self.programs[name] for name in names}
        object.__setattr__(self, "programs", programs)
        object.__setattr__(self, "all_outcomes", tuple(sorted(self.all_outcomes, key=outcome_order)))
        object.__setattr__(self, "paths", _ordered(self.paths, path_order))
        _refuse_misfits(self)

    def resolve(self, text: str) -> str:
        """The slug of the technique that a slug, a title or an alias names, whatever its case, spaces and punctuation.

        Raises:
            UnknownName: The graph has none of that name; the message names the nearest.
        """
        if (slug := self._slugs_by_name.get(name_key(text))) is not None:
            return slug
        near = difflib.get_close_matches(text.lower(), self.techniques, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}?" if near else "`regrapht graph show` lists them"
        raise UnknownName(f"the graph has no technique called {text!r:.80}; {hint}")

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """Every edge, sorted."""
        return tuple(self.edges)

    def exemplars(
        self,
        transition: Transition,
        *,
        hide_family: str | None = None,
        hide_tasks: frozenset[str] = frozenset(),
        limit: int | None = None,
    ) -> tuple[Exemplar, ...]:
        """The exemplars of a transition, largest speed-up first, those without one last; empty for a transition that is no edge.

        What is hidden is hidden before `limit` counts: a task under evaluation must not see its own solution.
        """
        shown = (
            exemplar
            for exemplar in self.edges.get(transition, ())
            if exemplar.task_id not in hide_tasks and (hide_family is None or exemplar.family != hide_family)
        )
        return tuple(shown)[:limit]

    def successors(self, slug: str) -> tuple[Transition, ...]:
        """The edges that leave a technique (or `init`), sorted."""
        return self._neighbours[0].get(slug, ())

    def predecessors(self, slug: str) -> tuple[Transition, ...]:
        """The edges that lead to a technique, sorted."""
        return self._neighbours[1].get(slug, ())

    def support(self, transition: Transition) -> int:
        """Verified applications known: its exemplars, or the steps of paths that take it, whichever are more."""
        return max(len(self.edges.get(transition, ())), self._steps[transition])

    def outcomes(
        self,
        transition: Transition | None = None,
        *,
        target: str | None = None,
        device: str | None = None,
        proposer: str | None = None,
        family: str | None = None,
        task_id: str | None = None,
    ) -> tuple[Outcome, ...]:
        """The outcomes that fit every condition given, sorted; `target` is the technique, whatever it was applied after."""
        return tuple(
            outcome
            for outcome in (self.all_outcomes if transition is None else self._outcomes.get(transition, ()))
            if (target is None or outcome.transition.target == target)
            and (device is None or outcome.device == device)
            and (proposer is None or outcome.proposer == proposer)
            and (family is None or outcome.family == family)
            and (task_id is None or outcome.task_id == task_id)
        )

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the canonical JSON of everything in the graph."""
        from regrapht.graph.encoding import canonical_body

        return hashlib.sha256(canonical_body(self).encode()).hexdigest()

    def to_json(self) -> str:
        """The graph's one canonical text: the same graph always gives the same bytes, and needs no other file."""
        from regrapht.graph.encoding import graph_to_json

        return graph_to_json(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "TechniqueGraph":
        """The graph that `to_json` wrote.

        Raises:
            SchemaError: The text is damaged, of another version, too large, or holds parts that do not fit.
        """
        from regrapht.graph.encoding import graph_from_json

        return graph_from_json(text)

    @cached_property
    def _slugs_by_name(self) -> dict[str, str]:
        return technique_names(self.techniques)

    @cached_property
    def _neighbours(self) -> tuple[dict[str, tuple[Transition, ...]], dict[str, tuple[Transition, ...]]]:
        leaving: dict[str, list[Transition]] = {}
        entering: dict[str, list[Transition]] = {}
        for edge in self.edges:
            leaving.setdefault(edge.source, []).append(edge)
            entering.setdefault(edge.target, []).append(edge)
        return _as_tuples(leaving), _as_tuples(entering)

    @cached_property
    def _steps(self) -> Counter[Transition]:
        return Counter(edge for path in self.paths for edge in path.transitions)

    @cached_property
    def _outcomes(self) -> dict[Transition, tuple[Outcome, ...]]:
        by_transition: dict[Transition, list[Outcome]] = {}
        for outcome in self.all_outcomes:
            by_transition.setdefault(outcome.transition, []).append(outcome)
        return _as_tuples(by_transition)


def text_hash(source: str) -> str:
    """The name of a program in a graph: the SHA-256 of its text. (`source.program_hash` is another one, which ignores layout.)"""
    return hashlib.sha256(source.encode()).hexdigest()


def exemplar_order(exemplar: Exemplar) -> tuple[object, ...]:
    """Sort key of the exemplars of one transition: the largest speed-up first, then by contents alone."""
    return (
        -(exemplar.speedup or 0.0),
        exemplar.task_id,
        exemplar.source,
        exemplar.before,
        exemplar.after,
        exemplar.rationale,
        exemplar.detail,
        exemplar.family or "",
        exemplar.device or "",
        exemplar.before_status,
        exemplar.after_status,
        exemplar.licence,
        exemplar.provenance,
    )


def outcome_order(outcome: Outcome) -> tuple[str, ...]:
    """Sort key of outcomes, and their identity: there is one for each."""
    edge = outcome.transition
    applied = "?" if outcome.applied is None else " ".join(outcome.applied)
    place = (outcome.family or "", outcome.task_id or "", applied, outcome.provenance)
    return (edge.source, edge.target, outcome.device, outcome.proposer, *place)


def _ordered(items: Iterable[Item], key: Callable[[Item], tuple[object, ...]]) -> tuple[Item, ...]:
    """Sorted, each once; equal items have equal keys, so they come to lie side by side."""
    items = tuple(items)
    keys = [key(item) for item in items]
    if all(map(operator.lt, keys, keys[1:])):
        return items  # as a graph's file has them
    found = sorted(items, key=key)
    return tuple(item for place, item in enumerate(found) if not place or item != found[place - 1])


def _as_tuples(lists: Mapping[Key, list[Item]]) -> dict[Key, tuple[Item, ...]]:
    return {key: tuple(items) for key, items in lists.items()}


def _refuse_misfits(graph: TechniqueGraph) -> None:
    _refuse_unknown_techniques(graph)
    named: set[str] = set()
    for edge, exemplars in graph.edges.items():
        for exemplar in exemplars:
            if exemplar.transition is not edge and exemplar.transition != edge:
                raise SchemaError(f"an exemplar of {exemplar.transition} lies on {edge}")
            named.add(exemplar.before)
            named.add(exemplar.after)
    if named != graph.programs.keys():
        if absent := named - graph.programs.keys():
            raise SchemaError(f"an exemplar names program {min(absent):.12}, which the graph does not hold")
        raise SchemaError(f"no exemplar names program {min(graph.programs.keys() - named):.12}")
    for key, source in graph.programs.items():
        if text_hash(source) != key:
            raise SchemaError(f"program {key:.12} does not have the hash it is stored under: the text was changed")
    identities = [outcome_order(outcome) for outcome in graph.all_outcomes]
    if len(set(identities)) != len(identities):
        raise SchemaError("two outcomes of one transition, device, proposer, family, task, set and provenance")


def _refuse_unknown_techniques(graph: TechniqueGraph) -> None:
    for slug, technique in graph.techniques.items():
        if slug != technique.slug or slug == INIT:
            raise SchemaError(f"technique {technique.slug!r} cannot be stored as {slug!r}")
    for kind, edges in _edges_by_use(graph):
        for edge in edges:
            for slug in (edge.source, edge.target):
                if slug not in graph.techniques and not (slug == INIT and slug is edge.source):
                    raise SchemaError(f"{kind} {edge}: the graph has no technique {slug!r}")
    for outcome in graph.all_outcomes:
        if absent := sorted(set(outcome.applied or ()) - set(graph.techniques)):
            raise SchemaError(f"outcome of {outcome.transition}: the graph has no technique {absent[0]!r}")
    pairs = {(edge.source, edge.target) for edge in graph.edges}
    for path in graph.paths:
        if not pairs.issuperset(zip((INIT, *path.slugs), path.slugs, strict=False)):
            missing = next(edge for edge in path.transitions if edge not in graph.edges)
            raise SchemaError(f"a path of {path.task_id} takes {missing}, which is no transition of the graph")


def _edges_by_use(graph: TechniqueGraph) -> Iterable[tuple[str, Iterable[Transition]]]:
    yield "transition", graph.edges
    yield "outcome of", (outcome.transition for outcome in graph.all_outcomes)
