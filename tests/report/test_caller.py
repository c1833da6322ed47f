"""The header and the caller beside the best program: right for its task, and compilable where nvcc is."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.task import ArgKind, Init, Rounding, Task
from regrapht.report.caller import caller, header


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


def test_the_caller_is_built_with_the_rounding_of_the_task(task: Task) -> None:
    separate = replace(task, contract=replace(task.contract, rounding=Rounding.SEPARATE))
    said = [caller(one, "", architecture="sm_90", sizes=task.bench_sizes[0]) for one in (separate, task)]
    assert [" -fmad=false -arch=sm_90 best.cu" in text for text in said] == [True, False]


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
    assert f"nvcc -O3 -std=c++17 --expt-relaxed-constexpr {options} use_best.cu" in text
