"""A comment that never ends: what was begun behind a program that is whole, or in a line of its own."""

from regrapht.propose.form.program import Program
from regrapht.source.tokens import pieces


def with_comments_ended(program: Program) -> str | None:
    """The text without an endless comment behind the last definition, and with one in the middle ended at its line; None without any."""
    if "/*" not in program.text:
        return None
    *before, last = pieces(program.text)
    if not last.startswith("/*") or last.endswith("*/"):
        return None
    text = "".join(before)
    if text.count("{") == text.count("}"):
        return f"{text.rstrip()}\n"
    line, end, rest = last.partition("\n")
    return f"{text}{line} */{end}{rest}"
