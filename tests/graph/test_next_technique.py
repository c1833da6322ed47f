import numpy as np
import pytest

from regrapht.graph.next_technique import KINDS, Exponents, NextTechnique, combined
from regrapht.graph.query import Viewer, retrieve
from regrapht.graph.shipped import shipped_graph
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Transition

NOBODY = Viewer(family=None, hide_tasks=frozenset())


def test_every_estimate_is_a_distribution(samples):
    graph = samples.graph()
    model = NextTechnique(graph, Viewer(family="dense_la", hide_tasks=frozenset({"blur"})))
    for applied in ((), ("map_2d",), ("map_2d", "shared_memory_tiling"), ("unheard_of",)):
        estimates = model.estimates("int x;", "int y;", applied)
        assert tuple(estimates) == KINDS
        for name, shares in estimates.items():
            assert shares.sum() == pytest.approx(1.0), name
            assert (shares >= 0).all(), name
        assert sum(model.shares("int x;", "int y;", applied).values()) == pytest.approx(1.0)


def test_what_follows_is_learnt_and_what_was_applied_is_unlikely(samples):
    model = NextTechnique(samples.graph(), Viewer(family="dense_la", hide_tasks=frozenset()))
    first = list(model.shares("void f(float* y) {}", "void f(float* y) {}", ()))
    assert first[0] == "map_2d"
    second = list(model.shares(samples.program("syrk", 1), samples.program("syrk", 0), ("map_2d",)))
    assert second[0] == "shared_memory_tiling"
    assert second.index("map_2d") > 3


def test_a_hidden_task_and_family_teach_nothing(samples):
    graph = samples.graph()
    all_hidden = Viewer(family="dense_la", hide_tasks=frozenset({"blur"}), hide_family=True)
    estimates = NextTechnique(graph, all_hidden).estimates("int x;", "int y;", ())
    uniform = 1 / len(graph.techniques)
    assert all(np.allclose(shares, uniform) for shares in estimates.values())


def test_the_signs_in_a_program_need_no_graph(samples):
    all_hidden = Viewer(family="dense_la", hide_tasks=frozenset({"blur"}), hide_family=True)
    text = "__global__ void k(int n, const int* v, int* bins) { int i = threadIdx.x; atomicAdd(&bins[v[i]], 1); }"
    shares = NextTechnique(samples.graph(), all_hidden).shares(text, "int y;", ("map_to_threads",))
    assert next(iter(shares)) == "shared_memory_histogram"


def test_the_regression_learns_only_from_what_may_be_seen(samples):
    graph = samples.graph()
    here = (samples.program("syrk", 1), samples.program("syrk", 0), ("map_2d",))
    seen = NextTechnique(graph, NOBODY).estimates(*here, kinds=("regression",))["regression"]
    hidden = Viewer(family=None, hide_tasks=frozenset({"gemm", "syrk"}))
    unseen = NextTechnique(graph, hidden).estimates(*here, kinds=("regression",))["regression"]
    place = list(graph.techniques).index("shared_memory_tiling")
    assert seen[place] == seen.max() and unseen[place] < seen[place]


def test_a_graph_without_exemplars_still_answers(samples):
    from regrapht.graph.query import method_only

    shares = NextTechnique(method_only(samples.graph()), NOBODY).shares("int x;", "int y;", ("map_2d",))
    assert next(iter(shares)) in ("shared_memory_tiling", "shared_memory_halo")


def test_an_engines_paths_are_no_choices(samples):
    graph = samples.graph()
    mixed = TechniqueGraph(
        techniques=graph.techniques,
        edges=graph.edges,
        programs=graph.programs,
        paths=tuple(type(p)(**{n: getattr(p, n) for n in p.__slots__} | {"source": "transform"}) for p in graph.paths),
    )
    estimates = NextTechnique(mixed, NOBODY).estimates("int x;", "int y;", ())
    assert np.allclose(estimates["popularity"], 1 / len(graph.techniques))


def test_exponents_of_zero_leave_an_estimate_out():
    shares = {kind: np.array([0.7, 0.3]) for kind in KINDS}
    none = Exponents(**dict.fromkeys(KINDS, 0.0))
    assert combined(shares, none, np.array([False, False])) == pytest.approx([0.5, 0.5])
    assert combined(shares, none, np.array([True, False]))[0] < 0.5


def test_exemplars_are_chosen_by_the_program_at_hand():
    graph = shipped_graph()
    edge = max(graph.transitions, key=lambda one: len(graph.exemplars(one)))
    assert edge.source == INIT
    chosen = graph.exemplars(edge)[-1]
    found = retrieve(graph, edge, NOBODY, limit=2, program=graph.programs[chosen.before])
    assert found[0].task_id == chosen.task_id  # another trajectory of the task starts from the same program
    assert len({exemplar.task_id for exemplar in found}) == 2
    hidden = Viewer(family=chosen.family, hide_tasks=frozenset({chosen.task_id}), hide_family=True)
    others = retrieve(graph, edge, hidden, limit=50, program=graph.programs[chosen.before])
    assert others and all(exemplar.family != chosen.family for exemplar in others)
    assert retrieve(graph, Transition("map_2d", "map_2d"), NOBODY, program="int x;") == ()
