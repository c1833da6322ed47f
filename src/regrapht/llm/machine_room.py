"""What this machine has for a model: processors and memory, as this process may use them."""

import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Processors that this process may run on, a container's share of them counted."""
    cores = len(os.sched_getaffinity(0))
    quota = _words(_CGROUP / "cpu.max")
    if len(quota) == 2 and quota[0].isdecimal() and quota[1].isdecimal() and int(quota[1]):
        cores = min(cores, int(quota[0]) // int(quota[1]))
    return max(1, cores)


def idle_cores() -> int:
    """Those of `usable_cores` that nobody else has kept busy in the last minute, at least one.

    A model's threads wait for each other at every step, by spinning: one more than there are idle cores made writing ten times as slow, and
    reading by a third.
    """
    others = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1, min(usable_cores(), (os.cpu_count() or 1) - round(others)))


def free_bytes() -> int | None:
    """Memory that may still be taken: the machine's available, within the limit of a container; None where the system does not say."""
    found = []
    for line in _lines(Path("/proc/meminfo")):
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            found.append(int(value.split()[0]) * 1024)
    limit, used = _words(_CGROUP / "memory.max"), _words(_CGROUP / "memory.current")
    if limit and used and limit[0].isdecimal() and used[0].isdecimal():
        reclaimable = [line.split()[1] for line in _lines(_CGROUP / "memory.stat") if line.startswith("inactive_file ")]
        found.append(int(limit[0]) - int(used[0]) + sum(map(int, reclaimable)))
    return max(0, min(found)) if found else None


def _words(path: Path) -> list[str]:
    return " ".join(_lines(path)).split()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except OSError:  # this system keeps no such account
        return []
