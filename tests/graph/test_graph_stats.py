from regrapht.graph.builder import GraphBuilder
from regrapht.graph.stats import convergence, stats


def test_figures_are_those_of_the_graph(samples):
    graph = samples.graph()
    found = stats(graph)
    assert found.content_hash == graph.content_hash
    assert (found.trajectories, found.steps, found.longest_trajectory) == (3, 11, 6)
    assert found.techniques_used == 5
    assert found.transitions == len(graph.transitions) == 8
    assert found.exemplars == 11
    assert found.trajectories_by_family == {"dense_la": 2, "image": 1}
    assert found.trajectories_by_source == {"hand": 2, "engine": 1}
    assert next(iter(found.uses_by_technique)) in ("map_2d", "shared_memory_tiling")
    assert (found.attempts, found.correct) == (12, 11)


def test_convergence_ends_at_the_whole_and_never_falls(samples):
    graph = samples.graph()
    points = convergence(graph.paths, seeds=(1, 2, 3), points=10)
    assert [point.trajectories for point in points] == [1, 2, 3]
    assert points[-1].techniques == 5
    assert points[-1].transitions == 8
    assert points[0].techniques < points[-1].techniques
    assert points == convergence(graph.paths, seeds=(1, 2, 3), points=10)


def test_an_empty_graph_has_figures_too():
    found = stats(GraphBuilder().graph())
    assert (found.trajectories, found.longest_trajectory, found.convergence) == (0, 0, ())
