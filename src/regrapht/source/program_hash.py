"""One hash for programs that differ only in comments and layout."""

import hashlib
import re

from regrapht.source.tokens import RAW_STRING, SPLICE, TokenKind, tokens

# Two different programs must never share a hash, because verdicts are kept by it. Where layout can reach the program's meaning, or where
# compilers disagree on what the text is, the exact text counts.
_LAYOUT_MATTERS = re.compile(r"__LINE__|__builtin_LINE|source_location|\r(?!\n)|\0|\?\?/|\\[ \t\f\v]+\r?\n|%:")
_LONGEST_READ = 2**20
_LINE_END_IN_TEXT = re.compile(r"\r\n")


def program_hash(source: str) -> str:
    """SHA-256, in hexadecimal, of the token stream of C++ or CUDA `source` without comments and layout.

    Never raises and takes linear time. Programs that use `__LINE__`, the `#` and `##` of macros, or text that is no C++ (a string
    that never ends) are hashed as they are written, and so is what is too long to be a program.
    """
    stream = _token_stream(source) if len(source) <= _LONGEST_READ else None
    kind, text = ("text", source) if stream is None else ("tokens", stream)
    return hashlib.sha256(f"{kind}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _token_stream(source: str) -> str | None:
    """The tokens joined by NUL; None where the exact text has to count."""
    if _LAYOUT_MATTERS.search(source):
        return None
    if RAW_STRING.search(source) and (SPLICE.search(source) or _LINE_END_IN_TEXT.search(source)):
        return None
    parts: list[str] = []
    in_directive = False
    for token in tokens(source):
        if token.kind is TokenKind.STRAY:
            return None
        if token.kind is TokenKind.BLANK and parts[-1] == " ":
            continue
        if token.text in ("#", "##") and in_directive:
            return None
        if token.kind in (TokenKind.DIRECTIVE, TokenKind.DIRECTIVE_END):
            in_directive = token.kind is TokenKind.DIRECTIVE
            if not in_directive and parts[-1] == " ":
                parts.pop()
        parts.append(token.text)
    return "\0".join(parts)
