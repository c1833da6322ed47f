"""What a program asks for by equality and nothing was ever equal to in any case: what it does there was not judged.

A program may be wrong at one size, at one value, or at one count on the way to its answer. Which numbers it asks for is read from the
compiled code, whatever the text makes them of, and from the text. They are among the sizes and inputs that it is tried on (`own_numbers`);
what none of these met is a label with the number and its line. What is compared with no constant, as with an element of a table, is told by
its line alone.
"""

from collections.abc import Iterator
from itertools import pairwise

from regrapht.emulate.emulator import EmulatedProgram, EmulatedRun
from regrapht.evaluate.judgement.draft import Draft
from regrapht.source.tokens import Token, TokenKind, tokens

NEVER_EQUAL = "never_equal_to"
"""The label, with a number and a line."""
NEVER_TAKEN = "never_taken"
"""The label, with the line of a comparison that went one way alone."""
BRANCHES_UNCHECKED = "branches_unchecked"
_EVERYWHERE = (-1, 0, 1)
_MOST = 4
_ANSWERS = frozenset(("nullptr", "NULL", "true", "false", "cudaSuccess", "end", "static_cast"))
"""Names that a program is told something by, and no values of data."""

Asked = frozenset[tuple[int, int | None]]
"""Lines with the numbers that are asked for there; None for what is no constant."""


def asked_for(program: EmulatedProgram) -> Asked:
    """What a checked program asks for, but for the numbers that every program does."""
    asked = {*program.disassembly.equalities, *_in_text(program.source)}
    return frozenset(one for one in asked if one[1] not in _EVERYWHERE)


def numbers_asked_for(program: EmulatedProgram) -> tuple[float, ...]:
    """The numbers alone, in order."""
    return tuple(sorted({float(number) for _, number in asked_for(program) if number is not None}))


def label_never_equal(draft: Draft, asked: Asked, run: EmulatedRun | None) -> None:
    """Label what was never met in `run`; all of it where there is none."""
    missed = asked if run is None else asked & run.never_equal
    for line, number in sorted(missed, key=lambda one: (one[0], one[1] is None, one[1] or 0))[:_MOST]:
        draft.label(f"{NEVER_EQUAL} {'a value' if number is None else number} (line {line})")


def label_never_taken(draft: Draft, run: EmulatedRun | None) -> None:
    """Label the lines in which a comparison went one way alone in `run`; that none is known where there is none."""
    if run is None:
        draft.label(BRANCHES_UNCHECKED)
        return
    lines = sorted(run.never_taken)
    for line in lines[:_MOST]:
        draft.label(f"{NEVER_TAKEN} (line {line})")


def _in_text(source: str) -> Iterator[tuple[int, int | None]]:
    """Numbers and names behind `==` and `!=`: of a remainder the compiled code asks in another way."""
    words: list[Token] = [token for token in tokens(source) if token.kind is not TokenKind.BLANK]
    for before, token in pairwise(words):
        if before.text not in ("==", "!="):
            continue
        if token.kind is TokenKind.NUMBER:
            digits = token.text.replace("'", "").rstrip("uUlL")
            yield token.line, int(digits) if digits.isdecimal() else None
        elif token.kind is TokenKind.NAME and token.text not in _ANSWERS:
            yield token.line, None
