"""`--tune` and `regrapht tune`: a budget of its own, the report, resuming, and a person's own file."""

import json
import os
import signal
import time
from dataclasses import replace

import pytest

from regrapht.testing.model_server import ModelServer

PROGRAM = """#define BLOCK 32  // tune: BLOCK = 64 | 256 | 2048

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) {
    saxpy_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, a, x, y);
}
"""
TUNING = ("--evaluator", "emulated", "--budget", "2", "--seed", "1", "--tune", "--tune-budget", "3")


def steps(cli, run):
    shown = json.loads(cli("runs", "show", run, "--json").stdout)
    return [(step["technique"], step["setting"], step["verdict"]["candidate_id"]) for step in shown["steps"]]


@pytest.mark.slow
def test_tuning_follows_the_search_on_a_budget_of_its_own(cli, saxpy):
    done = cli("optimize", str(saxpy), *TUNING, "--json", "--out", "out")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["passed"] and "Tuning judged " in result["headline"]
    judged = steps(cli, result["run"])
    tuned = [step for step in judged if step[0] == "tune"]
    assert 1 <= len(tuned) <= 3 and len(judged) - len(tuned) <= 2 and result["judged"] == len(judged)
    assert judged[-len(tuned) :] == tuned and all(setting for _, setting, _ in tuned)
    report = (cli.folder / "out" / "report.html").read_text()
    assert "<h2>Tuning</h2>" in report and "settings judged" in report and "--tune --tune-budget 3" in report


@pytest.mark.slow
def test_a_models_own_tune_lines(cli, saxpy):
    with ModelServer([f"```cuda\n{PROGRAM}```"]) as server:
        model = ("--proposer", "language_model", "--model", f"openai:m@{server.url}", "--search", "direct")
        done = cli("optimize", str(saxpy), *TUNING, *model, "--json", "--out", "out")
    assert done.returncode == 0, done.stderr
    settings = [setting for _, setting, _ in steps(cli, json.loads(done.stdout)["run"])]
    assert settings[0] is None and {"BLOCK": "64"} in settings and {"BLOCK": "2048"} not in settings


@pytest.mark.slow
def test_a_killed_run_goes_on_with_its_tuning(cli, saxpy, tmp_path):
    other = replace(cli, home=tmp_path / "other")
    alone = json.loads(other("optimize", str(saxpy), *TUNING, "--json", "--out", "alone").stdout)
    process = cli.start("optimize", str(saxpy), *TUNING)
    deadline = time.monotonic() + 120
    rows: list = []
    while time.monotonic() < deadline and process.poll() is None and not (rows and rows[-1]["judged"] >= 3):
        rows = json.loads(cli("runs", "list", "--json").stdout or "[]")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    (row,) = json.loads(cli("runs", "list", "--json").stdout)
    if row["state"] != "finished":
        done = cli("runs", "resume", row["id"], "--out", "resumed")
        assert done.returncode == 0, done.stderr
    assert steps(cli, row["id"]) == steps(other, alone["run"])


def test_a_persons_own_file(cli, saxpy):
    (cli.folder / "mine.cu").write_text(PROGRAM)
    done = cli("tune", str(saxpy), "mine.cu", "--evaluator", "emulated", "--budget", "5", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert "BLOCK = 64" in done.stderr and "BLOCK = 2048" not in done.stderr
    assert "Tuning judged 2 settings" in done.stdout
    best = (cli.folder / "out" / "best.cu").read_text()
    assert best.splitlines()[1:] == PROGRAM.splitlines()[1:] and best.startswith("#define BLOCK ")
    report = (cli.folder / "out" / "report.html").read_text()
    assert "1 left out: cannot be launched well" in report and "regrapht tune " in report


@pytest.mark.slow
def test_decisions_can_be_tuned(cli, saxpy):
    (cli.folder / "d.json").write_text(cli("transform", str(saxpy), "--apply", "coarsen", "--json").stdout)
    done = cli("tune", str(saxpy), "d.json", "--evaluator", "emulated", "--budget", "2", "--out", "out", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["techniques"] == ["map_to_threads", "thread_coarsening"]
    assert (cli.folder / "out" / "decisions.json").is_file()


def test_a_file_that_is_refused_is_not_tuned(cli, saxpy):
    (cli.folder / "wrong.cu").write_text(PROGRAM.replace("a * x[i]", "a + x[i]"))
    done = cli("tune", str(saxpy), "wrong.cu", "--evaluator", "emulated", "--out", "out")
    assert done.returncode == 1 and "WRONG_VALUE" in done.stderr and "no candidate passed in 1 judged" in done.stdout


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (PROGRAM.replace("// tune", "// was"), "has no '// tune:' line"),
        (PROGRAM.replace("tune: BLOCK", "tune: SIZE"), "line 1: SIZE is not defined as a plain number"),
        (PROGRAM.replace("64 |", "sixty |"), "'sixty' is not a number"),
    ],
)
def test_lines_that_are_wrong_are_said_before_anything_runs(cli, saxpy, source, said):
    (cli.folder / "mine.cu").write_text(source)
    done = cli("tune", str(saxpy), "mine.cu", "--evaluator", "emulated")
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr
    assert json.loads(cli("runs", "list", "--json").stdout) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tune-budget", "3"), "--tune-budget goes with --tune"),
        (("--tune", "--budget", "seconds=60"), "--budget candidates=20,seconds=60"),
        (("--tune", "--tune-budget", "0"), "--tune-budget"),
    ],
)
def test_options_that_make_no_sense(cli, saxpy, options, said):
    done = cli("optimize", str(saxpy), "--evaluator", "emulated", *options)
    assert done.returncode == 2 and said in done.stderr


def test_a_missing_optuna_is_said_before_any_work(cli, saxpy):
    (cli.folder / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name == 'optuna' else find(name, package)\n"
    )
    done = cli("optimize", str(saxpy), *TUNING, PYTHONPATH=str(cli.folder))
    assert done.returncode == 2 and "pip install 'regrapht[tune]'" in done.stderr
    assert json.loads(cli("runs", "list", "--json").stdout) == []
