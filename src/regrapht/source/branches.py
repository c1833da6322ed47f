"""Which branch of `#if` and `#ifdef` counts, as far as a file says it."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from regrapht.source.macros import Macro, expanded
from regrapht.source.tokens import pieces

_CONDITION = re.compile(r"[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b((?:.|\n)*)")
_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))
_COMPILERS = {"__cplusplus": 201703, "__GNUC__": 13, "__linux__": 1, "__x86_64__": 1, "__STDC__": 1}
"""What the compiler of a reference defines."""
_OTHERS = re.compile(
    r"_OPENMP|_OPENACC|_WIN32|_WIN64|_MSC_VER|__APPLE__|__CUDA.*|__HIP.*|__AVX.*|__SSE4.*|__ARM.*|__FMA__"
)
"""What other compilers define, or this one for another machine."""


_HEADERS = re.compile(r"_\w*|M_\w+|\w+_(?:MAX|MIN|EPSILON)|INFINITY|NAN|EOF|NULL|NDEBUG|assert|min|max")
"""What the standard library's headers may define."""


class _Unknown(Exception):
    """A condition on something that the file does not say."""


@dataclass(slots=True)
class Branches:
    """The conditions around a place of the file. A part counts (True), does not (False), or nobody knows (None)."""

    open: list[tuple[bool | None, bool | None]] = field(default_factory=list)
    """For each `#if`: whether the part here counts, and whether an earlier one did."""
    has_other_files: bool = False
    """A file in quotes was included: it may define anything."""

    @property
    def active(self) -> bool | None:
        parts = [part for part, _ in self.open]
        return False if False in parts else None if None in parts else True

    def directive(self, text: str, macros: Mapping[str, Macro], doubtful: Collection[str]) -> str | None:
        """Follow a directive of a condition: what is still needed of it, nothing where its branches are known. None for other ones."""
        self.has_other_files |= re.match(r'[ \t]*#[ \t]*include[ \t]*"', text) is not None
        found = _CONDITION.match(text)
        if found is None:
            return None
        word, rest = found.groups()
        if word.startswith("if"):
            value = False if self.active is False else self._value(word, rest, macros, doubtful)
            self.open.append((value, value))
            return text if value is None else ""
        if not self.open:
            return text
        part, earlier = self.open.pop()
        if word == "endif":
            return text if part is None or earlier is None else ""
        if earlier is None or earlier:
            self.open.append((None if earlier is None else False, earlier))
            return text if earlier is None else ""
        now = True if word == "else" else self._value("if", rest, macros, doubtful)
        self.open.append((now, now))
        return text.replace("elif", "if", 1) if now is None else ""

    def _value(self, word: str, rest: str, macros: Mapping[str, Macro], doubtful: Collection[str]) -> bool | None:
        """What a condition says; None where that is not known."""

        def is_defined(name: str) -> bool:
            if name in doubtful:
                raise _Unknown
            if name in macros or name in _COMPILERS:
                return True
            if not _OTHERS.fullmatch(name) and (self.has_other_files or _HEADERS.fullmatch(name)):
                raise _Unknown
            return False

        rest = rest.replace("\\\n", " ").strip()
        try:
            if word == "if":
                return _Reader(macros, is_defined, rest).value() != 0
            return is_defined(rest.split()[0] if rest else "") == (word == "ifdef")
        except _Unknown:
            return None


class _Reader:
    """Evaluates the expression of an `#if`."""

    def __init__(self, macros: Mapping[str, Macro], is_defined: Callable[[str], bool], text: str) -> None:
        self.is_defined = is_defined
        text = expanded(_DEFINED.sub(lambda match: str(int(is_defined(match[1] or match[2]))), text), macros)
        self.tokens, self.place = [token for token in pieces(text) if token.strip()], 0

    def value(self) -> int:
        found = self._level(0)
        if self.place != len(self.tokens):
            raise _Unknown
        return found

    def _level(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._single()
        left = self._level(level + 1)
        while self._next() in _LEVELS[level]:
            operator = self.tokens[self.place]
            self.place += 1
            left = _combined(operator, left, self._level(level + 1))
        return left

    def _single(self) -> int:
        token = self._next()
        self.place += 1
        if token in ("!", "-", "+"):
            inner = self._single()
            return int(not inner) if token == "!" else -inner if token == "-" else inner
        if token == "(":
            inner = self._level(0)
            if self._next() != ")":
                raise _Unknown
            self.place += 1
            return inner
        if whole := re.fullmatch(r"(\d+)[uUlL]*", token):
            return int(whole[1])
        if token in _COMPILERS:
            return _COMPILERS[token]
        if not token.isidentifier() or self.is_defined(token):
            raise _Unknown
        return 0  # an identifier that is no macro

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""


def _combined(operator: str, left: int, right: int) -> int:
    if operator in "/%":
        if right == 0:
            raise _Unknown
        return left // right if operator == "/" else left % right
    found = {
        "||": bool(left or right),
        "&&": bool(left and right),
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
        "+": left + right,
        "-": left - right,
        "*": left * right,
    }
    return int(found[operator])
