"""S12: sections alone never overlap with anything, between processes and threads; killed holders let go; nobody starves."""

import contextlib
import fcntl
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from regrapht.evaluate.device.sharing import MACHINE, STARTS_AT_ONCE, exclusive, holder, shared, starting

UUID = "00112233445566778899aabbccddeeff"
WORKER = f"""
import os, sys, time
from regrapht.evaluate.device.sharing import exclusive, shared, starting
how = {{"exclusive": exclusive, "shared": shared, "starting": starting}}[sys.argv[1]]
rounds, length_s = int(sys.argv[2]), float(sys.argv[3])
log = os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
print("ready", flush=True)
sys.stdin.read(1)
for i in range(rounds):
    with how({UUID!r}):
        begun = time.monotonic_ns()
        time.sleep(length_s)
        os.write(log, f"{{sys.argv[1]}} {{os.getpid()}} {{begun}} {{time.monotonic_ns()}}\\n".encode())
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("REGRAPHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def worker(cache: Path, how: str, rounds: int, length_s: float) -> subprocess.Popen:
    """A process that is ready to begin when something is written to it."""
    started = subprocess.Popen(
        [sys.executable, "-c", WORKER, how, str(rounds), str(length_s), str(cache / "log")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert started.stdout.readline() == b"ready\n"
    return started


def begin(*workers: subprocess.Popen) -> None:
    for one in workers:
        one.stdin.write(b"x")
        one.stdin.flush()


def until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert reached()


def comes_for(process: subprocess.Popen, name: str) -> bool:
    """Whether it has opened that file of locks: the first that it takes, or the second, which it opens when it has the first."""
    found = []
    for descriptor in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            found.append(descriptor.readlink().name)
    return name in found


DEVICE, WANTED = f"gpu-{UUID}", f"gpu-{UUID}.wanted"


def sections(cache: Path) -> list[tuple[str, int, int, int]]:
    rows = [line.split() for line in (cache / "log").read_text().splitlines()]
    return sorted(((how, int(pid), int(begun), int(ended)) for how, pid, begun, ended in rows), key=lambda row: row[2])


def test_two_processes_started_together_never_overlap_alone(cache):
    workers = [worker(cache, "exclusive", 40, 0.003) for _ in range(2)]
    begin(*workers)
    assert [one.wait(timeout=60) for one in workers] == [0, 0]
    found = sections(cache)
    assert len(found) == 80 and len({pid for _, pid, _, _ in found}) == 2
    assert all(earlier[3] <= later[2] for earlier, later in itertools.pairwise(found))


def test_shared_sections_never_overlap_one_alone(cache):
    workers = [worker(cache, "shared", 20, 0.02) for _ in range(3)] + [worker(cache, "exclusive", 20, 0.005)]
    begin(*workers)
    assert [one.wait(timeout=60) for one in workers] == [0] * 4
    found = sections(cache)
    assert len(found) == 80
    for i, (how, _, _, ended) in enumerate(found):
        for other_how, _, other_begun, _ in found[i + 1 :]:
            if other_begun < ended:
                assert how == other_how == "shared"


def test_shared_sections_overlap_each_other():
    together = threading.Barrier(3, timeout=60)

    def meet() -> None:
        with shared(UUID):
            together.wait()

    with ThreadPoolExecutor(3) as pool:
        for one in [pool.submit(meet) for _ in range(3)]:
            one.result()


@pytest.mark.parametrize(("how", "alone"), [(shared, UUID), (starting, UUID), (starting, MACHINE)])
def test_who_shares_or_starts_waits_for_one_alone(how, alone):
    entered = threading.Event()

    def enter() -> None:
        with shared(UUID):
            entered.set()

    with exclusive(UUID):
        waiting = threading.Thread(target=enter)
        waiting.start()
        assert not entered.wait(0.3)
    assert entered.wait(60)
    waiting.join()


def test_few_start_at_once_and_never_beside_one_alone(cache):
    starters, alone = 3 * STARTS_AT_ONCE, 2
    workers = [worker(cache, "starting", 4, 0.02) for _ in range(starters)]
    workers += [worker(cache, "exclusive", 5, 0.005) for _ in range(alone)]
    begin(*workers)
    assert [one.wait(timeout=60) for one in workers] == [0] * len(workers)
    found = sections(cache)
    assert len(found) == 4 * starters + 5 * alone
    for how, _, begun, _ in found:
        beside = [other for other, _, at, ended in found if at <= begun < ended]
        assert len(beside) <= (1 if how == "exclusive" else STARTS_AT_ONCE)
        assert len(set(beside)) == 1


def test_who_waits_for_a_place_does_not_share_the_device_meanwhile(cache):
    """Else one who wants it alone would wait for all of them."""
    leave = threading.Event()
    with ThreadPoolExecutor(STARTS_AT_ONCE) as pool:
        held = threading.Barrier(STARTS_AT_ONCE + 1, timeout=60)

        def start_elsewhere(number: int) -> None:
            folder = cache / "cache" / "locks"
            folder.mkdir(parents=True, exist_ok=True)
            with open(folder / f"gpu-{UUID}.start.{number}", "w") as place:
                fcntl.flock(place, fcntl.LOCK_EX)
                held.wait()
                assert leave.wait(60)

        places = [pool.submit(start_elsewhere, number) for number in range(STARTS_AT_ONCE)]
        held.wait()
        waiting = worker(cache, "starting", 1, 0)
        begin(waiting)
        until(lambda: comes_for(waiting, f"gpu-{UUID}.start.{STARTS_AT_ONCE - 1}"))
        with exclusive(UUID):
            assert waiting.poll() is None
        leave.set()
        for place in places:
            place.result()
    assert waiting.wait(timeout=60) == 0


def test_a_killed_holder_lets_go(cache):
    lasting = worker(cache, "exclusive", 1, 600)
    begin(lasting)
    until(lambda: holder(UUID) is not None)
    assert holder(UUID).pid == lasting.pid and holder(UUID).since.endswith("UTC")
    lasting.send_signal(signal.SIGKILL)
    lasting.wait()
    with exclusive(UUID):
        assert holder(UUID).pid == os.getpid()
    assert holder(UUID) is None


def test_one_killed_while_it_waits_holds_nobody_up(cache):
    with shared(UUID):
        waiting = worker(cache, "exclusive", 1, 0)
        begin(waiting)
        until(lambda: comes_for(waiting, DEVICE))
        waiting.kill()
        waiting.wait()
        entered = threading.Event()

        def enter() -> None:
            with shared(UUID):
                entered.set()

        beside = threading.Thread(target=enter)
        beside.start()
        assert entered.wait(60)
        beside.join()


def test_many_who_share_do_not_starve_one_who_wants_it_alone(cache):
    """Eight that overlap all the time: with the kernel's lock alone the ninth waits until they stop."""
    stop = threading.Event()
    latest = time.monotonic() + 60

    def keep_sharing(delay_s: float) -> None:
        time.sleep(delay_s)
        while not stop.is_set() and time.monotonic() < latest:
            with shared(UUID):
                time.sleep(0.08)

    sharing = [threading.Thread(target=keep_sharing, args=(i * 0.01,)) for i in range(8)]
    for one in sharing:
        one.start()
    try:
        for _ in range(5):
            with exclusive(UUID):
                assert time.monotonic() < latest, "it waited until they stopped"
            time.sleep(0.02)
    finally:
        stop.set()
        for one in sharing:
            one.join()


def test_all_who_wait_to_be_alone_follow_each_other(cache):
    """The device empties once for the three of them: who comes to share meanwhile waits for all."""
    with shared(UUID):
        alone = [worker(cache, "exclusive", 1, 0.1) for _ in range(3)]
        begin(alone[0])
        until(lambda: comes_for(alone[0], DEVICE))
        late = worker(cache, "shared", 1, 0)
        begin(late)
        until(lambda: comes_for(late, WANTED))
        begin(*alone[1:])
        until(lambda: all(comes_for(one, DEVICE) for one in alone))
        assert sections(cache) == []
    assert [one.wait(timeout=60) for one in (*alone, late)] == [0] * 4
    assert [how for how, *_ in sections(cache)] == ["exclusive"] * 3 + ["shared"]


def test_a_holder_is_not_left_waiting_for_itself():
    for outer in (exclusive, shared):
        for inner in (exclusive, shared):
            with outer(UUID), pytest.raises(RuntimeError, match="already"), inner(UUID):
                pass
    with exclusive(UUID), exclusive("f" * 32):
        pass


def test_what_fails_inside_lets_go():
    for how in (exclusive, shared):
        with pytest.raises(KeyError), how(UUID):
            raise KeyError
    with exclusive(UUID):
        assert holder(UUID) is not None
    assert holder(UUID) is None


def test_nobody_holds_a_device_that_was_never_used():
    assert holder("e" * 32) is None
