"""The corpus in the repository and the graph that ships: one is built from the other, to the last bit."""

from pathlib import Path

from regrapht.construct.build import build_graph
from regrapht.graph.shipped import shipped_graph

CORPUS = Path(__file__).parents[2] / "trajectories" / "written"


def test_the_corpus_builds_the_shipped_graph():
    graph, report = build_graph(CORPUS)
    assert graph.content_hash == shipped_graph().content_hash
    assert report.labels["unknown"] == 0
    assert report.refused == {}
