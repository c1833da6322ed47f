"""What one use of a macro becomes: arguments put in place of parameters, `##` and `#` included, and the result expanded again."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.source.tokens import pieces

_DEFINITION = re.compile(r"(?:\(([^()]*)\))?((?:.|\n)*)")
_ONCE = re.compile(r"^do\b(.*)\bwhile\s*\(\s*(?:0|false)\s*\)\s*;?$", re.DOTALL)
_MAX_DEPTH = 20
_MAX_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro's parameters and its text."""

    parameters: tuple[str, ...] | None
    """None: it takes no arguments, not even empty ones."""
    body: str
    is_variadic: bool = False
    """The last parameter stands for all further arguments."""
    is_block: bool = False
    """It was `do { ... } while (0)`: the semicolon behind its use belongs to it."""


class TooLong(Exception):
    """Macros that would write more than anyone means to."""


def read_macro(rest: str, *, keep_loop: bool = False) -> Macro:
    """A macro by what stands behind its name in `#define`, comments left out.

    Args:
        keep_loop: Leave the loop of `do { ... } while (0)`, which a `break` inside of it leaves.
    """
    found = _DEFINITION.match(rest.replace("\\\n", " "))
    assert found is not None
    listed, body = found.groups()
    body = body.strip()
    once = None if keep_loop else _ONCE.match(body)
    if listed is None:
        return Macro(None, body)
    names = tuple(name for name in (part.strip() for part in listed.split(",")) if name)
    is_variadic = bool(names) and names[-1].endswith("...")
    if is_variadic:
        names = (*names[:-1], names[-1].removesuffix("...").strip() or "__VA_ARGS__")
    return Macro(names, once[1].strip() if once else body, is_variadic, once is not None)


def expanded(text: str, macros: Mapping[str, Macro], hidden: frozenset[str] = frozenset()) -> str:
    """The text with the uses of `macros` written out.

    Raises:
        TooLong: One becomes longer than 20 000 characters.
    """
    if not macros:
        return text
    tokens, out, place = pieces(text), [], 0
    while place < len(tokens):
        token = tokens[place]
        macro = macros.get(token) if token not in hidden else None
        given, after = (
            arguments_of(tokens, place + 1) if macro is not None and macro.parameters is not None else ([], 0)
        )
        values = None if macro is None or (macro.parameters is not None and not after) else _matched(macro, given)
        if macro is None or values is None or len(hidden) > _MAX_DEPTH:
            out.append(token)
            place += 1
            continue
        read = {name: expanded(value, macros, hidden) for name, value in values.items()}
        written = expanded(_filled(_without_comma(macro, values), read, values), macros, hidden | {token})
        if len(written) > _MAX_LENGTH:
            raise TooLong
        after = after or place + 1
        ended = _behind_blanks(tokens, after)
        if macro.is_block and tokens[ended : ended + 1] == [";"]:
            after = ended + 1
        used = "".join(tokens[place:after])
        out.append(written.replace("\n", " ") + "\n" * used.count("\n"))
        place = after
    return "".join(out)


def _matched(macro: Macro, given: list[str]) -> dict[str, str] | None:
    """The arguments by the parameters that they are for; None where their numbers differ."""
    names = macro.parameters or ()
    if macro.is_variadic and len(given) >= len(names) - 1:
        fixed = len(names) - 1
        given = [*given[:fixed], ",".join(given[fixed:])]
    if names and not given:
        given = [""]
    return dict(zip(names, (one.strip() for one in given), strict=True)) if len(given) == len(names) else None


def _without_comma(macro: Macro, values: Mapping[str, str]) -> str:
    """A macro's text; where no further arguments are given, without the comma that `, ## __VA_ARGS__` has before them."""
    if not macro.is_variadic or values[(macro.parameters or ("",))[-1]]:
        return macro.body
    return re.sub(rf",\s*##\s*{re.escape((macro.parameters or ('',))[-1])}\b", "", macro.body)


def _filled(text: str, named: Mapping[str, str], written: Mapping[str, str]) -> str:
    """A macro's text with its arguments: expanded ones (`named`), or beside `##` and `#` as they are `written`."""
    body, out = re.sub(r"\s*##\s*", "##", text), list[str]()
    tokens = body_pieces(body)
    for place, part in enumerate(tokens):
        before, behind = tokens[place - 1] if place else "", "".join(tokens[place + 1 :])
        if part == "##":
            continue
        if part == "#" and place + 1 < len(tokens) and tokens[place + 1] in written:
            continue
        if part not in named:
            out.append(part)
        elif before == "#":
            out.append(_quoted(written[part]))
        elif before == "##" or behind.startswith("##"):
            out.append(written[part])
        else:
            out.append(named[part])
    return "".join(out)


def body_pieces(body: str) -> list[str]:
    """The tokens of a macro's text, in which a `#` at the beginning starts no directive."""
    return pieces(f"0 {body}")[2:]


def _quoted(written: str) -> str:
    """An argument as a string: blanks count once, and what is special in a literal keeps its meaning."""
    said = (
        " " if part.isspace() else re.sub(r'[\\"]', r"\\\g<0>", part) if part[-1] in "\"'" else part
        for part in pieces(re.sub(r"\s*\n\s*", " ", written.strip()))
    )
    return '"' + "".join(said) + '"'


def arguments_of(tokens: list[str], start: int) -> tuple[list[str], int]:
    """The arguments of a call whose bracket opens at `start`, and the place behind it; 0 where none opens there or it never closes."""
    start = _behind_blanks(tokens, start)
    if start >= len(tokens) or tokens[start] != "(":
        return [], 0
    given, depth = [""], 0
    for place in range(start, len(tokens)):
        token = tokens[place]
        depth += (token == "(") - (token == ")")  # other brackets hold no arguments together
        if depth == 0:
            return ([] if given == [""] else given), place + 1
        if token == "," and depth == 1:
            given.append("")
        elif place > start:
            given[-1] += token
    return [], 0


def _behind_blanks(tokens: list[str], place: int) -> int:
    while place < len(tokens) and tokens[place].isspace():
        place += 1
    return place
