"""`regrapht bench import` as users run it: a checkout, a suite of tasks, the judge's examination of it."""

import importlib.util
import json

import pytest

AXPY = "void axpy(double alpha, std::vector<double> const& x, std::vector<double> const& y, std::vector<double> &z)"
PLAIN = """__global__ void kernel(int n, double alpha, const double* x, const double* y, double* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = alpha * x[i] + y[i];
}
extern "C" void axpy(int n, double alpha, const double* x, const double* y, double* z) {
    kernel<<<(n + 255) / 256, 256>>>(n, alpha, x, y, z);
}
"""
DOUBLED = """import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x + x


rows = 512
columns = 1024


def get_inputs():
    return [torch.rand(rows, columns)]


def get_init_inputs():
    return []
"""
PLAIN_DOUBLED = """__global__ void kernel(int n, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + x[i];
}
extern "C" void forward_doubled(int rows, int columns, const float* x, float* out) {
    kernel<<<(rows * columns + 255) / 256, 256>>>(rows * columns, x, out);
}
"""


@pytest.fixture
def pareval(cli):
    root = cli.folder / "ParEval"
    baseline = root / "drivers/cpp/benchmarks/dense_la/03_dense_la_axpy/baseline.hpp"
    baseline.parent.mkdir(parents=True)
    loop = "for (size_t i = 0; i < z.size(); ++i) z[i] = y[i] + alpha * x[i];"
    baseline.write_text(
        f"#pragma once\n#include <vector>\n{AXPY.replace('void axpy', 'void NO_INLINE correctAxpy')} {{ {loop} }}\n"
    )
    prompts = [
        {"problem_type": kind, "name": name, "parallelism_model": "serial", "prompt": f"/* A sum. */\n{signature} {{"}
        for kind, name, signature in (
            ("dense_la", "03_dense_la_axpy", AXPY),
            ("geometry", "10_geometry_convex_hull", "void convexHull(std::vector<double> &hull)"),
        )
    ]
    (root / "prompts").mkdir()
    (root / "prompts/generation-prompts.json").write_text(json.dumps(prompts))
    (root / "drivers/problem-sizes.json").write_text('{"03_dense_la_axpy": {"cuda": "(1<<18)"}}')
    return root


@pytest.fixture
def kernelbench(cli):
    folder = cli.folder / "KernelBench/KernelBench/level1"
    folder.mkdir(parents=True)
    (folder / "19_Doubled.py").write_text(DOUBLED)
    (folder / "20_Unknown.py").write_text(DOUBLED.replace("x + x", "torch.fft.fft(x)"))
    return cli.folder / "KernelBench"


def solve(cli, task, source):
    folder = cli.folder / "solutions" / task
    folder.mkdir(parents=True)
    (folder / "01_map_to_threads.cu").write_text(source)


def admit(cli, *more):
    return cli("bench", "admit", "tasks", "--evaluator", "emulated", "--level", "screen", "--allow-root", *more)


def test_pareval_is_imported_and_told(cli, pareval):
    done = cli("bench", "import", "pareval", pareval, "--out", "tasks")
    assert done.returncode == 0, done.stderr
    assert "1 problems are tasks in tasks (1 new)" in done.stdout and "03_dense_la_axpy: new" in done.stderr
    assert "Not imported: 1 (wrong_reference 1)" in done.stdout and "1024 zero-padded slots" in done.stdout
    again = cli("bench", "import", "pareval", pareval, "--out", "tasks", "--json")
    account = json.loads(again.stdout)
    assert again.returncode == 0 and not again.stderr
    assert account["tasks"][0]["written"] == "unchanged" and account["reasons"] == {"wrong_reference": 1}


@pytest.mark.slow
def test_an_imported_pareval_task_is_admitted_and_solved(cli, pareval):
    assert cli("bench", "import", "pareval", pareval, "--out", "tasks").returncode == 0
    solve(cli, "03_dense_la_axpy", PLAIN)
    admitted = admit(cli, "--solutions", "solutions", "--json")
    assert admitted.returncode == 0, admitted.stdout + admitted.stderr
    task = json.loads(admitted.stdout)[0]
    assert not task["objections"] and task["tier"]["tier"] == "easy"


@pytest.mark.slow
def test_an_imported_kernelbench_task_is_admitted_and_solved(cli, kernelbench):
    assert cli("bench", "import", "kernelbench", kernelbench, "--out", "tasks").returncode == 0
    solve(cli, "level1_019_doubled", PLAIN_DOUBLED)
    admitted = admit(cli, "--solutions", "solutions", "--json")
    assert admitted.returncode == 0, admitted.stdout + admitted.stderr
    assert not json.loads(admitted.stdout)[0]["objections"]


def test_kernelbench_is_imported_and_told(cli, kernelbench):
    done = cli("bench", "import", "kernelbench", kernelbench, "--out", "tasks")
    assert done.returncode == 0, done.stderr
    assert "Not imported: 1 (operation 1)" in done.stdout and "torch.fft.fft" in done.stdout
    assert "uniform in [0, 1)" in done.stdout and "regrapht bench admit tasks" in done.stdout
    listed = json.loads(cli("bench", "list", "tasks", "--json").stdout)
    assert listed == [{"id": "level1_019_doubled", "tier": None, "family": "deep_learning", "title": "doubled"}]
    assert cli("bench", "import", "kernelbench", kernelbench, "--out", "one", "--only", "Doubled").returncode == 0


def test_an_import_without_a_task_fails(cli, kernelbench, pareval):
    only = cli("bench", "import", "kernelbench", kernelbench, "--out", "few", "--only", "level1/20", "--json")
    assert only.returncode == 1 and json.loads(only.stdout)["tasks"] == []
    for source, checkout, name in (("kernelbench", kernelbench, "20"), ("pareval", pareval, "10_geometry_convex_hull")):
        done = cli("bench", "import", source, checkout, "--out", f"no_{source}", "--only", name)
        assert done.returncode == 1 and "nothing was imported" in done.stdout and "Next" not in done.stdout
        assert "Not imported: 1" in done.stdout


def test_edits_by_hand_are_kept_and_the_exit_says_so(cli, kernelbench):
    command = ("bench", "import", "kernelbench", kernelbench, "--out", "tasks")
    assert cli(*command).returncode == 0
    toml = cli.folder / "tasks/level1_019_doubled/task.toml"
    toml.write_text("# mine\n" + toml.read_text())
    kept = cli(*command)
    assert kept.returncode == 1 and "--force writes over them" in kept.stdout and toml.read_text().startswith("# mine")
    assert cli(*command, "--force").returncode == 0 and not toml.read_text().startswith("# mine")


def test_what_the_user_can_mend_is_one_line(cli, kernelbench, pareval):
    for arguments, words in (
        (("pareval", "nowhere", "--out", "o"), "there is no such folder"),
        (("pareval", kernelbench, "--out", "o"), "not a ParEval checkout"),
        (("kernelbench", pareval, "--out", "o"), "not a KernelBench checkout"),
        (("kernelbench", kernelbench, "--out", "o", "--level", "3"), "level 3"),
        (("kernelbench", kernelbench, "--out", "o", "--only", "x"), "--only x"),
    ):
        done = cli("bench", "import", *arguments)
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, arguments
    assert not (cli.folder / "o").exists(), "nothing is written where nothing can be imported"


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_verifying_without_torch_says_what_to_install(cli, kernelbench):
    done = cli("bench", "import", "kernelbench", kernelbench, "--out", "tasks", "--verify")
    assert done.returncode == 2 and "pip install 'regrapht[torch]'" in done.stderr
    assert not (cli.folder / "tasks").exists()
