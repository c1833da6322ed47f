from types import SimpleNamespace

import pytest

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.outcomes import single_attempt
from regrapht.graph.technique_graph import TechniquePath, text_hash
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Exemplar, Transition

WORDS = ("shared_memory_tiling", "loop_unrolling", "shared_memory_tiling", "register_tiling", "register_tiling")


def program(task_id, step):
    return f'// {task_id}, step {step}: "größer" <&>\nvoid f(float* y) {{ y[0] = {step}; }}\n'


def exemplar(edge, *, task_id, family, step, speedup=None, source="hand"):
    return Exemplar(
        transition=edge,
        task_id=task_id,
        family=family,
        rationale="why",
        detail="what",
        before=text_hash(program(task_id, step)),
        after=text_hash(program(task_id, step + 1)),
        before_status="PASSED",
        after_status="PASSED",
        speedup=speedup,
        device=None if speedup is None else "NVIDIA H200 (sm_90)",
        source=source,
        licence="Apache-2.0",
    )


def add_trajectory(builder, task_id, family, slugs, *, speedups=None, source="hand", trajectory="a"):
    """A verified trajectory with all that belongs to it."""
    for step, (before, slug) in enumerate(zip((INIT, *slugs), slugs, strict=False)):
        edge = Transition(before, slug)
        gain = None if speedups is None else speedups[step]
        made = exemplar(edge, task_id=task_id, family=family, step=step, speedup=gain, source=source)
        builder.add_transition(edge, exemplar=made, programs=(program(task_id, step), program(task_id, step + 1)))
        builder.add_outcome(
            single_attempt(edge, device="emulated", proposer=source, built=True, correct=True, family=family)
        )
    path = TechniquePath(
        task_id=task_id,
        family=family,
        source=source,
        slugs=slugs,
        speedups=speedups,
        provenance=f"{task_id}/{trajectory}",
    )
    builder.add_path(path)


def sample_graph():
    """Two families, a cycle, a self-loop, an outcome that is no edge, measured and unmeasured steps."""
    builder = GraphBuilder(load_vocabulary().techniques.values())
    add_trajectory(builder, "gemm", "dense_la", ("map_2d", *WORDS), speedups=(90.0, 2.5, None, 0.875, 1.0 / 3.0, 1.1))
    add_trajectory(builder, "syrk", "dense_la", ("map_2d", "shared_memory_tiling"), speedups=(80.0, 4.0))
    add_trajectory(builder, "blur", "image", ("map_2d", "shared_memory_halo", "loop_unrolling"), source="engine")
    builder.add_outcome(
        single_attempt(Transition(INIT, "tensor_cores"), device="sm_90", proposer="hand", built=False, correct=False)
    )
    return builder.graph()


@pytest.fixture
def samples():
    return SimpleNamespace(graph=sample_graph, add_trajectory=add_trajectory, exemplar=exemplar, program=program)
