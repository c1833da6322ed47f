"""Libraries of the vendor: which programs get them, from where, and what happens where a toolkit lacks one."""

import shlex
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.evaluate.build import libraries
from regrapht.evaluate.build.gpu_program import build_gpu_program
from regrapht.evaluate.build.imports import forbidden_imports
from regrapht.evaluate.build.nvcc import Nvcc, find_nvcc
from regrapht.evaluate.device.harness import Harness, check_command, time_command
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.task import Residency
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Command, Limits

HEADER = """#pragma once
extern "C" int cublasScale_v2(int n, float* y);
"""
CALLS = """#include <cublas_v2.h>
extern "C" void gemm(int M, int N, int K, const float* A, const float* B, float* C) { cublasScale_v2(M * N, C); }
"""


def allowing(task, *names):
    return replace(task, contract=replace(task.contract, allow_libraries=names))


@pytest.fixture(scope="module")
def toolkit():
    """A toolkit's folder with a library of its own making, named as a package index names it: by version alone."""
    with tempfile.TemporaryDirectory() as folder:  # not pytest's own, which programs in a sandbox may not enter
        Path(folder).chmod(0o755)
        yield made_toolkit(Path(folder))


def made_toolkit(folder):
    root = folder / "cuda"
    for name in ("bin", "include", "lib64"):
        (root / name).mkdir(parents=True)
    (root / "include" / "cublas_v2.h").write_text(HEADER)
    (folder / "cublas.cpp").write_text('extern "C" int cublasScale_v2(int n, float*) { return n + 41; }\n')
    for name, source in (("cublas", "cublas.cpp"), ("cublasLt", "/dev/null")):
        file = f"lib{name}.so.13"
        command = ["g++", "-shared", "-fPIC", f"-Wl,-soname,{file}", "-x", "c++", source, "-o", root / "lib64" / file]
        subprocess.run(command, cwd=folder, check=True)
    return Nvcc(path=root / "bin" / "nvcc", root=root)


def test_what_a_text_includes():
    text = '#include <vector>\n #  include <cublasLt.h>\n#include "cufft.h"\n// #include <curand.h>\nint cusparse;\n#include <cub/cub.cuh>'
    assert libraries.included(text) == ("cublas", "cufft")
    assert libraries.included("") == ()


def test_only_what_is_included_and_allowed_is_linked(gemm, toolkit):
    assert libraries.needed(CALLS, gemm, toolkit) == ()
    assert libraries.needed("", allowing(gemm, "cublas"), toolkit) == ()
    found = libraries.needed(CALLS, allowing(gemm, "cublas"), toolkit)
    assert [file.name for file in found] == ["libcublas.so.13", "libcublasLt.so.13"]
    folder = (toolkit.root / "lib64").resolve()
    assert libraries.folders_of(found) == (folder,) == libraries.folders(allowing(gemm, "cublas", "cufft"), toolkit)
    assert libraries.folders(gemm, toolkit) == ()
    assert libraries.link_flags(found) == (f"-L{folder}", "-l:libcublas.so.13", "-l:libcublasLt.so.13")


def test_a_baseline_may_have_what_it_includes(gemm, toolkit):
    task = libraries.allowing_own(allowing(gemm, "cub"), CALLS)
    assert task.contract.allow_libraries == ("cub", "cublas") and libraries.needed(CALLS, task, toolkit)


def test_a_baseline_may_have_libraries_of_headers_alone(gemm):
    """What CUB's headers load is allowed with them: without that, a baseline that uses it is refused as a candidate would be."""
    source = "#include <cub/cub.cuh>\n#include <thrust/iterator/counting_iterator.h>\n"
    task = libraries.allowing_own(gemm, source)
    assert task.contract.allow_libraries == ("cub", "thrust")
    assert forbidden_imports(["dlopen", "dlsym", "getenv", "fork"], task) == ["fork"]
    assert forbidden_imports(["dlopen"], gemm) == ["dlopen"]


def test_a_toolkit_without_it_is_named(gemm, tmp_path):
    lacking = made_toolkit(tmp_path)
    (lacking.root / "lib64" / "libcublasLt.so.13").unlink()
    with pytest.raises(Rejected, match="no cublas: install it") as rejected:
        libraries.needed(CALLS, allowing(gemm, "cublas"), lacking)
    assert rejected.value.status is Status.UNSUPPORTED, "it is the machine that lacks it"


@pytest.mark.parametrize(
    ("allowed", "name", "expected"),
    [
        (("cublas",), "libcublas.so.13", True),
        (("cublas",), "libcublasLt.so.13.1.0", True),
        (("cub",), "libcublas.so.13", False),
        (("cublas",), "libcublas-evil.so", False),
        (("cublas",), "libcublas.so.13.evil", False),
        (("curand",), "libcublas.so.13", False),
        ((), "libcublas.so.13", False),
    ],
)
def test_which_objects_may_be_needed(gemm, allowed, name, expected):
    assert libraries.is_allowed(name, allowing(gemm, *allowed)) is expected


@pytest.mark.parametrize("command", [check_command, time_command])
def test_the_harness_finds_them_in_its_sandbox(gemm, sandbox, toolkit, command, tmp_path):
    """Loaded late, by a name without a folder, as the harness loads a candidate."""
    found = libraries.needed(CALLS, allowing(gemm, "cublas"), toolkit)
    answer = 'extern "C" int answer(int n, float* y) { return cublasScale_v2(n, y); }\n'
    (tmp_path / "candidate.cpp").write_text(CALLS + answer)
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\n#include <dlfcn.h>\nint main() { void* it = dlopen("./candidate.so", RTLD_NOW);\n'
        'if (!it) { std::puts(dlerror()); return 1; }\nreturn ((int (*)(int, float*))dlsym(it, "answer"))(1, nullptr); }\n'
    )
    link = ["-shared", "-fPIC", f"-I{toolkit.root}/include", "candidate.cpp", *libraries.link_flags(found)]
    subprocess.run(["g++", *link, "-o", "candidate.so"], cwd=tmp_path, check=True)
    subprocess.run(["g++", "main.cpp", "-o", "main", "-ldl"], cwd=tmp_path, check=True)
    files = {name: (tmp_path / name).read_bytes() for name in ("main", "candidate.so")}
    outcomes = {}
    for folders in ((), libraries.folders_of(found)):
        made = command(
            Harness(code=b"", name="judge"), Residency.DEVICE, SimpleNamespace(descriptors={}), library_folders=folders
        )
        assert made.gpu and set(made.read_only) == set(folders)
        plain = Command(argv=("./main",), files=files, environment=made.environment, read_only=made.read_only)
        outcomes[folders] = sandbox.run(plain, Limits(wall_s=20)).exit_code
    assert list(outcomes.values()) == [1, 42]


@pytest.mark.slow
@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
def test_a_program_is_built_with_a_library(gemm, sandbox, toolkit, tmp_path):
    real = find_nvcc()
    toolkit.path.write_text(f'#!/bin/sh\nexec {shlex.quote(str(real.path))} -I{toolkit.root}/include "$@"\n')
    toolkit.path.chmod(0o755)
    program = build_gpu_program(CALLS, allowing(gemm, "cublas"), sandbox, toolkit, architecture="sm_90")
    (tmp_path / "candidate.so").write_bytes(program.library)
    listed = subprocess.run(["readelf", "-d", tmp_path / "candidate.so"], capture_output=True, text=True, check=True)
    assert "[libcublas.so.13]" in listed.stdout
    assert program.library_folders == ((toolkit.root / "lib64").resolve(),)
    with pytest.raises(Rejected, match="undefined reference to `cublasScale_v2'") as rejected:
        build_gpu_program(CALLS, gemm, sandbox, toolkit, architecture="sm_90")
    assert rejected.value.status is Status.BUILD_FAILED
