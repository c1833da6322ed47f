"""Whether the judge's own programs are still what was built: files on disc, held against the hash that they had when they were first used.

This notices a change, by whomever: a program that got out of its sandbox, another process, a failing disc. It does not stand against one
who can write the cache folder before the first use: such a one can also write the hash.
"""

import hashlib
import threading
from pathlib import Path

from regrapht.errors import EvaluatorUnavailable


class TrustedFiles:
    """Files that must not change while this process judges. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._digests: dict[Path, str] = {}

    def pin(self, path: Path, content: bytes | None = None) -> None:
        """From now on `path` must hold what it holds now, or `content` where that is given.

        Raises:
            EvaluatorUnavailable: It was pinned before, and is not what it was then.
        """
        digest = _digest(content) if content is not None else _digest_of(path)
        with self._lock:
            before = self._digests.setdefault(path, digest)
        if before != digest:
            raise changed(path)

    def verify(self) -> None:
        """Look at every pinned file again; to be called before results that rest on them are believed.

        Raises:
            EvaluatorUnavailable: One of them changed or is gone. Nothing judged since the last look may be trusted.
        """
        with self._lock:
            pinned = dict(self._digests)
        for path, digest in pinned.items():
            if _digest_of(path) != digest:
                raise changed(path)


def changed(path: Path) -> EvaluatorUnavailable:
    """The error for a trusted file that is not what it was."""
    return EvaluatorUnavailable(
        f"{path}, a program of the judge's own, is not what was built: something changed it. Results since then cannot be trusted. Find "
        f"out what it was, then remove the file, and it is built again"
    )


def _digest_of(path: Path) -> str:
    try:
        return _digest(path.read_bytes())
    except OSError as error:
        return f"unreadable: {error.strerror}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
