"""Giving up root before anything that is not trusted starts.

Root inside a bubblewrap sandbox is still root to the kernel: it can write `/proc/sys`, and limits on processes do not bind it.
"""

import os
import shutil
import stat
from pathlib import Path

from regrapht.errors import EvaluatorUnavailable

UNPRIVILEGED_ID = 65534
"""User and group that root becomes: `nobody`."""


def drop_prefix() -> tuple[str, ...]:
    """The command prefix under which a program runs without root's rights; empty for those who have none.

    Raises:
        EvaluatorUnavailable: We are root and `setpriv` is missing.
    """
    if os.geteuid() != 0:
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise EvaluatorUnavailable(
            "running as root without `setpriv` to give it up: install util-linux, or run as an ordinary user"
        )
    user = str(UNPRIVILEGED_ID)
    return (setpriv, "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs", "--")


def give(path: Path) -> None:
    """Hand a file or folder to the user that sandboxed programs run as."""
    if os.geteuid() == 0:
        os.chown(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)


def require_readable(path: Path) -> None:
    """Check that the user of sandboxed programs can read `path`; nothing to check unless we are root.

    Raises:
        EvaluatorUnavailable: It cannot; the message names the folder in the way.
    """
    if os.geteuid() != 0:
        return
    for folder in path.absolute().parents:
        if not folder.stat().st_mode & stat.S_IXOTH:
            raise EvaluatorUnavailable(
                f"{path} lies in {folder}, which only its owner may enter, while sandboxed programs run as another user: "
                f"run regrapht as an ordinary user, or put it elsewhere (REGRAPHT_CACHE names the cache folder)"
            )
    if not path.stat().st_mode & stat.S_IROTH:
        raise EvaluatorUnavailable(f"{path} is not readable by the user that sandboxed programs run as: chmod o+r it")
