"""Processes of others on the device, by the driver's count and the system's names."""

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.evaluate.device import other_processes
from regrapht.evaluate.device.harness import Harness, time_command
from regrapht.evaluate.device.nvml import DeviceState
from regrapht.evaluate.device.other_processes import harness_name, in_company, strangers
from regrapht.records.task import Residency

UUID = "a5cf18d8bab197521cd0d5df69e56f09"
HARNESS = Harness(code=b"", name=harness_name(UUID))


def add_process(folder, pid, name, state):
    (folder / str(pid) / "task" / str(pid)).mkdir(parents=True)
    for place in (folder / str(pid), folder / str(pid) / "task" / str(pid)):
        (place / "stat").write_text(f"{pid} ({name}) {state} 1 1 1 0")


@pytest.fixture
def processes(tmp_path):
    own, other = harness_name(UUID), harness_name(UUID[::-1])
    running = ((7, own), (8, own), (9, "python3 (x) y"), (10, "gpu_probe"), (12, other), (13, other))
    for pid, name in running:
        add_process(tmp_path, pid, name, "S")
    add_process(tmp_path, 14, own, "Z")  # ended, and not waited for yet
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

    command = time_command(HARNESS, Residency.DEVICE, SimpleNamespace(descriptors={}))
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


def test_one_whose_first_thread_has_ended_is_still_counted(tmp_path):
    """As the driver does while another thread gives the device back. Here the first one ends and another waits."""
    program = (
        "import ctypes, threading, time\n"
        "libc = ctypes.CDLL(None)\n"
        f"libc.prctl(15, {harness_name(UUID).encode()!r})\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "libc.pthread_exit(None)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as child:
        try:
            place = Path(f"/proc/{child.pid}")
            (tmp_path / str(child.pid)).symlink_to(place)
            deadline = time.monotonic() + 30
            while (
                place.joinpath("stat").read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < deadline
            ):
                time.sleep(0.01)
            assert place.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z", "as the system shows it"
            assert strangers(DeviceState(compute_pids=(child.pid,)), UUID, processes=tmp_path) == 0
        finally:
            child.kill()


def test_company_is_who_stays(monkeypatch):
    """A process that the driver lists once too often is none."""
    monkeypatch.setattr(other_processes, "PROCESSES", Path("/nonexistent"))
    monkeypatch.setattr(other_processes, "_judges", lambda processes, names: 1)
    one, two = DeviceState(compute_pids=(1,)), DeviceState(compute_pids=(1, 2))
    for seen, company in (([one], False), ([two, two, one], False), ([two] * 5, True)):
        states = iter(seen)
        assert in_company(lambda states=states: next(states), UUID) is company


def test_the_gpu_that_the_user_chose_is_the_harnesss(monkeypatch):
    command = time_command(HARNESS, Residency.DEVICE, SimpleNamespace(descriptors={}))
    assert "CUDA_VISIBLE_DEVICES" not in command.environment or "CUDA_VISIBLE_DEVICES" in os.environ
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    chosen = time_command(HARNESS, Residency.DEVICE, SimpleNamespace(descriptors={}))
    assert chosen.environment["CUDA_VISIBLE_DEVICES"] == "1"
