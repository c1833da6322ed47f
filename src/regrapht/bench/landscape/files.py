"""Landscapes as files: canonical JSON, compressed when the name ends in `.gz`; read strictly and never larger than a cap."""

import gzip
import hashlib
import io
import zlib
from pathlib import Path

from regrapht.bench.landscape.records import Landscape
from regrapht.errors import ConfigError, SchemaError
from regrapht.records.encoding import from_json, to_json
from regrapht.store.blobs import write_atomically
from regrapht.store.database import make_folder

MAX_BYTES = 64 * 1024 * 1024
"""Of the JSON text."""


def save_landscape(landscape: Landscape, path: Path) -> None:
    """Write `path` in one step; the same landscape always gives the same bytes.

    Raises:
        SchemaError: It is larger than a landscape may be.
        StoreUnavailable: The folder cannot be written.
    """
    data = (to_json(landscape) + "\n").encode()
    if len(data) > MAX_BYTES:
        raise SchemaError(f"the landscape takes {len(data)} bytes of at most {MAX_BYTES}: record fewer programs")
    if path.suffix == ".gz":
        packed = io.BytesIO()
        with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0) as file:  # no name, no time: canonical
            file.write(data)
        data = packed.getvalue()
    make_folder(path.parent)
    write_atomically(path, data)


def load_landscape(path: Path) -> Landscape:
    """The landscape in a file.

    Raises:
        ConfigError: There is no such file, or it cannot be read.
        SchemaError: It is damaged, too large, of another version, or its parts do not fit.
    """
    try:
        with open(path, "rb") as raw, gzip.open(raw) if path.suffix == ".gz" else raw as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no landscape {path}") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise SchemaError(f"{path} is not a landscape: {error}") from error
    except OSError as error:
        raise ConfigError(f"the landscape {path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise SchemaError(f"{path} holds more than {MAX_BYTES} bytes, and so is not a landscape")
    try:
        landscape = from_json(Landscape, data)
        _refuse_misfits(landscape)
    except SchemaError as error:
        raise SchemaError(f"{path} is not a landscape: {error}") from error
    return landscape


def _refuse_misfits(landscape: Landscape) -> None:
    """Every verdict belongs to the text that stands beside it and to the task in the file.

    Raises:
        SchemaError: One does not.
    """
    task_hash = landscape.task.content_hash
    for number, program in enumerate(landscape.programs):
        text_hash = hashlib.sha256(program.source.encode()).hexdigest()
        for verdict in program.verdicts:
            if verdict.candidate_id != text_hash:
                raise SchemaError(f"program {number} is not the text that was judged")
            if verdict.task_hash != task_hash:
                raise SchemaError(f"program {number} was judged on another task than the file's")
