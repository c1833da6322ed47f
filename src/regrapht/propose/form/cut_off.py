"""A reply that ends in the middle of its code, cut off at the limit of tokens or begun again without end: what is whole of it counts."""

from regrapht.prompts.fences import fenced_blocks
from regrapht.source.tokens import pieces


def whole_part(text: str) -> str | None:
    """The reply with its last block ended after the last definition that is whole; None where it is closed, or lacks its fence alone."""
    blocks = fenced_blocks(text)
    if not blocks or blocks[-1].closed:
        return None
    last = blocks[-1]
    whole = whole_definitions(last.text).strip("\n")
    if whole.strip() == last.text.strip():
        return None
    before = text.split("\n")[: last.first_line]
    return "\n".join([*before, *((f"```{last.language}", whole, "```") if whole.strip() else ()), ""])


def whole_definitions(code: str) -> str:
    """The code up to the last definition or declaration at file scope that is whole."""
    depth = at = end = 0
    for piece in pieces(code):
        at += len(piece)
        depth += (piece in ("(", "[", "{")) - (piece in (")", "]", "}"))
        if depth == 0 and piece in ("}", ";"):
            end = at
    return code[:end]
