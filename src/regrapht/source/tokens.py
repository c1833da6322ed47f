"""The tokens of C++ and CUDA text, and its layout: a lexer that takes any string, in linear time, and never raises.

`tokens` sees what a preprocessor sees: comments and layout are dropped, a directive keeps its line end (and its blanks, because
`#define F (x)` and `#define F(x)` differ). What cannot be read as a token, such as a string that never ends, becomes a token of kind
STRAY. `pieces` leaves nothing out, for those who rewrite the text.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class TokenKind(StrEnum):
    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    CHARACTER = "character"
    PUNCTUATION = "punctuation"
    BLANK = "blank"
    """White space inside a directive."""
    DIRECTIVE = "directive"
    """The `#` that starts a preprocessor line."""
    DIRECTIVE_END = "directive_end"
    STRAY = "stray"
    """Text that is no token: an unterminated comment or literal, or a character that C++ does not use."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token and the line, from 1, of the text that it starts on."""

    kind: TokenKind
    text: str
    line: int


SPLICE = re.compile(r"\\[ \t\f\v]*+\r?\n")
"""A line that goes on in the next one, as g++, clang and so nvcc see it: blanks may follow the backslash."""
RAW_STRING = re.compile(r'R"')

# Possessive repeats never give characters back, so no input makes the search backtrack.
_SUFFIX = r"(?:[^\W\d]\w*+)?"
_TOKEN = re.compile(
    rf"""
      (?P<newline> \n )
    | (?P<space> [ \t\f\v\r]++ )
    | (?P<comment> //(?:\\[ \t\f\v]*+\r?\n|[^\n])*+ | /\*(?s:.*?)\*/ )
    | (?P<string>
          (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{{0,16}})\((?s:.*?)\)(?P=delimiter)"{_SUFFIX}
        | (?:u8|[uUL])?"(?:[^"\\\n]|\\[ \t\f\v]*+\r?\n|\\[^\n])*+"{_SUFFIX} )
    | (?P<character> (?:u8|[uUL])?'(?:[^'\\\n]|\\[^\n])++'{_SUFFIX} )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|'\w|[\w.$])*+ )
    | (?P<endless> /\*(?s:.*) | R"[^()\\\s"]{{0,16}}\((?s:.*) | ["'][^\n]*+ )
    | (?P<name> (?:[^\W\d]|\$)[\w$]*+ )
    | (?P<punctuation>
          <<<|>>>|<<=|>>=|<=>|->\*|\.\.\.
        | ::|\.\*|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|\#\#
        | [][(){{}}<>;:,.?~!+\-*/%&|^=\#] )
    | (?P<stray> (?s:.) )
    """,
    re.VERBOSE,
)
_RAW_OPENING = re.compile(r'(?:u8|[uUL])?R"(?=[^()\\\s"]{0,16}\()')
_RAW_REST = re.compile(rf'(?P<delimiter>[^()\\\s"]{{0,16}})\((?s:.*?)\)(?P=delimiter)"{_SUFFIX}')
_SPACED_SPLICE = re.compile(r"\\([ \t\f\v]++)\n")
_SPACED_INCLUDE = re.compile(r"^([ \t]*#[ \t]*include\b)([^\n]*[^ \t\f\v\n])([ \t\f\v]+)$", re.MULTILINE)
_NULL_DIRECTIVE = re.compile(r"^[ \t]*#[ \t\f\v]*$", re.MULTILINE)
_KINDS = {kind.value: kind for kind in TokenKind} | {"endless": TokenKind.STRAY}


def tokens(source: str) -> Iterator[Token]:
    """The tokens of `source` in order, without comments and layout."""
    fresh_line, in_directive, line = True, False, 1
    for group, text, line in _pieces_with_lines(source.removeprefix("\ufeff")):
        if group == "newline":
            if in_directive:
                yield Token(TokenKind.DIRECTIVE_END, "\n", line)
            fresh_line, in_directive = True, False
        elif group in ("space", "comment"):
            if in_directive:
                yield Token(TokenKind.BLANK, " ", line)
        elif text == "#" and fresh_line:
            fresh_line, in_directive = False, True
            yield Token(TokenKind.DIRECTIVE, text, line)
        else:
            fresh_line = False
            yield Token(_KINDS[group], text, line)
    if in_directive:
        yield Token(TokenKind.DIRECTIVE_END, "\n", line)


def _pieces_with_lines(source: str) -> Iterator[tuple[str, str, int]]:
    """Every piece of the text with spliced lines joined: its group in `_TOKEN`, its text, and the line that it starts on."""
    splices = [(match.start(), match.end()) for match in SPLICE.finditer(source)]
    joined, at, places, removed = _without(source, splices)
    breaks, line, place = places[::-1], 1, 0
    if RAW_STRING.search(joined) is None:
        for piece in _TOKEN.finditer(joined):
            while breaks and breaks[-1] <= piece.start():
                breaks.pop()
                line += 1
            yield str(piece.lastgroup), piece.group(), line
            line += piece.group().count("\n")
        return
    # Inside a raw string a backslash before a line end is text: what follows its opening is read from the source itself.
    while place < len(joined):
        while breaks and breaks[-1] <= place:
            breaks.pop()
            line += 1
        opened = _RAW_OPENING.match(joined, place)
        if opened is not None:
            written = opened.end() + removed[bisect_right(places, opened.end())]
            rest = _RAW_REST.match(source, written)
            group = "string" if rest is not None else "endless"
            end = rest.end() if rest is not None else len(source)
            yield group, opened.group() + source[written:end], line
            line += source.count("\n", written, end)
            passed = bisect_left(at, end)
            place = end - removed[passed]
            breaks = places[passed:][::-1]
            continue
        match = _TOKEN.match(joined, place)
        assert match is not None, "the last alternative takes any character"
        yield str(match.lastgroup), match.group(), line
        line += match.group().count("\n")
        place = match.end()


def _without(source: str, splices: Sequence[tuple[int, int]]) -> tuple[str, list[int], list[int], list[int]]:
    """The text without its splices; where each was in the source and in the text; and how much is gone before the i-th of them."""
    parts, start, removed = [], 0, [0]
    for begin, end in splices:
        parts.append(source[start:begin])
        removed.append(removed[-1] + end - begin)
        start = end
    parts.append(source[start:])
    at = [begin for begin, _ in splices]
    return "".join(parts), at, [begin - gone for begin, gone in zip(at, removed, strict=False)], removed


def pieces(source: str) -> list[str]:
    """The text cut into tokens, comments, blanks and line ends; nothing is left out. Spliced lines are not joined."""
    return [match.group() for match in _TOKEN.finditer(source)]


def without_comments(source: str, *, without_strings: bool = False) -> str:
    """The text with blanks in the place of comments, and, if wanted, of what strings say: every place stays where it was."""
    out = []
    for match in _TOKEN.finditer(source):
        text = match.group()
        if match.lastgroup == "comment":
            text = blanked(text)
        elif without_strings and match.lastgroup == "string":
            first, last = text.index('"'), text.rindex('"')
            text = text[: first + 1] + blanked(text[first + 1 : last]) + text[last:]
        out.append(text)
    return "".join(out)


def even_layout(source: str) -> str:
    """The text as if it were written with `\\n` at the ends of lines, and no blanks before them where compilers and parsers disagree on
    them: behind a backslash, in an `#include`, in a directive that says nothing. Every place stays where it was.
    """
    source = source.replace("\r\n", " \n")
    if " \n" in source or "\t\n" in source:
        source = _SPACED_SPLICE.sub(r"\1\\\n", source)
        source = _SPACED_INCLUDE.sub(r"\1\3\2", source)
    if "#" in source:
        source = _NULL_DIRECTIVE.sub(lambda match: blanked(match.group()), source)
    return source


def blanked(text: str) -> str:
    """Blanks in the place of a text; its line ends stay."""
    return re.sub(r"[^\n]", " ", text)
