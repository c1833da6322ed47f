from regrapht.graph.shipped import shipped_graph
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT


def test_the_shipped_graph_is_sound_and_worth_searching():
    graph = shipped_graph()
    assert TechniqueGraph.from_json(graph.to_json()) == graph
    assert graph.techniques == load_vocabulary().techniques
    assert len(graph.paths) >= 12
    assert graph.successors(INIT)
    assert all(exemplar.after_status == "PASSED" for edge in graph.transitions for exemplar in graph.exemplars(edge))
