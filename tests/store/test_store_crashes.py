"""kill -9 at random moments, damaged bytes, leftovers of writers that died."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from regrapht.errors import ConfigError, SchemaError, StoreUnavailable, UnknownName
from regrapht.store.blobs import BlobStore, write_atomically
from regrapht.store.runs import RunStore


def campaign(folder, made, rounds, seed):
    """Kill a writer and let the next one go on, `rounds` times, on one run; returns how many events were acknowledged."""
    chance = random.Random(seed)
    writer = [sys.executable, made.__file__, str(folder)]
    run_id, acknowledged, kept = None, 0, 0
    for _ in range(rounds):
        with subprocess.Popen([*writer, *([run_id] if run_id else [])], stdout=subprocess.PIPE) as process:
            first = process.stdout.readline().decode().strip()
            # So many at least, however busy the machine is; then at any moment of the next few.
            lines = [process.stdout.readline() for _ in range(chance.randrange(5))]
            time.sleep(chance.random() * 0.02)
            process.kill()
            lines += process.stdout.read().splitlines(keepends=True)
            lines = [line for line in lines if line.endswith(b"\n")]
        assert first, "the writer did not start"
        run_id = first
        # A writer killed before its first acknowledgement may still have committed one event more than it found.
        acknowledged = int(lines[-1]) if lines else kept
        with RunStore(folder) as store:
            events = store.events(run_id)
        kept = len(events)
        assert acknowledged <= kept <= acknowledged + 1, f"seed {seed}"
    expected = [event for number in range(1, len(events) // 2 + 2) for event in made.story(number)]
    assert list(events) == expected[: len(events)], f"seed {seed}"
    return acknowledged


def test_killed_writers_lose_nothing_that_was_acknowledged(tmp_path, made):
    seed = random.randrange(2**32)
    print("seed", seed)
    assert campaign(tmp_path, made, 20, seed) > 10


@pytest.mark.slow
def test_killed_writers_lose_nothing_over_many_rounds(tmp_path, made):
    seed = random.randrange(2**32)
    print("seed", seed)
    assert campaign(tmp_path, made, 200, seed) > 100


def closed_store(folder, made):
    with RunStore(folder) as store:
        run = store.create(made.settings(), made.YARDSTICK)
        for number in range(1, 10):
            for event in made.story(number):
                store.append(run.id, event)
        return run, store.events(run.id)


def test_flipped_bytes_are_never_taken_for_events(tmp_path, made):
    """Every flip gives the events that were written, or an error that says what to do: never other events, never another error."""
    run, events = closed_store(tmp_path, made)
    path = tmp_path / "runs.sqlite3"
    intact = path.read_bytes()
    seed = random.randrange(2**32)
    print("seed", seed)
    chance, refused = random.Random(seed), 0
    for _ in range(150):
        place = chance.randrange(len(intact))
        path.write_bytes(intact[:place] + bytes([intact[place] ^ (1 << chance.randrange(8))]) + intact[place + 1 :])
        for leftover in tmp_path.glob("runs.sqlite3-*"):
            leftover.unlink()
        try:
            with RunStore(tmp_path) as store:
                assert store.events(run.id) == events, f"seed {seed}, byte {place}"
        except SchemaError as error:
            refused += 1
            assert "damaged" in str(error) or "upgrade" in str(error)
        except UnknownName:
            refused += 1  # the flip hit the run's id
        except Exception as error:
            raise AssertionError(f"seed {seed}, byte {place}") from error
    assert refused > 10


def test_an_event_changed_through_sqlite_is_noticed(tmp_path, made):
    run, _ = closed_store(tmp_path, made)
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        connection.execute("UPDATE events SET body = replace(body, 'PASSED', 'CRASHED') WHERE sequence = 4")
    with RunStore(tmp_path) as store, pytest.raises(SchemaError, match="event 4"):
        store.events(run.id)


def test_a_lost_event_is_noticed(tmp_path, made):
    run, _ = closed_store(tmp_path, made)
    with sqlite3.connect(tmp_path / "runs.sqlite3") as connection:
        connection.execute("DELETE FROM events WHERE sequence = 4")
    with RunStore(tmp_path) as store, pytest.raises(SchemaError, match="missing"):
        store.events(run.id)


def test_a_truncated_database_is_refused(tmp_path, made):
    closed_store(tmp_path, made)
    path = tmp_path / "runs.sqlite3"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(SchemaError, match="recover"):
        RunStore(tmp_path)


def test_something_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "runs.sqlite3").write_text("not a database, but a text of some length " * 50)
    with pytest.raises(SchemaError, match="damaged"):
        RunStore(tmp_path)


def test_a_changed_or_missing_blob_is_noticed(tmp_path, made):
    run, _ = closed_store(tmp_path, made)
    blob = sorted((tmp_path / "blobs").glob("*/*"))[0]
    text = blob.read_text()
    blob.write_text(text + " ")
    with RunStore(tmp_path) as store, pytest.raises(SchemaError, match="hash"):
        store.events(run.id)
    blob.unlink()
    with RunStore(tmp_path) as store, pytest.raises(SchemaError, match="missing"):
        store.events(run.id)


def test_a_damaged_blob_is_mended_by_storing_it_again(tmp_path):
    blobs = BlobStore(tmp_path)
    key = blobs.put("source")
    next(tmp_path.glob("*/*")).write_text("sourcf")
    assert blobs.put("source") == key
    assert blobs.get(key) == "source"


def test_leftovers_of_dead_writers_are_cleaned_and_those_of_living_ones_kept(tmp_path):
    folder = tmp_path / "ab"
    folder.mkdir()
    dead, young, living = (
        folder / ".4194999-00000000.part",
        folder / ".4194998-00000000.part",
        folder / f".{os.getpid()}-00000000.part",
    )
    for path in (dead, young, living):
        path.write_text("half")
    for path in (dead, living):
        os.utime(path, (1, 1))
    BlobStore(tmp_path)
    assert (dead.exists(), young.exists(), living.exists()) == (False, True, True)


@pytest.mark.parametrize("key", ["../../etc/passwd", "", "A" * 64, "a" * 63, "a" * 64 + "/..", "\0" * 64])
def test_a_key_is_never_a_path(tmp_path, key):
    with pytest.raises(SchemaError, match="not a name of a blob"):
        BlobStore(tmp_path).get(key)


def test_a_failed_write_keeps_the_old_contents(tmp_path):
    path = tmp_path / "graph.json"
    write_atomically(path, b"old")
    with pytest.raises(StoreUnavailable, match=r"cannot write .*graph\.json/below-a-file: Not a directory"):
        write_atomically(tmp_path / "graph.json" / "below-a-file", b"new")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):  # nor a device, which an administrator could replace
        with pytest.raises(ConfigError, match="not a regular file"):
            write_atomically(tmp_path / name, b"only a regular file is replaced")
    assert path.read_bytes() == b"old" and (tmp_path / "pipe").is_fifo()
    assert sorted(found.name for found in Path(tmp_path).iterdir()) == ["folder", "graph.json", "pipe"]
