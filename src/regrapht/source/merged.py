"""Several files of one program as one text, as if a compiler had been given them all: what is judged is one text, and messages name files.

Headers that are among the files are written out where they are quoted, found as a compiler finds them: beside the file that names them.
Sources follow each other. What each had for itself stays its own: its macros end with it, and names that are its own (internal linkage, or
such as every source may define for itself: templates, inline functions, types) get another name where a further source has them too.
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
_MARKS = tuple("own_" * times for times in range(2, 1000))
_TYPES = ("struct", "class", "enum", "union")
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

    @property
    def mark(self) -> str:
        """What our own names begin with: no file has it."""
        return next(mark for mark in _MARKS if not any(mark in text for text in self.files.values()))

    def merged(self) -> Merged:
        quoted = {found for path in self.files for found in self._quoted(path)}
        sources = [path for path in self.files if path.suffix in SOURCES and path not in quoted]
        if not sources:
            raise ConfigError(f"none of these files is a source of the program: one ends in {' '.join(SOURCES)}")
        names = [_names_at_file_scope(self.files[path]) for path in sources]
        for number, path in enumerate(sources):
            text = self.files[path]
            earlier = set().union(*(each.own for each in names[:number]))
            shared = set().union(*(each.shared for place, each in enumerate(names) if place != number))
            clashing = sorted(names[number].own & (earlier | shared))
            end = (path.name, text.count("\n") + 1)
            self._directives([f"#define {name} {self.mark}{name}_{number + 1}" for name in clashing], (path.name, 1))
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
            for line in (f"#ifdef {self.mark}here_{number}", f"#define {self.mark}earlier_{number}", "#endif")
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
            number_of = list(self.files).index(found)
            once = any(_ONCE.match(one) for one in without_comments(self.files[found]).split("\n"))
            self._directives([f"#ifndef {self.mark}{'once' if once else 'earlier'}_{number_of}"], place)
            self._directives([f"#define {self.mark}{'once' if once else 'here'}_{number_of}"], place)
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


@dataclass(slots=True)
class _Names:
    """What one source declares at file scope."""

    own: set[str] = field(default_factory=set)
    """What other sources may have too, each for itself."""
    shared: set[str] = field(default_factory=set)

    def add(self, statement: Sequence[Token], *, hidden: bool, has_body: bool) -> None:
        """Take the name of one declaration, if it is a plain one."""
        plain = _without_template(statement)
        words = [token.text for token in plain]
        if words and words[0] in (*_TYPES, "using", "typedef"):
            named = words[-1:] if words[0] == "typedef" else [word for word in words[1:2] if word not in _TYPES]
            if has_body or words[0] in ("using", "typedef"):
                self.own |= {name for name in named if name.isidentifier()}
            return
        called = "(" in words and ("=" not in words or words.index("(") < words.index("="))
        constant = not called and ("constexpr" in words or ("const" in words and "*" not in words))
        of_each = called and has_body and ("inline" in words or len(plain) < len(statement))
        is_own = (hidden or "static" in words or constant or of_each) and "extern" not in words
        for token, following in zip(plain, [*words[1:], ";"], strict=False):
            is_name = token.kind is TokenKind.NAME and token.text not in _NO_NAMES
            if is_name and following in ("(", "=", ";", "[", "{"):
                (self.own if is_own else self.shared).add(token.text)
                return


def _names_at_file_scope(text: str) -> _Names:
    """Names at file scope. A source's own are `static`, `const` and `constexpr` ones, all in a namespace without a name, types, and
    templates and inline functions with a body."""
    found = _Names()
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
                found.add(statement, hidden=any(hidden), has_body=True)
            depth += 1
        elif token.text == "}":
            if depth:
                depth -= 1
                statement = statement if depth else []
            elif hidden:
                hidden.pop()
                statement = []
        elif token.text == ";" and not depth:
            found.add(statement, hidden=any(hidden), has_body=False)
            statement = []
        elif not depth:
            statement.append(token)
    return found


def _without_template(statement: Sequence[Token]) -> Sequence[Token]:
    """A declaration without the parameters of its templates."""
    while statement and statement[0].text == "template":
        depth, rest = 0, len(statement)
        for place, token in enumerate(statement[1:], start=1):
            depth += token.text.count("<") - token.text.count(">")
            if depth <= 0:
                rest = place + 1
                break
        statement = statement[rest:]
    return statement
