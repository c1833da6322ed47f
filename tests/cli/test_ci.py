"""A change's CUDA files judged against their tasks: the command, the Action's steps as a script, the hook, on a sample repository."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = """__global__ void k(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, a, x, y); }
"""
JUDGE = ("--level", "screen", "--evaluator", "emulated")


def git(folder, *words):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(cli, saxpy):
    """A task with a right program and a bare function with a wrong one, after a commit that had neither."""
    (cli.folder / "alone.cpp").write_text((saxpy / "saxpy.cpp").read_text())
    (cli.folder / "notes").mkdir()
    git(cli.folder, "init", "-q")
    git(cli.folder, "add", ".")
    git(cli.folder, "commit", "-qm", "first")
    (saxpy / "fast").mkdir()
    (saxpy / "fast" / "saxpy.cu").write_text(KERNEL)
    (cli.folder / "alone.cu").write_text(KERNEL.replace("if (i < n) ", ""))
    (cli.folder / "notes" / "other.cu").write_text("int x;\n")
    git(cli.folder, "add", ".")
    git(cli.folder, "commit", "-qm", "second")
    return cli.folder


def test_a_change_is_judged_file_by_file(cli, repository):
    done = cli("ci", "--since", "HEAD~1", *JUDGE, "--sarif", "found.sarif", "--summary", "summary.md")
    assert done.returncode == 1, done.stderr
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert lines["saxpy/fast/saxpy.cu"].startswith("PASSED") and "plain CUDA" in lines["saxpy/fast/saxpy.cu"]
    assert lines["notes/other.cu"].startswith("NO_TASK") and not lines["alone.cu"].startswith("PASSED")
    found = json.loads((cli.folder / "found.sarif").read_text())
    results = found["runs"][0]["results"]
    errors = [one for one in results if one["level"] == "error"]
    assert found["version"] == "2.1.0" and errors
    place = errors[0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "alone.cu" and place["region"]["startLine"] == 3
    assert {one["ruleId"] for one in results} == {rule["id"] for rule in found["runs"][0]["tool"]["driver"]["rules"]}
    summary = (cli.folder / "summary.md").read_text()
    assert "1 of 2 CUDA programs passed" in summary and "| `alone.cu` |" in summary


def test_json_and_mistakes(cli, repository):
    done = cli("ci", "saxpy/fast/saxpy.cu", *JUDGE, "--json")
    (row,) = json.loads(done.stdout)
    assert (
        done.returncode == 0
        and row["status"] == "PASSED"
        and row["verdict"]["gain_over_plain"] == pytest.approx(1, abs=0.2)
    )
    for words, told in (
        (("ci",), "name CUDA files, or --since"),
        (("ci", "none.cu"), "there is no none.cu"),
        (("ci", "--since", "no-such-commit"), "--since no-such-commit"),
        (("ci", "--since", "--output=x"), "--since --output=x"),
    ):
        refused = cli(*words, *JUDGE)
        assert refused.returncode == 2 and told in refused.stderr and "Traceback" not in refused.stderr
    assert not (repository / "x").exists(), "no option reaches git"
    (repository / "saxpy" / "task.toml").write_text("schema = 1\n")
    wrong = cli("ci", "saxpy/fast/saxpy.cu", *JUDGE)
    assert wrong.returncode == 2 and "TASK_ERROR" in wrong.stdout


def test_the_actions_steps_as_a_script(cli, repository, tmp_path):
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    install, judge = action["runs"]["steps"]
    assert install["name"] == "Install" and action["runs"]["using"] == "composite"
    inputs = {"since": git(repository, "rev-parse", "HEAD~1"), "level": "screen", "folder": ".", "sarif": "r.sarif"}
    assert set(inputs) == set(action["inputs"])
    environment = {name: value.replace("${{ inputs.", "").replace(" }}", "") for name, value in judge["env"].items()}
    (tmp_path / "regrapht").write_text(f'#!/bin/sh\nexec {sys.executable} -m regrapht "$@"\n')
    (tmp_path / "regrapht").chmod(0o755)
    done = subprocess.run(
        ["bash", "-e", "-c", judge["run"]],
        cwd=repository,
        env={
            **cli.environment,
            **{name: inputs[value] for name, value in environment.items()},
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "1 of 2" in (tmp_path / "summary.md").read_text() and (repository / "r.sarif").is_file()


def test_the_hook_names_a_command_that_is_there(cli, repository):
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, *words = hook["entry"].split()
    done = cli(*words, "saxpy/fast/saxpy.cu")
    assert program == "regrapht" and done.returncode == 0 and hook["files"] == r"\.cu$", done.stderr
