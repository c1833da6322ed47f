"""The functions of an application that do work: which have loops, who calls whom, and where a text can be put into them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from regrapht.records.user_code import BuildFlags
from regrapht.session.port.compile_log import Compiled
from regrapht.tasks.project.build_flags import flags_of
from regrapht.tasks.project.clang_unit import ClangUnit, unit_of
from regrapht.tasks.project.class_templates import plain_type
from regrapht.tasks.project.functions import ProjectFunction, as_written, functions, has_loop, instances


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFunction:
    """One function of the application."""

    usr: str
    """What Clang tells declarations apart by."""
    name: str
    entry: str
    """As `--entry` takes it."""
    file: Path
    """Below the project's folder, as `unit`."""
    unit: Path
    """The source file that is compiled."""
    line: int
    body: int
    """Byte behind the `{` of its body."""
    has_loop: bool
    can_hold: bool
    """Whether a static variable may stand in its body."""
    calls: frozenset[str] = field(repr=False)
    users: frozenset[Path] = frozenset()
    """The source files, below the folder, that have its text: those that include a header."""
    instances: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Of a template: each use of it, as `--entry` takes it, and what the parameters are."""


def functions_of(project: Path, database: Path, compiled: Iterable[Compiled]) -> tuple[OwnFunction, ...]:
    """Every function with a body in the project's folder, each once, in the order of the files.

    Raises:
        TaskError: A file does not compile for Clang; the message names the user's line.
    """
    found: dict[str, OwnFunction] = {}
    users: dict[Path, set[Path]] = {}
    flags = BuildFlags(project=database)
    for one in sorted(compiled, key=lambda each: each.source):
        path = project / one.source
        unit = unit_of(path, flags_of(path, flags))
        for read in {path, *(Path(str(each.include.name)).resolve() for each in unit.handle.get_includes())}:
            users.setdefault(read, set()).add(one.source)
        listed = functions(unit, everywhere=True)
        names = [each.name for each in listed]
        for each in listed:
            file = Path(each.file).resolve()
            known = found.get(each.cursor.get_usr())
            if known is not None and each.is_template:
                found[known.usr] = _with_instances(known, unit, each, one.source)
            if not file.is_relative_to(project) or known is not None:
                continue
            entry = each.name if names.count(each.name) == 1 else f"{each.name}:{each.line}"
            own = _read(each, entry, file.relative_to(project), one.source, unit.bytes_of(each.file))
            if own is not None:
                found[own.usr] = _with_instances(own, unit, each, one.source)
    return tuple(replace(one, users=frozenset(users.get(project / one.file, ()))) for one in found.values())


def _with_instances(one: OwnFunction, unit: ClangUnit, function: ProjectFunction, source: Path) -> OwnFunction:
    """With the uses of a template that a file has; the first file that has any is the one it is looked at in."""
    more = tuple((entry, tuple(map(plain_type, given))) for entry, given in instances(unit, function).items())
    where = one.unit if one.instances or not more else source
    return replace(one, instances=tuple(dict.fromkeys((*one.instances, *more))), unit=where)


def as_run(one: OwnFunction, pretty: str | None) -> OwnFunction:
    """A template as the instance that took most of the time.

    Args:
        pretty: What the compiler calls that: `void f(T*) [with T = double]`, or `[T = double]`.
    """
    if not one.instances:
        return one
    written = re.search(r"\[(?:with )?([^\[]*)\]$", pretty or "")
    separated = re.split(r"[;,]\s*(?=[\w:\s*&]+ = )", written.group(1)) if written is not None else []
    given = tuple(plain_type(each.partition(" = ")[2]) for each in separated)
    fitting = [entry for entry, arguments in one.instances if given[: len(arguments)] == arguments]
    if len(fitting) != 1 and len(one.instances) > 1:
        return one
    return replace(one, entry=fitting[0] if fitting else one.instances[0][0])


def _read(one: ProjectFunction, entry: str, file: Path, unit: Path, data: bytes) -> OwnFunction | None:
    body = next((child for child in one.cursor.get_children() if child.kind.name == "COMPOUND_STMT"), None)
    if body is None or data[body.extent.start.offset : body.extent.start.offset + 1] != b"{":
        return None
    start = body.extent.start.offset
    head = data[one.cursor.extent.start.offset : start].decode("utf-8", "replace")
    calls = {
        as_written(node.referenced).get_usr()
        for node in body.walk_preorder()
        if node.kind.name == "CALL_EXPR" and node.referenced is not None
    }
    return OwnFunction(
        usr=str(one.cursor.get_usr()),
        name=one.name,
        entry=entry,
        file=file,
        unit=unit,
        line=one.line,
        body=int(start) + 1,
        has_loop=has_loop(body),
        can_hold="constexpr" not in head and "consteval" not in head,
        calls=frozenset(calls),
    )


def working(found: Iterable[OwnFunction]) -> tuple[OwnFunction, ...]:
    """Those with a loop in them, or in what they call."""
    known = {one.usr: one for one in found}
    reaching = {usr for usr, one in known.items() if one.has_loop}
    while True:
        more = {usr for usr, one in known.items() if usr not in reaching and one.calls & reaching}
        if not more:
            break
        reaching |= more
    return tuple(one for usr, one in known.items() if usr in reaching and one.can_hold)


def put_into(copy: Path, texts: Mapping[OwnFunction, str], header: str) -> None:
    """Put a text at the beginning of functions of a copy, and the inclusion of `header` at the beginning of their files."""
    files: dict[Path, list[tuple[int, str]]] = {}
    for one, text in texts.items():
        files.setdefault(one.file, []).append((one.body, text))
    for file, inside in files.items():
        data = (copy / file).read_bytes()
        for at, text in sorted(inside, reverse=True):
            data = data[:at] + text.encode() + data[at:]
        (copy / file).write_bytes(f'#include "{header}"\n'.encode() + data)
