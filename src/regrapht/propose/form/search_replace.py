"""An answer in blocks of SEARCH and REPLACE, as editors' assistants write them, put into the program that the model was shown."""

import re

from regrapht.propose.form.partial_program import place_of

_BLOCK = re.compile(
    r"^[ \t]*<{5,9}[ \t]*SEARCH[^\n]*\n(?P<old>.*?)^[ \t]*={5,9}[ \t]*\n(?P<new>.*?)^[ \t]*>{5,9}[ \t]*REPLACE",
    re.MULTILINE | re.DOTALL,
)


def with_searches_replaced(reply: str, parent: str) -> str | None:
    """The parent with each block's lines replaced; None without a block, or where lines are not found there or more than once."""
    lines = parent.split("\n")
    blocks = list(_BLOCK.finditer(reply))
    for block in blocks:
        old = block["old"].rstrip("\n").split("\n")
        at = place_of(lines, old)
        if at is None:
            return None
        lines[at : at + len(old)] = block["new"].rstrip("\n").split("\n")
    text = "\n".join(lines)
    return text if blocks and text != parent else None
