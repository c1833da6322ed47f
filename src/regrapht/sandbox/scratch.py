"""The private folder that one sandboxed command works in, and reading its files back without being led astray."""

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.privileges import give


class Scratch:
    """A fresh folder for one command; gone when the context ends. Whatever the command left there is hostile.

    Raises:
        EvaluatorUnavailable: The folder for temporary files cannot be written, as where a disk is full.
    """

    def __init__(self, files: Mapping[str, bytes | Path]) -> None:
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="regrapht-"))
        except OSError as error:
            raise _no_room(error) from error
        try:
            for name, content in files.items():
                self._put(name, content)
            give(self.folder)
        except OSError as error:
            self.close()
            raise _no_room(error) from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, name: str, content: bytes | Path) -> None:
        _require_plain(name)
        target = self.folder / name
        if isinstance(content, Path):
            shutil.copyfile(content, target)
        else:
            target.write_bytes(content)
        target.chmod(0o755)
        give(target)

    def collect(self, names: Iterable[str], limit_bytes: int) -> dict[str, bytes]:
        """The contents of those `names` that are regular files of at most `limit_bytes`; links, pipes and larger files are left out.

        Raises:
            ValueError: A name is not a plain file name.
        """
        found = {}
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            for name in names:
                _require_plain(name)
                content = _read_regular(folder, name, limit_bytes)
                if content is not None:
                    found[name] = content
        finally:
            os.close(folder)
        return found

    def close(self) -> None:
        """Remove the folder. `rm` neither follows links nor recurses on the stack, however deep the tree is."""
        subprocess.run(["rm", "-rf", "--", str(self.folder)], check=False, capture_output=True)
        if self.folder.exists():
            subprocess.run(["chmod", "-R", "u+rwX", "--", str(self.folder)], check=False, capture_output=True)
            done = subprocess.run(["rm", "-rf", "--", str(self.folder)], check=False, capture_output=True, text=True)
            if done.returncode:
                raise EvaluatorUnavailable(f"cannot remove {self.folder}: {done.stderr.strip()[:200]}")


def _no_room(error: OSError) -> EvaluatorUnavailable:
    return EvaluatorUnavailable(
        f"the folder for temporary files cannot be written: {error.strerror or error}; make room, or name another with TMPDIR"
    )


def _require_plain(name: str) -> None:
    if Path(name).name != name or name in {"", ".", ".."} or "\0" in name:
        raise ValueError(f"{name!r} is not a plain file name")


def _read_regular(folder: int, name: str, limit_bytes: int) -> bytes | None:
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    try:
        status = os.fstat(fd)
        # A second name would be a hard link, perhaps to a file of someone else's.
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1 or status.st_size > limit_bytes:
            return None
        with open(fd, "rb", closefd=False) as file:
            content = file.read(limit_bytes + 1)
    finally:
        os.close(fd)
    return content if len(content) <= limit_bytes else None
