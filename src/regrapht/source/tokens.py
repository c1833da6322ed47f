"""The tokens of C++ and CUDA text: a lexer that takes any string, in linear time, and never raises.

It sees what a preprocessor sees: comments and layout are dropped, a directive keeps its line end (and its blanks, because `#define F (x)`
and `#define F(x)` differ). What cannot be read as a token, such as a string that never ends, becomes a token of kind STRAY.
"""

import re
from collections.abc import Iterator
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
    """One token and the line, from 1, of the text that it starts on (after spliced lines were joined)."""

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
    | (?P<comment> //[^\n]*+ | /\*(?s:.*?)\*/ )
    | (?P<string>
          (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{{0,16}})\((?s:.*?)\)(?P=delimiter)"{_SUFFIX}
        | (?:u8|[uUL])?"(?:[^"\\\n]|\\[^\n])*+"{_SUFFIX} )
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
_KINDS = {kind.value: kind for kind in TokenKind} | {"endless": TokenKind.STRAY}


def tokens(source: str) -> Iterator[Token]:
    """The tokens of `source` in order, without comments and layout."""
    if not RAW_STRING.search(source):  # inside a raw string a backslash before a line end is text
        source = SPLICE.sub("", source)
    line, fresh_line, in_directive = 1, True, False
    for match in _TOKEN.finditer(source):
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
