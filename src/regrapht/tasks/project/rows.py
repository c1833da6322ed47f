"""Rows behind a pointer to pointers: how long they are, as far as the function uses them."""

import re
from dataclasses import replace

from regrapht.records.expression import Expression
from regrapht.records.task import Arg
from regrapht.records.user_code import FlatPlace, Home

UNKNOWN = "0"
"""What a flat parameter is in the user's function that has nothing there."""
_TERM = re.compile(r"\s*([+-]?)\s*([^+-]+)")


def free_widths(home: Home) -> tuple[str, ...]:
    """The parameters that say how long rows are and that nothing in the user's function does."""
    return tuple(place.name for place in home.places if place.expression == UNKNOWN)


def width_used(width: str, args: tuple[Arg, ...]) -> str | None:
    """How much of each row the function uses, over its sizes: the length of the array less what whole rows make of it."""
    rows = next((arg for arg in args if arg.name + "_cols" == width), None)
    if rows is None or len(rows.shape) != 1 or re.search(r"[/%]|max|min", rows.shape[0].text):
        return None
    kept = [
        f"{sign or '+'} {term.strip()}"
        for sign, term in _TERM.findall(rows.shape[0].text)
        if width not in re.findall(r"\w+", term)
    ]
    text = " ".join(kept).removeprefix("+ ").strip()
    try:
        return text if text and Expression(text).names is not None else None
    except ValueError:
        return None


def with_width(text: str, home: Home, width: str, used: str) -> tuple[str, Home]:
    """The flat text and its home, with rows of `used` elements in the place of the parameter `width`."""
    text = re.sub(rf"(?:,\s*)?\bstd::size_t {width}\b", "", text)
    written = used if re.fullmatch(r"\w+", used) else f"({used})"
    text = re.sub(rf"\b{width}\b", written, text)
    places: list[FlatPlace] = [place for place in home.places if place.name != width]
    return text, replace(home, places=tuple(places))
