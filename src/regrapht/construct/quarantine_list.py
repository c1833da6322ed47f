"""`quarantine.txt` in a corpus: provenances that must not enter a graph, one a line, with the reason behind a `#`."""

from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory
from regrapht.errors import SchemaError
from regrapht.graph.quarantine import comes_from
from regrapht.store.blobs import write_atomically

QUARANTINE_FILE = "quarantine.txt"
MAX_FILE_BYTES = 1024 * 1024


def read_quarantine(corpus: Path) -> tuple[str, ...]:
    """The provenances on the list; empty when there is no list.

    Raises:
        SchemaError: The file is too large or no text.
    """
    return tuple(entry for line in _lines(corpus) if (entry := line.partition("#")[0].strip()))


def add_to_quarantine(corpus: Path, provenance: str, *, reason: str) -> None:
    """Put a provenance on the list; nothing happens when it is there.

    Raises:
        SchemaError: As `read_quarantine`.
        StoreUnavailable: The folder cannot be written.
    """
    if provenance not in read_quarantine(corpus):
        lines = [*_lines(corpus), f"{provenance}  # {' '.join(reason.split())}" if reason.strip() else provenance]
        write_atomically(corpus / QUARANTINE_FILE, ("\n".join(lines) + "\n").encode())


def is_quarantined(item: CorpusTrajectory, entries: tuple[str, ...]) -> bool:
    """Whether a trajectory came out of something on the list."""
    return any(comes_from(item.provenance, entry) for entry in entries)


def _lines(corpus: Path) -> list[str]:
    file = corpus / QUARANTINE_FILE
    if not file.is_file():
        return []
    if file.stat().st_size > MAX_FILE_BYTES:
        raise SchemaError(f"{file} has more than {MAX_FILE_BYTES} bytes; it holds one provenance a line")
    try:
        return file.read_bytes().decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise SchemaError(f"{file} is not UTF-8 text: save it as UTF-8") from error
