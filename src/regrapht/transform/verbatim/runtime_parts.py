"""What a program uses of the headers in `runtime/`, and what that uses: nobody wants to read four hundred lines before a kernel of ten.

The headers are ours, and written so that lines tell their parts: a definition begins at the left edge inside of its namespace and ends with
the line on which its brackets close.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby

from regrapht.source.tokens import without_comments

HEADERS = (
    "launch.h", "standard.h", "text.h", "complex.h", "scratch.h", "containers.h", "appends.h", "updates.h", "sums.h", "extremes.h",
)  # fmt: skip
"""In an order in which each knows those before it."""
_SPACE = re.compile(r"(namespace) (\w+) \{.*|(\})  // namespace \w+")
_NAME = re.compile(r"(?:(\.\.\.|\.|->|\bstd::|::)\s*)?\b([A-Za-z_]\w*)(?=\s*([(<]))?")
_TYPE = re.compile(r"(?:template <.*> )?(?:struct|using) (\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """The names in a text, as a use of a type, a constant or a macro is written, or as that of a function."""

    words: frozenset[str]
    called: frozenset[str]
    """Those of the standard library's with their `std::`."""

    @classmethod
    def of(cls, text: str, *, qualified: bool = False) -> "Mentions":
        """With `qualified`, types and constants count where a namespace is before them; what is after a dot or an arrow is a member's."""
        words, called = set(), set()
        for before, name, after in _NAME.findall(without_comments(text, without_strings=True)):
            if before in (".", "->"):
                continue
            if before == "std::":  # not ours, but for what ours adds there
                called.add(before + name)
                continue
            if before == "::" or not qualified:
                words.add(name)
            if before == "::" or after:
                called.add(name)
        return cls(words=frozenset(words), called=frozenset(called))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One definition."""

    header: str
    space: str
    text: str
    paragraph: int
    """Definitions without a blank line between them share a comment before them."""
    names: frozenset[str]
    takes: frozenset[str]
    """What is named in its parameters, for a function or an operator."""
    is_function: bool
    is_type: bool
    mentions: Mentions


def used_of(program: str) -> tuple[list[str], str]:
    """What the program uses: lines that include headers, and definitions in their namespaces."""
    return _written(HEADERS, Mentions.of(program, qualified=True))


def definitions_of(names: Collection[str], headers: Sequence[str] = HEADERS) -> str:
    """The definitions of these names and of what they use."""
    found = frozenset(names)
    return _written(headers, Mentions(words=found, called=found))[1]


def _written(headers: Sequence[str], wanted: Mentions) -> tuple[list[str], str]:
    parts = [part for header in headers for part in _parts(header)]
    kept = _closure(parts, wanted)
    chosen = [part for part in parts if part in kept]
    includes = [line for header in headers if any(p.header == header for p in chosen) for line in _includes(header)]
    lines: list[str] = []
    for space, together in groupby(chosen, key=lambda part: part.space):
        lines.append(f"namespace {space} {{")
        for number, ((header, paragraph), near) in enumerate(
            groupby(together, key=lambda part: (part.header, part.paragraph))
        ):
            lines += [*[""] * (number > 0), *_comments(header).get(paragraph, ()), *(part.text for part in near)]
        lines.append(f"}}  // namespace {space}")
    return includes, "\n".join(lines)


def _closure(parts: Sequence[Part], wanted: Mentions) -> frozenset[Part]:
    """Types, constants and macros that are named; of functions that are called, overloads whose types are there, and all where none is."""
    types = {name for part in parts if part.is_type for name in part.names}
    mentions, kept = [wanted], frozenset[Part]()
    while True:
        words = {word for one in mentions for word in one.words}
        called = {word for one in mentions for word in one.called}
        there = {name for part in kept if part.is_type for name in part.names}
        fitting = {part for part in parts if part.is_function and part.takes & types <= there}
        more = {part for part in parts if not part.is_function and part.names & words}
        more |= {part for part in fitting if part.names & called or (not part.names and part.takes & types)}
        if more <= kept:
            missing = called - {name for part in kept for name in part.names}
            more = {part for part in parts if part.is_function and part.space != "std" and part.names & missing}
        if more <= kept:
            return kept
        mentions += [part.mentions for part in more - kept]
        kept |= more


@cache
def _lines(header: str) -> tuple[str, ...]:
    return tuple(files("regrapht.transform.verbatim").joinpath("runtime", header).read_text().splitlines())


@cache
def _includes(header: str) -> tuple[str, ...]:
    return tuple(line for line in _lines(header) if line.startswith("#include"))


@cache
def _comments(header: str) -> dict[int, tuple[str, ...]]:
    """Paragraph -> the comment that it begins with."""
    found: dict[int, tuple[str, ...]] = {}
    for number, line in _by_paragraph(header):
        if line.startswith("//"):
            found[number] = (*found.get(number, ()), line)
    return found


@cache
def _parts(header: str) -> tuple[Part, ...]:
    found: list[Part] = []
    spaces: list[str] = []
    text: list[str] = []
    for paragraph, line in _by_paragraph(header):
        if not text and (line.startswith(("//", "#include")) or not line):
            continue
        if not text and (space := _SPACE.fullmatch(line)):
            spaces = [*spaces, space[2]] if space[1] else spaces[:-1]
            continue
        text.append(line)
        if _ends("\n".join(text)):
            found.append(_part(header, "::".join(spaces), "\n".join(text), paragraph))
            text = []
    assert not text, f"{header} ends inside of a definition: {text[0]}"
    return tuple(found)


def _by_paragraph(header: str) -> Iterator[tuple[int, str]]:
    """Each line with the number of its paragraph: a blank line outside of a definition, or a namespace, ends one."""
    number = 0
    for line in _lines(header):
        if not line or _SPACE.fullmatch(line):
            number += 1
        yield number, line


def _ends(text: str) -> bool:
    """Whether a definition is whole."""
    code = without_comments(text, without_strings=True).rstrip()
    if code.startswith("#"):
        return code.count("#if") == code.count("#endif")
    return code.count("{") == code.count("}") and code.endswith((";", "}"))


def _part(header: str, space: str, text: str, paragraph: int) -> Part:
    code = without_comments(text, without_strings=True)
    common = {"header": header, "space": space, "text": text, "paragraph": paragraph, "mentions": Mentions.of(text)}
    one, is_function, takes = _TYPE.match(code), False, frozenset[str]()
    if code.startswith("#"):
        names = frozenset(re.findall(r"#define (\w+)", code))
    elif one:
        names = frozenset([one[1]])
    else:
        head = _without_template(code)
        before, mark, after = re.split(r"([=;{(])", re.sub(r"operator[^\w\s(]+", "operator", head), maxsplit=1)
        named = re.findall(r"\w+", before)[-1]
        is_function = mark == "("
        names = frozenset([f"std::{named}" if space == "std" else named]) - {"operator"}
        takes = frozenset(re.findall(r"\w+", _to_closing(after))) if is_function else takes
    return Part(names=names, takes=takes, is_function=is_function, is_type=one is not None, **common)  # type: ignore[arg-type]


def _without_template(code: str) -> str:
    """A declaration behind its `template <...>`."""
    if not code.startswith("template <"):
        return code
    depth = 0
    for at, letter in enumerate(code):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == ">" and depth == 0:
            return code[at + 1 :].lstrip()
    raise AssertionError(f"no end of the template's parameters: {code}")


def _to_closing(text: str) -> str:
    """What is before the parenthesis that closes one opened before the text."""
    depth = 1
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[:at]
    raise AssertionError(f"no end of the parameters: {text}")
