"""One function with all that it needs of its project, as one file that stands alone, and where each of its lines is from."""

import os
import re
from dataclasses import dataclass, field

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.expressions import overloads
from regrapht.tasks.project.other_files import definition_of
from regrapht.tasks.project.struct_values import records_of

_CONTAINERS = {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b(.*)$", re.MULTILINE)
_ALIASES = ("TYPE_ALIAS_DECL", "TYPEDEF_DECL")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Item:
    """A declaration at the level of namespaces, as it stands in its file."""

    file: str
    start: int
    end: int
    namespaces: tuple[str, ...]
    in_c: bool
    cursors: list[Cursor]

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands, however the file was named on the way there."""
        return os.path.realpath(self.file), self.start


@dataclass(slots=True)
class Slice:
    """The text, and for each of its lines the file and line that it is from; None for a line that was added."""

    lines: list[str] = field(default_factory=list)
    origins: list[tuple[str, int] | None] = field(default_factory=list)
    undefined: list[tuple[str, Cursor]] = field(default_factory=list)
    """Functions that are called and whose body is elsewhere, with a place of a call."""
    unread: dict[str, str] = field(default_factory=dict)
    """Of those the ones that may stand in a file that Clang cannot read: what is wrong there."""
    at: int = 0
    """The line of the function's name."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def add(self, text: str, origin: tuple[str, int] | None) -> None:
        for number, line in enumerate(text.split("\n")):
            self.lines.append(line)
            self.origins.append((origin[0], origin[1] + number) if origin is not None else None)


def slice_of(unit: ClangUnit, function: Cursor, flags: BuildFlags, made: Cursor | None = None) -> Slice:
    """The function and everything of the project that it refers to, in the order of the compiler.

    What it calls in other files of the project comes before, with what that needs: each file in the order of its compiler, once.

    Args:
        made: The function as an instance of a template, which may refer to more than the template says.

    Raises:
        TaskError: Two of the files have something different under one name.
    """
    result = Slice()
    slicers = {unit.path.resolve(): _Slicer(unit, flags, result)}
    own = next(iter(slicers.values()))
    left = [(own, function)]
    while left:
        slicer, wanted = left.pop()
        slicer.need(wanted, made if wanted is function else None)
        missing, result.undefined = result.undefined, []
        for name, call in missing:
            found = definition_of(call.referenced, name, slicer.unit, slicer.flags, result.unread)
            if found is None:
                result.undefined.append((name, call))
                continue
            other = slicers.setdefault(found.unit.path.resolve(), _Slicer(found.unit, found.flags, result))
            if found.cursor.get_usr() not in other.asked:
                left.append((other, found.cursor))
    _refuse_twice(list(slicers.values()), function)
    _write([*list(slicers.values())[1:], own], result, function)
    return result


def _write(slicers: list["_Slicer"], result: Slice, function: Cursor) -> None:
    """The text: what is included, macros, then the files one after the other, what they share once."""
    for include in dict.fromkeys(one for slicer in slicers for one in slicer.includes):
        result.add(include, None)
    for line in dict.fromkeys(line for slicer in slicers for line in slicer.macro_lines()):
        result.add(line, None)
    opened: tuple[tuple[str, ...], bool] = ((), False)
    seen: set[tuple[str, int]] = set()
    for slicer in slicers:
        for item in slicer.chosen:
            if item.place in seen:
                continue
            seen.add(item.place)
            opened = slicer.open(opened, (item.namespaces, item.in_c))
            slicer.emit(item, function)
    slicers[-1].open(opened, ((), False))


def _refuse_twice(slicers: list["_Slicer"], function: Cursor) -> None:
    """What each file has for itself under a name that another has for itself too."""
    known: dict[object, tuple[object, str]] = {}
    for slicer in slicers:
        marks: list[tuple[object, object]] = [
            ((item.namespaces, cursor.displayname), item.place)
            for item in slicer.chosen
            for cursor in item.cursors
            if cursor.is_definition() and cursor.displayname
        ]
        marks += [(line.split()[1].partition("(")[0], line) for line in slicer.macro_lines()]
        for name, mark in marks:
            before = known.setdefault(name, (mark, slicer.unit.path.name))
            if before[0] != mark and before[1] != slicer.unit.path.name:
                spelled = name if isinstance(name, str) else name[1]  # type: ignore[index]
                raise TaskError(
                    f"what it calls is in {slicer.unit.path.name}, where '{spelled}' is another than in {before[1]}",
                    file=str(function.location.file.name),
                    key=f"line {function.location.line}",
                    remedy="give one of the two another name",
                )


class _Slicer:
    def __init__(self, unit: ClangUnit, flags: BuildFlags, result: Slice) -> None:
        self.unit, self.flags, self.result = unit, flags, result
        self.items: list[Item] = []
        self.by_usr: dict[str, list[Item]] = {}
        self.by_name: dict[str, list[Item]] = {}
        self.brought: dict[str, list[Item]] = {}
        self.specialised: dict[str, list[Item]] = {}
        """Identity of a template -> its specialisations: which one is meant need not be written where it is used."""
        self.asked: set[str] = set()
        self.needed: set[int] = set()
        self._gather(unit.root, (), False)
        self.macros: dict[str, list[Cursor]] = {}
        self.uses: dict[str, list[tuple[int, str]]] = {}
        self.includes: dict[str, None] = {
            f"#include <{name}>": None for _, name in flags.forced if not name.startswith("/")
        }
        self._gather_macros()

    @property
    def chosen(self) -> list[Item]:
        return [item for item in self.items if id(item) in self.needed]

    def need(self, function: Cursor, made: Cursor | None) -> None:
        """Take a function and what it refers to, also as an instance."""
        self.asked.add(function.get_usr())
        self.needed |= self._closure(function, made)

    def _gather(self, node: Cursor, namespaces: tuple[str, ...], in_c: bool) -> None:
        for child in self.unit.own_children(node):
            kind = child.kind.name
            if child.kind.is_preprocessing():
                continue
            if kind == "NAMESPACE":
                self._gather(child, (*namespaces, child.spelling if "(" not in child.spelling else ""), in_c)
            elif kind in _CONTAINERS and next(iter(child.get_children()), None) is not None:
                self._gather(child, namespaces, in_c or 'extern "C"' in self.unit.source(child)[:40])
            else:
                self._item(child, namespaces, in_c)

    def _item(self, cursor: Cursor, namespaces: tuple[str, ...], in_c: bool) -> None:
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None:
            return
        last = self.items[-1] if self.items else None
        if last is not None and last.file == start.file.name and start.offset < last.end and end.offset > last.start:
            last.start, last.end = min(last.start, start.offset), max(last.end, end.offset)
            last.cursors.append(cursor)
            item = last
        else:
            item = Item(start.file.name, start.offset, end.offset, namespaces, in_c, [cursor])
            self.items.append(item)
        for node in (cursor, *cursor.walk_preorder()):
            if node.kind.is_declaration() and node.spelling:
                self.by_usr.setdefault(node.get_usr(), []).append(item)
        self.by_name.setdefault(cursor.spelling, []).append(item)
        template = cursor.specialized_template
        if template is not None and self.unit.is_own(template):
            self.specialised.setdefault(template.get_usr(), []).append(item)
        if self._brings_alias(cursor):
            self.brought.setdefault(cursor.spelling, []).append(item)

    def _brings_alias(self, cursor: Cursor) -> bool:
        """Whether it is `using a::NAME;` of an alias of the project."""
        if cursor.kind.name != "USING_DECLARATION":
            return False
        meant = [one for child in cursor.get_children() for one in self._targets(child)]
        return any(one.kind.name in _ALIASES and self.unit.is_own(one) for one in meant)

    def _closure(self, function: Cursor, made: Cursor | None) -> set[int]:
        needed: set[int] = set()
        left = self._of(function) or []
        bodies, seen = [made] if made is not None else [], set[str]()
        if made is not None:
            left += [one for record in records_of(made.semantic_parent.type) for one in self._of(record)]
        while left or bodies:
            cursors: list[Cursor] = []
            if left:
                item = left.pop()
                if id(item) in needed:
                    continue
                needed.add(id(item))
                cursors += item.cursors
                left += self._aliases_named(item)
            else:
                cursors.append(bodies.pop())
            for cursor in cursors:
                left += self.specialised.get(cursor.get_usr(), ())
                for node in cursor.walk_preorder():
                    left += self._referred(node)
                    bodies += self._made(node, seen)
        spaces = {name for item in self.items if id(item) in needed for name in item.namespaces} | {"std"}
        for item in self.items:
            kind = item.cursors[0].kind.name
            if kind == "USING_DIRECTIVE":
                named = [c.spelling for c in item.cursors[0].get_children() if c.kind.name == "NAMESPACE_REF"]
                if named and (set(named) <= spaces or self._is_system(named)):
                    needed.add(id(item))
            elif kind == "USING_DECLARATION":
                meant = [r for c in item.cursors[0].get_children() for r in self._targets(c)]
                if any(not self.unit.is_own(one) for one in meant) or any(
                    id(one) in needed for target in meant for one in self._of(target)
                ):
                    needed.add(id(item))
        return needed

    def _made(self, node: Cursor, seen: set[str]) -> list[Cursor]:
        """The body of an instance that is called: what its template only names by a parameter is known there."""
        meant = node.referenced if node.kind.name == "CALL_EXPR" else None
        is_made = meant is not None and meant.specialized_template is not None and self.unit.is_own(meant)
        if not is_made or meant.get_usr() in seen:  # type: ignore[union-attr]
            return []
        seen.add(meant.get_usr())  # type: ignore[union-attr]
        body = meant.get_definition()  # type: ignore[union-attr]
        return [body] if body is not None else []

    def _aliases_named(self, item: Item) -> list[Item]:
        """The `using a::NAME;` of aliases whose names stand in an item: Clang refers past them, to what the alias stands for."""
        if not self.brought:
            return []
        text = self.unit.bytes_of(item.file)[item.start : item.end].decode("utf-8", "replace")
        return [one for name in set(_WORD.findall(text)) for one in self.brought.get(name, ()) if one is not item]

    def _is_system(self, named: list[str]) -> bool:
        return named[0] == "std"

    def _of(self, cursor: Cursor) -> list[Item]:
        """The items that declare what `cursor` is, the class of a member among them."""
        found = list(self.by_usr.get(cursor.get_usr(), ()))
        template = cursor.specialized_template
        if template is not None and template.get_usr() != cursor.get_usr():
            found += self._of(template)
        return found

    def _targets(self, node: Cursor) -> list[Cursor]:
        if node.kind.name == "OVERLOADED_DECL_REF":
            return overloads(node)
        return [node.referenced] if node.referenced is not None and node.referenced != node else []

    def _referred(self, node: Cursor) -> list[Item]:
        found: list[Item] = []
        for meant in self._targets(node):
            if not self.unit.is_own(meant) or meant.kind.name in ("NAMESPACE", "PARM_DECL"):
                continue
            found += self._of(meant)
            if node.kind.name == "CALL_EXPR" and meant.kind.name in ("FUNCTION_DECL", "CXX_METHOD"):
                template = meant.specialized_template
                body = (template if template is not None else meant).get_definition()
                if body is None and not meant.is_default_method():
                    self.result.undefined.append((meant.spelling, node))
        if not found and node.kind.name in ("DECL_REF_EXPR", "CALL_EXPR", "UNEXPOSED_EXPR") and node.referenced is None:
            found += [one for one in self.by_name.get(node.spelling, ()) if node.spelling]
        return found

    def _gather_macros(self) -> None:
        for node in self.unit.own_children(self.unit.root):
            kind = node.kind.name
            if not node.kind.is_preprocessing():
                continue
            location = node.location
            if kind == "MACRO_DEFINITION":
                self.macros.setdefault(node.spelling, []).append(node)
            elif kind == "MACRO_INSTANTIATION":
                self.uses.setdefault(location.file.name, []).append((location.offset, node.spelling))
            elif kind == "INCLUSION_DIRECTIVE":
                self._include(node)

    def _include(self, node: Cursor) -> None:
        try:
            meant = node.get_included_file()
        except AssertionError:
            meant = None
        written = self.unit.source(node).strip()
        named = re.search(r"[<\"]([^>\"]+)[>\"]", written)
        if meant is None or named is None:
            return
        from clang.cindex import SourceLocation

        start = SourceLocation.from_position(self.unit.handle, meant, 1, 1)
        if start.is_in_system_header:
            self.includes[f"#include <{named.group(1)}>"] = None

    def macro_lines(self) -> list[str]:
        wanted: dict[str, None] = {}
        for item in self.chosen:
            wanted |= {name: None for at, name in self.uses.get(item.file, ()) if item.start <= at < item.end}
            text = self.unit.bytes_of(item.file)[item.start : item.end].decode("utf-8", "replace")
            wanted |= {name: None for line in _CONDITION.findall(text) for name in _WORD.findall(line)}
        given = {one.partition("=")[0]: one.partition("=")[2] or "1" for one in self.flags.defines}
        left, seen = list(wanted), set()
        lines: list[tuple[int, int, str]] = []
        order = {file: number for number, file in enumerate(dict.fromkeys(item.file for item in self.items))}
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            bodies = [
                (node.location.file.name, node.location.offset, self.unit.source(node))
                for node in self.macros.get(name, ())
            ]
            if not bodies and name.partition("(")[0] in given:
                bodies = [("", -1, f"{name} {given[name]}")]
            if bodies:
                file, offset, body = bodies[-1]
                lines.append((order.get(file, -1), offset, f"#define {body}"))
                left += _WORD.findall(body)
        return [line for _, _, line in sorted(lines)]

    def open(
        self, now: tuple[tuple[str, ...], bool], then: tuple[tuple[str, ...], bool]
    ) -> tuple[tuple[str, ...], bool]:
        if now == then:
            return then
        if now[1]:
            self.result.add("}", None)
        for _ in now[0]:
            self.result.add("}", None)
        for name in then[0]:
            self.result.add(f"namespace {name} {{" if name else "namespace {", None)
        if then[1]:
            self.result.add('extern "C" {', None)
        return then

    def emit(self, item: Item, function: Cursor) -> None:
        data = self.unit.bytes_of(item.file)
        start, end = item.start, item.end
        rest = data[end : end + 200].decode("utf-8", "replace")
        if rest.lstrip().startswith(";"):
            end += len(rest.split(";")[0].encode()) + 1
        start = _with_comment(data, start)
        first = data[:start].count(b"\n") + 1
        if any(cursor == function for cursor in item.cursors) or any(
            one.get_usr() == function.get_usr() and one.is_definition()
            for c in item.cursors
            for one in c.walk_preorder()
        ):
            self.result.at = len(self.result.lines) + 1 + function.location.line - first
        text = self._with_own_aliases(item, data, start, end).decode("utf-8", "replace")
        self.result.add(text.replace("\r\n", "\n"), (item.file, first))

    def _with_own_aliases(self, item: Item, data: bytes, start: int, end: int) -> bytes:
        """The text with `using NAME = a::NAME` for each `using a::NAME` of an alias: the same, and Clang tells who refers to it."""
        nodes = (node for cursor in item.cursors for node in (cursor, *cursor.walk_preorder()))
        brought = {(one.extent.start.offset, one.extent.end.offset): one for one in nodes if self._brings_alias(one)}
        for (first, last), one in sorted(brought.items(), reverse=True):
            if start <= first and last <= end and data[first : first + 5] == b"using":
                own = b"using " + str(one.spelling).encode() + b" =" + data[first + 5 : last]
                data, end = data[:first] + own + data[last:], end + len(own) - (last - first)
        return data[start:end]


def _with_comment(data: bytes, start: int) -> int:
    """The beginning of the comment lines right above, where there are any."""
    begin = data.rfind(b"\n", 0, start) + 1
    if data[begin:start].strip():
        return start
    while begin > 0:
        above = data.rfind(b"\n", 0, begin - 1) + 1
        line = data[above : begin - 1].strip()
        if not line.startswith((b"//", b"/*", b"*")) or (line.startswith(b"*") and b"*/" not in line and b";" in line):
            break
        begin = above
    while begin < start and data[begin:start].lstrip().startswith(b"*"):
        begin = data.find(b"\n", begin) + 1
    return begin
