"""A store of its own for every test, and the command line as users call it."""

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VECTOR_ADD = """// y = a x + y, as someone wrote it at work.
void saxpy(int n, float a, const float* x, float* y) {
    for (int i = 0; i < n; i++) {
        y[i] = a * x[i] + y[i];
    }
}
"""
TASK = """schema = 1
id = "saxpy"
title = "y = a x + y"
entry = "saxpy"
[reference]
file = "saxpy.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "a"
kind = "scalar"
dtype = "float32"
value = 1.5
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "inout"
[sizes]
check = [ { n = 1 }, { n = 1003 } ]
bench = [ { n = 20000 } ]
"""


@pytest.fixture(autouse=True)
def _notices_end_with_the_test() -> Iterator[None]:
    """A command that runs in this process shows notices from then on: each test begins as a new process does, and leaves nothing."""
    logger = logging.getLogger("regrapht")
    before = list(logger.handlers), logger.level
    logger.handlers.clear()
    logger.setLevel(logging.NOTSET)
    yield
    logger.handlers[:] = before[0]
    logger.setLevel(before[1])


class PreparedPython:
    """Commands of `regrapht` in forks of one process, which is started with the first of them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(self, arguments: list[str], environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
        if self._process is None:
            program = [sys.executable, str(Path(__file__).with_name("prepared_python.py"))]
            self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with tempfile.TemporaryDirectory() as place:
            out, err = (Path(place) / name for name in ("out", "err"))
            out.touch()
            err.touch()
            command = {
                "arguments": arguments,
                "environment": environment,
                "folder": str(folder),
                "out": str(out),
                "err": str(err),
            }
            late = threading.Timer(300, self._process.kill)
            late.start()
            try:
                self._process.stdin.write(json.dumps(command) + "\n")
                self._process.stdin.flush()
                code = int(self._process.stdout.readline())
            finally:
                late.cancel()
            return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()


@dataclass(frozen=True, slots=True)
class Cli:
    """Runs `regrapht` in a process of its own, with a store and a working folder of the test's own."""

    folder: Path
    home: Path
    python: PreparedPython = field(repr=False)

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "REGRAPHT_HOME": str(self.home), "COLUMNS": "160"}

    def __call__(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **variables}
        if "PYTHONPATH" not in variables:  # which changes what Python imports when it starts
            return self.python.run(list(map(str, arguments)), environment, self.folder)
        command = [sys.executable, "-m", "regrapht", *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "regrapht", *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=pipe, stderr=pipe, text=True)


def new_cli(place: Path, python: PreparedPython) -> Cli:
    """The command line with its store and its working folder below `place`."""
    work = place / "work"
    work.mkdir()
    return Cli(folder=work, home=place / "home", python=python)


@pytest.fixture(scope="session")
def prepared_python() -> Iterator[PreparedPython]:
    python = PreparedPython()
    yield python
    python.close()


@pytest.fixture
def cli(tmp_path: Path, prepared_python: PreparedPython) -> Cli:
    return new_cli(tmp_path, prepared_python)


@pytest.fixture(scope="module")
def shared_cli(tmp_path_factory: pytest.TempPathFactory, prepared_python: PreparedPython) -> Cli:
    """One store and working folder for what several tests of a module only look at."""
    return new_cli(tmp_path_factory.mktemp("shared"), prepared_python)


@pytest.fixture
def bare(cli: Cli) -> Path:
    """A bare file; what is timed, and so emulated once in the end, is inferred and large."""
    path = cli.folder / "saxpy.cpp"
    path.write_text(VECTOR_ADD)
    return path


@pytest.fixture
def saxpy(cli: Cli) -> Path:
    """The same function as a task folder with a small bench shape."""
    return write_saxpy(cli)


@pytest.fixture(scope="module")
def shared_saxpy(shared_cli: Cli) -> Path:
    return write_saxpy(shared_cli)


def write_saxpy(cli: Cli) -> Path:
    """A task folder in the working folder."""
    folder = cli.folder / "saxpy"
    folder.mkdir()
    (folder / "task.toml").write_text(TASK)
    (folder / "saxpy.cpp").write_text(VECTOR_ADD)
    return folder
