"""`regrapht bench` as users run it: a folder as suite, a real judge, a kill in the middle, the report."""

import csv
import json
import signal
import time

import pytest

RUN = (
    "bench",
    "run",
    "suite",
    "--method",
    "best-of-n",
    "--method",
    "direct",
    "--budget",
    "2",
    "--out",
    "exp",
    "--evaluator",
    "emulated",
)


PLAIN = """__global__ void kernel(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { kernel<<<(n + 127) / 128, 128>>>(n, a, x, y); }
"""


@pytest.fixture
def suite(cli, saxpy):
    (cli.folder / "suite").mkdir()
    saxpy.rename(cli.folder / "suite" / "saxpy")


def test_list_run_report(cli, suite):
    listed = cli("bench", "list", "suite", "--json")
    assert json.loads(listed.stdout) == [{"id": "saxpy", "tier": None, "family": "none", "title": "y = a x + y"}]
    asked = cli("bench", "list", "suite", "--engine", "--json")
    assert (
        json.loads(asked.stdout)[0] | {"engine": True, "reached": "proved", "reason": None}
        == json.loads(asked.stdout)[0]
    )
    done = cli(*RUN)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("preparing saxpy:") == 1 and done.stderr.index("preparing") < done.stderr.index("[1/2]")
    assert "2 of 2 cells are done" in done.stdout and "[2/2]" in done.stderr and "modelled reward" in done.stderr
    again = cli(*RUN)
    assert (
        again.returncode == 0
        and "2 are done from before" in again.stderr
        and "[" not in again.stderr.split("before")[1]
    )
    report = cli("bench", "report", "exp")
    assert report.returncode == 0, report.stderr
    assert "## Conclusion" in report.stdout and "One task says nothing of others" in report.stdout
    assert "| saxpy |" in report.stdout and "pass@k: probability" in report.stdout
    plain = cli("bench", "report", "exp", "--json")
    assert plain.stderr == "" and set(json.loads(plain.stdout)) == {"conclusion", "tables"}
    assert "best-of-n" in report.stdout and "Speed-ups" not in report.stdout, "nothing was measured here"
    page = (cli.folder / "exp" / "report" / "report.html").read_text()
    assert "<svg" in page and "modelled" in page and "regrapht bench run suite" in page
    with (cli.folder / "exp" / "report" / "methods.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["method"] for row in rows] == ["best-of-n", "direct"] and {row["pass@1"] for row in rows} == {"1.0"}
    apart = cli.folder / "exp" / "saxpy_alone.jsonl"
    apart.write_bytes((cli.folder / "exp" / "results.jsonl").read_bytes())
    assert cli("bench", "report", str(apart)).returncode == 0
    assert (cli.folder / "exp" / "saxpy_alone_report" / "report.html").is_file(), "not over the other's report"
    other = cli(*(word if word != "2" else "3" for word in RUN))
    assert other.returncode == 2 and "budget: candidates=2 and candidates=3" in other.stderr
    # As if it had been killed before the first cell was done.
    results = cli.folder / "exp" / "results.jsonl"
    results.write_text(results.read_text().splitlines(keepends=True)[0])
    (cli.folder / "exp" / "report" / "mine.csv").write_text("kept")
    assert (cli.folder / "exp" / "report" / "tasks.csv").exists()
    early = cli("bench", "report", "exp")
    assert early.returncode == 0, early.stderr
    assert "0 of 2 cells, not finished" in early.stdout and "No cell is done yet, of 2." in early.stdout
    plain = cli("bench", "report", "exp", "--json")
    assert plain.returncode == 0 and json.loads(plain.stdout)["conclusion"] == ["No cell is done yet, of 2."]
    assert not (cli.folder / "exp" / "report" / "tasks.csv").exists(), "it was of the report before"
    assert (cli.folder / "exp" / "report" / "mine.csv").read_text() == "kept"


def test_options_that_choose_tasks_need_a_suite(cli):
    done = cli("bench", "list", "--tier", "easy")
    assert done.returncode == 2 and "need a suite" in done.stderr


SORTED = """#include <algorithm>
void saxpy(int n, float a, const float* x, float* y) {
    for (int i = 0; i < n; ++i) { float two[2] = {a * x[i], y[i]}; std::sort(two, two + 2); y[i ^ 0] = two[0]; }
}
"""
CHAIN = """void saxpy(int n, float a, const float* x, float* y) {
    float last = 1.0f;
    for (int i = 0; i < n; ++i) { last = last / 2 > x[i] ? last / 2 : a - last; y[i] = last; }
}
"""
STRAY = "void saxpy(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = strtof((const char*)x, nullptr); }"


def test_list_says_how_the_engine_takes_tasks(cli, suite):
    bare = cli("bench", "list", "suite")
    assert "1 task of 1 family" in bare.stdout and "--engine says how" in bare.stdout
    source = cli.folder / "suite" / "saxpy" / "saxpy.cpp"
    found = {}
    for text in (SORTED, CHAIN, STRAY):
        source.write_text(text)
        (row,) = json.loads(cli("bench", "list", "suite", "--engine", "--json").stdout)
        found[row["reached"]] = row
    assert {how: row["engine"] for how, row in found.items()} == {"observed": True, "serial": False, "refused": False}
    assert "observed on 6 inputs of 2 sizes" in found["observed"]["reason"] and "line 3" in found["observed"]["reason"]
    assert "line 3 in one thread" in found["serial"]["reason"] and "line 1" in found["refused"]["reason"]
    text = cli("bench", "list", "suite", "--engine").stdout
    assert "    " + row["reason"].splitlines()[0] in text
    assert "by the transform engine 1 refused; 1 without threads (100 %): none 1" in text


def test_admit(cli, suite):
    solution = cli.folder / "trajectories" / "cudaeval" / "saxpy"
    solution.mkdir(parents=True)
    (solution / "01_map_to_threads.cu").write_text(PLAIN)
    (solution / "02_grid_stride_loop.cu").write_text(
        PLAIN.replace("if (i < n)", "for (; i < n; i += blockDim.x * gridDim.x)")
    )
    command = ("bench", "admit", "suite", "--evaluator", "emulated", "--level", "screen")
    done = cli(*command, "--write-tiers")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "admitted: 1 of 1 task" in done.stdout and "tiers: easy 1" in done.stdout
    assert "provisional" in done.stdout and "only check sizes are judged" in done.stderr
    assert json.loads(cli("bench", "list", "suite", "--json").stdout)[0]["tier"] == "easy"
    tiers = cli.folder / "suite" / "tiers.json"
    tiers.write_text(tiers.read_text().replace("easy", "hard"))
    (solution / "02_grid_stride_loop.cu").write_text(PLAIN.replace("i < n", "i < n - 1"))
    refused = cli(*command)
    assert refused.returncode == 1 and "02_grid_stride_loop.cu: WRONG_VALUE" in refused.stdout + refused.stderr, (
        refused.stdout
    )
    assert "tiers: not computed" in refused.stdout
    (solution / "02_grid_stride_loop.cu").unlink()
    other = cli(*command)
    assert "modelled); the suite says hard" in other.stderr and "another tier of saxpy: --write-tiers" in other.stdout
    (solution / "02_faster.cu").write_text(PLAIN)
    misnamed = cli(*command)
    assert misnamed.returncode == 2 and "no technique 'faster'" in misnamed.stderr and "[1/1]" not in misnamed.stderr
    assert not list(solution.glob("*.json")), "what an emulator says is no measurement to keep"


def test_a_suite_without_trajectories_is_not_refused_for_those_of_others(cli, suite):
    """An imported suite, examined in a checkout that has the trajectories of the shipped one."""
    (cli.folder / "trajectories" / "cudaeval" / "another").mkdir(parents=True)
    done = cli("bench", "admit", "suite", "--evaluator", "emulated")
    assert done.returncode == 0 and "admitted: 1 of 1 task" in done.stdout, done.stdout
    assert "tiers are not computed" in done.stderr and "tiers: not computed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_ended_in_the_middle_it_goes_on(cli, suite, how):
    command = [word if word != "2" else "30" for word in RUN]
    process = cli.start(*command)
    deadline = time.monotonic() + 120
    while not (cli.folder / "exp" / "results.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(2)
    process.send_signal(how)
    process.communicate(timeout=120)
    assert process.returncode == (-signal.SIGKILL if how is signal.SIGKILL else 130)
    done = cli(*command)
    assert done.returncode == 0 and "2 of 2 cells are done" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "nothing"), "no suite and no folder 'nothing'"),
        (("list", "suite", "--per-tier", "1"), "have no tiers"),
        (("run", "suite", "--method", "mcgss", "--out", "x"), "did you mean 'mcgs'"),
        (("run", "suite", "--method", "mcgs", "--method", "mcgs", "--out", "x"), "names mcgs twice"),
        (("run", "suite", "--method", "mcgs", "--out", "x", "--family", "fft"), "no family 'fft'"),
        (("run", "suite", "--method", "mcgs", "--out", "x", "--tasks", "none.txt"), "no such file"),
        (("run", "suite", "--method", "mcgs", "--out", "x", "--tasks", "picture.bin"), "not a text file"),
        (("report", "nowhere"), "bench run"),
    ],
)
def test_what_the_user_can_mend(cli, suite, arguments, said):
    (cli.folder / "picture.bin").write_bytes(bytes(range(256)))
    done = cli("bench", *arguments)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert not (cli.folder / "x" / "results.jsonl").exists()


def test_methods_with_models_and_prompts_of_their_own(cli, suite):
    (cli.folder / "right.json").write_text(json.dumps([f"```cpp\n{PLAIN}```"] * 4))
    (cli.folder / "wrong.json").write_text(json.dumps(["I cannot help with that."] * 4))
    (cli.folder / "terse").mkdir()
    (cli.folder / "terse" / "system.md").write_text("Write CUDA. Nothing else.")
    asking = "search:direct,proposer:language_model,model:scripted"
    methods = ("--method", "direct", "--method", f"able={asking}:right.json", "--method", f"unable={asking}:wrong.json")
    terse = f"terse={asking}:right.json,prompts:terse"
    run = (
        "bench",
        "run",
        "suite",
        *methods,
        "--method",
        terse,
        "--budget",
        "1",
        "--evaluator",
        "emulated",
        "--out",
        "exp",
    )
    done = cli(*run, "--no-mend")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (cli.folder / "exp" / "results.jsonl").read_text().splitlines()]
    parts = {part["name"]: part for part in lines[0]["parts"]}
    assert {name: part["model"] for name, part in parts.items()} == {
        "direct": None, "able": "scripted:right.json", "unable": "scripted:wrong.json", "terse": "scripted:right.json",
    }  # fmt: skip
    assert parts["terse"]["prompts_hash"] != parts["able"]["prompts_hash"] == parts["unable"]["prompts_hash"]
    assert {cell["method"]: cell["passed"] for cell in lines[1:]} == {
        "direct": True, "able": True, "unable": False, "terse": True,
    }  # fmt: skip
    report = cli("bench", "report", "exp")
    assert "Method terse: direct with language_model, scripted:right.json, prompts" in report.stdout
    (cli.folder / "terse" / "system.md").write_text("Write other CUDA.")
    changed = cli(*run, "--no-mend")
    assert changed.returncode == 2 and "holds another experiment (parts: " in changed.stderr
    (cli.folder / "terse" / "sistem.md").write_text("x")
    named = cli(*run)
    assert named.returncode == 2 and "did you mean system.md?" in named.stderr
