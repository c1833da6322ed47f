"""Killed in the middle, a run goes on: the same events and the same best as a run that was left alone."""

import json
import os
import random
import signal
import time

import pytest

OPTIONS = ("--evaluator", "emulated", "--budget", "6", "--seed", "3")


def events(cli, run):
    """What was asked and judged, without what differs between any two runs."""
    shown = json.loads(cli("runs", "show", run, "--json").stdout)
    steps = [
        (step["number"], step["technique"], step["verdict"]["status"], step["verdict"]["candidate_id"])
        for step in shown["steps"]
    ]
    return steps, shown["run"]["state"]


def started_run(cli, process, judged):
    """Wait until the run has judged so many candidates; its id."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        rows = json.loads(cli("runs", "list", "--json").stdout or "[]")
        if rows and rows[-1]["judged"] >= judged:
            return rows[-1]["id"]
        time.sleep(0.05)
    raise AssertionError(f"the run ended or hung: {process.poll()}")


@pytest.fixture
def left_alone(tmp_path, saxpy, cli):
    other = type(cli)(folder=cli.folder, home=tmp_path / "other")
    done = other("optimize", str(saxpy), *OPTIONS, "--json", "--out", "alone")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    return events(other, result["run"])[0], result["techniques"]


def test_kill_nine_then_resume(cli, saxpy, left_alone):
    seed = random.SystemRandom().randrange(10**6)
    print("seed", seed)
    process = cli.start("optimize", str(saxpy), *OPTIONS)
    run = started_run(cli, process, random.Random(seed).randint(1, 4))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.communicate()
    done = cli("runs", "resume", run, "--json", "--out", "resumed")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    steps, state = events(cli, run)
    assert (steps, result["techniques"]) == left_alone
    assert state == "finished" and len(json.loads(cli("runs", "list", "--json").stdout)) == 1


def test_ctrl_c_leaves_a_run_that_goes_on(cli, saxpy, left_alone):
    process = cli.start("optimize", str(saxpy), *OPTIONS)
    run = started_run(cli, process, 1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    if process.returncode != 0:  # it may have finished just before the signal
        assert process.returncode == 130 and "regrapht runs resume" in said
        assert events(cli, run)[1] == "interrupted"
        assert cli("runs", "resume", run, "--out", "resumed").returncode == 0
    assert events(cli, run)[0] == left_alone[0]


@pytest.mark.slow
def test_a_finished_or_changed_run_is_refused(cli, saxpy):
    result = json.loads(cli("optimize", str(saxpy), *OPTIONS, "--json", "--out", "out").stdout)
    done = cli("runs", "resume", result["run"])
    assert done.returncode == 2 and "finished" in done.stderr
