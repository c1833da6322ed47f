"""Switches of `build_graph`, quarantine, tasks to keep apart, several corpora; and verifying anew."""

import shutil

import pytest

from regrapht.construct.build import BuildSettings, build_graph
from regrapht.construct.contamination import refuse_contamination
from regrapht.construct.corpus import read_corpus
from regrapht.construct.quarantine_list import QUARANTINE_FILE, add_to_quarantine, read_quarantine
from regrapht.construct.relabel import own_slug
from regrapht.construct.verify import verify_corpus, verify_sample
from regrapht.errors import SchemaError, TaskError, UserFixable
from regrapht.graph.quarantine import quarantined
from regrapht.records.verdict import Level


@pytest.fixture
def verified(corpus, writing):
    verify_corpus(corpus, writing.judge(), level=Level.FULL)
    return corpus


def test_outcomes_say_task_set_and_origin(verified):
    graph, _ = build_graph(verified)
    (outcome,) = [o for o in graph.all_outcomes if o.transition.target == "vectorised_access"]
    assert outcome.task_id == "scale_a"
    assert outcome.applied == ("loop_unrolling", "map_to_threads")
    assert outcome.provenance == "scale_a/fast"
    assert graph.outcomes(task_id="scale_b")


def test_without_relabelling_every_name_is_a_technique(verified):
    graph, report = build_graph(verified, settings=BuildSettings(relabel=False))
    assert report.labels["own"] == 3 and report.labels["unknown"] == 0
    assert {path.trajectory: path.slugs for path in graph.paths}["fast"] == (
        "map_to_threads",
        own_slug("Loop Unrolling"),
        "vectorised_access",
    )
    assert "sprinkle_magic" in graph.techniques


def test_an_unverified_graph_takes_every_step_and_counts_none(corpus):
    graph, report = build_graph(corpus, settings=BuildSettings(verified=False))
    assert report.verified == 0
    assert {len(path.slugs) for path in graph.paths} == {2, 3}
    assert graph.all_outcomes == ()
    statuses = {e.after_status for found in graph.edges.values() for e in found}
    assert statuses == {"UNVERIFIED"}


def test_method_only_and_shuffled(verified):
    whole, _ = build_graph(verified)
    bare, _ = build_graph(verified, settings=BuildSettings(exemplars=False))
    assert bare.programs == {} and bare.paths == whole.paths
    mixed, _ = build_graph(verified, settings=BuildSettings(shuffle_seed=2))
    assert mixed.programs == whole.programs
    assert mixed.content_hash == build_graph(verified, settings=BuildSettings(shuffle_seed=2))[0].content_hash


def test_a_quarantined_trajectory_does_not_come_back(verified):
    whole, _ = build_graph(verified)
    add_to_quarantine(verified, "scale_a/slow", reason="wrote past\nits end")
    add_to_quarantine(verified, "scale_a/slow", reason="again")
    assert read_quarantine(verified) == ("scale_a/slow",)
    assert "# wrote past its end" in (verified / QUARANTINE_FILE).read_text()
    rest, report = build_graph(verified)
    assert report.quarantined == ("scale_a/slow",)
    assert rest.content_hash == quarantined(whole, "scale_a/slow")[0].content_hash != whole.content_hash


def test_a_damaged_quarantine_list_is_refused(verified):
    (verified / QUARANTINE_FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(SchemaError, match="UTF-8"):
        build_graph(verified)


def test_several_corpora_make_one_graph_in_any_order(verified, tmp_path):
    whole, _ = build_graph(verified)
    one, two = tmp_path / "one", tmp_path / "two"
    shutil.copytree(verified / "dense_la", one / "dense_la")
    shutil.copytree(verified / "image", two / "image")
    assert build_graph(one, two)[0] == build_graph(two, one)[0] == whole
    with pytest.raises(UserFixable, match="are both scale_"):
        build_graph(verified, two)


def test_tasks_to_keep_apart_are_refused_by_id_likeness_and_program(verified, tmp_path):
    items = read_corpus(verified)
    apart = tmp_path / "apart"
    with pytest.raises(UserFixable, match=r"holds no task\.toml"):
        refuse_contamination(items, verified / "dense_la" / "scale_a" / "fast")
    shutil.copytree(verified / "image" / "scale_b", apart / "x")
    with pytest.raises(UserFixable, match="nearly is"):
        refuse_contamination(items, apart)
    other = """void other(int n, const float* x, float* y) {
    float best = -1.0f; int at = 0;
    while (at < n) { if (x[at] > best || at % 3 == 1) { best = x[at] * x[at]; } at += 2; }
    *y = best > 0.5f ? best : -best; }"""
    (apart / "x" / "reference.cpp").write_text(other)
    toml = (apart / "x" / "task.toml").read_text().replace('"scale_b"', '"other"').replace('"scale"', '"other"')
    (apart / "x" / "task.toml").write_text(toml)
    with pytest.raises((UserFixable, TaskError), match="this is the program"):
        refuse_contamination(items, apart)
    shutil.rmtree(apart / "x" / "own_words")
    refuse_contamination(items, apart)


def test_a_sample_is_judged_anew_and_nothing_is_written(verified, writing):
    before = {file: file.read_bytes() for file in verified.rglob("verdicts.json")}
    judge = writing.judge()
    report = verify_sample(verified, judge, level=Level.FULL, count=5, seed=3)
    assert (judge.judged, report.judged, report.on_file) == (5, 5, 0)
    again = verify_sample(verified, judge, level=Level.FULL, count=5, seed=3)
    assert again.by_status == report.by_status
    assert verify_sample(verified, judge, level=Level.FULL, count=500, seed=3).judged == 9
    assert before == {file: file.read_bytes() for file in verified.rglob("verdicts.json")}


def test_trajectories_are_judged_side_by_side(corpus, writing):
    seen = []
    report = verify_corpus(corpus, writing.judge(), level=Level.FULL, jobs=3, on_step=seen.append)
    assert (report.judged, len(seen)) == (9, 9)
    assert build_graph(corpus)[1].verified == 7
