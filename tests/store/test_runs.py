"""Runs and events: what goes in comes out, in order, once, and only from the process that holds the run."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from regrapht.errors import ConfigError, SchemaError, StoreUnavailable, UnknownName
from regrapht.records.proposal import Judged, Proposal
from regrapht.records.run import Abandoned, RunState
from regrapht.store.event_encoding import StoredProposal
from regrapht.store.reader import StoreReader
from regrapht.store.runs import RunJournal, RunStore


def write_story(store, made, numbers=range(1, 8)):
    run = store.create(made.settings(), made.YARDSTICK)
    events = [event for number in numbers for event in made.story(number)]
    for place, event in enumerate(events, start=1):
        assert store.append(run.id, event) == place
    return run, tuple(events)


def test_what_is_written_is_read(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, events = write_story(store, made)
        assert store.events(run.id) == events
        store.set_state(run.id, RunState.FINISHED)
    with RunStore(tmp_path) as again:
        assert again.events(run.id) == events
        assert again.run(run.id).settings == made.settings()
        assert again.run(run.id).yardstick == made.YARDSTICK
        assert [(found.id, found.state) for found in again.runs()] == [(run.id, RunState.FINISHED)]


def test_a_dialogue_is_rebuilt_from_references(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, _ = write_story(store, made, range(1, 4))
        event = made.asked(4, 3, 1, 2)
        store.append(run.id, event)
        assert store.events(run.id)[-1] == event


def test_texts_and_verdicts_are_stored_once(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, _ = write_story(store, made, [1])
        size = len(b"".join(path.read_bytes() for path in (tmp_path / "blobs").glob("*/*")))
        for number in range(2, 5):
            store.append(run.id, made.asked(number, 1))
        rows = store._database.read("SELECT length(body) FROM events WHERE kind = 'asked'")
        assert max(length for (length,) in rows) < 1500
        assert size == len(b"".join(path.read_bytes() for path in (tmp_path / "blobs").glob("*/*")))


def test_a_stored_proposal_has_every_field_of_a_proposal():
    assert [f.name for f in fields(StoredProposal)] == [f.name for f in fields(Proposal)]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda made: made.asked(3), "second time"),
        (lambda made: made.judged(2), "second time"),
        (lambda made: Abandoned(proposal_id=2, reason="late"), "second time"),
        (lambda made: made.judged(9), "never asked"),
        (lambda made: made.asked(9, 7), "does not hold"),
    ],
)
def test_events_that_do_not_follow_are_refused(tmp_path, made, build, words):
    with RunStore(tmp_path) as store:
        run, events = write_story(store, made, range(1, 4))
        with pytest.raises(ValueError, match=words):
            store.append(run.id, build(made))
        assert store.events(run.id) == events


def test_two_runs_do_not_mix(tmp_path, made):
    with RunStore(tmp_path) as store:
        first, events = write_story(store, made)
        second, _ = write_story(store, made, [1])
        assert first.id != second.id
        assert store.events(first.id) == events
        assert len(store.events(second.id)) == 2


def test_unknown_run(tmp_path, made):
    with RunStore(tmp_path) as store:
        for use in (store.run, store.events, store.resume):
            with pytest.raises(UnknownName, match="runs list"):
                use("nothing")


def test_a_living_process_keeps_its_run(tmp_path, made):
    writer = Path(made.__file__)
    with subprocess.Popen([sys.executable, writer, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        run_id = process.stdout.readline().strip()
        assert process.stdout.readline()
        with RunStore(tmp_path) as store:
            with pytest.raises(ConfigError, match=f"process {process.pid}"):
                store.resume(run_id)
            with pytest.raises(ConfigError, match="not held"):
                store.append(run_id, made.asked(10_000))
            process.kill()
            process.wait()
            assert store.resume(run_id).state is RunState.RUNNING
            number = len(store.events(run_id)) // 2 + 100
            store.append(run_id, made.asked(number))
            with RunStore(tmp_path) as late, pytest.raises(ConfigError):
                late.resume(run_id)


def test_a_run_whose_process_was_ended_is_interrupted_at_once(tmp_path, made):
    """By any signal, and before the process is collected; everywhere that runs are looked at."""
    writer = Path(made.__file__)
    with subprocess.Popen([sys.executable, writer, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        run_id = process.stdout.readline().strip()
        assert process.stdout.readline()
        with RunStore(tmp_path) as store:
            reader = StoreReader(tmp_path)
            finished = store.create(made.settings(), made.YARDSTICK).id
            store.set_state(finished, RunState.FINISHED)

            def seen():
                lists = [{run.id: run.state for run in runs} for runs in (store.runs(), reader.runs())]
                lists += [{one: of.run(one).state for one in (run_id, finished)} for of in (store, reader)]
                assert all(one == lists[0] for one in lists), lists
                assert lists[0][finished] is RunState.FINISHED
                return lists[0][run_id]

            assert seen() is RunState.RUNNING
            process.kill()
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            assert seen() is RunState.INTERRUPTED
            process.wait()
            assert seen() is RunState.INTERRUPTED
            store.resume(run_id)
            assert seen() is RunState.RUNNING
            reader.close()


def test_the_loser_of_a_lease_writes_no_more(tmp_path, made):
    """As after a machine that slept: the old holder comes back and finds the run taken over."""
    with RunStore(tmp_path) as old, RunStore(tmp_path) as new:
        run, _ = write_story(old, made, [1])
        gone = old._lease.replace(f'"pid":{_pid(old)}', '"pid":4194999').replace('"started":"', '"started":"9')
        with old._database.transaction() as connection:
            connection.execute("UPDATE runs SET lease = ?", (gone,))
        new.resume(run.id)
        with pytest.raises(ConfigError):
            old.append(run.id, made.asked(2, 1))
        with pytest.raises(ConfigError):
            old.set_state(run.id, RunState.FINISHED)
        assert new.append(run.id, made.asked(2, 1)) == 3


def test_an_interrupted_run_is_given_back(tmp_path, made):
    with RunStore(tmp_path) as first, RunStore(tmp_path) as second:
        run, events = write_story(first, made, [1])
        first.set_state(run.id, RunState.INTERRUPTED)
        assert second.resume(run.id).state is RunState.RUNNING
        assert second.events(run.id) == events
        second.set_state(run.id, RunState.FINISHED)
        with pytest.raises(ConfigError, match="finished"):
            first.resume(run.id)


def test_what_a_result_rests_on_is_kept_until_the_run_goes_on(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, events = write_story(store, made, [1, 2])
        finals = tuple(event.verdict for event in events if isinstance(event, Judged))
        assert finals and store.finals(run.id) == ()
        store.set_state(run.id, RunState.INTERRUPTED, reason="interrupted", finals=finals)
        assert store.finals(run.id) == finals and store.ending(run.id) == "interrupted"
        store.resume(run.id)
        assert store.finals(run.id) == () and store.ending(run.id) is None


def test_a_result_that_was_changed_is_not_believed(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, events = write_story(store, made, [1])
        verdicts = [event.verdict for event in events if isinstance(event, Judged)]
        store.set_state(run.id, RunState.FINISHED, finals=verdicts)
        with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
            connection.execute("UPDATE finals SET body = replace(body, 'verdict', 'word')||' '")
        with pytest.raises(SchemaError, match="result of run"):
            store.finals(run.id)


def test_a_newer_store_is_left_alone(tmp_path, made):
    RunStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        connection.execute("PRAGMA user_version=99")
    with pytest.raises(SchemaError, match="upgrade"):
        RunStore(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable, match="REGRAPHT_HOME") as caught:
        RunStore(tmp_path / "file" / "store")
    assert str(tmp_path / "file") in str(caught.value)


def test_a_full_disk_stops_cleanly_and_work_goes_on_after_it(tmp_path, made):
    """SQLite's own limit on pages answers as a full disk does."""
    with RunStore(tmp_path) as store:
        run, events = write_story(store, made)
        pages = store._database.read("PRAGMA page_count")[0][0]
        store._database.read(f"PRAGMA max_page_count={pages}")
        written, number = list(events), 8
        with pytest.raises(StoreUnavailable, match="full"):
            while True:
                for event in made.story(number):
                    store.append(run.id, event)
                    written.append(event)
                number += 1
        assert store.events(run.id) == tuple(written)
        store._database.read("PRAGMA max_page_count=1000000")
        missing = made.story(number)[0] if len(written) % 2 == 0 else made.story(number)[1]
        store.append(run.id, missing)
        assert store.events(run.id) == (*written, missing)


def _pid(store):
    import json

    return json.loads(store._lease)["pid"]


def test_a_journal_writes_to_its_run(tmp_path, made):
    with RunStore(tmp_path) as store:
        run, other = (store.create(made.settings(), made.YARDSTICK) for _ in range(2))
        journal = RunJournal(store, run.id)
        assert [journal.append(event) for event in made.story(1)] == list(range(1, len(made.story(1)) + 1))
        assert list(store.events(run.id)) == list(made.story(1)) and store.events(other.id) == ()
        with pytest.raises(ValueError, match="for the second time"):
            journal.append(made.story(1)[0])
