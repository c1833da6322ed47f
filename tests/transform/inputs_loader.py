"""The eighty numbered inputs of the transform engine, as the tasks that the judge takes: `NN_name.cpp`, read as users' files are.

A function whose task can be read from the code has nothing beside it and goes through `infer_task`, as `regrapht optimize FILE.cpp` does.
The others have a `NN_name.toml` in the task format. Family and class of each stand in the table of `inputs/README.md`.
"""

import re
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from regrapht.records.task import Task
from regrapht.tasks.infer import infer_task
from regrapht.tasks.load import load_task

FOLDER = Path(__file__).parent / "inputs"
NUMBERED = "[0-9][0-9]_*.cpp"
_ROW = re.compile(r"^\| (\d\d) \| (\w+) \| (\w+) \| (.+?) \| (yes|no: .+?) \|$", re.M)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRow:
    """What the table of the README says of one input."""

    number: str
    name: str
    family: str
    oddity: str
    affine: bool
    """Every loop bound, subscript and condition on control is affine in loop counters and sizes."""

    @property
    def stem(self) -> str:
        return f"{self.number}_{self.name}"


@dataclass(frozen=True)
class InputFunction:
    """One input with its task, which is read when it is asked for: naming all inputs costs nothing."""

    row: InputRow

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.row.stem}.cpp"

    @property
    def inferred(self) -> bool:
        """Whether the task is read from the code alone."""
        return not self.path.with_suffix(".toml").is_file()

    @cached_property
    def task(self) -> Task:
        """Raises `TaskError` where the input cannot be read as one."""
        return (
            replace(infer_task(self.path).task, family=self.row.family) if self.inferred else task_with_file(self.path)
        )


def read_table() -> list[InputRow]:
    """The rows of the README's table, in order."""
    text = (FOLDER / "README.md").read_text()
    return [
        InputRow(number=number, name=name, family=family, oddity=oddity, affine=affine == "yes")
        for number, name, family, oddity, affine in _ROW.findall(text)
    ]


def input_paths() -> list[Path]:
    """The files of the numbered inputs, in order."""
    return sorted(FOLDER.glob(NUMBERED))


def load_inputs(
    *, families: Collection[str] | None = None, affine: bool | None = None, part: int = 0, parts: int = 1
) -> list[InputFunction]:
    """The inputs, in order; without arguments all eighty.

    Args:
        families: Only those of these families.
        affine: Only those that are affine throughout, or only those with something that is not; None: both.
        part: Which of `parts` equal shares, dealt out one by one so that every share has all kinds; CI takes one of three.
        parts: How many shares.
    """
    rows = [
        row
        for place, row in enumerate(read_table())
        if place % parts == part
        and (families is None or row.family in families)
        and (affine is None or row.affine == affine)
    ]
    return [InputFunction(row) for row in rows]


def task_with_file(path: Path) -> Task:
    """The task of a function with a `.toml` beside it: both are put into a folder of their own, as the task format wants it."""
    with tempfile.TemporaryDirectory(prefix="input-") as folder:
        shutil.copy(path, folder)
        shutil.copy(path.with_suffix(".toml"), Path(folder) / "task.toml")
        return replace(load_task(Path(folder)), folder=None)
