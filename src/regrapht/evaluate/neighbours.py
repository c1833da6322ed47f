"""Who else computes on a device: what the driver counts there, less the processes of judges that work on it."""

from collections.abc import Collection
from pathlib import Path

from regrapht.evaluate.nvml import DeviceState

PROBE = "gpu_probe"
PROCESSES = Path("/proc")


def harness_name(uuid: str) -> str:
    """What the judge's program for the device `uuid` is called, in the 15 letters by which the system knows a process.

    Judges of another device must not be taken for users of this one: each would hide a stranger.
    """
    return f"judge_{uuid[:9]}"


def strangers(state: DeviceState | None, uuid: str, *, processes: Path = PROCESSES) -> int | None:
    """How many processes compute on the device that are no judge's; any means the label `shared_gpu`. None where the driver does not tell.

    Counted, not compared by number: inside a container the driver numbers processes otherwise than the system does. Judges that work beside
    this one wait for their turn and are no strangers. A container hides others' processes, from the driver too: 0 is no proof.
    """
    if state is None or state.compute_pids is None:
        return None
    if not state.compute_pids:
        return 0
    return max(0, len(state.compute_pids) - _judges(processes, {harness_name(uuid), PROBE}))


def _judges(processes: Path, names: Collection[str]) -> int:
    return sum(_name(folder) in names for folder in processes.iterdir() if folder.name.isdigit())


def _name(process: Path) -> str:
    """Of a process that still runs; empty for one that has ended, waited for or not: the driver counts it no more."""
    try:
        status = (process / "stat").read_text()
    except OSError:
        return ""
    name, _, state = status.partition("(")[2].rpartition(")")
    return "" if state.split()[0] in "ZX" else name
