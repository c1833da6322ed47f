"""Function-like macros written out, as the preprocessor does it: what they read and write is then plain code."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(([^()]*)\))?((?:\\\n|[^\n])*)", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\d[\w.']*|\s+|.""", re.DOTALL
)
_ONCE = re.compile(r"^do\b(.*)\bwhile\s*\(\s*(?:0|false)\s*\)\s*;?$", re.DOTALL)
_MAX_DEPTH = 20
_MAX_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class _Macro:
    parameters: tuple[str, ...] | None
    """None: it takes no arguments, not even empty ones."""
    body: str


class _TooLong(Exception):
    """Macros that would write more than anyone means to."""


def expand_macros(text: str) -> str:
    """The text with its macros written out; every line keeps its number.

    Function-like macros are written out, and others that stand for more than a word or a number. Left alone: a macro that the file
    defines twice with different texts, or with `#`, `##` or `...`, and everything in strings, comments and directives. A file with a
    macro that becomes longer than 20 000 characters is returned as it is.
    """
    macros = _macros(text)
    if not macros:
        return text
    pieces, end = [], 0
    try:
        for directive in _DIRECTIVE.finditer(text):
            pieces += [_expanded(text[end : directive.start()], macros, frozenset()), _kept(directive.group(), macros)]
            end = directive.end()
        pieces.append(_expanded(text[end:], macros, frozenset()))
    except _TooLong:
        return text
    return "".join(pieces)


def _kept(directive: str, macros: Mapping[str, _Macro]) -> str:
    """A directive, or empty lines in place of the definition of a macro that is written out."""
    named = re.match(r"[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", directive)
    return "\n" * directive.count("\n") if named and named[1] in macros else directive


def _macros(text: str) -> dict[str, _Macro]:
    found: dict[str, _Macro] = {}
    twice: set[str] = set()
    for define in _DEFINE.finditer(text):
        name, listed = define[1], define[3]
        body = _without_comments(define[4].replace("\\\n", " ")).strip()
        names = [part.strip() for part in (listed or "").replace("\\\n", " ").split(",")]
        parameters = tuple(name for name in names if name) if define[2] else None
        if once := _ONCE.match(body):
            body = once[1].strip()
        macro = _Macro(parameters, body)
        if name in found and found[name] != macro:
            twice.add(name)
        if "#" in body or "..." in (parameters or ()) or (parameters is None and "(" not in body):
            continue
        found[name] = macro
    return {name: macro for name, macro in found.items() if name not in twice}


def _without_comments(text: str) -> str:
    return "".join(" " if token.startswith(("//", "/*")) else token for token in _TOKEN.findall(text))


def _expanded(text: str, macros: Mapping[str, _Macro], hidden: frozenset[str]) -> str:
    tokens, out, place = _TOKEN.findall(text), [], 0
    while place < len(tokens):
        token = tokens[place]
        macro = macros.get(token) if token not in hidden else None
        given, after = _arguments(tokens, place + 1) if macro is not None and macro.parameters is not None else ([], 0)
        fits = macro is not None and (macro.parameters is None or (after and len(given) == len(macro.parameters)))
        if macro is None or not fits or len(hidden) > _MAX_DEPTH:
            out.append(token)
            place += 1
            continue
        values = [_expanded(part.strip(), macros, hidden) for part in given]
        named = dict(zip(macro.parameters or (), values, strict=True))
        body = _filled(_TOKEN.findall(macro.body), named)
        written = _expanded(body, macros, hidden | {token})
        if len(written) > _MAX_LENGTH:
            raise _TooLong
        used = "".join(tokens[place : after or place + 1])
        out.append(written.replace("\n", " ") + "\n" * used.count("\n"))
        place = after or place + 1
    return "".join(out)


def _filled(body: list[str], named: Mapping[str, str]) -> str:
    """The macro's text with its arguments. `(i)` for a plain name becomes `i`: before a sign it would be read as a cast."""
    out: list[str] = []
    for place, part in enumerate(body):
        alone = 0 < place < len(body) - 1 and body[place - 1] == "(" and body[place + 1] == ")"
        called = place > 1 and re.fullmatch(r"\w+", body[place - 2]) is not None
        if part in named and alone and not called and re.fullmatch(r"\w+", named[part]):
            out[-1] = ""
            out.append(f" {named[part]} ")
            body[place + 1] = ""
        else:
            out.append(named.get(part, part))
    return "".join(out)


def _arguments(tokens: list[str], start: int) -> tuple[list[str], int]:
    """The arguments of a call whose bracket opens at `start`, and the place behind it; 0 where none opens there or it never closes."""
    while start < len(tokens) and tokens[start].isspace():
        start += 1
    if start >= len(tokens) or tokens[start] != "(":
        return [], 0
    given, depth = [""], 0
    for place in range(start, len(tokens)):
        token = tokens[place]
        depth += (token in "([{") - (token in ")]}")
        if depth == 0:
            return ([] if given == [""] else given), place + 1
        if token == "," and depth == 1:
            given.append("")
        elif place > start:
            given[-1] += token
    return [], 0
