"""What is delivered for Python takes NumPy's arrays, checks them, and computes what the sequential function does; torch's on a GPU."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from regrapht.assemble import plain_version
from regrapht.records.verdict import Verdict
from regrapht.report.delivery.files import delivered
from regrapht.report.story import Story
from regrapht.tasks.infer import infer_task

SOURCE = """\
struct Spot { float x, y; };
double blend(const double* a, double* b, int n, double w) {
    double sum = 0;
    for (int i = 0; i < n; ++i) { b[i] = w * a[i] + (1 - w) * b[i]; sum += b[i]; }
    return sum;
}
void count(const int* key, long long* bins, int n) { for (int i = 0; i < n; ++i) bins[i] = bins[i] + 2 * key[i]; }
void move(Spot* spots, float dt, int n) { for (int i = 0; i < n; ++i) spots[i].x += dt * spots[i].y; }
"""


@pytest.fixture
def judged(story: Story) -> Verdict:
    assert story.best is not None
    return story.best.verdict


def deliver(folder: Path, entry: str, judged: Verdict) -> Path:
    (folder / "mine.cpp").write_text(SOURCE)
    task = infer_task(folder / "mine.cpp", entry=entry).task
    program = plain_version(task)
    assert program is not None and program.source is not None
    files = delivered(
        task, program.source, judged, headline="", architecture="sm_80", residency=None, bindings=("python", "torch")
    )
    out = folder / entry
    out.mkdir()
    for name, text in files.items():
        (out / name).write_text(text)
    return out


def loaded(folder: Path, entry: str, judged: Verdict, monkeypatch: pytest.MonkeyPatch):
    out = deliver(folder, entry, judged)
    words = ["g++", "-std=c++17", "-shared", "-fPIC", "-o", out / f"lib{entry}.so", out / f"{entry}_cpu.cpp"]
    subprocess.run(words, check=True)
    monkeypatch.syspath_prepend(str(out))
    sys.modules.pop(entry, None)
    return importlib.import_module(entry)


def test_numpy_arrays_are_changed_in_place_and_numbers_come_back(tmp_path, judged, monkeypatch):
    blend = loaded(tmp_path, "blend", judged, monkeypatch)
    a, b = np.arange(7.0), np.ones(7)
    want = 0.25 * a + 0.75 * b
    assert blend.blend(a, b, 7, 0.25) == pytest.approx(want.sum())
    assert np.allclose(b, want) and not blend.has_device()
    blend.release()


def test_integers_of_both_widths_and_structs(tmp_path, judged, monkeypatch):
    count = loaded(tmp_path, "count", judged, monkeypatch)
    keys, bins = np.arange(5, dtype=np.int32), np.full(5, 2**40)
    count.count(keys, bins, 5)
    assert (bins == 2**40 + 2 * np.arange(5)).all()
    move = loaded(tmp_path, "move", judged, monkeypatch)
    spots = np.ones(4, dtype=[("x", "f4"), ("y", "f4")])
    move.move(spots, 0.5, 4)
    assert (spots["x"] == 1.5).all()


def test_what_would_be_read_wrong_is_refused(tmp_path, judged, monkeypatch):
    blend = loaded(tmp_path, "blend", judged, monkeypatch).blend
    good, frozen = np.ones(8), np.ones(8)
    frozen.flags.writeable = False
    for a, b, error, words in (
        (good.astype(np.float32), good, TypeError, "float32, not float64"),
        (good[:5], good, ValueError, "5 elements, and 8 are used"),
        (np.ones(16)[::2], good, ValueError, "not contiguous"),
        (good, frozen, ValueError, "may not be"),
        ([1.0] * 8, good, TypeError, "not an array"),
    ):
        with pytest.raises(error, match=words):
            blend(a, b, 8, 0.5)


def test_a_library_that_is_not_built_says_how(tmp_path, judged, monkeypatch):
    out = deliver(tmp_path, "blend", judged)
    monkeypatch.syspath_prepend(str(out))
    sys.modules.pop("blend", None)
    with pytest.raises(ImportError, match="cmake --build"):
        importlib.import_module("blend")


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs CMake")
def test_cmake_builds_the_library_that_python_loads(tmp_path, judged):
    out = deliver(tmp_path, "blend", judged)
    for words in (["cmake", "-S", ".", "-B", "build", "-DREGRAPHT_CUDA=OFF"], ["cmake", "--build", "build"]):
        subprocess.run(words, cwd=out, check=True, capture_output=True)
    code = "import numpy, blend; b = numpy.ones(3); print(blend.blend(numpy.zeros(3), b, 3, 0.5), b)"
    said = subprocess.run([sys.executable, "-c", code], cwd=out, check=True, capture_output=True, text=True).stdout
    assert said.split()[0] == "1.5"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs CMake")
@pytest.mark.parametrize("entry", ["blend", "move"])
def test_pip_installs_what_python_finds_anywhere(tmp_path, judged, monkeypatch, entry):
    pytest.importorskip("scikit_build_core", reason="needs scikit-build-core, which pip fetches where it may")
    monkeypatch.setenv("CMAKE_ARGS", "-DREGRAPHT_CUDA=OFF")
    out, place = deliver(tmp_path, entry, judged), tmp_path / "place"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--target",
        place,
        out,
    ]
    done = subprocess.run(pip, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.rmtree(out)
    code = {
        "blend": "import numpy, blend; b = numpy.ones(3); print(blend.blend(numpy.zeros(3), b, 3, 0.5), b)",
        "move": "import numpy, move; s = numpy.ones(4, [('x', 'f4'), ('y', 'f4')]); move.move(s, 0.5, 4); print(s['x'][3])",
    }[entry]
    words = [sys.executable, "-c", code]
    said = subprocess.run(
        words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(place)}, capture_output=True, text=True
    )
    assert said.stdout.split()[:1] == ["1.5"], said.stderr


@pytest.mark.gpu
def test_torch_tensors_stay_on_the_device(tmp_path, judged, monkeypatch):
    torch = pytest.importorskip("torch")
    out = deliver(tmp_path, "blend", judged)
    for words in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]):
        subprocess.run(words, cwd=out, check=True, capture_output=True)
    monkeypatch.syspath_prepend(str(out))
    for name in ("blend", "blend_torch"):
        sys.modules.pop(name, None)
    blend, operator = importlib.import_module("blend"), importlib.import_module("blend_torch")
    a, b = (
        torch.arange(1000.0, dtype=torch.float64, device="cuda"),
        torch.ones(1000, dtype=torch.float64, device="cuda"),
    )
    want = 0.25 * a + 0.75 * b
    assert blend.has_device() and blend.blend(a, b, 1000, 0.25) == pytest.approx(want.sum().item())
    assert torch.allclose(b, want)
    c = torch.ones_like(a)
    assert operator.blend(a, c, 1000, 0.25).item() == pytest.approx(want.sum().item())
    torch.library.opcheck(
        torch.ops.regrapht.blend.default, (a, c, 1000, 0.25), test_utils=("test_schema", "test_faketensor")
    )
