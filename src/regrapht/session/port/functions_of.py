"""The functions of an application that do work: which have loops, who calls whom, and where a text can be put into them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from regrapht.records.user_code import BuildFlags
from regrapht.session.port.compile_log import Compiled
from regrapht.tasks.project.build_flags import flags_of
from regrapht.tasks.project.clang_unit import unit_of
from regrapht.tasks.project.functions import ProjectFunction, as_written, functions, has_loop


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


def functions_of(project: Path, database: Path, compiled: Iterable[Compiled]) -> tuple[OwnFunction, ...]:
    """Every function with a body in the project's folder, each once, in the order of the files.

    Raises:
        TaskError: A file does not compile for Clang; the message names the user's line.
    """
    found: dict[str, OwnFunction] = {}
    flags = BuildFlags(project=database)
    for one in sorted(compiled, key=lambda each: each.source):
        path = project / one.source
        unit = unit_of(path, flags_of(path, flags))
        listed = functions(unit, everywhere=True)
        names = [each.name for each in listed]
        for each in listed:
            file = Path(each.file).resolve()
            if not file.is_relative_to(project) or each.cursor.get_usr() in found:
                continue
            entry = each.name if names.count(each.name) == 1 else f"{each.name}:{each.line}"
            own = _read(each, entry, file.relative_to(project), one.source, unit.bytes_of(each.file))
            if own is not None:
                found[own.usr] = own
    return tuple(found.values())


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
