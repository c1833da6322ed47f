"""Several graphs as one. The order of the graphs does not matter, and a graph given twice counts once."""

from collections.abc import Iterable, Mapping

from regrapht.errors import SchemaError
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import Technique


def merge(graphs: Iterable[TechniqueGraph], *, definitions: Mapping[str, Technique] | None = None) -> TechniqueGraph:
    """The union of the graphs' techniques, transitions, exemplars and paths, with their outcomes added up.

    Exemplars and paths that are equal count once. Outcomes do not say which attempts they stand for, so graphs that counted the same
    attempts must not be merged, except for one and the same graph.

    Args:
        definitions: What a technique means where graphs differ in it; the vocabulary of this version by default.

    Raises:
        SchemaError: Two graphs define a technique differently and `definitions` does not have it.
    """
    distinct = {graph.content_hash: graph for graph in graphs}
    settled = load_vocabulary().techniques if definitions is None else definitions
    techniques: dict[str, Technique] = {}
    for graph in distinct.values():
        for slug, technique in graph.techniques.items():
            if techniques.setdefault(slug, technique) != technique:
                if slug not in settled:
                    raise SchemaError(
                        f"technique {slug!r} means different things in the graphs: build them with one vocabulary"
                    )
                techniques[slug] = settled[slug]
    builder = GraphBuilder(techniques.values())
    for graph in distinct.values():
        _add(graph, builder)
    return builder.graph()


def _add(graph: TechniqueGraph, builder: GraphBuilder) -> None:
    for transition, exemplars in graph.edges.items():
        builder.add_transition(transition)
        for exemplar in exemplars:
            programs = (graph.programs[exemplar.before], graph.programs[exemplar.after])
            builder.add_transition(transition, exemplar=exemplar, programs=programs)
    for path in graph.paths:
        builder.add_path(path)
    for outcome in graph.all_outcomes:
        builder.add_outcome(outcome)
