"""Bodies in other files of a project: where a function that one file declares is defined, as the compile database lists files."""

import re
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.build_flags import flags_of, sources_of
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor, unit_of
from regrapht.tasks.project.functions import functions


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A function with its body, in the file where it stands."""

    cursor: Cursor
    unit: ClangUnit
    flags: BuildFlags


def definition_of(
    declared: Cursor, name: str, unit: ClangUnit, flags: BuildFlags, unread: dict[str, str]
) -> Definition | None:
    """The body of a function that `unit` only declares; None without a compile database, and where no file of it has the body.

    A file that may have it and that Clang cannot read is noted in `unread`, with what is wrong there.
    """
    if flags.project is None:
        return None
    usr = declared.get_usr()
    body = re.compile(rf"(?<!\w){re.escape(name)}\s*\([^;{{}}]*\)[^;{{}}()]*\{{")
    for path in sources_of(flags.project):
        if path == unit.path.resolve() or not path.is_file() or not _may_have(path, body):
            continue
        asked = BuildFlags(project=flags.project)
        try:
            known = flags_of(path, asked)
            other = unit_of(path, known)
        except TaskError as error:
            unread.setdefault(name, f"it may be in {path.name}, which cannot be read: {error}")
            continue
        found = next((one.cursor for one in functions(other) if one.cursor.get_usr() == usr), None)
        if found is not None:
            unread.pop(name, None)
            return Definition(cursor=found, unit=other, flags=known)
    return None


def _may_have(path: Path, body: re.Pattern[str]) -> bool:
    return body.search(path.read_text(encoding="utf-8", errors="replace")) is not None
