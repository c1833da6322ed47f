"""Both sandboxes, and hostile programs to run in them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.bubblewrap import BubblewrapSandbox
from regrapht.sandbox.rlimits import RlimitSandbox
from regrapht.sandbox.sandbox import Command, Limits, Sandbox


def _started(sandbox: Sandbox) -> Sandbox:
    try:
        works = sandbox.run(Command(argv=("true",)), Limits(wall_s=20)).ok
    except EvaluatorUnavailable:
        works = False
    if not works:
        pytest.skip(f"{sandbox.name} does not start here")
    return sandbox


@pytest.fixture(params=[BubblewrapSandbox, RlimitSandbox])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return _started(request.param())


@pytest.fixture
def strong() -> Sandbox:
    return _started(BubblewrapSandbox())


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Compile a C program and return its bytes."""

    def build(source: str) -> bytes:
        folder = tmp_path_factory.mktemp("program")
        (folder / "a.c").write_text(source)
        subprocess.run(["gcc", "-O1", "-w", "a.c", "-o", "a.out", "-lpthread"], cwd=folder, check=True)
        return (folder / "a.out").read_bytes()

    return build


@pytest.fixture
def scratch_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where sandboxes of this test alone make their folders."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and Path("/tmp") in folder.parents:
            folder.chmod(0o755)
    return tmp_path


@pytest.fixture
def running() -> Callable[[str], list[str]]:
    """Processes whose command line carries a marker."""

    def find(marker: str) -> list[str]:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    command = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if marker.encode() in command:
                    found.append(entry.name)
        return found

    return find
