"""Numbers and names in sentences."""

from collections.abc import Collection
from difflib import get_close_matches


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 task`, `2 tasks`; `plural` where it is not the noun with an s."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def did_you_mean(name: str, known: Collection[str]) -> str:
    """What to do about a name that is none of the known: the nearest one, else all of them."""
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
