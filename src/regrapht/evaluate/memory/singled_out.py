"""Numbers that a program asks for by equality and that nothing was ever equal to in any case: what it does there was not judged.

A program may be wrong at one size, at one value, or at one count on the way to its answer. Which numbers it asks for is read from the
compiled code, whatever the text makes them of. They are among the sizes and inputs that it is tried on (`own_numbers`); what none of these
met is a label with the number and its line.
"""

from regrapht.emulate.emulator import EmulatedProgram, EmulatedRun
from regrapht.evaluate.judgement.draft import Draft

NEVER_EQUAL = "never_equal_to"
"""The label, with a number and a line."""
_EVERYWHERE = (-1, 0, 1)
_MOST = 4


def asked_for(program: EmulatedProgram) -> frozenset[tuple[int, int]]:
    """The lines of a checked program with the numbers that it asks for there, but for those of every program."""
    return frozenset(one for one in program.disassembly.equalities if one[1] not in _EVERYWHERE)


def numbers_asked_for(program: EmulatedProgram) -> tuple[float, ...]:
    """Those numbers alone, in order."""
    return tuple(sorted({float(number) for _, number in asked_for(program)}))


def label_never_equal(draft: Draft, asked: frozenset[tuple[int, int]], run: EmulatedRun | None) -> None:
    """Label what was never met in `run`; all of it where there is none."""
    missed = sorted(asked if run is None else asked & run.never_equal)
    for line, number in missed[:_MOST]:
        draft.label(f"{NEVER_EQUAL} {number} (line {line})")
