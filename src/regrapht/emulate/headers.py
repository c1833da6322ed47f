"""The headers of a program's own: found beside it and in the folders that the user names, rewritten like the program itself.

CUDA's and the system's headers are not looked for: they come with the emulator and the compiler.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regrapht.emulate.rewrite import Rewritten, rewrite
from regrapht.emulate.unsupported import Refusal

_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
_MAX_HEADERS = 200
_MAX_BYTES = 4 * 2**20


@dataclass(slots=True, kw_only=True)
class OwnHeaders:
    """What a program includes of its own, ready to be compiled beside it."""

    files: dict[str, bytes] = field(default_factory=dict)
    """Plain file name -> rewritten text."""
    plain: dict[str, bytes] = field(default_factory=dict)
    """The same files with only their includes renamed, for a real CUDA compiler."""
    source: str = ""
    """The program with only its includes renamed."""
    constants: list[str] = field(default_factory=list)
    """Names of `__constant__` variables in them."""
    refusals: list[tuple[str, Refusal]] = field(default_factory=list)
    """(header, feature) for what in them cannot be emulated. It matters only where the program uses it."""
    texts: list[str] = field(default_factory=list)
    """Their texts as written."""


def with_own_headers(source: str, file: Path, folders: Sequence[Path]) -> tuple[Rewritten, OwnHeaders]:
    """`source`, rewritten, with its includes of files in its folder or in `folders` led to rewritten copies.

    A quoted include is looked for beside the file that includes it, then in `folders`; one in angle brackets in `folders` alone.
    """
    collector = _Collector(folders)
    # Includes are led to the program's own files first, as a compiler finds them: what they are called then says nothing.
    collector.found.source = collector.redirect(source, file.resolve().parent)
    return rewrite(collector.found.source), collector.found


class _Collector:
    def __init__(self, folders: Sequence[Path]) -> None:
        self.found = OwnHeaders()
        self._folders = [folder.resolve() for folder in folders]
        self._names: dict[Path, str] = {}

    def redirect(self, text: str, folder: Path) -> str:
        """`text` of a file in `folder` with its own includes renamed; the headers that they name are collected too."""

        def renamed(match: re.Match[str]) -> str:
            quoted, bracketed = match.group(2), match.group(3)
            places = [folder, *self._folders] if quoted else self._folders
            path = next((p for place in places if (p := place / (quoted or bracketed)).is_file()), None)
            name = self._collect(path.resolve()) if path is not None else None
            return match.group(0) if name is None else f'{match.group(1)}"{name}"'

        return _INCLUDE.sub(renamed, text)

    def _collect(self, path: Path) -> str | None:
        if path in self._names:
            return self._names[path]
        if len(self._names) >= _MAX_HEADERS or path.stat().st_size > _MAX_BYTES:
            return None
        written = path.read_text(encoding="utf-8-sig", errors="replace")
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", path.name)
        name = self._names[path] = f"own{len(self._names)}_{plain}"
        text = self.redirect(written, path.parent)
        rewritten = rewrite(text)
        self.found.files[name] = f'#line 1 "{plain}"\n{rewritten.text}'.encode()
        self.found.plain[name] = f'#line 1 "{plain}"\n{text}'.encode()
        self.found.constants += rewritten.constants
        self.found.refusals += [(path.name, refusal) for refusal in rewritten.refusals]
        self.found.texts.append(written)
        return name
