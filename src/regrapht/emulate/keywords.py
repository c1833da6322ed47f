"""`__noinline__`, which is a keyword to nvcc and a name of an attribute to g++ and its headers: only the text tells which is meant.

A macro cannot serve both: libstdc++ writes `__attribute__((__noinline__, __cold__))`, more of it with every version.
"""

from regrapht.source.tokens import pieces

KEYWORD = "__noinline__"
_MEANT = "__attribute__((noinline))"
_CLOSES = {"(": ")", "[": "]"}


def keywords_as_attributes(text: str) -> str:
    """`text` with the keyword written as the attribute that it means; inside of `__attribute__((...))` and `[[...]]` it stays."""
    if KEYWORD not in text:
        return text
    out: list[str] = []
    opened, depth, before = "", 0, ""  # how a list of attributes began, and how many of its brackets are open
    for piece in pieces(text):
        if depth:
            depth += (piece == opened) - (piece == _CLOSES[opened])
        elif (piece == "(" and before in ("__attribute__", "__attribute")) or piece == before == "[":
            opened, depth = piece, 1
        out.append(_MEANT if piece == KEYWORD and not depth else piece)
        before = piece if piece.strip() else before
    return "".join(out)
