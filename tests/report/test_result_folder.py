"""The files that a run leaves: complete, escaped, and compilable where nvcc is."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.encoding import from_json
from regrapht.records.task import ArgKind, Init, Task
from regrapht.records.verdict import Verdict
from regrapht.report.caller import caller, header
from regrapht.report.curves import gain_over_budget
from regrapht.report.result_folder import write_result
from regrapht.report.search_picture import search_picture
from regrapht.report.story import Story


def write(folder: Path, story: Story) -> dict[str, str]:
    files = write_result(
        folder,
        story,
        command="regrapht optimize x",
        details={"Run": "1"},
        exemplars={1: ["gemv"]},
        architecture="sm_90",
    )
    return {path.name: path.read_text() for path in files}


def test_all_files(tmp_path: Path, story: Story) -> None:
    files = write(tmp_path, story)
    assert set(files) == {"report.html", "best.cu", "best.h", "use_best.cu", "verdict.json"}
    assert story.best is not None
    assert files["best.cu"] == story.best.candidate.source
    assert from_json(Verdict, files["verdict.json"]) == story.best.verdict
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)


def test_report_escapes_what_candidates_wrote(tmp_path: Path, story: Story) -> None:
    report = write(tmp_path, story)["report.html"]
    assert "<script>" not in report and "&lt;script&gt;" in report
    assert "http://" not in report.replace("http://www.w3.org/2000/svg", "") and "https://" not in report
    for part in ("20.00", "WRONG_VALUE", "Test GPU (sm_90)", "regrapht optimize x", "vectorised_access", "gemv"):
        assert part in report


def test_report_without_a_best(tmp_path: Path, nothing_passed: Story) -> None:
    assert set(write(tmp_path, nothing_passed)) == {"report.html"}


def test_drawings_are_xml(story: Story) -> None:
    for drawing in (gain_over_budget(story.steps, "x"), search_picture(story.steps, story.path)):
        assert ElementTree.fromstring(drawing).tag.endswith("svg")


@pytest.mark.parametrize(
    ("init", "value"),
    [
        (Init(kind="uniform", parameters={"low": 0.65, "high": 0.85}), "0.65 + (0.85 - 0.65) * random01(state)"),
        (Init(kind="choice", parameters={"values": (3, 7)}), "0 % 2 == 0 ? 3 : 7"),
    ],
)
def test_the_caller_draws_scalars_as_the_task_does(task: Task, init: Init, value: str) -> None:
    args = tuple(replace(arg, value=None, init=init) if arg.kind is ArgKind.SCALAR else arg for arg in task.args)
    text = caller(replace(task, args=args), "", architecture="sm_90", sizes=task.bench_sizes[0])
    assert f"const float a = (float)({value});" in text


def test_the_caller_compiles_with_the_candidate(tmp_path: Path, task: Task) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not here")
    (tmp_path / "best.h").write_text(header(task))
    best = """extern "C" void scale(int n, float a, const float* x, float* y);
        __global__ void k(int n, float a, const float* x, float* y) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = a * x[i];
        }
        extern "C" void scale(int n, float a, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, a, x, y); }"""
    (tmp_path / "best.cu").write_text(best)
    (tmp_path / "use_best.cu").write_text(caller(task, best, architecture="sm_80", sizes=task.bench_sizes[0]))
    command = ["nvcc", "-std=c++17", "-arch=sm_80", "-Xcompiler", "-Wall", "best.cu", "use_best.cu", "-o", "use_best"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


def test_an_architecture_of_its_own_stays_as_it_is(task: Task) -> None:
    text = caller(task, 'asm volatile("wgmma.fence.sync.aligned;");', architecture="sm_90a", sizes=task.bench_sizes[0])
    assert "-gencode arch=compute_90a,code=sm_90a best.cu" in text


@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("__global__ void k() {}", "-arch=sm_90 best.cu"),
        ("#include <cublas_v2.h>\n__global__ void k() {}", "-arch=sm_90 -lcublas -lcublasLt best.cu"),
        ('asm volatile("wgmma.fence.sync.aligned;");', "-gencode arch=compute_90a,code=sm_90a best.cu"),
    ],
)
def test_the_caller_says_how_to_build_it(task: Task, source: str, options: str) -> None:
    text = caller(task, source, architecture="sm_90", sizes=task.bench_sizes[0])
    assert f"nvcc -O3 -std=c++17 {options} use_best.cu" in text
