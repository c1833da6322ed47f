from collections import Counter

from regrapht.graph.ablation import shuffled_order
from regrapht.graph.technique_graph import TechniqueGraph


def test_frequencies_stay_and_the_order_goes(samples):
    graph = samples.graph()
    mixed = shuffled_order(graph, seed=3)

    def uses(one):
        return Counter(slug for path in one.paths for slug in path.slugs)

    def shown(one):
        return Counter(e.transition.target for found in one.edges.values() for e in found)

    assert uses(mixed) == uses(graph)
    assert shown(mixed) == shown(graph)
    assert sorted(len(path.slugs) for path in mixed.paths) == sorted(len(path.slugs) for path in graph.paths)
    assert mixed.programs == graph.programs
    assert mixed.transitions != graph.transitions
    assert TechniqueGraph.from_json(mixed.to_json()) == mixed


def test_a_seed_gives_one_order(samples):
    graph = samples.graph()
    assert shuffled_order(graph, seed=3) == shuffled_order(graph, seed=3)
    assert len({shuffled_order(graph, seed=seed).content_hash for seed in range(5)}) > 1
