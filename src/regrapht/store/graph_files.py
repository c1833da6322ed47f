"""Graph files: size looked at before reading, written as one step. What the text means is the graph's own business."""

from pathlib import Path

from regrapht.errors import ConfigError, SchemaError
from regrapht.records.encoding import MAX_BYTES
from regrapht.store.blobs import write_atomically
from regrapht.store.database import make_folder


def read_graph_bytes(path: Path) -> bytes:
    """The contents of a graph file.

    Raises:
        ConfigError: There is no such file, or it cannot be read.
        SchemaError: It is larger than any graph.
    """
    try:
        if not path.is_file():
            raise ConfigError(f"there is no graph file {path}")
        if (size := path.stat().st_size) > MAX_BYTES:
            raise SchemaError(f"{path} has {size} bytes; a graph has at most {MAX_BYTES}")
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the graph file {path} cannot be read: {error.strerror or error}") from error


def write_graph_text(path: Path, text: str) -> None:
    """Replace a graph file by a text; a reader sees the old file or the new one.

    Raises:
        StoreUnavailable: The folder cannot be written, or the disk is full; the old file is still there.
    """
    make_folder(path.parent)
    write_atomically(path, text.encode("utf-8"))
