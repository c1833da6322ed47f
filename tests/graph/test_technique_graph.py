import random
from dataclasses import FrozenInstanceError, replace

import pytest

from regrapht.errors import SchemaError, UnknownName
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Transition

TILE_UNROLL = Transition("shared_memory_tiling", "loop_unrolling")
MAP = Transition(INIT, "map_2d")


def test_save_and_load_keep_everything(samples):
    graph = samples.graph()
    again = TechniqueGraph.from_json(graph.to_json())
    assert again == graph
    assert again.content_hash == graph.content_hash
    assert again.to_json() == graph.to_json()


def test_edges_that_introduced_a_technique_survive(samples):
    """The published code loses them on saving, so that its root has no successors after loading."""
    again = TechniqueGraph.from_json(samples.graph().to_json())
    assert again.successors(INIT) == (MAP,)
    assert again.predecessors("shared_memory_halo") == (Transition("map_2d", "shared_memory_halo"),)


def test_cycles_and_self_loops_are_edges(samples):
    graph = samples.graph()
    assert Transition("loop_unrolling", "shared_memory_tiling") in graph.transitions
    assert Transition("register_tiling", "register_tiling") in graph.successors("register_tiling")
    assert Transition("register_tiling", "register_tiling") in graph.predecessors("register_tiling")


def test_successors_and_transitions_are_sorted(samples):
    graph = samples.graph()
    assert list(graph.transitions) == sorted(graph.transitions)
    assert graph.successors("map_2d") == (
        Transition("map_2d", "shared_memory_halo"),
        Transition("map_2d", "shared_memory_tiling"),
    )
    assert graph.successors("tensor_cores") == ()


def test_exemplars_are_ordered_and_hidden_before_they_are_limited(samples):
    graph = samples.graph()
    assert [e.task_id for e in graph.exemplars(MAP)] == ["gemm", "syrk", "blur"]
    assert [e.task_id for e in graph.exemplars(MAP, limit=1)] == ["gemm"]
    assert [e.task_id for e in graph.exemplars(MAP, hide_tasks=frozenset({"gemm"}), limit=1)] == ["syrk"]
    assert [e.task_id for e in graph.exemplars(MAP, hide_family="dense_la", limit=1)] == ["blur"]
    assert graph.exemplars(Transition(INIT, "tensor_cores")) == ()
    first = graph.exemplars(MAP)[0]
    assert graph.programs[first.before] == samples.program("gemm", 0)


def test_outcomes_are_found_by_each_condition(samples):
    graph = samples.graph()
    assert graph.outcomes(MAP, family="dense_la")[0].attempts == 2
    assert {o.proposer for o in graph.outcomes(MAP)} == {"hand", "engine"}
    assert len(graph.outcomes(target="shared_memory_tiling")) == 2
    assert graph.outcomes(device="sm_90")[0].transition.target == "tensor_cores"
    assert Transition(INIT, "tensor_cores") not in graph.transitions
    assert graph.outcomes(proposer="nobody") == ()


def test_support_counts_verified_applications(samples):
    graph = samples.graph()
    assert graph.support(MAP) == 3
    assert graph.support(Transition(INIT, "tensor_cores")) == 0


def test_names_resolve(samples):
    graph = samples.graph()
    assert graph.resolve("Shared-memory tiling") == "shared_memory_tiling"
    with pytest.raises(UnknownName, match="loop_unrolling"):
        graph.resolve("loop_unroling!")


def test_a_graph_does_not_depend_on_the_order_it_was_built_in():
    """Every order of the same additions gives the same bytes, with gains whose floating-point sums do depend on order."""
    from regrapht.graph.outcomes import single_attempt

    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    slugs = list(load_vocabulary().techniques)[:6]
    paths = [
        TechniquePath(
            task_id=f"t{i}",
            family="f",
            source="hand",
            slugs=tuple(chance.choices(slugs, k=1 + i % 5)),
            provenance=f"t{i}/{i % 3}",
        )
        for i in range(20)
    ]
    attempts = [
        single_attempt(
            Transition(INIT, slugs[0]),
            device="d",
            proposer="p",
            built=True,
            correct=True,
            gain_log2=chance.uniform(-3, 9),
        )
        for _ in range(200)
    ]
    hashes = set()
    for _ in range(8):
        builder = GraphBuilder(
            chance.sample(list(load_vocabulary().techniques.values()), k=len(load_vocabulary().techniques))
        )
        for path in chance.sample(paths, k=len(paths)):
            builder.add_path(path)
        for attempt in chance.sample(attempts, k=len(attempts)):
            builder.add_outcome(attempt)
        hashes.add(builder.graph().content_hash)
    assert len(hashes) == 1


def test_a_graph_is_a_value(samples):
    graph = samples.graph()
    with pytest.raises(FrozenInstanceError):
        graph.paths = ()


def test_the_hash_follows_the_contents(samples):
    graph = samples.graph()
    seen = {graph.content_hash, replace(graph, paths=graph.paths[1:]).content_hash}
    seen.add(replace(graph, all_outcomes=graph.all_outcomes[1:]).content_hash)
    changed = dict(graph.techniques)
    changed["map_2d"] = replace(changed["map_2d"], title="Another title")
    seen.add(replace(graph, techniques=changed).content_hash)
    assert len(seen) == 4


@pytest.mark.parametrize("part", ["technique", "exemplar", "program", "orphan", "text", "path", "init"])
def test_parts_that_do_not_fit_are_refused(samples, part):
    graph = samples.graph()
    edge = graph.transitions[0]
    broken = {
        "technique": lambda: replace(graph, techniques={}),
        "exemplar": lambda: replace(graph, edges={**graph.edges, TILE_UNROLL: graph.edges[edge]}),
        "program": lambda: replace(graph, programs={}),
        "orphan": lambda: replace(graph, edges=dict.fromkeys(graph.edges, ())),
        "text": lambda: replace(graph, programs=dict.fromkeys(graph.programs, "changed")),
        "path": lambda: replace(graph, edges={}, programs={}),
        "init": lambda: replace(graph, edges={**graph.edges, Transition("map_2d", INIT): ()}),
    }
    with pytest.raises(SchemaError):
        broken[part]()


def test_a_path_needs_steps_and_sound_speedups():
    for wrong in ({"slugs": ()}, {"speedups": (1.0, 2.0)}, {"speedups": (float("nan"),)}, {"speedups": (0.0,)}):
        with pytest.raises(ValueError):
            TechniquePath(**{"task_id": "t", "family": None, "source": "hand", "slugs": ("map_2d",), **wrong})
