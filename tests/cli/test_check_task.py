"""`regrapht check TASK` without a file examines the task; `optimize` says what speaks against it, and goes on."""

import json

import pytest

TASK = """schema = 1
id = "mean_softmax"
title = "The mean of a softmax"
entry = "mean_softmax"
[reference]
file = "mean.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
[sizes]
check = [ { n = 7 }, { n = 1003 } ]
[tolerance]
reduction_length = "n"
"""
REFERENCE = """#include <math.h>
float mean_softmax(int n, const float* x) {
    float total = 0.0f, mean = 0.0f;
    for (int i = 0; i < n; i++) total += expf(x[i]);
    for (int i = 0; i < n; i++) mean += expf(x[i]) / total;
    return mean / n;
}
"""


@pytest.fixture
def inadmissible(cli):
    folder = cli.folder / "mean_softmax"
    folder.mkdir()
    (folder / "task.toml").write_text(TASK)
    (folder / "mean.cpp").write_text(REFERENCE)
    return folder


def test_a_task_that_is_not_admitted(cli, inadmissible):
    done = cli("check", str(inadmissible))
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith("mean_softmax: NOT ADMITTED: 1 error")
    assert "error    fixed_output" in done.stdout and "Traceback" not in done.stderr
    plain = json.loads(cli("check", str(inadmissible), "--json").stdout)
    assert plain["admitted"] is False and plain["findings"][0]["rule"] == "fixed_output"
    assert plain["findings"][0]["severity"] == "error" and plain["task_id"] == "mean_softmax"


def test_a_task_that_is_admitted(cli, saxpy):
    done = cli("check", str(saxpy))
    assert done.returncode == 0 and done.stdout.startswith("saxpy: admitted"), done.stdout + done.stderr
    assert "too_small" in done.stdout, "20000 elements are nothing to time"
    assert json.loads(cli("check", str(saxpy), "--json").stdout)["admitted"] is True


def test_a_bare_file(cli, bare):
    done = cli("check", str(bare))
    assert done.returncode == 0 and "guessed:" in done.stderr and "saxpy: admitted" in done.stdout


def test_a_task_that_is_broken(cli, inadmissible):
    (inadmissible / "mean.cpp").write_text(REFERENCE.replace("mean / n", "mean / missing"))
    done = cli("check", str(inadmissible))
    assert done.returncode == 2 and "missing" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("option", [("--level", "screen"), ("--evaluator", "emulated")])
def test_options_of_judging_a_file_need_one(cli, saxpy, option):
    done = cli("check", str(saxpy), *option)
    assert done.returncode == 2 and option[0] in done.stderr and "FILE.cu" in done.stderr


def test_optimising_it_is_warned_about_and_labelled(cli, inadmissible):
    options = ("--evaluator", "emulated", "--budget", "2", "--seed", "1", "--out", "out")
    done = cli("optimize", str(inadmissible), *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning: the task is not admitted (fixed_output): whatever is drawn, result stays the same" in done.stderr
    verdict = (cli.folder / "out" / "verdict.json").read_text()
    assert "not_admitted" in json.loads(verdict)["labels"]


@pytest.mark.slow
def test_an_admitted_task_has_no_such_label(cli, saxpy):
    options = ("--evaluator", "emulated", "--budget", "1", "--seed", "1", "--out", "out")
    done = cli("optimize", str(saxpy), *options)
    assert done.returncode == 0 and "not admitted" not in done.stderr
    assert "not_admitted" not in (cli.folder / "out" / "verdict.json").read_text()
