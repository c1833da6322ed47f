"""A file of lines that a command goes on with: a head that says what it is of, then a line for each piece of work that is done."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from regrapht.errors import ConfigError, SchemaError
from regrapht.store.blobs import write_atomically
from regrapht.store.database import unavailable
from regrapht.store.output_folder import hold

MAX_BYTES = 1024**3


class LineFile:
    """The file, open for appending. Until it is closed nobody else can open it.

    A last line that a dying process cut off is removed: its work is not done.

    Args:
        is_head: Whether a first line is one of this kind of file, damaged or not. The file is left as it is where it is not.
        writer: The command that writes such files, for the message then.

    Raises:
        ConfigError: It is of another kind, open already, or cannot be written.
        SchemaError: It is too large.
    """

    def __init__(self, path: Path, *, is_head: Callable[[bytes], bool], writer: str) -> None:
        self.path = path
        self._held = hold(path)
        try:
            self.lines = self._whole_lines(is_head, writer)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "LineFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others go on with it."""
        self._held.close()

    def append(self, line: str) -> None:
        """Add a line; on the disk when this returns.

        Raises:
            StoreUnavailable: It cannot be written.
        """
        try:
            with self.path.open("ab") as file:
                file.write(line.encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise unavailable(self.path.parent, error) from error

    def replace(self, lines: Sequence[str]) -> None:
        """Put `lines` in the place of all that is there, in one step."""
        write_atomically(self.path, "".join(f"{line}\n" for line in lines).encode())

    def _whole_lines(self, is_head: Callable[[bytes], bool], writer: str) -> list[bytes]:
        if not self.path.is_file() or not (size := self.path.stat().st_size):
            return []
        if size > MAX_BYTES:
            raise SchemaError(f"{self.path} has more than {MAX_BYTES} bytes")
        whole, _, torn = self.path.read_bytes().rpartition(b"\n")
        # A head is written in one step, so one that was cut off is not ours either.
        if not is_head(whole.partition(b"\n")[0]):
            raise ConfigError(
                f"{self.path} is not what `{writer}` writes, so {self.path.parent} holds something else: name another --out"
            )
        if torn:
            write_atomically(self.path, whole + b"\n")
        return whole.split(b"\n")
