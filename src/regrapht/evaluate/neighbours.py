"""Who else computes on the device: what the driver counts there, less the processes of judges on this machine."""

from pathlib import Path

from regrapht.evaluate.nvml import DeviceState

OUR_PROGRAMS = frozenset({"judge_harness", "gpu_probe"})
"""Names under which the judge's own programs run; the system knows a process by its first 15 letters."""
PROCESSES = Path("/proc")


def strangers(state: DeviceState | None, *, processes: Path = PROCESSES) -> int | None:
    """How many processes compute on the device that are no judge's; any means the label `shared_gpu`. None where the driver does not tell.

    Counted, not compared by number: inside a container the driver numbers processes otherwise than the system does. Judges that work beside
    this one wait for their turn and are no strangers. A container hides others' processes, from the driver too: 0 is no proof.
    """
    if state is None or state.compute_pids is None:
        return None
    if not state.compute_pids:
        return 0
    return max(0, len(state.compute_pids) - _judges(processes))


def _judges(processes: Path) -> int:
    return sum(_name(folder) in OUR_PROGRAMS for folder in processes.iterdir() if folder.name.isdigit())


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:  # it ended meanwhile
        return ""
