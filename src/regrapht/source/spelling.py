"""One spelling for many: code without the comments, brackets and blanks that mean nothing, so that its readers need not know of them."""

import re

from regrapht.source.c_types import is_known_type
from regrapht.source.tokens import blanked, pieces

_BEFORE_BRACKET = re.compile(r"return|[(\[,;=+\-*/%&|^!~<?:]|[-+*/%&|^<>=!]=|&&|\|\||<<=?|>>=")
"""What may stand before brackets that are neither a call's nor a declaration's."""
_OPERAND = re.compile(r"[\w(\"'~!{+\-*&]")
"""What may follow a cast, or the parameters of a function."""
_ALONE = re.compile(r"[\w.]+")
_KEYWORDS = frozenset(
    (
        "return",
        "else",
        "new",
        "delete",
        "case",
        "do",
        "const",
        "volatile",
        "typename",
        "static",
        "inline",
        "extern",
        "goto",
        "throw",
    )
)


class Braces:
    """Whether a place of a file is inside of a function, a type or a list, as far as braces say it."""

    def __init__(self) -> None:
        self._open: list[bool] = []
        """For each open brace, whether it is other than that of a namespace."""
        self._before = ["", ""]
        self._brackets = 0

    def follow(self, token: str) -> None:
        """Go on by one token, comment or blank."""
        if token.isspace() or is_comment(token):
            return
        if token == "{":
            self._open.append("namespace" not in self._before and self._before[0] != "extern")
        elif token == "}" and self._open:
            self._open.pop()
        self._brackets = max(0, self._brackets + (token == "(") - (token == ")"))
        self._before = [self._before[1], token]

    @property
    def are_inside(self) -> bool:
        return any(self._open)

    @property
    def are_between_declarations(self) -> bool:
        return not self.are_inside and not self._brackets and self._before[1] in ("", ";", "{", "}")


def without_inner_comments(text: str) -> str:
    """The text with blanks in the place of all comments but those between declarations, and of backslashes that splice lines of code."""
    braces, out, start, is_directive = Braces(), list[str](), True, False
    for token in pieces(text):
        if token == "\n":
            is_spliced = bool(out) and out[-1].endswith("\\")
            if is_spliced and not is_directive:
                out[-1] = out[-1][:-1] + " "
            start, is_directive = not is_spliced, is_directive and is_spliced
        elif token == "#" and start:
            is_directive = True
        elif is_comment(token) and (is_directive or not braces.are_between_declarations):
            token = blanked(token).replace("\n", "\\\n" if is_directive else "\n")
        elif not is_directive:
            braces.follow(token)
        start = start and (token.isspace() or is_comment(token))
        out.append(token)
    return "".join(out)


def is_comment(token: str) -> bool:
    """Whether a piece of text is one."""
    return token.startswith(("//", "/*"))


def evenly_spelled(text: str) -> str:
    """The text without brackets around a name or a number alone, and without blanks inside of `std :: fill`, `v . size` and `( )`.

    `(h)` stays where it may be a cast: `SourceText`, which knows the names of types, decides that.
    """
    out, seen, start, is_directive = list[str](), list[int](), True, False
    for token in pieces(text):
        if token == "\n":
            is_directive = is_directive and bool(out) and out[-1].endswith("\\")
            start = True
        elif not token.isspace() and not is_comment(token):
            is_directive = is_directive or (token == "#" and start)
            start = False
        out.append(token)
        if not is_directive and not token.isspace() and not is_comment(token):
            seen.append(len(out) - 1)
            _glue(out, seen)
            _take_bracket_off(out, seen)
    return "".join(out)


def _glue(out: list[str], seen: list[int]) -> None:
    """Leave no blanks around the last token but one where it binds names, nor inside of empty brackets."""
    if len(seen) < 3:
        return
    first, middle, last = seen[-3:]
    name, binds, token = out[first], out[middle], out[last]
    if binds == "(" and token == ")":
        _move_blanks(out, middle, last)
        if name.isidentifier() and name not in _KEYWORDS:
            _move_blanks(out, first, middle)
    elif binds in ("::", ".", "->"):
        _move_blanks(out, middle, last)
        if not (binds == "::" and (name in _KEYWORDS or is_known_type(name) or not name.isidentifier())):
            _move_blanks(out, first, middle)


def _move_blanks(out: list[str], first: int, last: int) -> None:
    """Take the blanks between two tokens away; line ends come behind what was read so far."""
    between = "".join(out[first + 1 : last])
    if between and between.isspace():
        out[first + 1 : last] = [""] * (last - first - 1)
        out.append("\n" * between.count("\n"))


def _take_bracket_off(out: list[str], seen: list[int]) -> None:
    """Take the brackets off the name or number that the token before the last one closes, unless what follows may make them a cast."""
    if len(seen) < 5:
        return
    before, opening, name, closing, behind = seen[-5:]
    if (
        (out[opening], out[closing]) != ("(", ")")
        or not _BEFORE_BRACKET.fullmatch(out[before])
        or not _ALONE.fullmatch(out[name])
    ):
        return
    if _OPERAND.match(out[behind]) and not out[name][0].isdigit():
        return
    out[opening] = " " if out[before] == "return" else ""
    out[closing] = ""
    seen[-4:] = [name, behind]
