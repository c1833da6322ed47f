"""The numbers in a program's own text among its inputs and sizes: what is right but for one value that it names meets that value.

Which inputs a program meets so hangs on its text, what is right there on the reference alone.
"""

import re
from dataclasses import replace

import numpy as np

from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.inputs.element_arrays import Array, stored
from regrapht.evaluate.inputs.families import Family, domain_of, families_of, is_widened, reach_of
from regrapht.evaluate.inputs.init_kinds import chosen_values, limits
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, Sizes, Task
from regrapht.source.tokens import without_comments

OWN_NUMBERS = "some numbers of the program's own text"
"""What a case is near to its neighbour by: the inputs of the one before, with such numbers in a few places."""
_NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:[uUlLfF]*)(?![\w.])")
_MOST, _LONGEST = 32, 40
_ALONE = 2
"""Places for each number besides the run of all of them."""


def numbers_in(source: str) -> tuple[float, ...]:
    """The numbers that a text names, in its order, each once; of very many those that are written longest, since a mark is long."""
    found: dict[float, str] = {}
    for text in _NUMBER.findall(without_comments(source, without_strings=True)):
        if len(text) <= _LONGEST:
            value = float(int(text, 16)) if text[:2].lower() == "0x" else float(text)
            found.setdefault(value, text)
    longest = sorted(found, key=lambda value: -len(found[value]))[:_MOST]
    return tuple(value for value in found if value in longest)


def with_own_numbers(task: Task, base: Inputs, numbers: tuple[float, ...], rng: np.random.Generator) -> Inputs | None:
    """`base` with the numbers in its arrays, as far as their ranges allow: all in a row somewhere, and each in places of its own.

    None where none of them may be there.
    """
    arrays = dict(base.arrays)
    for arg in task.args:
        if arg.is_input and arg.name in arrays and isinstance(arg.dtype, ScalarType):
            allowed = _allowed(task, arg, arg.dtype, numbers, base.case.sizes)
            if allowed.size and arrays[arg.name].size:
                arrays[arg.name] = _placed(arrays[arg.name], allowed, rng)
    changed = any(arrays[name].tobytes() != kept.tobytes() for name, kept in base.arrays.items())
    return replace(base, arrays=arrays) if changed else None


def _allowed(task: Task, arg: Arg, scalar: ScalarType, numbers: tuple[float, ...], sizes: Sizes) -> Array:
    """Those numbers that may be an element, in storage type. Floats of tasks with exact outputs are spared them: they are the edges between
    two answers, where honest rounding decides."""
    if is_widened(arg):
        if Family.INTEGERS not in families_of(task):
            return stored(np.zeros(0), scalar)
        low, high = domain_of(arg, sizes)
        most = reach_of(task, scalar).outlier
        signed = [one for value in numbers for one in (value, -value)]
        return stored(np.array([v for v in dict.fromkeys(signed) if low <= v <= high and abs(v) <= most]), scalar)
    kind = arg.init.kind if arg.init is not None else ""
    whole = [int(value) for value in numbers if value == int(value)]
    if arg.init is not None and kind in ("integers", "csr_col_idx"):
        low, high = limits(arg.init, sizes)
        return stored(np.array([value for value in whole if low <= value < high], np.int64), scalar)
    if arg.init is not None and kind == "choice":
        return stored(np.array([value for value in numbers if value in chosen_values(arg.init)]), scalar)
    return stored(np.zeros(0), scalar)


def _placed(kept: Array, numbers: Array, rng: np.random.Generator) -> Array:
    """The array with `numbers` in a row at a place of chance, and each of them alone in some."""
    changed = kept.copy()
    for _ in range(_ALONE):
        changed[rng.integers(0, kept.size, numbers.size)] = numbers
    row = numbers[: kept.size]
    start = int(rng.integers(0, kept.size - row.size + 1))
    changed[start : start + row.size] = row
    return changed
