"""What a port came to: each hot function, and the application before and after."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.session.port.copies import Likeness


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one function."""

    name: str
    file: str
    line: int
    share: float
    calls: int | None
    taken: bool
    words: str
    """What was done, or why it was left."""
    gain: float | None = None
    gain_is_measured: bool = False
    run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ported:
    """What a port came to."""

    rows: tuple[Row, ...]
    likeness: Likeness
    profiled: str
    before_s: float
    after_s: float
    device: str
    """The judge's."""
    measured: bool
    """Whether the application's times are of a GPU."""
    patch: Path | None
    applied: bool
    more_words: str | None = None
    """What compilers have to be given more, where the build is neither CMake's nor make's."""

    @property
    def good(self) -> bool:
        return self.likeness.equal and any(row.taken for row in self.rows)
