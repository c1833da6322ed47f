import pytest

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.outcomes import single_attempt
from regrapht.graph.stats import convergence, stats, technique_figures
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Transition


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


def test_support_success_and_gain(samples):
    builder = GraphBuilder(load_vocabulary().techniques.values())
    samples.add_trajectory(builder, "gemm", "dense_la", ("map_2d", "loop_unrolling"))
    samples.add_trajectory(builder, "blur", "image", ("map_2d",))
    edge = Transition("map_2d", "loop_unrolling")
    for gain in (1.0, 3.0):
        builder.add_outcome(
            single_attempt(edge, device="sm_90", proposer="hand", built=True, correct=True, gain_log2=gain)
        )
    builder.add_outcome(single_attempt(edge, device="sm_90", proposer="hand", built=True, correct=False))
    first = Transition(INIT, "map_2d")
    builder.add_outcome(single_attempt(first, device="sm_90", proposer="hand", built=True, correct=True, gain_log2=9.0))
    figures = {one.slug: one for one in technique_figures(builder.graph())}
    unrolled = figures["loop_unrolling"]
    assert (unrolled.support, unrolled.tasks, unrolled.as_first, unrolled.attempts) == (1, 1, 0, 4)
    assert unrolled.success == pytest.approx(0.75)
    assert (unrolled.measured, unrolled.gain) == (2, pytest.approx(4.0))
    mapped = figures["map_2d"]
    assert (mapped.support, mapped.as_first, mapped.measured, mapped.gain) == (2, 2, 0, None)
    assert figures["tensor_cores"].success is None
    assert technique_figures(builder.graph())[0].slug == "map_2d"
