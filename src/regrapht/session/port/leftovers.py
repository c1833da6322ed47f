"""What a killed port leaves running: commands of the application."""

from pathlib import Path

from regrapht.sandbox.rlimits import end_those_with

_MARK = "REGRAPHT_PORT_WORK"


def marked(folder: Path) -> dict[str, str]:
    """What the commands of one port have in their environment, `folder` being the copy where they run."""
    return {_MARK: str(folder.parent)}


def end_leftovers(work: Path) -> None:
    """End the commands of an earlier port in the same folder: nobody waits for them, and they would write into fresh copies."""
    while end_those_with(f"{_MARK}={work}".encode()):
        pass
