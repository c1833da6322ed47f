"""`regrapht new`: what it writes runs as it is, keeps the promises of its kind, and replaces nothing."""

import json
import os
import subprocess
import sys

import pytest

from regrapht.session.scaffold import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_written_once(cli, kind):
    done = cli("new", kind, "my_part", "--json")
    files = json.loads(done.stdout)["files"]
    assert done.returncode == 0 and len(files) == 2 and all((cli.folder / file).is_file() for file in files)
    assert all("MyPart" in (cli.folder / file).read_text() for file in files if file.endswith(".py"))
    again = cli("new", kind, "my_part")
    assert again.returncode == 2 and "exists: choose another name" in again.stderr


@pytest.mark.parametrize(
    "words, told",
    [
        (("serch", "x"), "known: search, proposer, evaluator, task"),
        (("search", "My-Search"), "cannot be a module"),
        (("search", "class"), "cannot be a module"),
        (("search", "../up"), "cannot be a module"),
        (("search", "x", "--out", "/proc/none"), "cannot write"),
    ],
)
def test_what_cannot_be_written(cli, words, told):
    done = cli("new", *words)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


def test_they_run_where_they_were_written(cli, saxpy):
    for kind in ("search", "proposer"):
        assert cli("new", kind, f"new_{kind}").returncode == 0
        part = f"new_{kind}:New{kind.capitalize()}"
        done = cli(
            "optimize",
            "saxpy",
            f"--{kind}",
            part,
            "--evaluator",
            "emulated",
            "--budget",
            "2",
            "--json",
            "--allow-serial",
        )
        assert done.returncode == 0 and json.loads(done.stdout)["passed"], done.stderr


def test_their_own_tests_pass(cli):
    cli("new", "search", "tried")
    checked = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_tried.py"],
        cwd=cli.folder,
        env={**os.environ, "PYTHONPATH": str(cli.folder)},
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout
    strict = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cli.home / "mypy"), "tried.py"]
    types = subprocess.run(strict, cwd=cli.folder, capture_output=True, text=True)
    assert types.returncode == 0, types.stdout


def test_a_judge_of_ones_own(cli, saxpy):
    cli("new", "evaluator", "judging")
    (cli.folder / "a.cu").write_text("int x;")
    done = cli("check", "saxpy", "a.cu", "--evaluator", "judging:Judging", "--level", "screen")
    assert done.returncode == 1 and "does not define saxpy" in done.stdout, done.stderr


def test_a_fault_of_a_plug_in_is_told_as_one(cli, saxpy):
    (cli.folder / "faulty.py").write_text("import regrapht as rg\nclass S(rg.AccountedSearch):\n    pass\n")
    done = cli("optimize", "saxpy", "--search", "faulty:S", "--evaluator", "emulated", "--budget", "1")
    assert (
        done.returncode == 2 and "the search faulty:S cannot be made" in done.stderr and "Traceback" not in done.stderr
    )
