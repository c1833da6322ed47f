"""A brace too many after a function, or too few before the next: where the functions of a file end is seen from how the next one begins."""

import re

from regrapht.propose.form.program import Program
from regrapht.source.tokens import pieces

_BEGINS = re.compile(r"(?:__global__|__host__|__device__|#include)\b|extern \"C\"")
_SPLIT = re.compile(r"^[ \t]*#[ \t]*(?:if|else|elif|define[^\n]*[{}])", re.MULTILINE)


def with_even_braces(program: Program) -> str | None:
    """The text with as many braces closed as opened; None where that is so, or where directives may choose among them."""
    text = program.text
    if _SPLIT.search(text):
        return None
    parts: list[str] = []
    whole = list(pieces(text))
    missing = whole.count("{") - whole.count("}")
    depth = at = 0
    for piece in whole:
        starts = text[at - 1 : at] in ("", "\n") and _BEGINS.match(text, at) is not None
        at += len(piece)
        if piece == "}" and depth == 0:
            continue
        if starts and 0 < depth <= missing:
            parts.append("}\n" * depth + "\n")
            missing, depth = missing - depth, 0
        depth += (piece == "{") - (piece == "}")
        parts.append(piece)
    even = "".join(parts) + "}\n" * depth
    return even if even != text else None
