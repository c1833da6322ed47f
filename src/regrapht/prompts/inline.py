"""Data that becomes part of a line of prose."""


def inline(text: str) -> str:
    """The text on one line, without backticks."""
    return " ".join(text.replace("`", "'").split())
