"""What is right: the outputs that a reference gives for the inputs of one call, and what every reference offers, in whatever language."""

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from regrapht.errors import InvalidTask
from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.inputs.element_arrays import Array
from regrapht.evaluate.judgement.endings import ending_of
from regrapht.records.task import Task
from regrapht.sandbox.sandbox import Completed

_STARTS_A_PROCESS = 71
"""An exit status of the harness of references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WideColumn:
    """One float column of an output in the wider type. `scale` is the sum of magnitudes behind each element, None when not carried."""

    values: Array
    scale: Array | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The right outputs of one call."""

    as_written: Mapping[str, Array]
    """Flat arrays in storage type; what the reference leaves unwritten holds the call's poison."""
    wide: Mapping[tuple[str, str], WideColumn] | None
    """(output, field) -> float columns; None where the reference cannot be widened."""
    wide_exact: Mapping[tuple[str, str], Array] = field(default_factory=dict)
    """(output, field) -> integer columns of the wide run: right as well, where rounding decides them."""
    moved: tuple[Mapping[str, Array], ...] = ()
    """As written on inputs whose last bits are others; run where rounding grows, and one run alone says too little of how far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One call's inputs with its right outputs."""

    inputs: Inputs
    expected: Expected


class ReferenceProgram(Protocol):
    """A reference in whatever language, ready to run."""

    @property
    def widens(self) -> bool:
        """Whether it also runs in a wider float."""
        ...

    @property
    def fingerprint(self) -> str:
        """A text that changes whenever what it computes may change: with its source, its headers, its compiler. Raises as `check`."""
        ...

    def check(self) -> None:
        """Raise `InvalidTask` if it does not compile or load."""
        ...

    def expected(
        self, inputs: Sequence[Inputs], *, wall_s: float | None = None, magnitudes: bool = True
    ) -> list[Expected]:
        """The right outputs for each of `inputs`; `ReferenceFailed` where it crashes or runs longer than `wall_s`. Without `magnitudes`
        the wide columns have no scale, and large shapes run several times faster."""
        ...

    def written(self, inputs: Sequence[Inputs]) -> list[dict[str, Array]]:
        """The outputs as written, alone."""
        ...

    def wide(self, inputs: Sequence[Inputs]) -> list[Mapping[tuple[str, str], WideColumn]]:
        """The wide outputs alone; only where it widens."""
        ...

    def survivors(self, inputs: Sequence[Inputs]) -> list[bool]:
        """Which of `inputs` the reference takes without undefined behaviour, a crash or a limit."""
        ...

    def defines(self, inputs: Inputs, *, wall_s: float) -> bool:
        """Whether `inputs` have a right answer, as far as can be told within `wall_s`: in C++, no undefined behaviour and no signed
        overflow."""
        ...


class ReferenceFailed(InvalidTask):
    """The reference crashed or never ended at call number `call`."""

    def __init__(self, message: str, *, call: int) -> None:
        super().__init__(message)
        self.call = call


def run_failed(
    task: Task,
    inputs: Sequence[Inputs],
    call: int,
    completed: Completed,
    limit_s: float,
    *,
    call_s: float | None = None,
    is_wide: bool = False,
) -> ReferenceFailed:
    """What to say of a run of the reference that did not come to its end: which call of it, at which shape, and what helps.

    Args:
        inputs: Of the calls of the run.
        call: The first of them that was not done.
        call_s: What a call might take of the processor's time, where that was limited too.
        is_wide: Whether it computed in a wider float.
    """
    ended = "starts a process" if completed.exit_code == _STARTS_A_PROCESS else ending_of(completed, limit_s, call_s)
    why = f"{task.reference.source.name}: {task.entry} {ended}"
    at = ", ".join(f"{name}={value}" for name, value in inputs[call].case.sizes.items())
    if completed.stopped != "timeout" and completed.signal != signal.SIGXCPU:
        return ReferenceFailed(f"{why} at {at}" if at else why, call=call)
    which = f", in call {call + 1} of {len(inputs)}" if len(inputs) > 1 else ""
    slower = ", in a wider float, which is slower" if is_wide else ""
    remedy = "smaller shapes under [sizes] in task.toml help, with regrapht port a smaller input of --run"
    return ReferenceFailed(f"{why}{which} at {at}{slower}: {remedy}", call=call)
