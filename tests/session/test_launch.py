"""From options to a run with everything open, and from a stored run back to one."""

import json
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.assemble import OpenedTask, open_task
from regrapht.errors import ConfigError, UnknownName
from regrapht.evaluate.cases.sizes import array_bytes
from regrapht.records.encoding import to_json
from regrapht.records.run import Budget, RunOptions, RunState
from regrapht.session.finish import finish
from regrapht.session.launch import _untimed, launch, require_tuning, resume
from regrapht.store.runs import RunStore, _checksum

OPTIONS = RunOptions(budget=Budget(candidates=6), seed=3)


def run_to_end(launched, *, stop_after=None):
    """The result; with `stop_after` the run is interrupted when it has judged so many."""
    stop, seen = threading.Event(), []

    def observe(event):
        seen.append(event)
        if stop_after is not None and len(seen) >= 2 * stop_after:
            stop.set()

    return finish(launched, out=None, observer=observe, stop=stop)


def kept(launched):
    return launched.store.events(launched.run.id)


def stored_as_version_1(home: Path, run_id: str) -> None:
    """Write the run as version 1 had it, so that it looks as if an earlier regrapht had been interrupted."""
    with sqlite3.connect(home / "runs.sqlite3") as connection:
        (body,) = connection.execute("SELECT body FROM runs WHERE id = ?", (run_id,)).fetchone()
        plain = json.loads(body)
        settings, options = plain["settings"], plain["settings"]["options"]
        fields = ("search", "proposer", "evaluator", "model", "level", "budget", "seed", "workers")
        names = (
            "entry",
            "graph",
            "out",
            "architecture",
            "hide_family",
            "hide_reference",
            "context_tokens",
            "max_tokens",
        )
        plain["schema_version"] = 1
        plain["settings"] = {
            **{name: settings[name] for name in ("task_hash", "graph_hash", "prompts_hash", "protocol")},
            **{name: options[name] for name in fields},
            "task_id": settings["task"]["id"],
            "options": {
                **{name: options[name] for name in (*names, "tune", "given_file")},
                **{name: settings[name] for name in ("path", "device", "not_admitted")},
                "task": json.dumps(settings["task"]),
                "given": None,
            },
        }
        old = json.dumps(plain)
        connection.execute("UPDATE runs SET body = ?, checksum = ? WHERE id = ?", (old, _checksum(run_id, old), run_id))


def test_a_run_keeps_what_it_was_asked_with_nothing_left_open(judge, tmp_path):
    asked = replace(OPTIONS, out=Path("out"), graph=Path("graph.json"))
    run = launch(Path("task"), asked).run
    assert run.settings.options == replace(
        asked, evaluator="synthetic", out=tmp_path / "out", graph=tmp_path / "graph.json"
    )
    assert (run.settings.path, run.settings.device) == (tmp_path / "task", "synthetic")
    with RunStore(tmp_path / "home") as store:
        assert store.run(run.id) == run


def test_nothing_is_recorded_when_a_name_is_wrong(judge, tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'mcgs'"):
        launch(Path("task"), replace(OPTIONS, search="mcg"))
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("version", [1, 2])
def test_an_interrupted_run_goes_on(judge, tmp_path, version):
    alone = launch(Path("task"), OPTIONS)
    run_to_end(alone)
    begun = launch(Path("task"), OPTIONS)
    assert run_to_end(begun, stop_after=2).interrupted
    if version == 1:
        stored_as_version_1(tmp_path / "home", begun.run.id)
    again = resume(begun.run.id)
    assert again.run.settings == begun.run.settings and again.preamble[0].startswith(f"resuming {begun.run.id} after ")
    assert run_to_end(again).passed
    assert [to_json(event) for event in kept(again)] == [to_json(event) for event in kept(alone)]
    assert again.store.run(begun.run.id).state is RunState.FINISHED


def test_a_run_that_fits_no_more_is_refused(judge):
    begun = launch(Path("task"), OPTIONS)
    run_to_end(begun, stop_after=1)
    judge.protocol = "2"
    with pytest.raises(ConfigError, match="the judge's protocol changed"):
        resume(begun.run.id)


def test_tuning_needs_an_end_of_the_search():
    require_tuning(Budget(candidates=1, seconds=5))
    with pytest.raises(ConfigError, match="--budget candidates=20,seconds=5"):
        require_tuning(Budget(seconds=5))


@pytest.mark.parametrize("element", ["double", "Particle"])
def test_shapes_that_were_guessed_for_timing_are_small_where_no_time_is_taken(tmp_path, element):
    """Comparing millions of numbers in a wider type took most of the judge's time on a machine without a GPU."""
    text = f"struct Particle {{ double x, y, z, u, v, w, mass; }};\nvoid f({element}* a, int n) {{ for (int i = 0; i < n; ++i) "
    text += "{ a[i] += 1; } }\n" if element == "double" else "{ a[i].x += a[i].u; } }\n"
    (tmp_path / "f.cpp").write_text(text)
    guessed = open_task(tmp_path / "f.cpp")
    found = _untimed(guessed, SimpleNamespace(name="emulated"))
    (row,) = found.task.bench_sizes
    assert array_bytes(found.task, row) <= 2**23 and row["n"] >= 2**16
    assert f"No time is taken here: the largest shape that is tried is n={row['n']}." in found.guesses
    assert not any("Timed at" in text for text in found.guesses)
    assert _untimed(guessed, SimpleNamespace(name="local_gpu")) is guessed
    written = OpenedTask(task=guessed.task)
    assert _untimed(written, SimpleNamespace(name="emulated")) is written, "its sizes were asked for"
