import pytest

from regrapht.errors import ConfigError
from regrapht.graph.builder import GraphBuilder
from regrapht.graph.outcomes import single_attempt
from regrapht.graph.quarantine import comes_from, quarantined
from regrapht.graph.technique_graph import TechniquePath
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Transition


def build(origins):
    """A graph of one path and one outcome for each provenance."""
    builder = GraphBuilder(load_vocabulary().techniques.values())
    for number, origin in enumerate(origins):
        slugs = ("map_to_threads", "loop_unrolling")[: 1 + number % 2]
        task = origin.split("/")[-2]
        builder.add_path(TechniquePath(task_id=task, family="f", source="hand", slugs=slugs, provenance=origin))
        edge = Transition(INIT, "map_to_threads")
        builder.add_outcome(
            single_attempt(edge, device="d", proposer="p", built=True, correct=True, provenance=origin, task_id=task)
        )
    return builder.graph()


def test_what_lies_under_an_origin():
    assert comes_from("run/task/a", "run")
    assert comes_from("run/task/a", "run/task")
    assert comes_from("run/task/a", "run/task/a")
    assert not comes_from("run2/task/a", "run")
    assert not comes_from("task/a", "run")
    assert not comes_from("run/task/a", "task")


def test_a_graph_without_a_run_is_the_graph_that_never_saw_it():
    kept = ["gemm/good", "syrk/good"]
    graph = build([*kept, "bad/gemm/x", "bad/blur/y"])
    rest, removed = quarantined(graph, "bad")
    assert rest == build(kept)
    assert rest.content_hash == build(kept).content_hash != graph.content_hash
    assert removed.paths == ("bad/blur/y", "bad/gemm/x")
    assert removed.outcomes == 2


def test_exemplars_programs_and_edges_go_too(samples):
    builder = GraphBuilder(load_vocabulary().techniques.values())
    samples.add_trajectory(builder, "gemm", "dense_la", ("map_2d", "shared_memory_tiling"))
    edge = Transition(INIT, "map_to_threads")
    spoilt = samples.exemplar(edge, task_id="blur", family="image", step=0)
    spoilt = type(spoilt)(**{name: getattr(spoilt, name) for name in spoilt.__slots__} | {"provenance": "bad/blur/a"})
    builder.add_transition(edge, exemplar=spoilt, programs=(samples.program("blur", 0), samples.program("blur", 1)))
    rest, removed = quarantined(builder.graph(), "bad/blur")
    assert removed.exemplars == (f"bad/blur/a: {edge}",)
    assert removed.transitions == (edge,)
    assert removed.programs == 2
    assert not any("blur" in source for source in rest.programs.values())


def test_a_name_that_nothing_has_is_refused():
    with pytest.raises(ConfigError, match="nothing in this graph comes from 'typo'"):
        quarantined(build(["gemm/good"]), "typo")
