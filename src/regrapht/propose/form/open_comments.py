"""A comment that never ends: what was begun behind a program that is whole, or in a line of its own.

A parser looks for code in such a comment again and again, so it is ended before one sees it.
"""

from regrapht.source.tokens import pieces


def with_comments_ended(code: str) -> str:
    """The code without an endless comment behind the last definition, and with one in the middle ended at its line."""
    if "/*" not in code:
        return code
    *before, last = pieces(code)
    if not last.startswith("/*") or last.endswith("*/"):
        return code
    text = "".join(before)
    if text.count("{") == text.count("}"):
        return text.rstrip()
    line, end, rest = last.partition("\n")
    return f"{text}{line} */{end}{rest}"
