"""A user's own code: how its files are compiled, and where a function that was taken out of them stands."""

import re
from dataclasses import dataclass
from pathlib import Path

Members = tuple[tuple[str, str], ...]
"""(a member of a struct, its type as C writes it with extents), in order."""
_LINES = re.compile(r"\blines? (\d+(?:(?:, | and |, and )\d+)*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFlags:
    """What the compiler of a user's file is told, as far as its meaning depends on it."""

    include: tuple[Path, ...] = ()
    """`-I`: folders with headers of the project."""
    defines: tuple[str, ...] = ()
    """`-D`: `NAME` or `NAME=VALUE`."""
    standard: str | None = None
    """`-std`: `c++20`."""
    forced: tuple[tuple[str, str], ...] = ()
    """(`-include` or `-imacros`, the file): what is read before the file itself."""
    project: Path | None = None
    """The build folder whose `compile_commands.json` says the rest, or that file."""

    @property
    def given(self) -> bool:
        """Whether anything was said."""
        return bool(self.include or self.defines or self.standard or self.project)


NO_FLAGS = BuildFlags()


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatPlace:
    """One parameter of the flat function, as the user's function has it."""

    name: str
    expression: str
    """In the scope of the user's function: `q.data()`, `grid.nx()`, `&total`."""
    form: str = "value"
    """`value`, `pointer`, or `rows` for a pointer to pointers and a vector of vectors."""
    length: str | None = None
    """How many elements the user's object holds, where it knows: `q.size()`."""
    hidden: str | None = None
    """Why no expression of the user's function reaches it."""
    made: bool = False
    """Whether it is part of what the user's function returns, or gets its length there, so that nothing is there before a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """The object that the user's function returns, and vectors that it gives their length, as a call of the program makes them."""

    expression: str
    """Empty where it returns a number or nothing."""
    before: tuple[str, ...]
    """Statements that make it, with the length of each of its vectors."""
    after: tuple[str, ...] = ()
    """Statements for what cannot be written to directly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where a task's function stands in the user's project, and how the flat one is called from there."""

    file: str
    line: int
    """Of the function's name."""
    body_line: int
    body_column: int
    """Where its body's `{` is; both count from 1."""
    name: str
    """With its namespaces and class: `swe::Solver::update`."""
    namespaces: tuple[str, ...] = ()
    member_of: str | None = None
    declaration: str
    """Its head as written, without body: `void slopes(const std::vector<double>& q, int n)`."""
    arguments: tuple[str, ...] = ()
    """The names of its own parameters."""
    places: tuple[FlatPlace, ...] = ()
    files: tuple[str, ...] = ()
    lines: tuple[tuple[int, int, int], ...] = ()
    """Runs of lines of the reference: (first line, place in `files`, its line there)."""
    structs: tuple[tuple[str, Members], ...] = ()
    """The structs in arrays by their names in the reference, and what is in these, as the compiler has them."""
    original: str = ""
    """The function and what it needs, as written, in one file that stands alone."""
    include: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is assumed of every call."""
    returned: Returned | None = None
    """None where it returns a number or nothing."""
    only_in: str | None = None
    """A condition in C++ that holds in that instance of a template which the flat function was made of; None where it is no template."""
    same: tuple[tuple[str, str], ...] = ()
    """Expressions of the user's function that one parameter stands for: a call tests that they are equal, and else runs her own code."""

    def where(self, line: int) -> tuple[str, int]:
        """The user's file and line behind a line of the reference."""
        file, own = self.file, self.line
        for first, number, there in self.lines:
            if first > line:
                break
            file, own = self.files[number], there + line - first if there else self.line
        return file, own

    def in_own_lines(self, text: str) -> str:
        """A text about the reference, its lines as those of the user's files; another file than the function's is named."""

        def own(number: re.Match[str]) -> str:
            file, line = self.where(int(number[0]))
            return str(line) if file == self.file else f"{line} of {Path(file).name}"

        return _LINES.sub(lambda found: re.sub(r"\d+", own, found[0]), text)
