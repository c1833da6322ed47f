"""Text that two lexers could read as two programs, or that names other lines than its own: refused, for every checker reads text.

Honest programs have none of it outside of comments and literals, where most of it is harmless and stays allowed.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from regrapht.source.tokens import Token, TokenKind, without_comments

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]|\r(?!\n)")
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
_TRIGRAPH_SPLICE = re.compile(r"\?\?/[ \t\f\v]*\r?\n")
_MARKER_IN_RAW_STRING = re.compile(r"\n[ \t\f\v]*#")
_RAW = re.compile(r'(?:u8|[uUL])?R"')
# What begins a line with `#` and changes what a line is called, or what a compiler writes without a token to show for it.
_DIRECTIVES = frozenset({"line", "include_next", "embed", "import", "ident", "sccs", "assert", "unassert"})
_PRAGMAS = re.compile(
    r"(redefine_extname|weak|include_alias|GCC (pch_preprocess|dependency|system_header|visibility|poison)"
    r"|GCC (optimize|target|push_options|pop_options|reset_options)|clang (optimize|fp)|float_control|fp_contract|fenv_access"
    r"|clang (system_header|poison|section|attribute)|bss_seg|data_seg|code_seg|init_seg)\b"
)


def ambiguity(source: str, stream: Sequence[Token]) -> tuple[int, str] | None:
    """The line and what is wrong with it, for the first such text in `source`, whose tokens are `stream`; else None."""
    return _in_layout(source) or _in_tokens(stream)


def directive_fault(words: Sequence[Token]) -> str | None:
    """What is wrong with a directive, given as its tokens without blanks, other than what it includes; else None."""
    if not words:
        return None
    first = words[0]
    if first.text in _DIRECTIVES:
        return f"#{first.text} is not allowed"
    if first.kind is TokenKind.NUMBER:
        return "a line that begins with # and a number would rename the lines behind it"
    if first.text == "pragma":
        return pragma_fault(" ".join(word.text for word in words[1:]))
    if any(word.kind is TokenKind.STRING and _RAW.match(word.text) and "\n" in word.text for word in words):
        return "a raw string of several lines inside a directive is read differently by different compilers"
    return None


def pragma_fault(text: str) -> str | None:
    """What is wrong with `#pragma text`, or None."""
    found = _PRAGMAS.match(re.sub(r"\s+", " ", text).strip())
    return f"#pragma {found[1]} is not allowed" if found else None


def _in_layout(source: str) -> tuple[int, str] | None:
    if (found := _CONTROL.search(source)) is not None:
        what = "a carriage return" if found.group() == "\r" else f"the control character {ord(found.group()):#04x}"
        return _line(source, found.start()), f"{what} is read differently by different compilers: remove it"
    found = _TRIGRAPH_SPLICE.search(source)
    if found is None and "??" in source:
        found = _TRIGRAPH.search(without_comments(source, without_strings=True))
    if found is not None:
        return _line(
            source, found.start()
        ), "a trigraph is read differently by different compilers: write what you mean"
    return None


def _in_tokens(stream: Sequence[Token]) -> tuple[int, str] | None:
    for token, following in zip_longest(stream, stream[1:]):
        if token.kind is TokenKind.STRAY:
            if token.text == "\\" and following is not None and following.text[:1] in ("u", "U"):
                return token.line, "a name with \\u in it is read differently by different compilers: write its letters"
            if _RAW.match(token.text):
                return token.line, "a raw string never ends"
        elif token.kind is TokenKind.STRING and _RAW.match(token.text) and _MARKER_IN_RAW_STRING.search(token.text):
            return (
                token.line,
                "a raw string with a line that begins with # looks like a directive: end the line otherwise",
            )
    return None


def _line(source: str, place: int) -> int:
    return source.count("\n", 0, place) + 1
