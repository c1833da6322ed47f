import itertools
from dataclasses import replace

import pytest

from regrapht.errors import SchemaError
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.merge import merge
from regrapht.graph.outcomes import rates, single_attempt
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Transition

EDGE = Transition(INIT, "map_2d")


def part(samples, task_id, family, slugs, gains):
    builder = GraphBuilder(load_vocabulary().techniques.values())
    samples.add_trajectory(builder, task_id, family, slugs)
    for gain in gains:
        builder.add_outcome(
            single_attempt(EDGE, device="sm_90", proposer="p", built=True, correct=True, gain_log2=gain, family="f")
        )
    return builder.graph()


def test_the_order_of_graphs_does_not_matter(samples):
    parts = [
        part(samples, "a", "f", ("map_2d", "loop_unrolling"), [0.1, 0.7]),
        part(samples, "b", "f", ("map_2d", "shared_memory_tiling"), [1 / 3]),
        part(samples, "c", "g", ("map_to_threads",), [1e9, -1e-9, 2.5]),
        part(samples, "a", "f", ("map_2d", "loop_unrolling"), []),
    ]
    merged = [merge(order) for order in itertools.permutations(parts)]
    assert len({graph.content_hash for graph in merged}) == 1
    assert len(merged[0].exemplars(EDGE)) == 2, "the same exemplar from two graphs counts once"
    assert merged[0].outcomes(EDGE, device="sm_90")[0].gain_count == 6


def test_a_graph_merged_with_itself_is_itself(samples):
    graph = samples.graph()
    assert merge([graph, graph]) == graph
    assert merge([graph]) == graph
    assert merge([]).transitions == ()


def test_differing_definitions_need_a_decision(samples):
    graph = samples.graph()
    other = {slug: replace(t, title="Other") if slug == "map_2d" else t for slug, t in graph.techniques.items()}
    changed = replace(graph, techniques=other)
    assert merge([graph, changed]).techniques["map_2d"].title == load_vocabulary().techniques["map_2d"].title
    with pytest.raises(SchemaError, match="map_2d"):
        merge([graph, changed], definitions={})


def test_added_up_gains_are_those_of_the_samples():
    gains = [0.5, 1.5, -0.25, 3.0]
    outcomes = [
        single_attempt(EDGE, device="d", proposer="p", built=True, correct=True, gain_log2=gain) for gain in gains
    ]
    outcomes.append(single_attempt(EDGE, device="d", proposer="p", built=False, correct=False))
    builder = GraphBuilder(load_vocabulary().techniques.values())
    for outcome in outcomes:
        builder.add_outcome(outcome)
    (total,) = builder.graph().all_outcomes
    assert (total.attempts, total.built, total.correct, total.gain_count) == (5, 4, 4, 4)
    found = rates([total])
    mean = sum(gains) / 4
    assert found.gain_log2_mean == pytest.approx(mean)
    assert found.gain_log2_variance == pytest.approx(sum((gain - mean) ** 2 for gain in gains) / 3)
    assert found.correct_share == 0.8
    assert rates(outcomes) == found
    nothing = rates([])
    assert (nothing.correct_share, nothing.gain_log2_mean, nothing.gain_log2_variance) == (None, None, None)
