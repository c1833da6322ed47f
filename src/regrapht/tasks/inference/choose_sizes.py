"""Sizes to check and to time an inferred task at."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from regrapht.records.element import StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, Sizes
from regrapht.source.polynomial import Polynomial
from regrapht.tasks.inference.accesses.accesses import Nest

CHECK_ITERATIONS = 100_000
BENCH_ITERATIONS = 2**30
BENCH_ELEMENTS = 2**24
"""Numbers in all arrays together."""
BENCH_SCRATCH = 2**25
"""Elements of memory that the function makes for itself."""
_AWKWARD = (17, 33, 65, 9, 31, 23)
_SMALL_CHECK, _SMALL_BENCH = (1, 2, 3, 2), 8
_BINS_BENCH = 256
_ROOM = 5
"""Elements that some rows end with and nothing uses: a program that takes them for part of the row is then wrong."""
_TRIED = (*range(1, 65), 128, 256, 512, 1024)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeChoice:
    """Rows of sizes, and the comparisons that any other row must satisfy."""

    check: tuple[Sizes, ...]
    bench: tuple[Sizes, ...]
    require: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """The loops and arrays that sizes decide on."""

    nests: Sequence[tuple[Nest, ...]]
    arrays: Sequence[Arg]
    small: frozenset[str]
    """Sizes that stay small: radii, numbers of repetitions."""
    bins: frozenset[str]
    """Sizes of what is written where an index array says."""
    row_lengths: Sequence[tuple[str, Polynomial]] = ()
    """(size, what it must be at least): a pitch, and the length of the rows."""
    never_negative: Sequence[Polynomial] = ()
    """What must be at least 0 for every subscript to have a value."""
    scratch: Sequence[Polynomial] = ()
    """Elements of the memory that the function makes for itself."""
    typical: Mapping[str, int] = field(default_factory=dict)
    """Symbol of a loop -> the turns that it makes as a rule, where it may make many more."""


def choose_sizes(names: Sequence[str], loops: Loops) -> SizeChoice:
    """Small awkward rows with at most 100 000 iterations each, and one row to time: 16 M numbers, or 1024 for cubic work.

    Raises:
        ValueError: No sizes make every loop run, or an extent has no value.
    """
    if not names:
        return SizeChoice(check=({},), bench=({},), require=())
    least = _least(names, loops)
    rows: list[Sizes] = [least]
    patterns = [[_AWKWARD[(shift + place) % 3] for place in range(len(names))] for shift in range(2)]
    for turn, pattern in enumerate([*patterns, [64] * len(names), [31 + place for place in range(len(names))]]):
        row = {
            name: _SMALL_CHECK[turn] if name in loops.small else value
            for name, value in zip(names, pattern, strict=True)
        }
        row = _long_enough({name: max(value, least[name]) for name, value in row.items()}, loops)
        row = _grown(row, loops) if len(names) == 1 and turn == 3 else _shrunk(row, least, loops)
        row = _long_enough(row, loops, room=_ROOM if turn < 2 else 0)
        if row not in rows and is_sane(row, loops):
            rows.append(row)
    said = {(name, value_of(length, least)) for name, length in loops.row_lengths}
    require = tuple(f"{name} >= {value}" for name, value in least.items() if value > 1 and (name, value) not in said)
    require += tuple(dict.fromkeys(f"{name} >= {length}" for name, length in loops.row_lengths))
    return SizeChoice(check=tuple(rows), bench=(_bench(names, least, loops),), require=require)


def iterations(sizes: Sizes, loops: Loops) -> int:
    """Iterations of all innermost loops together, at most."""
    return sum(
        math.prod(max(0, loops.typical.get(nest.symbol) or _trips(nest, sizes)) for nest in nests)
        for nests in loops.nests
    )


def elements(sizes: Sizes, loops: Loops) -> int:
    """Numbers in all arrays together: a struct counts for as many as it has."""
    return sum(
        arg.element_count(sizes) * (len(arg.dtype.fields) if isinstance(arg.dtype, StructType) else 1)
        for arg in loops.arrays
    )


def is_sane(sizes: Sizes, loops: Loops) -> bool:
    """Whether every loop runs at least once and every array has an element."""
    try:
        if any(value_of(length, sizes) > sizes[name] for name, length in loops.row_lengths):
            return False
        if any(value_of(least, sizes) < 0 for least in loops.never_negative):
            return False
        return all(
            _trips(nest, sizes) >= 1 for nests in loops.nests for nest in nests if _depends_on_sizes(nest)
        ) and all(arg.element_count(sizes) >= 1 for arg in loops.arrays)
    except ValueError:
        return False


def value_of(value: Polynomial, sizes: Mapping[str, int]) -> int:
    """The number that a size-only polynomial is."""
    return int(Expression(str(value)).evaluate(sizes))


def _depends_on_sizes(nest: Nest) -> bool:
    return nest.trips is not None and nest.trips.as_constant is None


def _trips(nest: Nest, sizes: Sizes) -> int:
    return value_of(nest.trips, sizes) if nest.trips is not None else 1


def _least(names: Sequence[str], loops: Loops) -> dict[str, int]:
    """The smallest sizes at which every loop runs: all alike first, or all but the small ones, then each made smaller by itself."""
    alike = [dict.fromkeys(names, value) for value in _TRIED]
    beside_small = [row | dict.fromkeys(loops.small & set(names), 1) for row in alike]
    with_pitches = (_pitched(row, loops) for row in (*alike, *beside_small))
    row = next((row for row in with_pitches if is_sane(row, loops)), None)
    if row is None:
        raise ValueError(f"no sizes up to {_TRIED[-1]} make every loop run")
    pitches = {name for name, _ in loops.row_lengths}
    for name in sorted(names, key=lambda name: name in pitches):  # what rows are as long as decides on their pitch
        while row[name] > 1 and is_sane({**row, name: row[name] - 1}, loops):
            row[name] -= 1
    return row


def _shrunk(row: dict[str, int], least: Mapping[str, int], loops: Loops) -> dict[str, int]:
    while iterations(row, loops) > CHECK_ITERATIONS:
        widest = max(row, key=lambda name: row[name] - least[name])
        if row[widest] <= least[widest]:
            break
        row = {**row, widest: max(least[widest], row[widest] * 3 // 4)}
    return row


def _pitched(row: dict[str, int], loops: Loops) -> dict[str, int]:
    """As `_long_enough`; the row as it is, which is then no sane one, where a length of rows has no value at such sizes."""
    try:
        return _long_enough(row, loops)
    except ValueError:
        return row


def _long_enough(row: dict[str, int], loops: Loops, *, room: int = 0) -> dict[str, int]:
    """The row with every pitch at least as long as the rows that it is the pitch of, and `room` more where it would be just as long."""
    for name, length in loops.row_lengths:
        least = value_of(length, row)
        row = {**row, name: row[name] if row[name] > least else least + room}
    return row


def _grown(row: dict[str, int], loops: Loops) -> dict[str, int]:
    """A longer row for one-dimensional work, so that it spans several blocks of threads."""
    for value in (5003, 1003, 257):
        longer = dict.fromkeys(row, value)
        if iterations(longer, loops) <= CHECK_ITERATIONS and elements(longer, loops) <= CHECK_ITERATIONS:
            return longer
    return row


def _bench(names: Sequence[str], least: Mapping[str, int], loops: Loops) -> dict[str, int]:
    def row(value: int) -> dict[str, int]:
        fixed = dict.fromkeys(loops.small, _SMALL_BENCH) | dict.fromkeys(loops.bins, _BINS_BENCH)
        return _long_enough({name: max(fixed.get(name, value), least[name]) for name in names}, loops)

    def fits(value: int) -> bool:
        sizes = row(value)
        if sum(value_of(length, sizes) for length in loops.scratch) > BENCH_SCRATCH:
            return False
        return iterations(sizes, loops) <= BENCH_ITERATIONS and elements(sizes, loops) <= BENCH_ELEMENTS

    return row(_largest_power(fits))


def _largest_power(fits: Callable[[int], bool]) -> int:
    value = 64
    while value < BENCH_ELEMENTS and fits(2 * value):
        value *= 2
    return value
