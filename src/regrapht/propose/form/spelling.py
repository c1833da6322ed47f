"""How a reply's text is written, mended before a program is looked for in it: one mend a file, each for the code of a block.

A reply without blocks is taken as one.
"""

from collections.abc import Callable

from regrapht.prompts.fences import fenced_blocks
from regrapht.propose.form.escaped_text import without_escapes
from regrapht.propose.form.language_words import without_language_words
from regrapht.propose.form.line_numbers import without_line_numbers
from regrapht.propose.form.magic_lines import without_magic_lines
from regrapht.propose.form.open_comments import with_comments_ended
from regrapht.propose.form.plain_characters import with_plain_characters

SPELLING: dict[str, Callable[[str], str]] = {
    "escaped_text": without_escapes,
    "line_numbers": without_line_numbers,
    "magic_lines": without_magic_lines,
    "plain_characters": with_plain_characters,
    "language_words": without_language_words,
    "open_comments": with_comments_ended,
}
"""Name -> mend, in the order in which they are tried."""


def spelled(text: str) -> tuple[str, tuple[str, ...]]:
    """The reply's text with its spelling mended, and the names of the mends that changed it. Never raises."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    done = []
    for name, mend in SPELLING.items():
        changed = _in_blocks(text, mend)
        if changed != text:
            text = changed
            done.append(name)
    return text, tuple(done)


def _in_blocks(text: str, mend: Callable[[str], str]) -> str:
    blocks = fenced_blocks(text)
    if not blocks:
        return mend(text)
    lines = text.split("\n")
    for block in reversed(blocks):
        end = block.last_line if block.closed else len(lines)
        code = "\n".join(lines[block.first_line + 1 : end])
        if (changed := mend(code)) != code:
            lines[block.first_line + 1 : end] = changed.split("\n")
    return "\n".join(lines)
