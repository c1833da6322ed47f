"""One file of a project as Clang reads it, with the C++ compiler's own standard library."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regrapht.errors import PrerequisiteMissing, TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.build_flags import system_folders, with_defaults

Cursor = Any
"""`clang.cindex.Cursor`, whose fields tell better than its types what a node is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClangUnit:
    """A translation unit that parsed, and the text of every file in it."""

    path: Path
    root: Cursor
    handle: Any
    texts: dict[str, bytes]
    system: set[str]
    outermost: list[Cursor] = field(default_factory=list)
    """What `own_children` found at the root."""
    made: dict[str, list[Cursor]] = field(default_factory=dict)
    """What `class_templates` found in it: identity of a template's method -> those of instances."""

    def bytes_of(self, file: str) -> bytes:
        """A file's contents, read once."""
        if file not in self.texts:
            self.texts[file] = Path(file).read_bytes()
        return self.texts[file]

    def is_own(self, cursor: Cursor) -> bool:
        """Whether it stands in a file of the project: not in a header of the system."""
        location = cursor.location
        return location.file is not None and not location.is_in_system_header

    def own_children(self, node: Cursor) -> list[Cursor]:
        """The children of a node that stand in files of the project. The root has thousands more, of the library's headers: they are
        passed over once."""
        if node is not self.root:
            return [child for child in node.get_children() if self.is_own(child)]
        if not self.outermost:
            self.outermost.extend(child for child in node.get_children() if self.is_own(child))
        return self.outermost

    def source(self, cursor: Cursor) -> str:
        """The text of a node as written."""
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None:
            return ""
        return self.bytes_of(start.file.name)[start.offset : end.offset].decode("utf-8", "replace")


_KEPT: dict[tuple[Path, BuildFlags], tuple[dict[str, int], ClangUnit]] = {}
"""The last units, for those who ask for several functions of one project, and when each of their files was written."""
_MOST_KEPT = 6


def unit_of(path: Path, flags: BuildFlags) -> ClangUnit:
    """As `parse_unit`, of a file as it stands; parsed again only where one of its files changed."""
    known = _KEPT.get((path, flags))
    if known is not None and all(_written(file) == when for file, when in known[0].items()):
        return known[1]
    unit = parse_unit(path, flags)
    files = {str(path), *(str(one.include.name) for one in unit.handle.get_includes())}
    while len(_KEPT) >= _MOST_KEPT:
        _KEPT.pop(next(iter(_KEPT)))
    _KEPT[path, flags] = ({file: _written(file) for file in files}, unit)
    return unit


def _written(file: str) -> int:
    try:
        return Path(file).stat().st_mtime_ns
    except OSError:
        return -1


def parse_unit(path: Path, flags: BuildFlags, *, text: str | None = None, private: bool = True) -> ClangUnit:
    """Parse a file, or `text` in its place; what is private may be named from anywhere where `private` is false.

    Raises:
        TaskError: It does not compile: the first error with its file and line, and for a missing header how to name its folder.
        PrerequisiteMissing: Clang's library, or a C++ compiler, is not installed.
    """
    try:
        from clang import cindex
    except ImportError as error:
        raise PrerequisiteMissing(
            "reading headers and signatures of a project needs Clang's library: pip install libclang-ng"
        ) from error
    resource = Path(cindex.__file__).parent / "native" / "resource" / "include"
    folders = list(system_folders())
    builtin = [one for one in folders if "/gcc/" in one or "/clang/" in one]
    plain = [one for one in folders if one not in builtin]
    first = [one for one in plain if "c++" in one]
    ordered = [*first, *([str(resource)] if resource.is_dir() else []), *(one for one in plain if one not in first)]
    ordered += builtin
    chosen = with_defaults(flags)
    arguments = ["-x", "c++", f"-std={chosen.standard}", "-nostdinc", "-nostdinc++", "-ferror-limit=20", "-w"]
    arguments += [] if private else ["-fno-access-control"]
    arguments += [f"-I{folder}" for folder in flags.include] + [f"-D{define}" for define in flags.defines]
    arguments += [word for pair in flags.forced for word in pair]
    arguments += [word for folder in ordered for word in ("-isystem", folder)]
    texts = {str(path): text.encode()} if text is not None else {}
    texts |= {name: _as_own(Path(name).read_bytes()) for _, name in flags.forced if name.startswith("/")}
    unsaved = [(name, data.decode("utf-8", "replace")) for name, data in texts.items()]
    try:
        handle = cindex.Index.create().parse(
            str(path),
            args=arguments,
            unsaved_files=unsaved,
            options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
        )
    except cindex.TranslationUnitLoadError as error:
        raise TaskError("cannot be read by Clang", file=str(path), remedy="is it a C++ file?") from error
    for diagnostic in handle.diagnostics:
        if diagnostic.severity >= cindex.Diagnostic.Error:
            raise _refused(diagnostic, path, chosen.standard)
    return ClangUnit(path=path, root=handle.cursor, handle=handle, texts=texts, system=set())


def _as_own(data: bytes) -> bytes:
    """A header that is included first, without the line by which CMake's precompiled ones, and what they include, pass for the system's."""
    return re.sub(rb"#pragma GCC system_header", lambda found: b" " * len(found.group()), data)


def _refused(diagnostic: Any, path: Path, standard: str | None) -> TaskError:
    place, said = diagnostic.location, diagnostic.spelling
    file = place.file.name if place.file is not None else str(path)
    key = f"line {place.line}" if place.line and place.file is not None else None
    remedy = "does the project build? correct that line"
    if "file not found" in said and place.file is None:
        remedy = "the build names it to be included first: build the project again, so that it is there"
    elif "file not found" in said:
        remedy = "name the folder with that header by -I FOLDER, or the build folder by --project BUILD"
    elif "in namespace 'std'" in said or "identifier 'std'" in said:
        remedy = f"it was read as {standard}: -std with the project's own standard, or --project BUILD; else include its header"
    elif said.startswith('"') or "undeclared identifier" in said or "unknown type name" in said:
        remedy = "a macro or a header may be missing: -D NAME=VALUE, -I FOLDER, or --project BUILD"
    return TaskError(f"does not compile: {said}", file=file, key=key, remedy=remedy)
