"""Controls: `mcgs` with one thing taken away, so that what this thing is worth can be measured at the same budget.

| name             | what is taken away                                                                  |
|------------------|-------------------------------------------------------------------------------------|
| `shuffled-graph` | the graph's meaning: techniques trade places, everything else about it stays        |
| `method-only`    | exemplars: a technique is named and explained, and never shown                      |
| `no-prior`       | the prior: every technique that may apply is equally likely                         |
| `no-repair`      | recoveries: a failure is never asked anew nor repaired                              |
| `no-graph`       | the graph but for its names: any technique may follow any, no prior, no exemplars   |
| `no-hardware`    | the prompt's hardware block; without a language model this is `mcgs` (CUDA-LLM)     |

What a run learns of a technique (`correction`) stays in all of them. Where the prior is taken away, a model's choice is too.
"""

import random
from collections.abc import Mapping
from dataclasses import replace

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Transition
from regrapht.search.context import SearchContext
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings

UNIFORM = 1.0


class ShuffledGraph(GraphSearch):
    """The same graph, wrong: its own seed's permutation of the techniques. If it does as well as `mcgs`, the graph is worth nothing."""

    name = "shuffled-graph"

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(replace(context, graph=shuffled(context.graph, context.seed)), settings)


class MethodOnly(GraphSearch):
    """Transitions without their exemplars."""

    name = "method-only"

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context, replace(settings or GraphSearchSettings(), exemplars=0))


class NoPrior(GraphSearch):
    """Every technique that may apply is equally likely."""

    name = "no-prior"

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(replace(context, choice_weight=0.0), _without_prior(settings or GraphSearchSettings()))


class NoRepair(GraphSearch):
    """A failed visit is over."""

    name = "no-repair"

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        super().__init__(context, replace(settings or GraphSearchSettings(), recoveries=0))


class NoGraph(GraphSearch):
    """Techniques by name and meaning alone."""

    name = "no-graph"

    def __init__(self, context: SearchContext, settings: GraphSearchSettings | None = None) -> None:
        named = replace(settings or GraphSearchSettings(), exemplars=0)
        super().__init__(replace(context, choice_weight=0.0), _without_prior(named))


class NoHardware(GraphSearch):
    """`mcgs` under the name by which a language model's prompts are written without the hardware block."""

    name = "no-hardware"


def shuffled(graph: TechniqueGraph, seed: int) -> TechniqueGraph:
    """The graph with its techniques permuted in edges, exemplars, outcomes and paths; their meanings stay with their names."""
    slugs = sorted(graph.techniques)
    others = slugs.copy()
    random.Random(f"shuffled graph:{seed}").shuffle(others)
    place = {INIT: INIT, **dict(zip(slugs, others, strict=True))}
    builder = GraphBuilder(graph.techniques.values())
    for transition, exemplars in graph.edges.items():
        moved = _moved(transition, place)
        builder.add_transition(moved)
        for exemplar in exemplars:
            programs = (graph.programs[exemplar.before], graph.programs[exemplar.after])
            builder.add_transition(moved, exemplar=replace(exemplar, transition=moved), programs=programs)
    for path in graph.paths:
        builder.add_path(replace(path, slugs=tuple(place[slug] for slug in path.slugs)))
    for outcome in graph.all_outcomes:
        applied = None if outcome.applied is None else tuple(sorted(place[slug] for slug in outcome.applied))
        builder.add_outcome(replace(outcome, transition=_moved(outcome.transition, place), applied=applied))
    return builder.graph()


def _moved(transition: Transition, place: Mapping[str, str]) -> Transition:
    return Transition(place[transition.source], place[transition.target])


def _without_prior(settings: GraphSearchSettings) -> GraphSearchSettings:
    return replace(settings, prior=replace(settings.prior, uniform_share=UNIFORM))
