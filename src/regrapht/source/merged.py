"""Several files of one program as one text, as if a compiler had been given them all: what is judged is one text, and messages name files.

Headers that are among the files are written out where they are quoted, found as a compiler finds them: beside the file that names them.
Sources follow each other. What each had for itself stays its own: its macros end with it, and names with internal linkage that an earlier
source has too get a name of their own.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.source.tokens import Token, TokenKind, tokens, without_comments

SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")
HEADERS = (".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc")
_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"')
_ONCE = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+once\b")
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MOST_CHARACTERS = 4 * 2**20
_DEEPEST = 50
_NO_NAMES = frozenset({"__launch_bounds__", "__attribute__", "__align__", "alignas", "decltype", "noexcept"})


@dataclass(frozen=True, slots=True)
class Merged:
    """One text, and where each of its lines comes from."""

    text: str
    places: tuple[tuple[str, int], ...] = ()
    """File and line, from 1, of each line; empty where the text is one file's own."""

    def place(self, line: int) -> tuple[str, int] | None:
        """File and line there of a line of the text; None where the text is one file's own."""
        return self.places[line - 1] if 0 < line <= len(self.places) else None

    def told(self, message: str, *, name: str) -> str:
        """A message about the text, with files and their lines in place of lines of the text, which it may call `name`."""
        if not self.places:
            return message

        def compiler(match: re.Match[str]) -> str:
            found = self.place(int(match[2]))
            return match.group() if found is None else f"{found[0]}{match[1]}{found[1]}{match[3]}"

        def sentence(match: re.Match[str]) -> str:
            found = self.place(int(match[1]))
            return match.group() if found is None else f"line {found[1]} of {found[0]}"

        message = re.sub(rf"{re.escape(name)}([:(])(\d+)([:)])", compiler, message)
        return re.sub(r"\bline (\d+)\b(?! of )", sentence, message)


def merge(files: Mapping[Path, str]) -> Merged:
    """The files, in their order, as one text; a single one that quotes none of them as it is.

    Raises:
        ConfigError: None of them is a source, they include each other without end, or they become too long.
    """
    if len(files) == 1:
        return Merged(next(iter(files.values())))
    merger = _Merger({path.resolve(): text for path, text in files.items()})
    return merger.merged()


@dataclass(slots=True)
class _Merger:
    files: dict[Path, str]
    lines: list[str] = field(default_factory=list)
    places: list[tuple[str, int]] = field(default_factory=list)
    characters: int = 0

    def merged(self) -> Merged:
        quoted = {found for path in self.files for found in self._quoted(path)}
        sources = [path for path in self.files if path.suffix in SOURCES and path not in quoted]
        if not sources:
            raise ConfigError(f"none of these files is a source of the program: one ends in {' '.join(SOURCES)}")
        taken: set[str] = set()
        for number, path in enumerate(sources):
            text = self.files[path]
            own = _internal_names(text)
            clashing = sorted(own & taken)
            taken |= own
            end = (path.name, text.count("\n") + 1)
            self._directives([f"#define {name} {name}_of_file_{number + 1}" for name in clashing], (path.name, 1))
            self._write(path, 0)
            if number + 1 < len(sources):
                macros = dict.fromkeys([*clashing, *_DEFINE.findall(without_comments(text))])
                self._directives([f"#undef {name}" for name in macros], end)
                self._directives(self._seen(), end)
        return Merged("\n".join(self.lines) + "\n", tuple(self.places))

    def _seen(self) -> list[str]:
        """What ends a source: headers without a guard that it has included are not written again for the next one."""
        return [
            line
            for number in range(len(self.files))
            for line in (f"#ifdef REGRAPHT_HERE_{number}", f"#define REGRAPHT_EARLIER_{number}", "#endif")
        ]

    def _quoted(self, path: Path) -> list[Path]:
        named = (_INCLUDE.match(line) for line in without_comments(self.files[path]).split("\n"))
        return [found for match in named if match and (found := self._find(match[1], path)) is not None]

    def _find(self, name: str, includer: Path) -> Path | None:
        """The file that a compiler would open for `#include "name"`: beside the includer; else the only one whose path ends so."""
        beside = (includer.parent / name).resolve()
        if beside in self.files:
            return beside
        wanted = Path(name).parts
        ending = [path for path in self.files if path.parts[-len(wanted) :] == wanted and path != includer]
        return ending[0] if len(ending) == 1 else None

    def _write(self, path: Path, depth: int) -> None:
        if depth > _DEEPEST:
            raise ConfigError(f"{path.name} is included by itself without end: give it #pragma once")
        text = self.files[path]
        bare = without_comments(text).split("\n")
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
            place, plain = (path.name, number), bare[number - 1]
            named = _INCLUDE.match(plain)
            found = self._find(named[1], path) if named else None
            if found is None:
                self._line("" if depth and _ONCE.match(plain) else line, place)
                continue
            mark = list(self.files).index(found)
            once = any(_ONCE.match(one) for one in without_comments(self.files[found]).split("\n"))
            self._directives([f"#ifndef REGRAPHT_{'ONCE' if once else 'EARLIER'}_{mark}"], place)
            self._directives([f"#define REGRAPHT_{'ONCE' if once else 'HERE'}_{mark}"], place)
            self._write(found, depth + 1)
            self._directives(["#endif"], place)

    def _directives(self, lines: Sequence[str], place: tuple[str, int]) -> None:
        for line in lines:
            self._line(line, place)

    def _line(self, line: str, place: tuple[str, int]) -> None:
        self.lines.append(line)
        self.places.append(place)
        self.characters += len(line) + 1
        if self.characters > _MOST_CHARACTERS:
            raise ConfigError(f"the files become more than {_MOST_CHARACTERS} characters: do they include each other?")


def _internal_names(text: str) -> set[str]:
    """Names at file scope that other files do not see: `static`, `const` and `constexpr` ones, and all in a namespace without a name."""
    found: set[str] = set()
    statement: list[Token] = []
    hidden: list[bool] = []  # of each open brace that file scope goes on in: whether names there are internal
    depth = 0
    directive = False
    for token in tokens(text):
        if token.kind in (TokenKind.DIRECTIVE, TokenKind.DIRECTIVE_END):
            directive = token.kind is TokenKind.DIRECTIVE
        if directive or token.kind in (TokenKind.DIRECTIVE, TokenKind.DIRECTIVE_END, TokenKind.BLANK):
            continue
        words = [one.text for one in statement]
        if (token.text == "{" and not depth and words[-2:-1] == ["namespace"]) or words[-1:] == ["namespace"]:
            hidden.append(words[-1:] == ["namespace"])
            statement = []
        elif token.text == "{" and not depth and words[:1] == ["extern"]:
            hidden.append(any(hidden))
            statement = []
        elif token.text == "{":
            if not depth:
                found |= _declared(statement, any(hidden))
            depth += 1
        elif token.text == "}":
            if depth:
                depth -= 1
                statement = statement if depth else []
            elif hidden:
                hidden.pop()
                statement = []
        elif token.text == ";" and not depth:
            found |= _declared(statement, any(hidden))
            statement = []
        elif not depth:
            statement.append(token)
    return found


def _declared(statement: Sequence[Token], hidden: bool) -> set[str]:
    """The name that a declaration gives, if only its own file sees it."""
    words = [token.text for token in statement]
    called = "(" in words and ("=" not in words or words.index("(") < words.index("="))
    constant = not called and ("constexpr" in words or ("const" in words and "*" not in words))
    if (not hidden and "static" not in words and not constant) or "extern" in words:
        return set()
    if words[:1] in (["struct"], ["class"], ["enum"], ["union"], ["using"]):
        return {words[1]} if len(words) > 1 and statement[1].kind is TokenKind.NAME else set()
    before: str | None = None
    for token, following in zip(statement, [*words[1:], ";"], strict=True):
        if token.kind is TokenKind.NAME and token.text not in _NO_NAMES and following in ("(", "=", ";", "[", "{"):
            before = token.text
            break
    return {before} if before is not None else set()
