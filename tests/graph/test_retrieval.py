"""Retrieval by likeness of code from the shipped graph: its own tasks find themselves unless they are hidden."""

import pytest

from regrapht.graph.query import Viewer
from regrapht.graph.retrieval import similar_solutions, similar_steps
from regrapht.graph.shipped import shipped_graph
from regrapht.records.technique import INIT

GRAPH = shipped_graph()
FIRSTS = [e for edge in GRAPH.successors(INIT) for e in GRAPH.exemplars(edge)]


def viewer(*hidden: str, family: str | None = None) -> Viewer:
    return Viewer(family=family, hide_tasks=frozenset(hidden), hide_family=family is not None)


@pytest.mark.parametrize("first", FIRSTS[:8], ids=lambda e: e.task_id)
def test_a_tasks_own_sequential_code_finds_its_own_solution_unless_hidden(first):
    reference = GRAPH.programs[first.before]
    found = similar_solutions(GRAPH, reference, viewer(), limit=3)
    assert GRAPH.programs[found[0].before] == reference
    assert len({e.task_id for e in found}) == len(found), "one a task"
    hidden = similar_solutions(GRAPH, reference, viewer(first.task_id), limit=5)
    assert hidden and first.task_id not in {e.task_id for e in hidden}
    elsewhere = similar_solutions(GRAPH, reference, viewer(family=first.family), limit=5)
    assert first.family not in {e.family for e in elsewhere}


def test_a_solution_goes_from_the_sequential_code_to_the_end_of_a_trajectory():
    for found in similar_solutions(GRAPH, "int x;", viewer(), limit=100):
        assert found.transition.source == INIT and found.speedup is None
        assert found.before in {e.before for e in FIRSTS}
        later = {
            e.before for edge in GRAPH.transitions for e in GRAPH.exemplars(edge) if e.provenance == found.provenance
        }
        assert found.after not in later, "nothing of its trajectory goes on from its last program"


def test_steps_start_from_cuda_and_the_most_similar_comes_first():
    step = next(e for edge in GRAPH.transitions if edge.source != INIT for e in GRAPH.exemplars(edge))
    program = GRAPH.programs[step.before].replace("int ", "long ")
    found = similar_steps(GRAPH, program, viewer(), limit=4)
    assert found[0].before == step.before and len(found) == 4
    assert all(e.transition.source != INIT for e in found)


def test_nothing_to_show():
    everything = viewer(*{e.task_id for edge in GRAPH.transitions for e in GRAPH.exemplars(edge)})
    assert similar_solutions(GRAPH, "x", everything, limit=3) == similar_steps(GRAPH, "x", everything, limit=3) == ()
    assert similar_solutions(GRAPH, "", viewer(), limit=0) == ()
