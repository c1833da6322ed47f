"""Accesses beside a program's own arrays, through pointers and in functions of their own, which no address by itself gives away: a thread's
local arrays, and those of the file, constant tables among them.

They are looked for in a build of their own, in which the compiler keeps the arrays apart. Its run also tells which ways of comparisons were
never taken, and begins local variables with words that show whether outputs follow them.
"""

from collections.abc import Sequence

from regrapht.emulate.emulator import BuildRefused, EmulatedProgram, Emulator
from regrapht.evaluate.judgement.draft import Draft
from regrapht.evaluate.memory.findings import findings_of_run
from regrapht.evaluate.memory.singled_out import asked_for, label_never_equal, label_never_taken
from regrapht.evaluate.memory.unwritten_values import reads_of_unwritten, run_with, words_for
from regrapht.evaluate.reference.expected import Trial
from regrapht.sandbox.sandbox import Limits
from regrapht.source.syntax import SourceText, text_of, walk

UNCHECKED = "local_arrays_unchecked"
_ELSEWHERE = ("__shared__", "extern")


def look_at_own_arrays(
    emulator: Emulator,
    draft: Draft,
    program: EmulatedProgram,
    trials: Sequence[Trial],
    *,
    everything: Sequence[Trial],
    limits: Limits,
) -> None:
    """Add what is found to the draft's findings; labels for what was never met in the calls, and where they could not be made so.

    Args:
        program: The checked build.
        trials: What is run where `everything` takes too long.
    """
    asked, has_arrays = asked_for(program), has_own_arrays(draft.source)
    if emulator.labels:  # of a compiler that checks less: its label says so
        label_never_equal(draft, asked, None)
        return
    apart = emulator.build(draft.source, draft.task, checked=False, stacks=True)
    if isinstance(apart, BuildRefused):
        label_never_equal(draft, asked, None)
        label_never_taken(draft, None)
        if has_arrays:
            draft.label(UNCHECKED)
        return
    words = words_for(draft.source)
    run, outputs = run_with(emulator, apart, draft.task, everything, words, limits)
    if run.completed.stopped is not None:  # all of it took too long
        everything = trials
        run, outputs = run_with(emulator, apart, draft.task, everything, words, limits)
    done = run.completed.ok and run.unsupported is None
    if not done and has_arrays:
        draft.label(UNCHECKED)
    label_never_equal(draft, asked, run if done else None)
    label_never_taken(draft, run if done else None)
    found = findings_of_run(run, known=tuple(draft.findings))
    draft.findings += found or reads_of_unwritten(emulator, apart, draft.task, everything, outputs, limits)


def has_own_arrays(source: str) -> bool:
    """Whether a program declares an array: of a function's own, of the file or of a struct; neither shared memory nor a parameter."""
    for node in walk(SourceText(source, cuda=True).root):
        if node.type == "array_declarator":
            above = node.parent
            while above is not None and above.type not in ("declaration", "field_declaration", "parameter_declaration"):
                above = above.parent
            if above is None or above.type == "parameter_declaration":
                continue
            words = text_of(above).partition("[")[0].split()
            if not any(word in words for word in _ELSEWHERE):
                return True
    return False
