"""Whether a candidate's outputs were computed by host code and only carried to their place by kernels.

Such a program has to read from the device what it computes with. So the calls are made once more, with two further ones on other arrays:
one as it is, one whose host code is given what that of an earlier call had read. In the second one, kernels see the new arrays and the host
the old ones. Output elements that are those of the earlier call, where the first one has others, were determined by what the host knew. A
program whose host only counts, checks for convergence or finishes a reduction leaves outputs that depend on what its kernels see; it may
well go wrong in that call, which proves nothing.

Only programs are asked that read more from the device, and send more to it, than an output may have from the host. What the host only
passes on unchanged is no work of it. Not covered: host code that reads managed or pinned memory which kernels have written, without a copy;
outputs whose elements all have a handful of values, where the kernels change a few.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from regrapht.emulate.emulator import EmulatedProgram, EmulatedRun, Emulator
from regrapht.emulate.report import HostTraffic
from regrapht.evaluate.inputs.drawing import Inputs, as_call, read_outputs
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.evaluate.reference.expected import Trial
from regrapht.records.task import Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange

FROM_HOST_BYTES = 4096
"""As many bytes of an output may come from the host: the last step of a reduction, counts. The emulated harness has the same limit."""
UNCHECKED = "host_work_unchecked"
_FEEDBACK = (
    "The host computes the outputs: they do not change when the kernels see other inputs and the host code the same. "
    "Compute them in kernels; let the host read back counts and flags alone."
)
_NEARLY_ALL = 0.99
_Array = np.ndarray[Any, Any]
_Outputs = Sequence[Mapping[str, _Array]]


def is_busy(traffic: HostTraffic) -> bool:
    """Whether the host of one call could have computed an output."""
    return traffic.to_host > FROM_HOST_BYTES and traffic.from_host > FROM_HOST_BYTES


def require_device_work(
    emulator: Emulator,
    program: EmulatedProgram,
    task: Task,
    trials: Sequence[Trial],
    *,
    run: EmulatedRun,
    outputs: _Outputs,
    limits: Limits,
) -> tuple[str, ...]:
    """Labels for what could not be checked; nothing for most programs, whose host code moves next to nothing.

    Args:
        run: The checked run of all trials, whose `outputs` were right.

    Raises:
        Rejected: `POLICY_REJECTED`: more than `FROM_HOST_BYTES` of an output are what the host alone could know.
    """
    busy = [i for i, traffic in enumerate(run.traffic[: len(trials)]) if is_busy(traffic)]
    if not busy:
        return ()
    pair = _pair(task, trials, outputs, busy)
    if pair is None:
        return (UNCHECKED,)
    earlier, other = (trials[i].inputs for i in pair)
    calls = [trial.inputs for trial in trials]
    mixed = replace(earlier, arrays=other.arrays, poison=other.poison)  # sizes and scalars are known to the host anyway
    plain, replayed = _inserted(calls, mixed, after=pair[0])
    with Exchange(task.parameters, [as_call(task, inputs) for inputs in calls]) as exchange:
        again = emulator.run(
            program, exchange, limits=limits, sizes=[each.case.sizes for each in calls], replay=(pair[0], replayed)
        )
        if not again.completed.ok or not exchange.completed:
            return (UNCHECKED,)
        first, right, got = (read_outputs(task, exchange, i, inputs_too=False) for i in (pair[0], plain, replayed))
    for name, array in got.items():
        if _known_to_host(first[name], right[name], array):
            reason = f"{name} was computed by host code: kernels that see other inputs leave it as it was"
            raise Rejected(Status.POLICY_REJECTED, reason, feedback=_FEEDBACK)
    return ()


def _inserted(calls: list[Inputs], mixed: Inputs, *, after: int) -> tuple[int, int]:
    """Put two calls with the same inputs anywhere behind one, so that no count of calls tells them from the others; their places."""
    one = secrets.choice(range(after + 1, len(calls) + 1))
    calls.insert(one, mixed)
    other = secrets.choice(range(after + 1, len(calls) + 1))
    calls.insert(other, mixed)
    places = [one if other > one else one + 1, other]
    secrets.SystemRandom().shuffle(places)
    return places[0], places[1]


def _known_to_host(earlier: _Array, right: _Array, got: _Array) -> bool:
    """Whether `got` has the earlier answer where `right` is another one. A call that went wrong may leave zeros, or one of a few values, so
    either many values must be the earlier ones, or nearly all elements, and not all by the same value."""
    differ = _differing(earlier, right)
    known = differ & ~_differing(got, earlier)
    values = np.unique(earlier.reshape(-1)[known]).size
    nearly_all = known.sum() > _NEARLY_ALL * differ.sum() and known.sum() * got.itemsize > FROM_HOST_BYTES
    return bool(values * got.itemsize > FROM_HOST_BYTES or (nearly_all and values > 1))


def _pair(task: Task, trials: Sequence[Trial], outputs: _Outputs, busy: Sequence[int]) -> tuple[int, int] | None:
    """Two busy calls of the same sizes whose outputs differ most, the earlier one first."""
    best, most = None, FROM_HOST_BYTES
    for place, first in enumerate(busy):
        for second in busy[place + 1 :]:
            if dict(trials[first].inputs.case.sizes) != dict(trials[second].inputs.case.sizes):
                continue
            names = [arg.name for arg in task.outputs]
            differ = max(_bytes_apart(outputs[first][name], outputs[second][name]) for name in names)
            if differ > most:
                best, most = (first, second), differ
    return best


def _bytes_apart(one: _Array, other: _Array) -> int:
    return int(_differing(one, other).sum()) * one.itemsize


def _differing(one: _Array, other: _Array) -> _Array:
    """Of each element, whether its bytes differ."""
    a, b = (np.ascontiguousarray(each).reshape(-1) for each in (one, other))
    return (a.view(np.uint8) != b.view(np.uint8)).reshape(a.size, a.itemsize).any(axis=1)
