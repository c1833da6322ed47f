"""The functions that methods are evaluated on, and whether another one nearly is one of them: those never become training data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.graph.query import NEAR_DUPLICATE
from regrapht.source.functions import read_unit
from regrapht.source.program_hash import program_hash
from regrapht.source.shingles import shingles, similarity

_SUFFIXES = {".cpp", ".c", ".cc", ".cxx", ".cu", ".h", ".hpp", ".cuh"}
LARGEST_BYTES = 1024 * 1024
FEWEST_TOKEN_RUNS = 12
"""Of a function: shorter ones are like too many others to say anything."""


@dataclass(frozen=True, slots=True)
class KeptOut:
    """Signs of every function that is kept out, by the place where it stands, and the hashes of the programs there."""

    signs: Mapping[str, frozenset[str]]
    programs: frozenset[str]

    def near(self, text: str) -> str | None:
        """The place of a function that this file, or one of its functions, is or nearly is; None where there is none."""
        if program_hash(text) in self.programs:
            return "a program there"
        for mine in _signs(text).values():
            for place, theirs in self.signs.items():
                if similarity(mine, theirs) >= NEAR_DUPLICATE:
                    return place
        return None

    def has_program(self, text: str) -> bool:
        """Whether the program, comments and layout aside, lies there."""
        return program_hash(text) in self.programs


def keep_out(folders: Sequence[Path]) -> KeptOut:
    """What lies in these folders: each file of C++ or CUDA as a whole, and each function in it.

    Raises:
        ConfigError: A folder is missing or holds no source.
    """
    signs: dict[str, frozenset[str]] = {}
    programs: set[str] = set()
    for folder in folders:
        files = list(_sources(folder))
        if not files:
            raise ConfigError(f"{folder} holds no source file to keep out: give the folder of a suite, or of examples")
        for file in files:
            text = file.read_bytes().decode("utf-8", "replace")
            programs.add(program_hash(text))
            if file.suffix not in (".cu", ".cuh"):
                signs |= {f"{file}{name}": found for name, found in _signs(text).items()}
    return KeptOut(signs, frozenset(programs))


def _sources(folder: Path) -> Iterable[Path]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in _SUFFIXES and file.is_file() and file.stat().st_size <= LARGEST_BYTES:
            yield file


def _signs(text: str) -> dict[str, frozenset[str]]:
    """The file as a whole, and its functions where it has several."""
    found = {"": shingles(text)}
    functions = read_unit(text).functions
    if len(functions) > 1:
        for one in functions:
            part = text.encode("utf-8", "replace")[one.node.start_byte : one.node.end_byte].decode("utf-8", "replace")
            runs = shingles(part)
            if len(runs) >= FEWEST_TOKEN_RUNS:
                found[f":{one.name}"] = runs
    return found
