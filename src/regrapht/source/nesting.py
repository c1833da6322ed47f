"""Text that is nested or chained deeper than anyone writes: refused before it is parsed, which takes minutes, or a compiler's stack."""

import re

from regrapht.source.tokens import without_comments

MOST_BRACKETS = 256
"""What clang takes of one kind."""
MOST_WORDS = 4096
"""Without a comma, a semicolon or a brace."""
MOST_ELSE = 2000
_PIECE = re.compile(r"[(){}\[\],;]|\b\w+|[^\s\w]|\n")


def too_deep(source: str) -> str | None:
    """Why `source` cannot be read, with the line; None for all that people write."""
    depth = words = chained = 0
    line = 1
    for piece in _PIECE.findall(without_comments(source, without_strings=True)):
        words += 1
        if piece == "\n":
            line += 1
            words -= 1
        elif piece in "([{":
            depth += 1
            words = 0 if piece == "{" else words
        elif piece in ")]}":
            depth = max(0, depth - 1)
            words = 0 if piece == "}" else words
        elif piece in ",;":
            words = 0
        elif piece == "else":
            chained += 1
        if depth > MOST_BRACKETS:
            return f"line {line}: brackets are nested more than {MOST_BRACKETS} deep"
        if words > MOST_WORDS:
            return (
                f"line {line}: more than {MOST_WORDS} words stand without a comma, a semicolon or a brace between them"
            )
        if chained > MOST_ELSE:
            return f"line {line}: there are more than {MOST_ELSE} else"
    return None
