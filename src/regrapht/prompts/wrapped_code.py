"""Code that a reply wraps otherwise than in a fence: in a value of JSON, in an element, in a listing of LaTeX, in a string of Python."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

_MOST_VALUES, _DEEPEST = 64, 8
_OBJECT = re.compile(r'[{\[](?=\s*["{\[])')
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_ELEMENT = re.compile(r"<(?P<tag>code|cuda|answer|solution|program|file|pre)\b[^<>\n]*>", re.IGNORECASE)
_CDATA = re.compile(r"\s*+<!\[CDATA\[(?P<text>.*)\]\]>\s*+", re.DOTALL)
_LISTING = re.compile(r"\\begin\{(lstlisting|verbatim|minted|code)\}(?:\[[^\]\n]{0,200}\])?(?:\{[^}\n]{0,50}\})?")
_QUOTES = re.compile(r"\"\"\"|'''")


def texts_in_json(candidates: Iterable[str]) -> Iterator[str]:
    """Every text in the JSON values of these texts, those inside of such a text too; trailing commas and raw line ends are taken."""
    decoder = json.JSONDecoder(strict=False)
    for candidate in candidates:
        waiting: list[tuple[object, int]] = []
        for start in islice((found.start() for found in _OBJECT.finditer(candidate)), _MOST_VALUES):
            if (value := _decoded(candidate, start, decoder)) is not None:
                waiting.append((value, 0))
                break
        if not waiting and candidate.lstrip().startswith('"'):
            waiting.append((_decoded(candidate, len(candidate) - len(candidate.lstrip()), decoder), 0))
        while waiting:
            value, depth = waiting.pop()
            if isinstance(value, dict):
                waiting.extend((one, depth) for one in value.values())
            elif isinstance(value, list):
                if len(value) > 1 and all(isinstance(one, str) for one in value):
                    yield _joined(map(str, value))
                waiting.extend((one, depth) for one in value)
            elif isinstance(value, str):
                yield value
                inner = _decoded(value, 0, decoder) if depth < _DEEPEST and value.lstrip()[:1] == "{" else None
                waiting += [(inner, depth + 1)] if inner is not None else []


def _joined(lines: Iterable[str]) -> str:
    """The text of lines as notebooks keep them, without those that are the notebook's own: `%%writefile brighten.cu`."""
    return "".join(f"{one.removesuffix(chr(10))}\n" for one in lines if not one.startswith("%%"))


def _decoded(text: str, start: int, decoder: json.JSONDecoder) -> object:
    for one in (text[start:], _TRAILING_COMMA.sub("", text[start:])):
        try:
            return decoder.raw_decode(one.lstrip())[0]
        except (ValueError, RecursionError):
            continue
    return None


def texts_in_elements(text: str) -> Iterator[str]:
    """What stands in elements for code, the last and innermost first, and in listings of LaTeX."""
    for found in reversed(list(islice(_ELEMENT.finditer(text), _MOST_VALUES))):
        end = text.find(f"</{found['tag']}>", found.end())
        if end >= 0:
            inside = text[found.end() : end]
            data = _CDATA.fullmatch(inside)
            yield data["text"] if data is not None else inside
    for found in islice(_LISTING.finditer(text), _MOST_VALUES):
        if (end := text.find(f"\\end{{{found[1]}}}", found.end())) >= 0:
            yield text[found.end() : end]


def texts_in_strings(text: str) -> Iterator[str]:
    """What stands in strings of Python over several lines."""
    at = 0
    for _ in range(_MOST_VALUES):
        opening = _QUOTES.search(text, at)
        end = text.find(opening[0], opening.end()) if opening is not None else -1
        if opening is None or end < 0:
            return
        yield text[opening.end() : end]
        at = end + 3
