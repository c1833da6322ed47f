"""The folder that a command writes its results to: it can be written, and one process at a time works in it."""

import fcntl
import json
from pathlib import Path
from typing import IO, Any

from regrapht.errors import ConfigError


def check_writable(folder: Path) -> None:
    """Make `folder` and see that files can be made in it, before any work is spent.

    Raises:
        ConfigError: They cannot; the message names the folder and the way out.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise _unwritable(folder, error) from error


RESULT_FILE = ".regrapht-result.json"
"""In a result folder: the run, and the files that are its result."""


def check_unused(folder: Path, *, run: str | None = None, force: bool = False) -> None:
    """Make `folder`, see that files can be made in it, and that no other run's result is there.

    Args:
        run: The run that may have been here before.
        force: Another result may be replaced.

    Raises:
        ConfigError: It has the result of another run, or cannot be written.
    """
    check_writable(folder)
    there = (folder / RESULT_FILE).is_file() or (folder / "report.html").is_file()
    if there and not force and (run is None or _result(folder).get("run") != run):
        raise ConfigError(f"{folder} has a result already; --force replaces it, --out writes elsewhere")


def forget_result(folder: Path) -> None:
    """Take the files of an earlier result away, so that none stands beside a new one."""
    for name in _result(folder).get("files", ()):
        (folder / Path(name).name).unlink(missing_ok=True)


def keep_result(folder: Path, run: str, files: tuple[str, ...]) -> None:
    """Note which files of the folder are a run's result."""
    (folder / RESULT_FILE).write_text(json.dumps({"run": run, "files": list(files)}) + "\n", encoding="utf-8")


def _result(folder: Path) -> dict[str, Any]:
    try:
        kept = json.loads((folder / RESULT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def hold(path: Path) -> IO[str]:
    """Keep other openings of `path` out, also those of this process, until the file that is returned is closed.

    The lock lies beside `path`, which may be replaced meanwhile. A process that dies gives it back.

    Raises:
        ConfigError: Somebody holds it, or the folder takes no files or no locks.
    """
    lock = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = lock.open("a")
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        held.close()
        raise ConfigError(f"another process works on {path}: wait for its end, or choose another --out") from error
    except OSError as error:
        held.close()
        raise ConfigError(f"{lock} cannot be locked: {error.strerror}; choose an --out on a local disk") from error
    return held


def _unwritable(folder: Path, error: OSError) -> ConfigError:
    return ConfigError(f"cannot write results to {folder}: {error.strerror}; choose another folder with --out")
