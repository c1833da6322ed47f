"""Bodies in other files of a project: where a function that one file declares is defined, as the compile database lists files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.build_flags import flags_of, sources_of
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor, unit_of
from regrapht.tasks.project.functions import Chosen, NotInstantiated, choose_function, functions, several, ways_of


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


def users_of(path: Path, name: str, flags: BuildFlags) -> Iterator[tuple[ClangUnit, BuildFlags]]:
    """The other files of a project, those first that name a function; those that Clang cannot read are passed over."""
    others = (
        [one for one in sources_of(flags.project) if one != path.resolve() and one.is_file()] if flags.project else []
    )
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for other in sorted(others, key=lambda one: not _may_have(one, named)):
        try:
            known = flags_of(other, BuildFlags(project=flags.project))
            yield unit_of(other, known), known
        except TaskError:
            continue  # it is no help in finding out what a template is used for


def used_in(other: ClangUnit, unit: ClangUnit, entry: str | None) -> Chosen | None:
    """A template of `unit` as another file uses it; None where that does not.

    Raises:
        TaskError: It uses it in several ways.
    """
    for one in functions(unit, everywhere=True):
        spelled = re.sub(r"<[^()]*>|\(.*", "", entry or one.name).partition(f":{one.line}")[0]
        if not one.is_template or not f"::{one.name}".endswith(f"::{spelled.strip()}"):
            continue
        if one.cursor.kind.name != "FUNCTION_TEMPLATE" or str(unit.path) != one.file:
            known = {each.name for each in functions(other, everywhere=True)}
            if one.name not in known:
                continue
            try:
                return choose_function(other, entry or one.name)
            except NotInstantiated:
                continue
        used = ways_of(other, one)
        if used:
            return choose_function(unit, f"{one.name}<{', '.join(used[0])}>") if len(used) == 1 else several(one, used)
    return None


def _may_have(path: Path, body: re.Pattern[str]) -> bool:
    return body.search(path.read_text(encoding="utf-8", errors="replace")) is not None
