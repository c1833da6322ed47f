"""`regrapht bench pack | diff | verify-results` as users run them, on a real judge: what holds, and what does not replay."""

import json
from dataclasses import replace

import pytest

from regrapht.bench.experiment.results import read_results
from regrapht.records.encoding import to_json

RUN = ("bench", "run", "suite@1", "--method", "best-of-n", "--budget", "2", "--out", "exp", "--evaluator", "emulated")


@pytest.fixture
def packed(cli, saxpy):
    (cli.folder / "suite").mkdir()
    saxpy.rename(cli.folder / "suite" / "saxpy")
    assert "1 task, hash" in cli("bench", "pack", "suite", "1").stdout


PLAIN = """__global__ void kernel(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { kernel<<<(n + 127) / 128, 128>>>(n, a, x, y); }
"""


def rewrite(folder, change):
    """The file again with a changed cell, sealed as if it had been written so."""
    experiment, (cell, *more) = read_results(folder / "exp")
    lines = [to_json(experiment)]
    for each in (change(cell), *more):
        lines.append(to_json(each.sealed(lines[-1])))
    (folder / "exp" / "results.jsonl").write_text("\n".join([*lines, ""]))


def test_a_pack_from_keeping_it_to_its_results(cli, packed):
    done = cli(*RUN)
    assert done.returncode == 0, done.stderr
    held = cli("bench", "verify-results", "exp", "--json")
    assert held.returncode == 0, held.stderr
    told = json.loads(held.stdout)
    assert (told["cells"], told["judged"], told["run"], told["notes"]) == (1, 1, 1, [])
    assert told["pack"] == read_results(cli.folder / "exp")[0].pack_hash
    assert cli("bench", "verify-results", "exp").stdout == (
        "exp holds: 1 cell of suite@1; 1 program judged again, 1 search run again\n"
    )

    wrong = PLAIN.replace("a * x", "x")
    rewrite(cli.folder, lambda cell: replace(cell, program=wrong))
    refused(cli("bench", "verify-results", "exp"), "does not pass here: ")
    rewrite(cli.folder, lambda cell: replace(cell, program=None, passed=False, figure=None))
    refused(cli("bench", "verify-results", "exp"), "does not replay: ")
    text = cli.folder / "suite" / "saxpy" / "task.toml"
    text.write_text(text.read_text() + "# longer\n")
    assert cli(*RUN).returncode == 0, "the pack's own files are used"
    (cli.folder / "suite" / "packs" / "1.tar.xz").unlink()
    refused(cli(*RUN), "suite@1 was changed: saxpy is not what the pack names")
    assert cli("bench", "pack", "suite", "2").returncode == 0
    assert cli("bench", "diff", "suite@1", "suite@2").stdout == "worded otherwise (1): saxpy\n0 tasks the same\n"
    refused(cli(*(word if word != "suite@1" else "suite@2" for word in RUN)), "holds another experiment")
    refused(cli("bench", "pack", "suite", "1"), "packs do not change")
    refused(cli("bench", "diff", "suite", "suite@2"), "is not a pack")
    refused(cli("bench", "admit", "suite@2", "--write-tiers"), "the tiers of a pack do not change")


def refused(ended, said):
    assert ended.returncode == 2, ended.stderr
    told = ended.stderr.strip().splitlines()[-1]
    assert told.startswith("regrapht: ") and said in told and "Traceback" not in ended.stderr
