import pytest

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.outcomes import single_attempt
from regrapht.graph.technique_figures import technique_figures
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Transition


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
