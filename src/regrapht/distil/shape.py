"""What a function is, names and numbers aside: two functions of one shape teach the same, and one of them is enough."""

import hashlib
import re

from regrapht.source.tokens import TokenKind, tokens

_KEPT = re.compile(
    r"(?:std::)?(?:void|int|float|double|char|short|long|unsigned|signed|bool|auto|size_t|ptrdiff_t|const|static|inline|for|while|if|else|return|"
    r"switch|case|default|break|continue|std|min|max|swap|(?:sqrt|exp|log|tanh|sin|cos|fabs|fmax|fmin|floor)f?)"
)
"""Words that say what is done; all others are names."""


def shape_of(source: str) -> str:
    """A hash of the text with names numbered in their order, numbers made one, and comments, directives and layout left out."""
    names: dict[str, str] = {}
    words = []
    for token in tokens(re.sub(r"^\s*#[^\n]*", "", source, flags=re.MULTILINE)):
        if token.kind is TokenKind.BLANK:
            continue
        if token.kind is TokenKind.NAME and not _KEPT.fullmatch(token.text):
            words.append(names.setdefault(token.text, f"n{len(names)}"))
        else:
            words.append("0" if token.kind is TokenKind.NUMBER else token.text)
    return hashlib.sha256(" ".join(words).encode()).hexdigest()
