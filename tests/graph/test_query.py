from regrapht.graph.query import Viewer, method_only, near_duplicates, retrieve, without
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Transition

MAP = Transition(INIT, "map_2d")


def test_the_viewers_family_comes_first_and_hidden_tasks_never(samples):
    graph = samples.graph()
    image = Viewer(family="image", hide_tasks=frozenset())
    assert [e.task_id for e in retrieve(graph, MAP, image, limit=3)] == ["blur", "gemm", "syrk"]
    dense = Viewer(family="dense_la", hide_tasks=frozenset({"gemm"}))
    assert [e.task_id for e in retrieve(graph, MAP, dense)] == ["syrk", "blur"]
    alone = Viewer(family="dense_la", hide_tasks=frozenset(), hide_family=True)
    assert [e.task_id for e in retrieve(graph, MAP, alone)] == ["blur"]


def test_every_task_is_shown_once_before_any_is_shown_twice(samples):
    graph = samples.graph()
    edge = Transition("shared_memory_tiling", "loop_unrolling")
    assert [e.task_id for e in retrieve(graph, edge, Viewer(family=None, hide_tasks=frozenset()))] == ["gemm"]


def test_a_renamed_copy_of_a_task_is_a_near_duplicate(samples):
    graph = samples.graph()
    renamed = "/* mine */ void scale(float *out) { out[0] = 7; }"
    assert near_duplicates(graph, renamed) == {"gemm", "syrk", "blur"}
    other = "int main(int argc, char** argv) { for (int i = 1; i < argc; ++i) { if (argv[i][0] == '-') return i; } return 0; }"
    assert near_duplicates(graph, other) == frozenset()


def test_a_graph_without_a_family_never_learnt_from_it(samples):
    graph = without(samples.graph(), family="dense_la")
    assert {path.task_id for path in graph.paths} == {"blur"}
    assert Transition("map_2d", "shared_memory_tiling") not in graph.transitions
    assert graph.outcomes(family="dense_la") == ()
    assert all("gemm" not in source and "syrk" not in source for source in graph.programs.values())
    assert TechniqueGraph.from_json(graph.to_json()) == graph


def test_a_graph_without_a_task_keeps_what_others_showed(samples):
    graph = without(samples.graph(), tasks=frozenset({"gemm"}))
    assert graph.support(MAP) == 2
    assert Transition("register_tiling", "register_tiling") not in graph.transitions
    assert not any("gemm" in source for source in graph.programs.values())


def test_method_only_keeps_edges_and_paths(samples):
    graph = samples.graph()
    bare = method_only(graph)
    assert bare.transitions == graph.transitions
    assert bare.paths == graph.paths
    assert bare.programs == {}
    assert bare.support(MAP) == 3
    assert bare.exemplars(MAP) == ()
