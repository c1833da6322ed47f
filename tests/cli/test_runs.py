"""Stored runs are listed and shown; one killed in the middle goes on with the same events and the same best as one left alone."""

import html
import json
import random
import shlex
import signal
from dataclasses import replace

import pytest

from regrapht.records.run import RunState
from regrapht.store.runs import RunStore

OPTIONS = ("--evaluator", "emulated", "--budget", "5", "--seed", "3")


def events(cli, run):
    """What was asked and judged, without what differs between any two runs."""
    shown = json.loads(cli("runs", "show", run, "--json").stdout)
    steps = [
        (step["number"], step["technique"], step["verdict"]["status"], step["verdict"]["candidate_id"])
        for step in shown["steps"]
    ]
    return steps, shown["run"]["state"]


ENDS_ITSELF = """
import os
from regrapht.records.proposal import Judged
from regrapht.store.runs import RunStore
append, judged = RunStore.append, []

def appended(store, run, event):
    judged.extend([event] * isinstance(event, Judged))
    now = len(judged) == {judged} and isinstance(event, Judged)
    if now and not {kept}:
        os.kill(os.getpid(), {how})
    append(store, run, event)
    if now and {kept}:
        os.kill(os.getpid(), {how})

RunStore.append = appended
"""


def run_that_ends(cli, *arguments, judged, how, kept=True):
    """A run that gets a signal when it has judged so many candidates, the last of them kept or not: its id, its exit code, what it said."""
    (cli.folder / "sitecustomize.py").write_text(ENDS_ITSELF.format(judged=judged, how=int(how), kept=kept))
    done = cli("optimize", *arguments, PYTHONPATH=str(cli.folder))
    (row,) = json.loads(cli("runs", "list", "--json").stdout)
    return row["id"], done.returncode, done.stderr


@pytest.fixture(scope="module")
def left_alone(shared_cli, shared_saxpy):
    done = shared_cli("optimize", str(shared_saxpy), *OPTIONS, "--json", "--out", "alone")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    return events(shared_cli, result["run"])[0], result["techniques"]


def test_kill_nine_then_resume(cli, saxpy, left_alone):
    seed = random.randrange(10**6)
    print("seed", seed)
    chance = random.Random(seed)
    ending = {"judged": chance.randint(1, 4), "how": signal.SIGKILL, "kept": chance.random() < 0.5}
    run, code, _ = run_that_ends(cli, str(saxpy), *OPTIONS, "--out", "resumed", **ending)
    assert code == -signal.SIGKILL
    done = cli("runs", "resume", run, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    steps, state = events(cli, run)
    assert (steps, result["techniques"]) == left_alone
    assert result["folder"] == str(cli.folder / "resumed") and (cli.folder / "resumed" / "best.cu").exists()
    assert state == "finished" and len(json.loads(cli("runs", "list", "--json").stdout)) == 1


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["interrupted", "terminated"])
def test_what_is_told_to_end_leaves_a_run_that_goes_on(cli, saxpy, left_alone, how):
    run, code, said = run_that_ends(cli, str(saxpy), *OPTIONS, judged=1, how=how)
    assert code == 130 and "regrapht runs resume" in said
    assert events(cli, run)[1] == "interrupted"
    assert cli("runs", "resume", run, "--out", "resumed").returncode == 0
    assert events(cli, run)[0] == left_alone[0]


def test_the_command_in_a_report_makes_the_run_again(cli):
    folder = cli.folder / "two words"
    folder.mkdir()
    (folder / "two.cpp").write_text(
        "void one(int n, float* x) { for (int i = 0; i < n; ++i) x[i] += 1.0f; }\n"
        "void two(int n, float* x) { for (int i = 0; i < n; ++i) x[i] *= 2.0f; }\n"
    )
    options = ("--entry", "two", "--evaluator", "emulated", "--budget", "1", "--hide-family", "--arch", "sm_90")
    done = cli("optimize", str(folder / "two.cpp"), *options, "--out", "out")
    assert done.returncode == 0 and "regrapht runs resume" in done.stderr, done.stderr
    page = html.unescape((cli.folder / "out" / "report.html").read_text())
    command = next(line for line in page.splitlines() if "regrapht optimize" in line)
    words = shlex.split(command[command.index("regrapht optimize") :].partition("   #")[0])
    again = cli(*words[1:], "--json", "--out", "again")
    assert again.returncode == 0, again.stderr
    runs = json.loads(cli("runs", "list", "--json").stdout)
    assert [run["task"] for run in runs] == ["two", "two"]
    assert events(cli, runs[0]["id"])[0] == events(cli, runs[1]["id"])[0]
    assert "--hide-family" in words and words[words.index("--arch") + 1] == "sm_90"


def test_a_run_of_another_device_is_refused(cli, saxpy):
    """Its yardstick, and the times so far, are of that device."""
    assert cli("optimize", str(saxpy), "--evaluator", "emulated", "--budget", "1").returncode == 0
    with RunStore(cli.home) as store:
        (known,) = store.runs()
        settings = replace(known.settings, device="NVIDIA H200 (sm_90)")
        elsewhere = store.create(settings, known.yardstick)
        store.set_state(elsewhere.id, RunState.INTERRUPTED)
    done = cli("runs", "resume", elsewhere.id)
    assert done.returncode == 2 and "the device" in done.stderr, done.stderr


@pytest.mark.slow
def test_a_finished_or_changed_run_is_refused(cli, saxpy):
    result = json.loads(cli("optimize", str(saxpy), *OPTIONS, "--json", "--out", "out").stdout)
    done = cli("runs", "resume", result["run"])
    assert done.returncode == 2 and "finished" in done.stderr


def test_runs_list_and_show(cli, saxpy):
    done = cli("optimize", str(saxpy), "--evaluator", "emulated", "--budget", "2", "--json", "--out", "out")
    run = json.loads(done.stdout)["run"]
    assert run in cli("runs", "list").stdout
    shown = cli("runs", "show", run).stdout
    assert "map_to_threads" in shown or "initial" in shown
    assert json.loads(cli("runs", "show", run, "--json").stdout)["run"]["id"] == run
    exported = json.loads(cli("runs", "export", run, "--out", "again", "--json").stdout)
    assert (cli.folder / "again" / "best.cu").is_file() and exported["headline"] == json.loads(done.stdout)["headline"]
    refused = cli("runs", "export", run[:-1], "--out", "out")
    assert refused.returncode == 0, "its own folder is written anew"
