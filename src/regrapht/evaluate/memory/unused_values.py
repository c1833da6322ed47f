"""Reads of what nobody wrote that decide nothing: lanes of a warp that take part in a shuffle and whose values are thrown away.

Such a read is a fault where its value can reach an output, a branch or an address. So the calls are made again, with memory that nobody
has written full of one word, of another and of further ones: NaN in floats and -1 in integers, a small negative number, a huge one, zeros,
and the numbers that the program itself may compare with. Where every output has the same bytes, and no further fault shows, nothing was
decided by them, and the reads are warnings.
"""

import re
import struct
from collections.abc import Sequence
from dataclasses import replace

from regrapht.emulate.emulator import EmulatedProgram, EmulatedRun, Emulator
from regrapht.evaluate.compare.outputs import same_bytes
from regrapht.evaluate.inputs.drawing import as_call, read_outputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.inputs.own_numbers import between
from regrapht.evaluate.memory.findings import errors_of
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.task import Task
from regrapht.records.verdict import Finding, Severity, Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange
from regrapht.source.tokens import without_comments

FRESH = (0xFFFFFFFF, 0xA5A5A5A5, 0x7E7E7E7E, 0)
"""What unwritten memory is filled with first, a word each."""
_NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)")
_LONGEST, _LARGEST, _MOST_BETWEEN = 40, 3e38, 3
MOST_OWN = 12
"""Numbers of the program's own that are tried, the longest first: few compare with 4, and a mark is long."""


def without_unused(
    emulator: Emulator,
    program: EmulatedProgram,
    task: Task,
    trials: Sequence[Trial],
    *,
    run: EmulatedRun,
    limits: Limits,
    source: str,
) -> EmulatedRun:
    """`run`, a checked one of all `trials`, with its reads of unwritten memory as warnings where no output hangs on them."""
    errors = errors_of(run.findings)
    if not errors or not run.completed.ok or any(each.status is not Status.UNINITIALISED_READ for each in errors):
        return run
    first: list[dict[str, Array]] | None = None
    for fresh in (*FRESH, *own_words(source)):
        outputs = _outputs(emulator, program, task, trials, fresh, limits)
        if outputs is None:
            return run
        first = first or outputs
        if any(same_bytes(one, other, task) is not None for one, other in zip(first, outputs, strict=True)):
            return run
    return replace(run, findings=tuple(map(_as_warning, run.findings)))


def own_words(source: str) -> list[int]:
    """The numbers in the program's text as words of memory."""
    words: dict[int, None] = {}
    values: list[float] = []
    for text in sorted(
        {n for n in _NUMBER.findall(without_comments(source)) if len(n) <= _LONGEST},
        key=lambda text: (-len(text), text),
    ):
        if text[:2].lower() == "0x" or text.isdigit():
            words[int(text, 0 if text[:2].lower() == "0x" else 10) & 0xFFFFFFFF] = None
        values.append(float(int(text, 16)) if text[:2].lower() == "0x" else float(text))
        words.update((_as_word(value), None) for value in values[-1:] if abs(value) < _LARGEST)
    among = {_as_word(value): None for value in between(values) if abs(value) < _LARGEST}
    words = {**dict(list(among.items())[:_MOST_BETWEEN]), **words}
    return [word for word in words if word not in FRESH][:MOST_OWN]


def _as_word(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def _outputs(
    emulator: Emulator, program: EmulatedProgram, task: Task, trials: Sequence[Trial], fresh: int, limits: Limits
) -> list[dict[str, Array]] | None:
    """What is left by the calls where unwritten memory holds `fresh`; None where one of them has any other fault."""
    calls = [as_call(task, replace(trial.inputs, poison=fresh & 0xFF)) for trial in trials]
    with Exchange(task.parameters, calls) as exchange:
        run = emulator.run(
            program, exchange, limits=limits, sizes=[each.inputs.case.sizes for each in trials], fresh=fresh
        )
        others = [each for each in errors_of(run.findings) if each.status is not Status.UNINITIALISED_READ]
        if others or not run.completed.ok or not exchange.completed:
            return None
        return [read_outputs(task, exchange, i, inputs_too=False) for i in range(len(trials))]


def _as_warning(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.WARNING) if finding.status is Status.UNINITIALISED_READ else finding
