"""`regrapht cudaeval build` as users run it: files in, a suite out, a kill in the middle, what can be mended."""

import json
import signal
import time

import pytest

KERNELS = {
    "scale.cu": "__global__ void scale(const float* a, float* b, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) b[i] = 3 * a[i] + 1;\n}\n",
    "rows.cu": "__global__ void row_sums(const float* m, float* sums, int rows, int cols) {\n"
    "  int r = blockIdx.x * blockDim.x + threadIdx.x;\n  if (r >= rows) return;\n"
    "  float s = 0.0f;\n  for (int c = 0; c < cols; c++) s += m[r * cols + c];\n  sums[r] = s;\n}\n",
    "host.cu": "int main() { return 0; }\n",
}
BUILD = ("cudaeval", "build", "files", "--out", "suite")


@pytest.fixture
def files(cli):
    folder = cli.folder / "files"
    folder.mkdir()
    for name, text in KERNELS.items():
        (folder / name).write_text(text)
    return folder


def test_a_killed_build_goes_on_and_the_suite_is_a_suite(cli, files):
    process = cli.start(*BUILD, "--workers", "1")
    results, deadline = cli.folder / "suite" / "results.jsonl", time.monotonic() + 120
    while not (results.exists() and '"stage":"describe"' in results.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    before = results.read_text().splitlines()
    done = cli(*BUILD, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["complete"] and told["files"] == 3 and len(told["admitted"]) == 2
    stages = {stage["stage"]: stage for stage in told["stages"]}
    assert stages["filter"]["dropped"] == {"no_kernel": 1} and stages["admit"]["kept"] == 2
    after = results.read_text().splitlines()
    whole = before if not before or before[-1] in after else before[:-1]
    assert after[: len(whole)] == whole and len(set(after)) == len(after), "nothing was done twice"
    listed = json.loads(cli("bench", "list", "suite", "--json").stdout)
    assert sorted(row["id"] for row in listed) == sorted(told["admitted"])
    again = cli(*BUILD)
    assert again.returncode == 0 and "2 tasks" in again.stdout and "no_kernel 1" in again.stdout
    assert "[2/2]" in again.stderr and results.read_text().splitlines() == after


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("build", "nowhere", "--out", "x"), "no folder nowhere"),
        (("build", "files", "--out", "x", "--model", "scripted:none"), "cannot read replies"),
        (("build", "files", "--out", "x", "--level", "deep"), "level"),
        (("build", "files", "--out", "files"), "name a folder elsewhere"),
        (("build", "files", "--out", "files/suite"), "name a folder elsewhere"),
        (("build", "files", "--out", "a_file"), "another folder with --out"),
        (("build", "files", "--out", "experiment"), "another --out"),
    ],
)
def test_what_the_user_can_mend(cli, files, arguments, said):
    (cli.folder / "a_file").write_text("")
    (cli.folder / "experiment").mkdir()
    (cli.folder / "experiment" / "results.jsonl").write_text('{"budget":{"candidates":20},"command":"regrapht"}\n')
    done = cli("cudaeval", *arguments)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert (
        len(done.stderr.strip().splitlines()) == 1
        and "delete" not in done.stderr
        and "REGRAPHT_HOME" not in done.stderr
    )
    assert not (cli.folder / "x").exists() and {path.name for path in files.iterdir()} == set(KERNELS)
