"""TOML of a user's, read so that whatever it holds is one kind of error, soon."""

import re
import tomllib
from typing import Any

MOST_DOTS = 64
_DOTTED = re.compile(rf"(?<![\w.-])(?:[\w-]++\.){{{MOST_DOTS}}}")


def parse_toml(text: str) -> dict[str, Any]:
    """What `text` says.

    Raises:
        ValueError: It is no TOML, is nested too deeply, has a number of thousands of digits, or a key of so many parts that reading it
            takes time by their square.
    """
    if (found := _DOTTED.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise ValueError(f"a key of more than {MOST_DOTS} parts (at line {line})")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
