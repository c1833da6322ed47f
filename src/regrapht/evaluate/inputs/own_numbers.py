"""The numbers in a program's own text among its inputs and sizes: what is right but for one value that it names meets that value.

Which inputs a program meets so hangs on its text, what is right there on the reference alone.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from regrapht.evaluate.inputs.drawing import Inputs
from regrapht.evaluate.inputs.element_arrays import Array, stored
from regrapht.evaluate.inputs.families import (
    Family,
    domain_of,
    families_of,
    half_is_allowed,
    is_widened,
    reach_of,
)
from regrapht.evaluate.inputs.init_kinds import chosen_values, limits
from regrapht.records.element import ScalarType
from regrapht.records.task import Arg, Sizes, Task
from regrapht.source.tokens import without_comments

OWN_NUMBERS = "some numbers of the program's own text"
"""What a case is near to its neighbour by: the inputs of the one before, with such numbers in a few places."""
ABOVE = "numbers above those of the program's own text"
BELOW = "numbers below those of the program's own text"
"""What a case is near to its neighbour by: floats beyond the text's largest number, where a maximum that begins at `-100` is wrong."""
BEYOND_UNTRIED = "beyond_untried"
"""The label, with a number, of a text with a float so large that nothing beyond it is tried."""
_FLOAT = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)[fFlL]?(?![\w.])")
_LARGEST_DIVISOR = 2.0**126
"""Beyond it `__fdividef` gives nought."""
_NO_END = 3.4e38
"""From here on a number stands for infinity."""
_DIGITS = r"(?<![\w.])(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:[uUlLfF]*)(?![\w.])"
_NUMBER = re.compile(_DIGITS)
_OPERATOR = r"\s*(<<|>>|[-+*/%])\s*"
_COMPUTED = re.compile(rf"{_DIGITS}(?:{_OPERATOR}{_DIGITS})+")
_APPLIED: tuple[dict[str, Callable[[float, float], float]], ...] = (
    {
        "*": lambda a, b: a * b,
        "/": lambda a, b: a // b if a == int(a) and b == int(b) else a / b,
        "%": lambda a, b: a % b,
    },
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"<<": lambda a, b: a * 2.0**b, ">>": lambda a, b: a // 2.0**b},
)
"""What the operators do, those that bind closest first."""
_MOST, _LONGEST = 32, 40
_ALONE = 2
"""Places for each number besides the run of all of them."""


def numbers_in(source: str) -> tuple[float, ...]:
    """The numbers that a text names, in its order, each once, then those that it computes of numbers alone, such as `40 + 2` and `1 << 10`;
    of very many those that are written longest, since a mark is long."""
    found: dict[float, str] = {}
    read = without_comments(source, without_strings=True)
    for text in _NUMBER.findall(read):
        if len(text) <= _LONGEST:
            found.setdefault(_value(text), text)
    for sum_ in _COMPUTED.finditer(read):
        if len(sum_.group()) <= _LONGEST and (computed := _computed(sum_.group())) is not None:
            found.setdefault(computed, sum_.group())
    longest = sorted(found, key=lambda value: -len(found[value]))[:_MOST]
    return tuple(value for value in found if value in longest)


def between(numbers: Iterable[float]) -> list[float]:
    """What lies in the middle between each two numbers that are neighbours in order, of one sign and no further apart than twice the
    smaller one: between two bounds of a comparison."""
    ordered = sorted(set(numbers))
    return [(a + b) / 2 for a, b in pairwise(ordered) if 0 < a < b <= 2 * a or 2 * b <= a < b < 0]


def _value(text: str) -> float:
    return float(int(text, 16)) if text[:2].lower() == "0x" else float(text)


def _computed(text: str) -> float | None:
    """The value of numbers with operators between them; None where it has none, or is too large to be meant."""
    values = [_value(number) for number in _NUMBER.findall(text)]
    operators = re.findall(_OPERATOR, _NUMBER.sub(" ", text))
    try:
        for level in _APPLIED:
            place = 0
            while place < len(operators):
                if (apply := level.get(operators[place])) is None:
                    place += 1
                    continue
                values[place : place + 2] = [apply(values[place], values[place + 1])]
                del operators[place]
    except (ZeroDivisionError, OverflowError):
        return None
    return values[0] if len(values) == 1 and abs(values[0]) < 2.0**63 else None


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


def beyond_own_numbers(
    task: Task, base: Inputs, numbers: tuple[float, ...], rng: np.random.Generator, *, sign: int
) -> Inputs | None:
    """`base` with floats of one sign alone, larger than the largest of `numbers` within reach by a factor of up to two.

    None where there is no such number, or where the arrays' domains have no such floats.
    """
    arrays = dict(base.arrays)
    for arg in task.inputs:
        if not is_widened(arg) or not isinstance(arg.dtype, ScalarType) or arg.name not in arrays:
            continue
        low, high = domain_of(arg, base.case.sizes)
        most = _farthest(task, arg.dtype)
        largest = max((abs(value) for value in numbers if 1 < abs(value) <= most), default=0.0)
        if largest and low <= 2 * sign * largest <= high:
            values = sign * largest * rng.uniform(1.001, 2.0, arrays[arg.name].size)
            arrays[arg.name] = stored(values, arg.dtype).reshape(arrays[arg.name].shape)
    changed = any(arrays[name] is not kept for name, kept in base.arrays.items())
    return replace(base, arrays=arrays) if changed else None


def _farthest(task: Task, scalar: ScalarType) -> float:
    """How large all floats of a call may be: as an outlier, or where half precision is in play as the largest of wide values."""
    reach = reach_of(task, scalar)
    narrow = scalar.size_bytes == 2 or half_is_allowed(task, scalar)
    return 10.0**reach.decades if narrow else reach.outlier


def beyond_labels(task: Task, source: str) -> tuple[str, ...]:
    """The label for the least float of the text, or end of a function's range, beyond which floats may lie and none is tried."""
    tried = [
        _farthest(task, arg.dtype)
        for arg in task.inputs
        if is_widened(arg) and isinstance(arg.dtype, ScalarType) and np.isinf(domain_of(arg, task.check_sizes[0])).any()
    ]
    read = without_comments(source, without_strings=True)
    named = [float(text) for text in _FLOAT.findall(read)] + [_LARGEST_DIVISOR] * ("__fdividef" in read)
    untried = [value for value in named if tried and max(tried) < value < _NO_END]
    return (f"{BEYOND_UNTRIED} {min(untried):g}",) if untried else ()


def _allowed(task: Task, arg: Arg, scalar: ScalarType, numbers: tuple[float, ...], sizes: Sizes) -> Array:
    """Those numbers that may be an element, in storage type. Floats of tasks with exact outputs are spared them: they are the edges between
    two answers, where honest rounding decides."""
    if is_widened(arg):
        if Family.INTEGERS not in families_of(task):
            return stored(np.zeros(0), scalar)
        low, high = domain_of(arg, sizes)
        most = reach_of(task, scalar).outlier
        named = [*numbers, *between(numbers), *(_of_bits(numbers) if scalar.name == "float32" else ())]
        signed = [one for value in named for one in (value, -value)]
        return stored(np.array([v for v in dict.fromkeys(signed) if low <= v <= high and abs(v) <= most]), scalar)
    kind = arg.init.kind if arg.init is not None else ""
    whole = [int(value) for value in numbers if value == int(value)]
    if arg.init is not None and kind in ("integers", "csr_col_idx"):
        low, high = limits(arg.init, sizes)
        return stored(np.array([value for value in whole if low <= value < high], np.int64), scalar)
    if arg.init is not None and kind == "choice":
        return stored(np.array([value for value in numbers if value in chosen_values(arg.init)]), scalar)
    return stored(np.zeros(0), scalar)


def _of_bits(numbers: Iterable[float]) -> list[float]:
    """The floats whose bits, as a whole number, are among the numbers."""
    whole = np.array([value for value in numbers if value == int(value) and 2**23 <= value < 2**32], np.uint64)
    floats = whole.astype(np.uint32).view(np.float32)
    return [float(value) for value in floats[np.isfinite(floats)]]


def _placed(kept: Array, numbers: Array, rng: np.random.Generator) -> Array:
    """The array with `numbers` in a row at a place of chance, and each of them alone in some."""
    changed = kept.copy()
    for _ in range(_ALONE):
        changed[rng.integers(0, kept.size, numbers.size)] = numbers
    row = numbers[: kept.size]
    start = int(rng.integers(0, kept.size - row.size + 1))
    changed[start : start + row.size] = row
    return changed
