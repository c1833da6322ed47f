"""A store that is looked at while a run goes on: outlines, whole candidates, and nothing changed by looking."""

import pytest

from regrapht.errors import ConfigError, UnknownName
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Asked
from regrapht.store.reader import StoreReader
from regrapht.store.runs import RunStore
from tests.view.conftest import filled, judged_events, settings


def test_what_is_read_is_what_was_written(tmp_path):
    run = filled(tmp_path / "home", 7)
    files = sorted(path.name for path in (tmp_path / "home").rglob("*") if not path.name.endswith(("-shm", "-wal")))
    reader = StoreReader(tmp_path / "home")
    (listed,) = reader.runs()
    assert (listed.id, listed.state.value, listed.search, listed.events, listed.model) == (
        run,
        "running",
        "mcgs",
        14,
        None,
    )
    steps = reader.steps(run)
    assert [step.sequence for step in steps] == [2, 4, 6, 8, 10, 12, 14] and steps[2].status == "RACE"
    whole = [event for event in judged_events(7) if isinstance(event, Judged)]
    for step, judged in zip(steps, whole, strict=True):
        assert (step.candidate, step.program, step.parent) == (
            judged.candidate.id,
            judged.candidate.program_hash,
            judged.candidate.parent,
        )
        assert step.modelled_cost == (judged.verdict.evidence.modelled_cost if judged.verdict.evidence else None)
        assert reader.judged(run, step.sequence) == judged
    assert [step.sequence for step in reader.steps(run, after=10)] == [12, 14]
    assert reader.run(run).settings == settings() and reader.ending(run) is None
    assert (
        sorted(path.name for path in (tmp_path / "home").rglob("*") if not path.name.endswith(("-shm", "-wal")))
        == files
    )
    with pytest.raises(UnknownName, match="not a judged candidate"):
        reader.judged(run, 1)
    with pytest.raises(UnknownName, match="there is no run"):
        reader.run("none")
    reader.close()


def test_a_run_is_followed_while_it_is_written(tmp_path):
    with RunStore(tmp_path) as store:
        run = store.create(settings(), None)
        reader = StoreReader(tmp_path)
        assert reader.event_count(run.id) == 0 and reader.steps(run.id) == []
        events = list(judged_events(2))
        for event in events[:2]:
            store.append(run.id, event)
        assert reader.event_count(run.id) == 2 and len(reader.steps(run.id)) == 1
        for event in events[2:]:
            store.append(run.id, event)
        assert len(reader.steps(run.id, after=2)) == 1
        store.set_state(run.id, run.state.FINISHED, reason="finished")
        assert reader.ending(run.id) == "finished" and reader.runs()[0].state.value == "finished"


def test_times_are_those_of_the_verdict(tmp_path):
    from dataclasses import replace

    from regrapht.records.measurement import ShapeTiming, TimingSamples

    events = list(judged_events(1))
    timing = tuple(
        ShapeTiming(
            sizes={"n": n}, candidate=TimingSamples(samples_us=(n * 1.0, n * 2.0, n * 9.0)), baselines={}, ratios=()
        )
        for n in (2, 8)
    )
    timed = replace(events[1], verdict=replace(events[1].verdict, timing=timing, no_timing=None))
    with RunStore(tmp_path) as store:
        run = store.create(settings(), None)
        store.append(run.id, events[0])
        store.append(run.id, timed)
        assert (
            StoreReader(tmp_path).steps(run.id)[0].time_us == pytest.approx(timed.verdict.time_us) == pytest.approx(8.0)
        )


def test_prompts_are_kept_as_texts_beside_replies(tmp_path):
    origin = Origin(
        proposer="language_model", seconds=0.0, prompt="=== user ===\nwrite", completion="no", prompt_hash="1"
    )
    candidate = Candidate(source="int a;", program_hash="2", origin=origin)
    judged = next(event for event in judged_events(1) if isinstance(event, Judged))
    from dataclasses import replace

    with RunStore(tmp_path) as store:
        run = store.create(settings(), None)
        store.append(run.id, Asked(proposal=Proposal(id=1, kind=ProposalKind.INITIAL)))
        store.append(run.id, replace(judged, candidate=candidate))
        assert store.events(run.id)[1].candidate.origin.prompt == "=== user ===\nwrite"
        assert b"=== user" not in (tmp_path / "runs.sqlite3").read_bytes(), "once, as a blob"


def test_a_folder_without_a_store_is_said(tmp_path):
    with pytest.raises(ConfigError, match="there are no runs in"):
        StoreReader(tmp_path)
    assert list(tmp_path.iterdir()) == []
