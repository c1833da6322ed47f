"""Local variables that nobody gave a value before they were read: where outputs follow what they begin with.

What a function's own variables hold at first is nobody's promise: registers of the thread before, or what the compiler likes. In the
build for a program's own arrays they begin with a word that is another in each call. All calls are made twice, with the words in other
places, and where outputs differ once more as at first: if those are alike, a value that was never written has decided something.
"""

from collections.abc import Mapping, Sequence

from regrapht.emulate.emulator import EmulatedProgram, EmulatedRun, Emulator
from regrapht.evaluate.compare.outputs import same_bytes
from regrapht.evaluate.inputs.drawing import as_call, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.memory.unused_values import FRESH, own_words
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.task import Task
from regrapht.records.verdict import Finding, Severity, Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange

KIND = "uninit_read_local"
_MOST_NAMED = 3

Outputs = Sequence[Mapping[str, Array]]


def words_for(source: str) -> list[int]:
    """What unwritten variables begin with, a word a call in turn: some that floats and integers show, and the program's own numbers."""
    return [*FRESH, *own_words(source)]


def run_with(
    emulator: Emulator,
    program: EmulatedProgram,
    task: Task,
    trials: Sequence[Trial],
    words: Sequence[int],
    limits: Limits,
) -> tuple[EmulatedRun, Outputs]:
    """A run of a build for the program's own arrays, and what it left; no outputs where it did not come to its end."""
    with Exchange(task.parameters, [as_call(task, trial.inputs) for trial in trials]) as exchange:
        run = emulator.run(program, exchange, limits=limits, sizes=(), unwritten=words)
        done = run.completed.ok and exchange.completed
        return run, [read_outputs(task, exchange, i, inputs_too=False) for i in range(len(trials))] if done else []


def reads_of_unwritten(
    emulator: Emulator,
    program: EmulatedProgram,
    task: Task,
    trials: Sequence[Trial],
    first: Outputs,
    limits: Limits,
) -> list[Finding]:
    """The finding that outputs follow what unwritten local variables begin with, if they do.

    Args:
        program: A build for its own arrays.
        first: What `run_with` left with `words_for` its text.
    """
    if not program.unwritten or not first:
        return []
    words = words_for(program.source)
    turned = [*words[len(words) // 2 :], *words[: len(words) // 2]]
    _, other = run_with(emulator, program, task, trials, turned, limits)
    if not other or (name := _differing(first, other, task)) is None:
        return []
    _, again = run_with(emulator, program, task, trials, words, limits)
    if not again or _differing(first, again, task) is not None:
        return []
    return [_finding(program, name)]


def _differing(first: Outputs, second: Outputs, task: Task) -> str | None:
    names = (same_bytes(one, other, task) for one, other in zip(first, second, strict=True))
    return next((name for name in names if name is not None), None)


def _finding(program: EmulatedProgram, output: str) -> Finding:
    named = [f"{name} (line {each.line})" for each in program.unwritten for name in each.names]
    shown = ", ".join(named[:_MOST_NAMED]) + (" or another" if len(named) > _MOST_NAMED else "")
    return Finding(
        kind=KIND,
        status=Status.UNINITIALISED_READ,
        severity=Severity.ERROR,
        checker="emulator",
        message=f"a local variable is read that nobody wrote, and {output} follows what it happens to hold: {shown}",
        line=program.unwritten[0].line,
        hint="give the variable a value where it is declared",
    )
