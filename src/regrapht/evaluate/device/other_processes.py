"""Who else computes on a device: what the driver counts there, less the processes of judges that work on it."""

import time
from collections.abc import Callable, Collection
from pathlib import Path

from regrapht.evaluate.device.nvml import DeviceState

PROBE = "gpu_probe"
PROCESSES = Path("/proc")
_LOOK_AGAIN_S = (0.02, 0.05, 0.1, 0.2)


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


def in_company(look: Callable[[], DeviceState], uuid: str) -> bool:
    """Whether a stranger computes on the device and goes on doing so, as `look` says several times.

    Judges end their processes without the device's lease, and the driver's count and the system's names are read one after the other: one
    look may catch a process that the one lists still and the other no more.
    """
    for pause_s in (0.0, *_LOOK_AGAIN_S):
        time.sleep(pause_s)
        if not strangers(look(), uuid):
            return False
    return True


def _judges(processes: Path, names: Collection[str]) -> int:
    folders = (folder for folder in processes.iterdir() if folder.name.isdigit())
    return sum(_name_and_state(folder)[0] in names and _is_running(folder) for folder in folders)


def _is_running(process: Path) -> bool:
    """Whether a thread of it still runs, waited for or not: the driver counts it until the last one has given the device back.

    One that was killed has ended for the system when its first thread has.
    """
    try:
        return any(_name_and_state(thread)[1] not in ("", "Z", "X") for thread in (process / "task").iterdir())
    except OSError:
        return False


def _name_and_state(place: Path) -> tuple[str, str]:
    """Of a process or a thread; both empty for one that is gone."""
    try:
        status = (place / "stat").read_text()
    except OSError:
        return "", ""
    name, _, state = status.partition("(")[2].rpartition(")")
    return name, state.split()[0]
