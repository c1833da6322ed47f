"""The main job through the command line: bare files, all searches, a model over a real socket, JSON, the result folder."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from regrapht.cli.optimize import optimize_command
from regrapht.records.run import TUNED_SETTINGS, Budget, RunOptions
from regrapht.records.verdict import Level
from regrapht.search import SEARCHES
from regrapht.testing.model_server import ModelServer

PROGRAM = """```cuda
__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) {
    saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
```"""


def optimise(cli, path, *options):
    done = cli("optimize", str(path), "--evaluator", "emulated", "--seed", "1", "--json", "--out", "out", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_a_bare_file_to_a_result_folder(cli, bare):
    result = optimise(cli, bare, "--budget", "4")
    assert (
        result["passed"]
        and result["status"] == "PASSED"
        and result["no_timing"] == "no_gpu"
        and result["time_us"] is None
    )
    assert result["techniques"][0] == "map_to_threads"
    assert result["gain"] >= 1 and result["gain_over"] == "plain" and not result["gain_is_measured"]
    assert result["shapes"] == [] and any(note.startswith("guessed: ") for note in result["notes"])
    names = {path.name for path in (cli.folder / "out").iterdir()}
    assert names >= {"best.cu", "best.h", "use_best.cu", "verdict.json", "decisions.json", "report.html"}
    name = json.loads((cli.folder / "out" / ".regrapht-result.json").read_text())["files"][6].removesuffix(".cu")
    assert names >= {f"{name}.cu", f"{name}.h", f"{name}_host.cu", f"{name}_cpu.cpp", "CMakeLists.txt", "README.md"}
    refused = cli("optimize", str(bare), "--budget", "1", "--out", "out")
    assert refused.returncode == 2 and "--force replaces it" in refused.stderr
    assert (
        "not measured" in (cli.folder / "out" / "report.html").read_text()
        or "it is not a time" in (cli.folder / "out" / "report.html").read_text()
    )


@pytest.mark.slow
def test_progress_and_guesses_go_to_stderr(cli, bare):
    done = cli("optimize", str(bare), "--evaluator", "emulated", "--budget", "2", "--out", "out")
    assert "guessed:" in done.stderr and "PASSED" in done.stderr and "no time is measured" in done.stderr
    assert "verified on emulator" in done.stdout and "no_gpu" in done.stdout


def later(search):
    """The searches differ in what they ask for; with the others the long suite is enough."""
    return pytest.param(search, marks=pytest.mark.slow)


USUAL = ["mcgs", "fsr", "direct"]


@pytest.mark.parametrize("search", [*USUAL, *(later(name) for name in SEARCHES.builtin if name not in USUAL)])
def test_every_search_with_the_transform_engine(cli, saxpy, search):
    result = optimise(cli, saxpy, "--search", search, "--budget", "4")
    assert result["passed"] and 1 <= result["judged"] <= 4
    assert "visits" in (cli.folder / "out" / "report.html").read_text() or search == "direct"


@pytest.mark.parametrize("search", [later(name) for name in SEARCHES.builtin])
def test_every_search_with_a_scripted_model(cli, saxpy, search):
    """Its replies in turn: wrong, right, none, right otherwise."""
    replies = [
        PROGRAM.replace("a * x[i]", "a + x[i]"),
        PROGRAM,
        "I cannot help with that.",
        PROGRAM.replace("256", "128"),
    ]
    script = cli.folder / "replies.json"
    script.write_text(json.dumps(replies))
    model = ("--proposer", "language_model", "--model", f"scripted:{script}")
    done = cli(
        "optimize",
        str(saxpy),
        "--evaluator",
        "emulated",
        "--search",
        search,
        "--budget",
        "4",
        "--out",
        "out",
        "--json",
        *model,
    )
    if search == "direct":  # one sample, and it is wrong
        assert done.returncode == 1 and not json.loads(done.stdout)["passed"]
        return
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["passed"] and json.loads(done.stdout)["judged"] <= 4


def test_help_names_every_search(cli):
    said = " ".join(cli("optimize", "--help").stdout.split()).replace("- ", "-")  # lines end behind hyphens too
    assert all(name in said for name in SEARCHES.builtin)


@pytest.mark.parametrize("search", ["mcgs", *map(later, ["fsr", "direct", "random-walk"])])
def test_every_search_with_a_model_over_http(cli, saxpy, search):
    broken = PROGRAM.replace("a * x[i]", "a + x[i]")
    with ModelServer([broken, PROGRAM, "I cannot help with that.", PROGRAM.replace("256", "128")]) as server:
        model = ("--proposer", "language_model", "--model", f"openai:m@{server.url}")
        result = optimise(cli, saxpy, "--search", search, "--budget", "4", *model) if search != "direct" else None
        if search == "direct":  # one sample: the first reply is wrong, so nothing passes, and that is said
            done = cli("optimize", str(saxpy), "--evaluator", "emulated", "--search", "direct", "--out", "out", *model)
            assert done.returncode == 1 and "no candidate passed" in done.stdout
            return
    assert result is not None and result["passed"]


@pytest.mark.slow
def test_workers(cli, saxpy):
    assert optimise(cli, saxpy, "--budget", "6", "--workers", "3")["judged"] <= 6


def test_an_endpoint_that_is_down_is_said_before_anything_is_recorded(cli, saxpy):
    model = ("--proposer", "language_model", "--model", "openai:m@http://127.0.0.1:9/v1")
    done = cli("optimize", str(saxpy), "--evaluator", "emulated", *model)
    assert done.returncode == 3 and "Traceback" not in done.stderr and "127.0.0.1:9" in done.stderr
    assert json.loads(cli("runs", "list", "--json").stdout) == []


@pytest.mark.slow
def test_an_endpoint_that_goes_down_is_not_the_candidates_fault(cli, saxpy):
    """The run is left to be resumed: retries take a minute."""
    server = ModelServer([PROGRAM])
    with server:
        model = ("--proposer", "language_model", "--model", f"openai:m@{server.url}")
        process = cli.start("optimize", str(saxpy), "--evaluator", "emulated", "--budget", "5", *model)
        while not (json.loads(cli("runs", "list", "--json").stdout or "[]") or [{"judged": 0}])[-1]["judged"]:
            assert process.poll() is None
    _, said = process.communicate(timeout=300)
    assert process.returncode == 3 and "Traceback" not in said
    (row,) = json.loads(cli("runs", "list", "--json").stdout)
    assert row["state"] == "interrupted"


@pytest.mark.slow
def test_init_then_optimise(cli, bare):
    done = cli("init", str(bare))
    assert done.returncode == 0 and "guessed:" in done.stdout
    assert optimise(cli, cli.folder, "--budget", "2")["passed"]


def test_every_option_arrives(monkeypatch):
    """The parameters are mapped once: each field of the run's options has the value that was given for it."""
    given = {
        "entry": "f",
        "search": "fsr",
        "proposer": "language_model",
        "model": "scripted:x",
        "evaluator": "emulated",
        "level": "full",
        "budget": "candidates=3,usd=1.5",
        "graph": Path("graph.json"),
        "seed": 7,
        "workers": 2,
        "out": Path("out"),
        "arch": "sm_90",
        "hide_family": True,
        "hide_reference": True,
        "context_tokens": 9000,
        "max_tokens": 2000,
        "reasoning_effort": "low",
    }
    launched, ended = [], []
    monkeypatch.setattr("regrapht.session.launch.launch", lambda *what, **allowed: launched.append((what, allowed)))
    monkeypatch.setattr("regrapht.cli.running.run_to_end", lambda launched, **how: ended.append(how))
    allowances = dict.fromkeys(("allow_remote", "allow_root", "force"), True)
    optimize_command(Path("task"), **given, **allowances, tune=True, tune_budget=4, allow_serial=True, as_json=True)
    (((path, options), allowed),) = launched
    assert path == Path("task") and allowed == allowances
    assert ended == [{"out": Path("out"), "as_json": True, "allow_serial": True}]
    told = {
        field.name: getattr(options, field.name)
        for field in fields(options)
        if getattr(options, field.name) != getattr(RunOptions(), field.name)
    }
    read = {"level": Level.FULL, "budget": Budget(candidates=3, usd=1.5), "architecture": given.pop("arch"), "tune": 4}
    assert told == {**given, **read}


def test_defaults_are_those_of_the_options(monkeypatch):
    launched, ended = [], []
    monkeypatch.setattr(
        "regrapht.session.launch.launch", lambda path, options, **allowed: launched.append((options, allowed))
    )
    monkeypatch.setattr("regrapht.cli.running.run_to_end", lambda launched, **how: ended.append(how))
    optimize_command(Path("task"))
    optimize_command(Path("task"), tune=True)
    nothing = dict.fromkeys(("allow_remote", "allow_root", "force"), False)
    assert launched == [(RunOptions(), nothing), (RunOptions(tune=TUNED_SETTINGS), nothing)]
    assert ended == [{"out": None, "as_json": False, "allow_serial": False}] * 2
