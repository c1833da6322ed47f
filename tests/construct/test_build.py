import shutil
from pathlib import Path

import pytest

from regrapht.construct.build import build_graph
from regrapht.construct.verify import verify_corpus
from regrapht.errors import UserFixable
from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.technique import INIT, Transition
from regrapht.records.verdict import Level

MAP = Transition(INIT, "map_to_threads")
STEP = Path("dense_la") / "scale_a" / "fast" / "02_step.cu"


@pytest.fixture
def verified(corpus, writing):
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    return corpus


def test_verified_steps_become_the_graph(verified):
    graph, report = build_graph(verified)
    assert TechniqueGraph.from_json(graph.to_json()) == graph
    assert graph.support(MAP) == 3
    paths = {path.trajectory: path.slugs for path in graph.paths}
    assert paths == {
        "fast": ("map_to_threads", "loop_unrolling", "vectorised_access"),
        "slow": ("map_to_threads",),
        "own_words": ("map_to_threads", "grid_stride_loop"),
    }
    assert (report.tasks, report.trajectories, report.steps, report.verified) == (2, 3, 9, 7)
    assert report.labels == {"exact": 6, "alias": 2, "model": 0, "own": 0, "unknown": 1}
    assert report.unknown_labels == {"sprinkle magic": 1}
    assert report.refused == {"WRONG_VALUE": 1}
    assert report.after_refused == 1


def test_a_failure_ends_the_trajectory_and_is_an_outcome(verified):
    graph, _ = build_graph(verified)
    failed = Transition("map_to_threads", "shared_memory_tiling")
    assert failed not in graph.transitions
    (outcome,) = graph.outcomes(failed)
    assert (outcome.attempts, outcome.built, outcome.correct) == (1, 1, 0)
    assert (outcome.device, outcome.proposer, outcome.family) == ("emulated", "hand", "dense_la")
    assert not graph.outcomes(Transition("shared_memory_tiling", "loop_unrolling"))


def test_an_unknown_label_loses_that_label_only(verified):
    graph, _ = build_graph(verified)
    edge = Transition("map_to_threads", "grid_stride_loop")
    (exemplar,) = graph.exemplars(edge)
    folder = verified / "image" / "scale_b" / "own_words"
    assert graph.programs[exemplar.before] == (folder / "02_step.cu").read_text()
    assert graph.programs[exemplar.after] == (folder / "03_step.cu").read_text()


def test_first_exemplars_start_from_the_sequential_program(verified):
    graph, _ = build_graph(verified)
    befores = {exemplar.task_id: graph.programs[exemplar.before] for exemplar in graph.exemplars(MAP)}
    assert befores["scale_b"] == (verified / "image" / "scale_b" / "reference.cpp").read_text()


def test_building_again_elsewhere_gives_the_same_hash(verified, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(verified, elsewhere)
    assert build_graph(elsewhere)[0].content_hash == build_graph(verified)[0].content_hash


def test_a_corpus_without_verdicts_is_refused_with_the_command(corpus):
    with pytest.raises(UserFixable, match=r"01_step.cu: .*holds no verdict.*`regrapht graph verify"):
        build_graph(corpus)


def test_a_changed_step_is_refused(verified):
    (verified / STEP).write_text((verified / STEP).read_text() + "// faster\n")
    with pytest.raises(UserFixable, match=r"02_step.cu: the program or its task changed"):
        build_graph(verified)


def test_a_changed_task_is_refused(verified):
    reference = verified / "image" / "scale_b" / "reference.cpp"
    reference.write_text(reference.read_text().replace("2.0f", "2.5f"))
    with pytest.raises(UserFixable, match=r"own_words/01_step.cu: the program or its task changed"):
        build_graph(verified)


def test_what_cannot_be_judged_is_not_verified_and_no_failure(corpus, writing):
    (corpus / STEP).write_text("// unsupported 2.0f\n")
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    graph, report = build_graph(corpus)
    assert report.refused == {"UNSUPPORTED": 1, "WRONG_VALUE": 1}
    assert not graph.outcomes(Transition("map_to_threads", "loop_unrolling"))


def test_measured_times_become_speedups_and_gains(corpus, writing):
    times = {0: 800.0, 1: 100.0, 2: 50.0, 3: 200.0}
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    verify_corpus(corpus, writing.judge("local_gpu", times), level=Level.FULL)
    graph, _ = build_graph(corpus)
    fast = next(path for path in graph.paths if path.trajectory == "fast")
    assert fast.speedups == pytest.approx((8.0, 2.0, 0.25))
    assert graph.exemplars(Transition("map_to_threads", "loop_unrolling"))[0].device == "NVIDIA H200 (sm_90)"
    (measured,) = graph.outcomes(Transition("loop_unrolling", "vectorised_access"), device="sm_90")
    assert (measured.attempts, measured.gain_count, measured.gain_mean) == (1, 1, -2.0)
    (modelled,) = graph.outcomes(Transition("loop_unrolling", "vectorised_access"), device="emulated")
    assert (modelled.attempts, modelled.gain_count) == (1, 0)


def test_times_of_different_tools_are_not_compared(corpus, writing):
    times = {0: 800.0, 1: 100.0, 2: 50.0, 3: 200.0}
    judge = writing.judge("local_gpu", times)
    verify_corpus(corpus, judge, level=Level.FULL)
    (corpus / STEP).write_text((corpus / STEP).read_text().replace("scale_a fast 2", "by hand 2"))
    judge.tools = {"nvcc": "14.0"}
    verify_corpus(corpus, judge, level=Level.FULL)
    graph, _ = build_graph(corpus)
    fast = next(path for path in graph.paths if path.trajectory == "fast")
    assert fast.speedups == (8.0, None, None)
