"""An answer in blocks of SEARCH and REPLACE, as editors' assistants write them, put into the program that the model was shown."""

import re
from collections.abc import Iterator

from regrapht.propose.form.partial_program import place_of

_SEARCH = re.compile(r"[ \t]*<{5,9}[ \t]*SEARCH\b.*")
_BETWEEN = re.compile(r"[ \t]*={5,9}[ \t]*")
_REPLACE = re.compile(r"[ \t]*>{5,9}[ \t]*REPLACE\b.*")
_MOST_BLOCKS = 64


def with_searches_replaced(reply: str, parent: str) -> str | None:
    """The parent with each block's lines replaced; None without a block, or where lines are not found there or more than once."""
    lines = parent.split("\n")
    blocks = list(_blocks(reply))
    if not 0 < len(blocks) <= _MOST_BLOCKS:
        return None
    for old, new in blocks:
        at = place_of(lines, old)
        if at is None:
            return None
        lines[at : at + len(old)] = new
    text = "\n".join(lines)
    return text if text != parent else None


def _blocks(reply: str) -> Iterator[tuple[list[str], list[str]]]:
    """The lines that are searched and those that take their place, of each whole block; lines without code at their ends are left out."""
    old: list[str] | None = None
    new: list[str] | None = None
    for line in reply.split("\n"):
        if _SEARCH.fullmatch(line):
            old, new = [], None
        elif old is not None and new is None and _BETWEEN.fullmatch(line):
            new = []
        elif old is not None and new is not None and _REPLACE.fullmatch(line):
            while old and not old[-1].strip():
                old.pop()
            yield old, new
            old = new = None
        elif new is not None:
            new.append(line)
        elif old is not None:
            old.append(line)
