"""Controls: graphs that lack one kind of knowledge and keep the others."""

import random
from dataclasses import replace

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.technique import INIT, Transition


def shuffled_order(graph: TechniqueGraph, *, seed: int) -> TechniqueGraph:
    """The graph with the order of techniques drawn anew, and with it every edge.

    How often each technique occurs, the lengths of paths, and what each exemplar shows and each outcome counts of its own technique stay.
    What goes is the knowledge of what follows what: the steps of all paths are dealt out again, and exemplars and outcomes keep their
    technique but follow another one. Outcomes lose their applied set.
    """
    chance = random.Random(seed)
    builder = GraphBuilder(graph.techniques.values())
    slugs = [slug for path in graph.paths for slug in path.slugs]
    chance.shuffle(slugs)
    place = 0
    for path in graph.paths:
        taken = tuple(slugs[place : place + len(path.slugs)])
        place += len(taken)
        builder.add_path(
            TechniquePath(
                task_id=path.task_id, family=path.family, source=path.source, slugs=taken, provenance=path.provenance
            )
        )
    before = [INIT, *slugs] if slugs else [INIT]
    for edge, exemplars in graph.edges.items():
        for exemplar in exemplars:
            moved = replace(exemplar, transition=Transition(chance.choice(before), edge.target))
            programs = (graph.programs[moved.before], graph.programs[moved.after])
            builder.add_transition(moved.transition, exemplar=moved, programs=programs)
    for outcome in graph.all_outcomes:
        moved_to = Transition(chance.choice(before), outcome.transition.target)
        builder.add_outcome(replace(outcome, transition=moved_to, applied=None))
    return builder.graph()
