"""The candidates of this folder and what their first lines say of them; read by the tests of both judges.

// task: a folder in tasks/
// row: numbers of the catalogue in docs/judge.md, or `fault` (a mistake, not an exploit), or `control` (honest)
// expect: the emulated judge's status; more than one where it depends on a CUDA compiler being installed
// level: screen, full or slow (screen, but not in CI)
// gpu: the statuses that a GPU may give, where they differ
// behind: its status when neither text, nor what its compiler says of it, nor symbols are looked at: what sandbox and checks make of it
// one line that says what it tries
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from regrapht.records.verdict import Level, Status

HERE = Path(__file__).parent
ROWS = range(1, 33)
_HEADER = re.compile(
    r"// task: (?P<task>\w+)\n"
    r"// row: (?P<row>control|fault|\d+(?: \d+)*)\n"
    r"// expect: (?P<expect>[A-Z_ ]+)\n"
    r"// level: (?P<level>screen|full|slow)\n"
    r"(?:// gpu: (?P<gpu>[A-Z_ ]+)\n)?"
    r"(?:// behind: (?P<behind>[A-Z_]+)\n)?"
    r"// (?P<what>[A-Z].+\.)\n"
)


@dataclass(frozen=True, kw_only=True)
class Cheat:
    """One candidate."""

    name: str
    task: str
    rows: tuple[int, ...]
    honest: bool
    expect: tuple[Status, ...]
    gpu: tuple[Status, ...]
    behind: Status | None
    level: Level
    slow: bool
    source: str


def read_cheat(path: Path) -> Cheat:
    source = path.read_text()
    header = _HEADER.match(source)
    assert header, f"the first lines of {path.name} are not as tests/cheats/catalogue.py wants them"
    expect = tuple(Status(word) for word in header["expect"].split())
    return Cheat(
        name=path.stem,
        task=header["task"],
        rows=tuple(int(number) for number in re.findall(r"\d+", header["row"])),
        honest=header["row"] == "control",
        expect=expect,
        gpu=tuple(Status(word) for word in header["gpu"].split()) if header["gpu"] else expect,
        behind=Status(header["behind"]) if header["behind"] else None,
        level=Level.FULL if header["level"] == "full" else Level.SCREEN,
        slow=header["level"] == "slow",
        source=source,
    )


CHEATS = tuple(read_cheat(path) for path in sorted((HERE / "candidates").glob("*.cu")))


def tests_named_in(page: Path) -> dict[int, list[str]]:
    """Row -> the tests that a table of the page names for it, as `tests/part/test_file.py::test_name`."""
    rows = [line.split("|") for line in page.read_text().splitlines() if re.match(r"\| \d+ \|", line)]
    return {int(cells[1]): re.findall(r"tests/[\w/]+\.py::\w+", cells[2]) for cells in rows}


def test_source(test_id: str) -> str | None:
    """The text of a test, with its decorators; None when there is no such test."""
    name, _, function = test_id.partition("::")
    path = HERE.parents[1] / name
    if not path.is_file():
        return None
    text = path.read_text()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return None
