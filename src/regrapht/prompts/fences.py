"""Fenced blocks of Markdown: writing ones that no content can break out of, and reading those that models write.

Reading follows CommonMark where models do, and is kinder where they do not: any indentation, quotes, list items, a closing fence at the end
of the last line of code, a block inside a `markdown` block. It takes linear time and never raises.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_RUN = re.compile(r"`+")
_OPENING = re.compile(r"(?P<margin>(?:[ \t>]|[-*+] |\d{1,2}[.)] )*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>.*)")
_MARKDOWN = {"markdown", "md"}
_INNER = {"cuda", "cu", "cpp", "c++", "c", "cc", "cxx"}


def fenced(text: str, info: str = "") -> str:
    """`text` as a block of code whose fence is longer than any run of backticks inside it: data stays data."""
    fence = "`" * max(3, 1 + max(map(len, _RUN.findall(text)), default=0))
    return f"{fence}{info}\n{text.rstrip()}\n{fence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a reply."""

    language: str
    """First word of the info string, in lower case; empty where there is none."""
    text: str
    closed: bool
    first_line: int
    """Its opening fence, counted from 0."""
    last_line: int


def fenced_blocks(text: str) -> tuple[Block, ...]:
    """The blocks in order; only the last can be one that was never closed."""
    return tuple(_scan(text.split("\n")))


def _scan(lines: list[str]) -> Iterator[Block]:
    opening: re.Match[str] | None = None
    start = 0
    for number, line in enumerate(lines):
        found = _OPENING.match(line) if "```" in line or "~~~" in line else None
        if opening is None:
            if found and _opens(found):
                opening, start = found, number
        elif _closes(opening, line):
            yield _block(opening, lines, start, number, closed=True)
            opening = None
        elif found and _restarts(opening, found):
            opening, start = found, number
    if opening is not None:
        yield _unclosed(opening, lines, start)


def _opens(found: re.Match[str]) -> bool:
    return found["fence"][0] == "~" or "`" not in found["info"]


def _closes(opening: re.Match[str], line: str) -> bool:
    bare = line.strip(" \t>") if ">" in opening["margin"] else line.strip()
    fence = opening["fence"]
    return len(bare) >= len(fence) and bare == fence[0] * len(bare)


def _restarts(opening: re.Match[str], found: re.Match[str]) -> bool:
    """Whether a fence inside a block is the start of the real one: ```` ```cuda ```` in a `markdown` block, or after a stray fence."""
    return (
        _opens(found)
        and found["fence"][0] == opening["fence"][0]
        and _language(found["info"]) in _INNER
        and (len(found["fence"]) >= len(opening["fence"]) or _language(opening["info"]) in _MARKDOWN)
    )


def _block(opening: re.Match[str], lines: list[str], start: int, end: int, *, closed: bool) -> Block:
    content = _without_margin(lines[start + 1 : end], opening["margin"])
    return Block(
        language=_language(opening["info"]),
        text="\n".join(content),
        closed=closed,
        first_line=start,
        last_line=end,
    )


def _unclosed(opening: re.Match[str], lines: list[str], start: int) -> Block:
    """The last block; closed after all when a fence stands at the end of its last line."""
    end = len(lines)
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    fence, last = opening["fence"][:3], lines[end - 1].rstrip()
    if end > start + 1 and last.endswith(fence):
        return _block(opening, [*lines[: end - 1], last.rstrip(fence[0])], start, end, closed=True)
    return _block(opening, lines, start, len(lines), closed=False)


def _language(info: str) -> str:
    words = info.strip().lstrip("{.").split(maxsplit=1)
    return words[0].rstrip("}").lower() if words else ""


def _without_margin(lines: list[str], margin: str) -> list[str]:
    """The lines without the margin that they share with the opening fence: indentation of a list, marks of a quote."""
    allowed = " \t>" if ">" in margin else " \t"
    own = [len(line) - len(line.lstrip(allowed)) for line in lines if line.strip(allowed)]
    shared = min([len(margin), *own])
    return [line[shared:] if line[:shared].strip(allowed) == "" else line for line in lines]
