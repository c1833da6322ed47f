"""Processes of others on the device, by the driver's count and the system's names."""

import os
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.evaluate.gpu_program import Harness, time_command
from regrapht.evaluate.neighbours import harness_name, strangers
from regrapht.evaluate.nvml import DeviceState
from regrapht.records.task import Residency

UUID = "a5cf18d8bab197521cd0d5df69e56f09"
HARNESS = Harness(code=b"", name=harness_name(UUID))


@pytest.fixture
def processes(tmp_path):
    own, other = harness_name(UUID), harness_name(UUID[::-1])
    running = ((7, own), (8, own), (9, "python3 (x) y"), (10, "gpu_probe"), (12, other), (13, other))
    for pid, name in running:
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({name}) S 1 1 1 0")
    (tmp_path / "14").mkdir()
    (tmp_path / "14" / "stat").write_text(f"14 ({own}) Z 1 1 1 0")  # ended, and not waited for yet
    (tmp_path / "11").mkdir()  # ended while we looked
    (tmp_path / "meminfo").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("pids", "count"),
    [((), 0), ((7, 8), 0), ((7, 8, 10), 0), ((7, 8, 9, 10), 1), ((4007, 4008, 4010, 4011, 4012), 2), ((9,), 0)],
    ids=["none", "two judges", "and a probe", "and another", "numbered otherwise", "hidden judges"],
)
def test_count(processes, pids, count):
    assert strangers(DeviceState(compute_pids=pids), UUID, processes=processes) == count


def test_not_knowing_is_neither_alone_nor_shared(processes):
    assert strangers(None, UUID, processes=processes) is None
    assert strangers(DeviceState(compute_pids=None), UUID, processes=processes) is None


def test_the_harness_runs_under_the_name_that_is_looked_for():
    """The name is the file's that the sandbox runs, as the system shows it."""

    command = time_command(HARNESS, Residency.DEVICE, SimpleNamespace(descriptors=()))
    assert Path(command.argv[0]).name == harness_name(UUID)
    assert len(harness_name(UUID)) <= 15, "the system keeps no more letters"


def test_this_system_names_its_processes(tmp_path):
    """What the fixture imitates is what /proc holds."""
    (tmp_path / str(os.getpid())).symlink_to(f"/proc/{os.getpid()}")
    assert strangers(DeviceState(compute_pids=(os.getpid(),)), UUID, processes=tmp_path) == 1
    copy = tmp_path / harness_name(UUID)
    copy.write_bytes(Path("/bin/sleep").read_bytes())
    copy.chmod(0o755)
    with subprocess.Popen([copy, "60"]) as child:
        (tmp_path / str(child.pid)).symlink_to(f"/proc/{child.pid}")
        pids = DeviceState(compute_pids=(os.getpid(), child.pid))
        deadline = time.monotonic() + 30  # the system gives the name a moment after the program has begun
        while strangers(pids, UUID, processes=tmp_path) != 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert strangers(pids, UUID, processes=tmp_path) == 1
        child.kill()


def test_the_gpu_that_the_user_chose_is_the_harnesss(monkeypatch):
    command = time_command(HARNESS, Residency.DEVICE, SimpleNamespace(descriptors=()))
    assert "CUDA_VISIBLE_DEVICES" not in command.environment or "CUDA_VISIBLE_DEVICES" in os.environ
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    chosen = time_command(HARNESS, Residency.DEVICE, SimpleNamespace(descriptors=()))
    assert chosen.environment["CUDA_VISIBLE_DEVICES"] == "1"
