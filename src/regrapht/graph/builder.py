"""Putting a graph together, one verified application at a time."""

from collections.abc import Iterable

from regrapht.graph.outcomes import add_outcomes
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath, text_hash
from regrapht.records.technique import Exemplar, Outcome, Technique, Transition


class GraphBuilder:
    """Collects transitions, exemplars, paths and outcomes; `graph()` gives the value.

    `add_transition` is the one way in for an edge, whether its techniques are met for the first time or not. The order of calls does not
    matter to the result.
    """

    def __init__(self, techniques: Iterable[Technique] = ()) -> None:
        self._techniques = {technique.slug: technique for technique in techniques}
        self._edges: dict[Transition, list[Exemplar]] = {}
        self._programs: dict[str, str] = {}
        self._outcomes: list[Outcome] = []
        self._paths: list[TechniquePath] = []

    def add_transition(
        self, transition: Transition, *, exemplar: Exemplar | None = None, programs: Iterable[str] = ()
    ) -> None:
        """Make the transition an edge, with an exemplar of it if there is one.

        `programs` are the source texts that the exemplar names by hash, in any order.
        """
        exemplars = self._edges.setdefault(transition, [])
        if exemplar is not None:
            exemplars.append(exemplar)
            self._programs.update((text_hash(source), source) for source in programs)

    def add_path(self, path: TechniquePath) -> None:
        """Record a verified trajectory's techniques; every step of it becomes an edge."""
        for transition in path.transitions:
            self.add_transition(transition)
        self._paths.append(path)

    def add_outcome(self, outcome: Outcome) -> None:
        """Count attempts of a transition. It need not be an edge: what always failed is known too."""
        self._outcomes.append(outcome)

    def graph(self) -> TechniqueGraph:
        """The graph of everything added so far.

        Raises:
            SchemaError: The parts do not fit, such as an edge to an unknown technique or an exemplar without its programs.
        """
        return TechniqueGraph(
            techniques=dict(self._techniques),
            edges={transition: tuple(exemplars) for transition, exemplars in self._edges.items()},
            programs=dict(self._programs),
            all_outcomes=add_outcomes(self._outcomes),
            paths=tuple(self._paths),
        )
