"""A patch that has the user's function call the program where it is built in."""

import difflib
import re
from pathlib import Path

from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.sources import call_lines

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)


def patch(interface: Interface) -> tuple[str | None, str]:
    """The patch, for `git apply` in the project's root, and a sentence on it; None and why where there can be none."""
    home, name, macro = interface.task.home, interface.name, interface.macro
    if home is None:
        return None, ""
    hidden = next((place.hidden for place in home.places if place.hidden), None)
    if hidden is not None:
        return None, f"There is no patch: {hidden}, so that your function cannot hand it over. An accessor would help."
    if "template" in home.original and re.search(rf"template\s*<[^>]*>[^;{{]*\b{re.escape(name)}\s*\(", home.original):
        return None, "There is no patch: your function is a template, and the program is one instance of it."
    file = Path(home.file)
    try:
        before = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return None, f"There is no patch: {file} cannot be read any more ({error})."
    lines = before.splitlines(keepends=True)
    at = home.body_line - 1
    if at >= len(lines) or lines[at][home.body_column - 1 : home.body_column] != "{":
        return None, f"There is no patch: {file} has changed since."
    own = "\n".join(f"        {line}" for line in call_lines(interface))
    inside = f"\n#ifdef {macro}  // regrapht::{name} is linked\n    {{\n{own}\n    }}\n#endif\n"
    head = "".join(lines[:at]) + lines[at][: home.body_column]
    rest = lines[at][home.body_column :] + "".join(lines[at + 1 :])
    after = _with_header(head, interface) + inside + rest.removeprefix("\n")
    root = next((folder for folder in file.parents if (folder / ".git").exists()), file.parent)
    shown = file.relative_to(root).as_posix()
    text = "".join(
        difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{shown}", f"b/{shown}", n=3
        )
    )
    text = re.sub(r"(^[-+ ].*)(?<!\n)\Z", r"\1\n\\ No newline at end of file\n", text)
    said = f"`git apply {name}.patch` in `{root}` has `{home.name}` call it wherever `{macro}` is defined, as the CMake target does."
    return text, said


def _with_header(head: str, interface: Interface) -> str:
    """The text before the body, with the header behind its last include."""
    includes = list(_INCLUDE.finditer(head))
    at = includes[-1].end() + 1 if includes else 0
    headers = ("<cstddef>", "<stdexcept>", "<vector>", f'"{interface.name}.h"')
    added = "".join([f"#ifdef {interface.macro}\n", *(f"#include {one}\n" for one in headers), "#endif\n"])
    return head[:at] + added + head[at:]
