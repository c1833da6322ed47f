"""Whether a candidate's outputs were computed by host code and only carried to their place by kernels.

Such a program has to read from the device what it computes with. So the calls are made once more, with two further ones on other arrays:
one as it is, one whose host code is given what that of an earlier call had read. In the second one, kernels see the new arrays and the host
the old ones. Output elements that are those of the earlier call, where the first one has others, were determined by what the host knew. A
program whose host only counts, checks for convergence or finishes a reduction leaves outputs that depend on what its kernels see; it may
well go wrong in that call, which proves nothing.

Only programs are asked that read more from the device, and send more to it, than an output may have from the host; and, for outputs that
are no larger than that, those that read a quarter of what the inputs hold. Whatever a command to the device says counts as sent: copies,
the values and places of memset, shapes and parameters of launches. What the host only passes on unchanged is no work of it.

Where a task's arrays lie on the host, every program is asked: in the second call its host has the old arrays, and what it sends of them
arrives as the new ones. What it sends in any other form (packed, converted) leaves the question open. Not covered: outputs whose elements
all have a handful of values, where the kernels change a few.
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
from regrapht.records.task import Residency, Task
from regrapht.records.verdict import Status
from regrapht.sandbox.sandbox import Limits
from regrapht.sandbox.wire import Exchange

FROM_HOST_BYTES = 4096
"""As many bytes of an output may come from the host: the last step of a reduction, counts. The emulated harness has the same limit."""
UNCHECKED = "host_work_unchecked"
TAKES_PART = "host_takes_part"
"""More of an output than may come from the host hangs on what the host computed of the inputs, and on what kernels see as well."""
_FEEDBACK = (
    "The host computes the outputs: they do not change when the kernels see other inputs and the host code the same. "
    "Compute them in kernels; let the host read back counts and flags alone."
)
_FEW_BYTES = 1024
"""Calls whose host reads no more are not asked: of so few inputs all may be what a last step needs."""
_NEARLY_ALL, _NEARLY_ALL_OF_FEW, _MANY = 0.99, 0.95, 32
_READ_SHARE = 0.25
_Array = np.ndarray[Any, Any]
_Outputs = Sequence[Mapping[str, _Array]]


def is_busy(traffic: HostTraffic, task: Task, inputs: Inputs) -> bool:
    """Whether the host of one call could have computed an output."""
    if task.contract.residency is Residency.HOST:
        return True
    read = traffic.to_host >= _READ_SHARE * sum(array.nbytes for array in inputs.arrays.values())
    small = any(arg.size_bytes(inputs.case.sizes) <= FROM_HOST_BYTES for arg in task.outputs)
    if small and read and traffic.to_host > _FEW_BYTES:
        return True
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
        Rejected: `POLICY_REJECTED`: more than `FROM_HOST_BYTES` of an output, or all of one that is no larger, are what the host alone
            could know.
    """
    pairs = zip(run.traffic, trials, strict=False)
    busy = [i for i, (traffic, trial) in enumerate(pairs) if is_busy(traffic, task, trial.inputs)]
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
        open_question = again.traffic[replayed].unmatched > FROM_HOST_BYTES
        open_question |= not any(
            _telling_bytes(first[name], right[name]) for name in got
        )  # the arrays alone change nothing
    for name, array in got.items():
        if _known_to_host(first[name], right[name], array):
            if open_question:
                break
            reason = f"{name} was computed by host code: kernels that see other inputs leave it as it was"
            raise Rejected(Status.POLICY_REJECTED, reason, feedback=_FEEDBACK)
    takes_part = any(
        _differing(right[name], array).sum() * array.itemsize > FROM_HOST_BYTES for name, array in got.items()
    )
    return (UNCHECKED,) if open_question else (TAKES_PART,) if takes_part else ()


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
    either many values must be the earlier ones, or nearly all elements, and not all by the same value. Of a small output all must, or
    nearly all where those are many: what the host leaves where it was in shared memory is the later call's.
    """
    differ = _differing(earlier, right)
    known = differ & ~_differing(got, earlier)
    if earlier.nbytes <= FROM_HOST_BYTES:
        told = np.ascontiguousarray(earlier).reshape(-1)
        many = np.unique(told[known]).size >= _MANY and known.sum() >= _NEARLY_ALL_OF_FEW * differ.sum()
        return bool(many or (differ.any() and (known == differ).all() and told.view(np.uint8).any()))
    values = np.unique(earlier.reshape(-1)[known]).size
    nearly_all = known.sum() > _NEARLY_ALL * differ.sum() and known.sum() * got.itemsize > FROM_HOST_BYTES
    return bool(values * got.itemsize > FROM_HOST_BYTES or (nearly_all and values > 1))


def _pair(task: Task, trials: Sequence[Trial], outputs: _Outputs, busy: Sequence[int]) -> tuple[int, int] | None:
    """Two busy calls of the same sizes whose outputs differ most, the earlier one first; not those whose outputs differ by a scalar, or a
    single element, alone: kernels are to see other arrays, and nothing else."""
    best, most = None, 0
    apart = [i for i in busy if not trials[i].inputs.case.near]
    for place, first in enumerate(apart):
        for second in apart[place + 1 :]:
            one, other = (trials[i].inputs for i in (first, second))
            if dict(one.case.sizes) != dict(other.case.sizes) or not _arrays_differ(task, one, other):
                continue
            differ = max(_telling_bytes(outputs[first][arg.name], outputs[second][arg.name]) for arg in task.outputs)
            if differ > most:
                best, most = (first, second), differ
    return best


def _arrays_differ(task: Task, one: Inputs, other: Inputs) -> bool:
    return any(_bytes_apart(one.arrays[arg.name], other.arrays[arg.name]) for arg in task.args if arg.is_input)


def _telling_bytes(one: _Array, other: _Array) -> int:
    """How many bytes of an output differ; 0 where they are no more than may come from the host, unless the output is so small."""
    apart = _bytes_apart(one, other)
    return apart if apart > FROM_HOST_BYTES or one.nbytes <= FROM_HOST_BYTES else 0


def _bytes_apart(one: _Array, other: _Array) -> int:
    return int(_differing(one, other).sum()) * one.itemsize


def _differing(one: _Array, other: _Array) -> _Array:
    """Of each element, whether its bytes differ."""
    a, b = (np.ascontiguousarray(each).reshape(-1) for each in (one, other))
    return (a.view(np.uint8) != b.view(np.uint8)).reshape(a.size, a.itemsize).any(axis=1)
