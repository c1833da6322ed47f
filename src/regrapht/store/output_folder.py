"""The folder that a command writes its results to: it can be written, and one process at a time works in it."""

import fcntl
from pathlib import Path
from typing import IO

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
