"""Inputs of one case: what the parent draws, keeps, and hands to reference and candidate alike."""

import hashlib
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from regrapht.evaluate.inputs.element_arrays import Array, fields_of, storage_dtype, stored
from regrapht.evaluate.inputs.families import (
    SKEWED,
    WHOLE,
    Family,
    changes_floats,
    domain_of,
    family_values,
    fitted,
    is_widened,
    reach_of,
    widened_arrays,
)
from regrapht.evaluate.inputs.init_kinds import Draw, default_init, draw_values, fits
from regrapht.evaluate.inputs.whole_families import SHARED, draw_whole, whole_init, with_shared_values
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, ArgKind, Sizes, Task
from regrapht.sandbox.wire import CallInput, Exchange

POISONS = (0xFF, 0xA5)
"""Bytes that outputs are filled with, alternating: the first reads as NaN, the second as a small number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One shape and family of values to judge at."""

    sizes: Sizes
    family: Family
    hidden: bool = False
    near: str = ""
    """What alone differs from the case before (`near_inputs`); empty where everything is drawn."""
    numbers: tuple[float, ...] = ()
    """Of a case that is near by numbers of the program's own (`own_numbers`)."""
    descending: bool = False
    """Of a case of the family `sorted`: its first array is so; each other is in an order of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The drawn arguments of one call: raw bytes of sizes and scalars, flat arrays in storage type of what is read."""

    case: Case
    values: Mapping[str, bytes]
    arrays: Mapping[str, Array]
    poison: int


def new_secret() -> int:
    """128 bits from the operating system; known to this process alone."""
    return secrets.randbits(128)


def draw(task: Task, case: Case, *, secret: int, index: int) -> Inputs:
    """The inputs of case number `index` under `secret`; the same numbers give the same inputs.

    Raises:
        TaskError: An init makes no sense at these sizes, or its file cannot be read.
    """
    values: dict[str, bytes] = {}
    arrays: dict[str, Array] = {}
    for position, arg in enumerate(task.parameters):
        rng = np.random.default_rng([secret & (2**64 - 1), secret >> 64, index, position])
        if arg.kind is ArgKind.SIZE:
            values[arg.name] = raw_value(case.sizes[arg.name], arg)
        elif arg.kind is ArgKind.SCALAR:
            values[arg.name] = drawn_scalar(task, arg, case.sizes, rng)
        elif arg.is_input:
            arrays[arg.name] = drawn_array(task, arg, case, rng)
    if case.family in SHARED:
        rng = np.random.default_rng([secret & (2**64 - 1), secret >> 64, index, len(task.parameters)])
        arrays = with_shared_values(task, arrays, case.sizes, rng)
    return Inputs(case=case, values=values, arrays=arrays, poison=POISONS[index % len(POISONS)])


def as_call(task: Task, inputs: Inputs, *, samples: int = 0, shape: int = 0, return_inputs: bool = True) -> CallInput:
    """The call that these inputs describe. With `return_inputs` the child hands read-only arrays back too: they must not have changed."""
    sizes = inputs.case.sizes
    wanted = {arg.name for arg in task.outputs}
    if return_inputs:
        wanted |= {arg.name for arg in task.inputs}
    return CallInput(
        values=inputs.values,
        arrays={name: np.ascontiguousarray(array).view(np.uint8).data for name, array in inputs.arrays.items()},
        array_bytes={arg.name: arg.size_bytes(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY},
        wanted=frozenset(wanted),
        poison=inputs.poison,
        samples=samples,
        shape=shape,
    )


def read_samples(exchange: Exchange, call: int) -> list[tuple[float, float]]:
    """The (device, host) microseconds of one call's repetitions.

    To the nanosecond, the step of the finer clock, the host's (events of the device tell half a microsecond): further digits are noise of
    arithmetic, and a time is so written in few digits and read again as it was. What takes less than 100 ns keeps five digits.
    """
    return [(_to_the_nanosecond(device), _to_the_nanosecond(host)) for device, host in exchange.output(call).samples_us]


def _to_the_nanosecond(us: float) -> float:
    return round(us, 3) if not abs(us) < 0.1 else float(f"{us:.5g}")


class Secret:
    """Secret bits for everything that is drawn: from the operating system each time, or always the same for one purpose.

    Args:
        fixed: Makes them the same, so that a judgement can be repeated exactly; None otherwise.
    """

    def __init__(self, fixed: int | None) -> None:
        self._fixed = fixed

    @property
    def is_fixed(self) -> bool:
        """Whether the same bits come again."""
        return self._fixed is not None

    def __call__(self, purpose: str) -> int:
        """128 bits for `purpose`."""
        return new_secret() if self._fixed is None else secret_from(f"{self._fixed} {purpose}")

    def rng(self, purpose: str) -> random.Random:
        """A generator of random choices for `purpose`."""
        return random.SystemRandom() if self._fixed is None else random.Random(self(purpose))


def secret_from(text: str) -> int:
    """A fixed secret for tests and replays, from any text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "little")


def drawn_scalar(task: Task, arg: Arg, sizes: Sizes, rng: np.random.Generator) -> bytes:
    """The raw value of a scalar: fixed, or drawn."""
    if arg.value is not None:
        return raw_value(arg.value, arg)
    assert isinstance(arg.dtype, ScalarType), "a scalar's type is a scalar type"
    assert arg.init is not None, "a scalar has a value or an init"
    request = Draw(init=arg.init, scalar=arg.dtype, count=1, sizes=sizes, rng=rng, folder=task.folder)
    return draw_values(request).tobytes()


def raw_value(value: float, arg: Arg) -> bytes:
    """What a size or a scalar of this value is in a call."""
    assert isinstance(arg.dtype, ScalarType), "sizes and scalars have scalar types"
    if arg.dtype.is_float:
        return stored(np.array([value], np.float64), arg.dtype).tobytes()
    return int(value).to_bytes(arg.dtype.size_bytes, "little", signed=arg.dtype.kind == "int")


def drawn_array(task: Task, arg: Arg, case: Case, rng: np.random.Generator) -> Array:
    """The elements of one input of `case`, in storage type."""
    count = arg.element_count(case.sizes)
    if changes_floats(case.family) and is_widened(arg):
        assert isinstance(arg.dtype, ScalarType), "structs are not widened"
        values = family_values(case.family, rng, count, reach_of(task, arg.dtype))
        values = fitted(case.family, values, domain_of(arg, case.sizes))
        return stored(values[::-1] if _descends(task, arg, case, rng) else values, arg.dtype)
    array = np.zeros(count, storage_dtype(arg.dtype))
    for field in fields_of(arg.dtype):
        whole = whole_init(arg, field.scalar) if case.family in (*WHOLE, *SKEWED) else None
        own = arg.init if arg.init is not None and fits(arg, field.scalar) else default_init(field.scalar)
        request = Draw(
            init=whole or own, scalar=field.scalar, count=count, sizes=case.sizes, rng=rng, folder=task.folder
        )
        drawn = draw_values(request) if whole is None else draw_whole(case.family, request)
        if field.name:
            array[field.name] = drawn
        else:
            array = drawn
    return array


def _descends(task: Task, arg: Arg, case: Case, rng: np.random.Generator) -> bool:
    if case.family is not Family.SORTED:
        return False
    return case.descending if arg == widened_arrays(task)[0] else bool(rng.random() < 0.5)


def read_outputs(task: Task, exchange: Exchange, call: int, *, inputs_too: bool = True) -> dict[str, Array]:
    """The raw arrays that a child left for one call, copied out of its reach."""
    names = {arg.name for arg in task.outputs} | ({arg.name for arg in task.inputs} if inputs_too else set())
    return {
        arg.name: np.frombuffer(exchange.array(call, arg.name), storage_dtype(arg.dtype))
        for arg in task.parameters
        if arg.name in names
    }
