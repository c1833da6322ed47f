"""The tokens of C++ and CUDA text, and its layout: a lexer that takes any string, in linear time, and never raises.

`tokens` sees what a preprocessor sees: comments and layout are dropped, a directive keeps its line end (and its blanks, because
`#define F (x)` and `#define F(x)` differ). What cannot be read as a token, such as a string that never ends, becomes a token of kind
STRAY. `pieces` leaves nothing out, for those who rewrite the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate


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


SPLICE = re.compile(r"\\\r?\n")
RAW_STRING = re.compile(r'R"')

# Possessive repeats never give characters back, so no input makes the search backtrack.
_SUFFIX = r"(?:[^\W\d]\w*+)?"
_TOKEN = re.compile(
    rf"""
      (?P<newline> \n )
    | (?P<space> [ \t\f\v\r]++ )
    | (?P<comment> //(?:\\\r?\n|[^\n])*+ | /\*(?s:.*?)\*/ )
    | (?P<string>
          (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{{0,16}})\((?s:.*?)\)(?P=delimiter)"{_SUFFIX}
        | (?:u8|[uUL])?"(?:[^"\\\n]|\\\r?\n|\\[^\n])*+"{_SUFFIX} )
    | (?P<character> (?:u8|[uUL])?'(?:[^'\\\n]|\\[^\n])++'{_SUFFIX} )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|'\w|[\w.])*+ )
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
_SPACED_SPLICE = re.compile(r"\\([ \t\f\v]++)\n")
_SPACED_INCLUDE = re.compile(r"^([ \t]*#[ \t]*include\b)([^\n]*[^ \t\f\v\n])([ \t\f\v]+)$", re.MULTILINE)
_NULL_DIRECTIVE = re.compile(r"^[ \t]*#[ \t\f\v]*$", re.MULTILINE)
_KINDS = {kind.value: kind for kind in TokenKind} | {"endless": TokenKind.STRAY}


def tokens(source: str) -> Iterator[Token]:
    """The tokens of `source` in order, without comments and layout."""
    joined, breaks = _joined(source)
    line, fresh_line, in_directive = 1, True, False
    for match in _TOKEN.finditer(joined):
        while breaks and breaks[-1] <= match.start():
            breaks.pop()
            line += 1
        group, text, start = str(match.lastgroup), match.group(), line
        line += text.count("\n")
        if group == "newline":
            if in_directive:
                yield Token(TokenKind.DIRECTIVE_END, "\n", start)
            fresh_line, in_directive = True, False
        elif group in ("space", "comment"):
            if in_directive:
                yield Token(TokenKind.BLANK, " ", start)
        elif text == "#" and fresh_line:
            fresh_line, in_directive = False, True
            yield Token(TokenKind.DIRECTIVE, text, start)
        else:
            fresh_line = False
            yield Token(_KINDS[group], text, start)
    if in_directive:
        yield Token(TokenKind.DIRECTIVE_END, "\n", line)


def _joined(source: str) -> tuple[str, list[int]]:
    """The text with spliced lines joined, and the places in it where lines were, last first."""
    if RAW_STRING.search(source):  # inside a raw string a backslash before a line end is text
        return source, []
    parts = SPLICE.split(source)
    return "".join(parts), list(accumulate(map(len, parts[:-1])))[::-1]


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
