"""Colours on a terminal: a verdict's first word, green where it passed. None where the output goes elsewhere, or with `NO_COLOR`."""

import sys

from regrapht.settings import no_colour

_GREEN, _RED, _YELLOW, _BOLD, _PLAIN = "\033[32m", "\033[31m", "\033[33m", "\033[1m", "\033[0m"
_NOT_CHECKED = ("UNSUPPORTED", "INVALID_TASK", "NO_TASK", "TASK_ERROR")


def coloured(text: str, status: str) -> str:
    """The text with the word `status` where it first stands in its first line in the colour of what it means."""
    if no_colour() or not sys.stdout.isatty():
        return text
    colour = _GREEN if status == "PASSED" else _YELLOW if status in _NOT_CHECKED else _RED
    return text.replace(status, f"{_BOLD}{colour}{status}{_PLAIN}", 1)
