"""The uses of those macros whose text has certain words, written out, for readers that have to see these words where they count."""

import re
from collections.abc import Collection

from regrapht.source.macros import Macro, TooLong, arguments_of, body_pieces, expanded, read_macro
from regrapht.source.tokens import blanked, even_layout, pieces, without_comments

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_SAID = re.compile(r"[ \t]*#[ \t]*(\w+)(?:[ \t]+(\w+))?((?:.|\n)*)")
_MOST_NESTED, _MOST_DEFINITIONS = 100, 1000
"""More brackets inside of each other, or more definitions, take long to follow."""
_MOST_PASSES = 8
"""What one macro wrote may be the name of the next, whose arguments stand behind it."""


def without_macros_of(text: str, words: Collection[str], *, instead: str) -> str:
    """The text with the uses of macros that stand for any of `words` written out. Lines keep their numbers, comments become blanks.

    As it was given: a text without such macros, and one in which it is not sure what they become. That is one where conditions
    decide what such a macro says (unless it is defined where it was not before), where it names itself or `__VA_OPT__`, where
    macros are put aside and taken back, or where one becomes very long or takes long to follow.

    Args:
        instead: What the definitions say afterwards, for uses that nobody sees here: of names that are pasted together.
    """
    if "define" not in text or not any(word in text for word in words):
        return text
    plain = without_comments(even_layout(text))
    if _nested(plain) > _MOST_NESTED or plain.count("define") > _MOST_DEFINITIONS:
        return text
    chosen = _chosen(plain, words)
    if not chosen or re.search(r"\b(push|pop)_macro\b", plain):
        return text
    for _ in range(_MOST_PASSES):
        try:
            written = _pass(plain, chosen)
        except (TooLong, RecursionError):
            return text
        if written == plain:
            return _DIRECTIVE.sub(lambda found: _emptied(found.group(), chosen, instead), plain)
        if written is None:
            return text
        plain = written
    return text


def quoting_uses(text: str) -> list[tuple[int, int]]:
    """Where macros that make text of an argument (`#call`) are used, or macros that hand theirs on to such: from a name to behind its
    arguments."""
    if "define" not in text:
        return []
    plain = without_comments(text)
    quoting = _standing_for(plain, ("#",))
    code = _DIRECTIVE.sub(lambda found: blanked(found.group()), plain)
    if not quoting or not any(name in code for name in quoting):
        return []
    tokens, found, start = pieces(code), list[tuple[int, int]](), 0
    for place, token in enumerate(tokens):
        if token in quoting:
            length = len("".join(tokens[place : arguments_of(tokens, place + 1)[1]]))
            found.append((start, start + length))
        start += len(token)
    return [(start, end) for start, end in found if end > start]


def _nested(plain: str) -> int:
    """How many brackets are open at most."""
    depth = most = 0
    for bracket in re.findall(r"[()]", plain):
        depth = depth + 1 if bracket == "(" else max(0, depth - 1)
        most = max(most, depth)
    return most


def _bodies(plain: str) -> dict[str, set[str]]:
    """The tokens of each macro's text, of all its definitions together."""
    bodies: dict[str, set[str]] = {}
    for directive in _DIRECTIVE.findall(plain):
        word, name, rest = _said(directive)
        if word == "define":
            bodies.setdefault(name, set()).update(body_pieces(read_macro(rest).body))
    return bodies


def _standing_for(plain: str, words: Collection[str]) -> set[str]:
    """The macros whose text has one of the words, or names such a macro."""
    bodies = _bodies(plain)
    chosen = {name for name, body in bodies.items() if not body.isdisjoint(words)}
    while more := {name for name, body in bodies.items() if not body.isdisjoint(chosen)} - chosen:
        chosen |= more
    return chosen


def _chosen(plain: str, words: Collection[str]) -> set[str]:
    """As `_standing_for`; none at all where one of them comes to name itself."""
    bodies, chosen = _bodies(plain), _standing_for(plain, words)
    ending: set[str] = set()
    while more := {name for name in chosen if bodies[name] & chosen <= ending} - ending:
        ending |= more
    return chosen if ending == chosen else set()


def _pass(plain: str, chosen: Collection[str]) -> str | None:
    """The text with each use of a chosen macro written out; None where it is not sure what one says."""
    macros: dict[str, Macro] = {}
    conditions, out, end = list[str](), list[str](), 0
    for found in _DIRECTIVE.finditer(plain):
        out += (expanded(plain[end : found.start()], macros), found.group())
        end = found.end()
        word, name, rest = _said(found.group())
        if word.startswith("if"):
            conditions.append(name if word == "ifndef" else "")
        elif word.startswith("el") and conditions:
            conditions[-1] = ""
        elif word == "endif" and conditions:
            conditions.pop()
        elif word in ("define", "undef") and name in chosen:
            read = read_macro(rest, keep_loop=True) if word == "define" else None
            if any(each != name for each in conditions) or (conditions and read is None):
                return None
            if read is None:
                macros.pop(name, None)
            elif macros.setdefault(name, read) != read or "__VA_OPT__" in read.body:
                return None
    return "".join((*out, expanded(plain[end:], macros)))


def _emptied(directive: str, chosen: Collection[str], instead: str) -> str:
    """A directive, but for the text of a chosen macro."""
    word, name, rest = _said(directive)
    if word != "define" or name not in chosen:
        return directive
    parameters = re.match(r"(?:\([^()]*\))?", rest)
    assert parameters is not None
    head = f"#define {name}{parameters[0]} {instead}".replace("\\\n", " ")
    return head + "\n" * directive.count("\n")


def _said(directive: str) -> tuple[str, str, str]:
    """The word of a directive, the name behind it and the rest, each perhaps empty."""
    found = _SAID.match(directive)
    return (found[1], found[2] or "", found[3]) if found is not None else ("", "", "")
