"""The inputs that ship as examples load, compile without a warning, and are small enough to check quickly."""

import math
import shutil
import subprocess
from pathlib import Path

import pytest

from regrapht.records.task import Task
from regrapht.tasks.infer import infer_task
from regrapht.tasks.load import load_task
from regrapht.tasks.write import task_toml

FOLDER = Path(__file__).resolve().parents[2] / "examples"
FOLDERS = sorted(path.parent for path in FOLDER.glob("*/task.toml"))
BARE = sorted(FOLDER.glob("*.cpp"))


def test_there_are_folders_and_a_bare_file():
    assert len(FOLDERS) == 6 and len(BARE) == 1


def load(path: Path) -> Task:
    return load_task(path) if path.is_dir() else infer_task(path).task


@pytest.mark.parametrize("path", [*FOLDERS, *BARE], ids=lambda path: path.stem)
def test_an_example_loads(path):
    task = load(path)
    assert task.id == path.stem and task.description and task.bench_sizes
    largest = max(sum(arg.element_count(sizes) for arg in task.args if arg.role) for sizes in task.check_sizes)
    assert largest <= 100_000, "an emulator checks every shape"
    at_bench = sum(arg.size_bytes(task.bench_sizes[0]) for arg in task.args if arg.role)
    assert 2**16 <= at_bench <= 2**30
    assert float(task.work.bytes.evaluate(task.bench_sizes[0])) == pytest.approx(at_bench, rel=0.5)
    assert all(math.prod(row.values()) <= 200_000 for row in task.check_sizes)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_an_example_is_written_back(folder, tmp_path):
    task = load_task(folder)
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "task.toml").write_text(task_toml(task))
    assert load_task(tmp_path).content_hash == task.content_hash
    assert (folder / "README.md").read_text().startswith("# ")


@pytest.mark.parametrize(
    "path",
    [*(folder / "reference.cpp" for folder in FOLDERS), *BARE],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_an_example_compiles_without_warnings(path, tmp_path):
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    command = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-c", path, "-o", tmp_path / "out.o"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
