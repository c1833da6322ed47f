"""A patch that has the user's function call the program where it is built in."""

import difflib
import re
from collections.abc import Sequence
from pathlib import Path

from regrapht.records.user_code import Home
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.sources import call_lines

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)


def patch(interface: Interface) -> tuple[str | None, str]:
    """The patch, for `git apply` in the project's root, and a sentence on it; None and why where there can be none."""
    home, name, macro = interface.task.home, interface.name, interface.macro
    if home is None:
        return None, ""
    refused = not_callable(interface)
    if refused is not None:
        return None, f"There is no patch: {refused}"
    file = Path(home.file)
    try:
        before = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return None, f"There is no patch: {file} cannot be read any more ({error})."
    after = hooked(before, [interface])
    if after is None:
        return None, f"There is no patch: {file} has changed since."
    root = next((folder for folder in file.parents if (folder / ".git").exists()), file.parent)
    said = f"`git apply {name}.patch` in `{root}` has `{home.name}` call it wherever `{macro}` is defined, as the CMake target does."
    return difference(before, after, file.relative_to(root).as_posix()), said


def not_callable(interface: Interface) -> str | None:
    """Why the user's function cannot call the program; None where it can."""
    home = interface.task.home
    assert home is not None, "asked for where there is one"
    hidden = next((place.hidden for place in home.places if place.hidden), None)
    if hidden is not None:
        return f"{hidden}, so that your function cannot hand it over. An accessor would help."
    name = re.escape(interface.name)
    if (
        home.only_in is None
        and "template" in home.original
        and re.search(rf"template\s*<[^>]*>[^;{{]*\b{name}\s*\(", home.original)
    ):
        return "your function is a template, and the program is one instance of it."
    return None


def hooked(before: str, interfaces: Sequence[Interface]) -> str | None:
    """A file's text with calls in its functions, whose bodies begin with them; None where one is not where it was."""
    lines = before.splitlines(keepends=True)
    placed: list[tuple[int, Interface]] = []
    for interface in interfaces:
        home = interface.task.home
        assert home is not None, "asked for where there is one"
        at = _body(lines, home)
        if at is None:
            return None
        placed.append((at, interface))
    after = before
    for at, interface in sorted(placed, key=lambda one: one[0], reverse=True):
        own = "\n".join(f"        {line}" for line in call_lines(interface, beside_own=True))
        inside = f"\n#ifdef {interface.macro}  // regrapht::{interface.name} is linked\n    {{\n{own}\n    }}\n#endif\n"
        after = after[:at] + inside + after[at:].removeprefix("\n")
    head = before[: min(at for at, _ in placed)]
    includes = list(_INCLUDE.finditer(head))
    behind = includes[-1].end() + 1 if includes else 0
    return after[:behind] + "".join(_header(interface) for interface in interfaces) + after[behind:]


def difference(before: str, after: str, shown: str) -> str:
    """A patch of one file for `git apply`; `before` is empty for a new file.

    Without a line `diff --git`: with one, `git apply` leaves out new files silently where the project is a folder of a repository.
    """
    old = f"a/{shown}" if before else "/dev/null"
    diff = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), old, f"b/{shown}", n=3
    )
    ended = [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in diff]
    return "".join(ended)


def _body(lines: Sequence[str], home: Home) -> int | None:
    """Where the text behind the `{` of the function's body begins."""
    at = home.body_line - 1
    if at >= len(lines) or lines[at][home.body_column - 1 : home.body_column] != "{":
        return None
    return sum(map(len, lines[:at])) + home.body_column


def _header(interface: Interface) -> str:
    home = interface.task.home
    told = home is not None and (home.only_in or any(place.form == "rows" for place in home.places))
    traits = ["<type_traits>"] if told else []
    headers = ("<cstddef>", "<stdexcept>", *traits, "<vector>", f'"{interface.name}.h"')
    return "".join([f"#ifdef {interface.macro}\n", *(f"#include {one}\n" for one in headers), "#endif\n"])
