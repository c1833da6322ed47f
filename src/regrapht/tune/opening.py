"""A program with open parameters: which there are, what they may be, and the program at one setting of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from regrapht.records.candidate import Candidate

Setting = Mapping[str, str]
"""A value, as text, for every open parameter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenParameter:
    """One number, or shape, that a program leaves open."""

    name: str
    values: tuple[str, ...]
    start: str
    """Its value in the program that is tuned; one of `values`."""
    shapes_launch: bool = False
    """It changes how many threads and blocks there are, not what a thread does: registers stay as they are."""


class CannotOpen(Exception):
    """A program leaves nothing open; the text says why."""


class DoesNotFit(Exception):
    """There is no program at this setting; the text says why."""


class Opening(Protocol):
    """A program with its open parameters."""

    parameters: tuple[OpenParameter, ...]

    def candidate(self, setting: Setting) -> Candidate:
        """The program at a setting, made from the one that is tuned.

        Raises:
            DoesNotFit: There is none; says why.
        """
        ...


def start_of(opening: Opening) -> dict[str, str]:
    """The setting of the program that is tuned."""
    return {parameter.name: parameter.start for parameter in opening.parameters}


def words(setting: Setting) -> str:
    """A setting for a reader: `TILE = 16, BLOCK = 128`."""
    return ", ".join(f"{name} = {value}" for name, value in setting.items())
