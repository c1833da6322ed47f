"""A file as the compiler sees it: macros written out, and of `#if` only the part that counts. What is left is plain code, evenly spelled.

Both readers of a reference use it: the one that infers its task and the one that transforms it.
"""

import re
from dataclasses import dataclass, field

from regrapht.source.branches import Branches
from regrapht.source.macros import Macro, TooLong, expanded, read_macro
from regrapht.source.spelling import Braces, evenly_spelled, without_inner_comments
from regrapht.source.tokens import even_layout, pieces, without_comments

_DIRECTIVE = re.compile(r"^[ \t]*#(?:/\*.*?\*/|\\\n|[^\n])*", re.MULTILINE)
_NAMED = re.compile(r"[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)((?:.|\n)*)")
_NUMBER = re.compile(r"[+-]?[\d.][\w.']*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_KNOWN = re.compile(r"M_\w+|(?:FLT|DBL|INT)_(?:MAX|MIN|EPSILON)|INFINITY|NAN|int|long|unsigned|float|double|size_t")
"""What the value of a macro may name and be a constant."""


def expand_macros(text: str, *, keep_values: bool = False) -> str:
    """The text with its macros written out and without the branches of `#if` that do not count; every line keeps its number.

    Comments inside of declarations and functions go, and so do brackets around a name alone.

    Left alone: comments above declarations, names of numbers and of single words that the file defines once and outside of functions,
    everything in strings, conditions on what the file does not say, and the uses of a macro that has different texts in the branches of
    one of these. A file with a macro that becomes longer than 20 000 characters is returned as it is.

    Args:
        text: A C, C++ or CUDA file.
        keep_values: Leave the names of bracketed values too, and write out words (`#define real float`).
    """
    text = without_inner_comments(even_layout(text))
    try:
        return evenly_spelled(_File(text, keep_values).expanded())
    except TooLong:
        return evenly_spelled(text)


@dataclass(slots=True)
class _File:
    """One file from its first line to its last: a macro holds from its definition on."""

    text: str
    keep_values: bool
    macros: dict[str, Macro] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    """Names whose definition stays in the text."""
    doubtful: set[str] = field(default_factory=set)
    """Names with two meanings, one in each branch of a condition that is not known."""
    braces: Braces = field(default_factory=Braces)
    branches: Branches = field(default_factory=Branches)
    pieces: list[str] = field(default_factory=list)

    def expanded(self) -> str:
        if "#" not in self.text:
            return self.text
        end, plain = 0, without_comments(self.text)
        changing = _changing(plain)
        for directive in _DIRECTIVE.finditer(plain):
            self._code(self.text[end : directive.start()])
            self._directive(directive.group(), self.text[directive.start() : directive.end()], changing)
            end = directive.end()
        self._code(self.text[end:])
        return "".join(self.pieces)

    def _code(self, text: str) -> None:
        if self.branches.active is False:
            self.pieces.append("\n" * text.count("\n"))
            return
        for token in pieces(text):
            self.braces.follow(token)
        self.pieces.append(expanded(text, {name: one for name, one in self.macros.items() if name not in self.kept}))

    def _directive(self, directive: str, written: str, changing: set[str]) -> None:
        condition, lines = self.branches.directive(directive, self.macros, self.doubtful), written.count("\n")
        named = _NAMED.match(directive)
        if condition is not None:
            written = condition
        elif self.branches.active is False or (named is not None and self._defined(named, changing)):
            written = ""
        self.pieces.append(written + "\n" * (lines - written.count("\n")))

    def _defined(self, named: re.Match[str], changing: set[str]) -> bool:
        """Note what a `#define` or `#undef` says; whether its line is no longer needed."""
        word, name, rest = named.groups()
        if word == "undef":
            self.macros.pop(name, None)
            self.doubtful.discard(name)
            return True
        macro, earlier = read_macro(rest), self.macros.get(name)
        if self.branches.active is None and earlier is not None and earlier != macro:
            self.doubtful.add(name)
            del self.macros[name]
            self.kept.discard(name)
            return False
        if name in self.doubtful:
            return False
        self.macros[name] = macro
        if self._is_value(macro) and name not in changing and not self.braces.are_inside:
            self.kept.add(name)
            return False
        self.kept.discard(name)
        return True

    def _is_value(self, macro: Macro) -> bool:
        """Whether a macro is a name for a value, and stays one."""
        body = macro.body
        if macro.parameters is not None or not body:
            return False
        if _NUMBER.fullmatch(body):
            return True
        if not self.keep_values:
            return _WORD.fullmatch(body) is not None
        words = {token for token in pieces(body) if _WORD.fullmatch(token)}
        return _is_whole(body) and all(word in self.kept or _KNOWN.fullmatch(word) for word in words)


def _is_whole(body: str) -> bool:
    """Whether a macro's text is one pair of brackets with something inside: no operator around it takes it apart."""
    depth = 0
    for place, character in enumerate(body):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(body) - 1 and body[0] == "("
    return False


def _changing(plain: str) -> set[str]:
    """The macros that a file defines more than once, or takes back."""
    found: dict[str, str] = {}
    changing: set[str] = set()
    for named in map(_NAMED.match, _DIRECTIVE.findall(plain)):
        if named is None:
            continue
        word, name, rest = named.groups()
        if word == "undef" or found.get(name, rest) != rest:
            changing.add(name)
        found[name] = rest
    return changing
