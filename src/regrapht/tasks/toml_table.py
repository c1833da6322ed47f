"""One table of `task.toml`, read strictly: what is not known, missing or of the wrong type is an error that names its place."""

import difflib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from regrapht.errors import ConfigError, TaskError
from regrapht.records.expression import Expression
from regrapht.source.merged import SOURCES
from regrapht.source.nesting import too_deep
from regrapht.source.user_file import read_file
from regrapht.wording import did_you_mean

LARGEST_TEXT_BYTES = 2**20
"""Of a description or a source: they are read and understood here, which takes time with their length."""
_NAMES = {str: "text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


class Table:
    """A table's values, taken by name and type.

    Args:
        content: The table as TOML gives it.
        file: Path of the file, as messages show it.
        path: Where in the file the table is, such as `args.A`; empty for the whole file.
        known: Every key that it may have.

    Raises:
        TaskError: It has another key; the message names the nearest known one.
    """

    def __init__(self, content: Mapping[str, Any], *, file: str, path: str, known: Sequence[str]) -> None:
        self._content, self.file, self.path, self._known = content, file, path, known
        for key in content:
            if key not in known:
                self.fail(key, "unknown key", did_you_mean(key, known))

    def __contains__(self, key: str) -> bool:
        return key in self._content

    def place(self, key: str) -> str:
        """The key's full path in the file."""
        return f"{self.path}.{key}" if self.path and key else self.path or key

    def fail(self, key: str, message: str, remedy: str | None = None) -> NoReturn:
        """Raise a `TaskError` at `key`; at the table itself when `key` is empty."""
        raise TaskError(message, file=self.file, key=self.place(key) or None, remedy=remedy)

    def value(self, key: str) -> Any:
        """The value as TOML has it.

        Raises:
            TaskError: It is missing.
        """
        if key not in self._content:
            self.fail(key, "missing", f"add {key} = ...")
        return self._content[key]

    def typed(self, key: str, kind: type, *, default: Any = None) -> Any:
        """The value of type `kind` (`float` takes whole numbers too), or `default` where the key is absent."""
        if key not in self._content:
            return default
        value = self._content[key]
        fits = isinstance(value, (int, float) if kind is float else kind) and (
            kind is bool or not isinstance(value, bool)
        )
        if not fits:
            self.fail(key, f"expected {_NAMES[kind]}, found {value!r:.60}", f"write {_example(key, kind)}")
        if kind is float and not math.isfinite(value):
            self.fail(key, f"{value} is not finite", "write a finite number")
        return value

    def text(self, key: str) -> str:
        """A text that must be there and not be empty."""
        self.value(key)
        text = self.typed(key, str)
        if not text.strip():
            self.fail(key, "is empty", f"write {_example(key, str)}")
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where the key is absent."""
        items = self.typed(key, list, default=[])
        for item in items:
            if not isinstance(item, str):
                self.fail(key, f"expected a list of texts, found {item!r:.60} in it", f'write {key} = ["...", "..."]')
        return tuple(items)

    def word(self, key: str, words: Sequence[str], *, default: str | None = None) -> str:
        """One of a fixed list of words."""
        if default is None:
            self.value(key)
        word = self.typed(key, str, default=default)
        if word not in words:
            self.fail(key, f"unknown value {word!r}", did_you_mean(word, words))
        return word

    def expression(self, key: str, sizes: Sequence[str]) -> Expression | None:
        """An expression over `sizes`, written as text or as a whole number; None where the key is absent."""
        return self.parse_expression(key, self._content[key], sizes) if key in self._content else None

    def parse_expression(self, key: str, value: Any, sizes: Sequence[str]) -> Expression:
        """The expression that `value` holds; `key` says where it stands."""
        if isinstance(value, bool) or not isinstance(value, int | str):
            self.fail(key, f"expected an expression, found {value!r:.60}", 'write it as text, such as "2 * n"')
        try:
            expression = Expression(str(value))
        except ValueError as error:
            self.fail(key, str(error), "see the grammar of expressions in docs/task-format.md")
        if unknown := sorted(expression.names - set(sizes)):
            remedy = f"sizes are {', '.join(sizes)}" if sizes else "no argument has kind = 'size'"
            self.fail(key, f"{expression.text!r} uses {unknown[0]!r}, which is no size of this task", remedy)
        return expression

    def table(self, key: str, known: Sequence[str]) -> "Table":
        """The table under `key`, empty where it is absent."""
        return Table(self.typed(key, dict, default={}), file=self.file, path=self.place(key), known=known)


def _example(key: str, kind: type) -> str:
    sample = {str: '"..."', bool: "true", int: "1", float: "1.0", list: "[...]", dict: "{ ... }"}[kind]
    return f"{key} = {sample}"


class TaskFolder:
    """The folder of a task, and the one way to the files that its `task.toml` names."""

    def __init__(self, folder: Path) -> None:
        self.path = folder.resolve()

    def find(self, table: Table, key: str, name: str) -> Path:
        """The file called `name`, which must lie inside the folder.

        Raises:
            TaskError: It leads out of the folder, or there is no such file.
        """
        try:
            found = (self.path / name).resolve()
            is_file = found.is_file()
        except (OSError, RuntimeError, ValueError):  # too long, links in a circle, or with a NUL
            table.fail(key, f"{name!r:.60} is no name of a file", "give that of a file in the task's folder")
        if not found.is_relative_to(self.path):
            table.fail(key, f"{name!r} leads out of the task's folder", "copy the file into the folder")
        if not is_file:
            files = sorted(path.name for path in self.path.iterdir() if path.is_file())
            near = difflib.get_close_matches(name, files, n=1)
            remedy = f"did you mean {near[0]!r}?" if near else f"the folder has {', '.join(files)}"
            table.fail(key, f"there is no file {name!r}", remedy)
        return found

    def read(self, table: Table, key: str, name: str) -> str:
        """The text of the file called `name`.

        Raises:
            TaskError: As `find`, or it is not UTF-8, or cannot be read.
        """
        return read_text(self.find(table, key, name), file=table.file, key=table.place(key))


def read_text(path: Path, *, file: str, key: str | None) -> str:
    """The file's text, as UTF-8.

    Raises:
        TaskError: It is no regular file, too large for a source, cannot be read, or is not UTF-8.
    """
    try:
        raw = read_file(path, limit=LARGEST_TEXT_BYTES)
    except ConfigError as error:
        remedy = "give a regular file that you may read, of a source's size"
        raise TaskError(str(error), file=file, key=key, remedy=remedy) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"{path.name} is not UTF-8: byte {raw[error.start]:#04x} in line {line}"
        raise TaskError(message, file=file, key=key, remedy="save it as UTF-8") from error
    if path.suffix in SOURCES and (deep := too_deep(text)) is not None:
        raise TaskError(f"{path.name}: {deep}", file=file, key=key, remedy="write it as people do")
    return text
