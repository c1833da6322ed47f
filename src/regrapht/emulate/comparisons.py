"""What a program's comparisons met in all of its calls, as the report of a run for its own arrays tells of them."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from regrapht.emulate.disassembly import Disassembly, Question

_EVERYWHERE = (-1, 0, 1)
"""What every program compares with."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison of the compiled code."""

    address: int
    number: int | None
    """The whole number that one side is in the code."""
    equal: bool
    less: bool
    greater: bool
    below: bool
    above: bool
    """Which relations of its sides there were, of the last two without a sign, or of floats."""
    ways: int
    """How many of its ways were taken, where basic blocks of their own begin on both."""
    of_thread: bool
    bound: float | None
    """The float that one side was each time."""
    next: float | None
    """The smallest that was compared with such a number and was larger."""


def read_comparisons(items: Sequence[Any]) -> list[Comparison]:
    """The comparisons of a report.

    Raises:
        TypeError: It is damaged.
        ValueError: It is damaged.
    """
    found = []
    for address, number, *relations, ways, of_thread, bound, beyond in items:
        if not all(type(value) is int for value in (address, ways)) or not isinstance(number, int | None):
            raise ValueError("no comparison")
        if len(relations) != 5 or not all(isinstance(value, bool) for value in (*relations, of_thread)):
            raise ValueError("no relations")
        if isinstance(number, bool) or not all(isinstance(value, int | float | None) for value in (bound, beyond)):
            raise ValueError("no number")
        equal, less, greater, below, above = relations
        found.append(Comparison(address, number, equal, less, greater, below, above, ways, of_thread, bound, beyond))
    return found


def never_equal(compared: Sequence[Comparison], disassembly: Disassembly) -> frozenset[tuple[int, int | None]]:
    """Lines with numbers that something was compared with there and never was equal to. Of one line there may be several copies in the
    code: one that met the number is enough."""
    found: dict[bool, set[tuple[int, int | None]]] = {True: set(), False: set()}
    for one in compared:
        asked = disassembly.questions.get(one.address)
        if one.number is not None or (asked is not None and asked.equal):
            found[one.equal].add((disassembly.line(one.address) or 0, one.number))
    return frozenset(found[False] - found[True])


def never_taken(compared: Sequence[Comparison], disassembly: Disassembly) -> frozenset[int]:
    """Lines in which a comparison of the candidate's own went one way alone. Copies of one, by its number, are taken together; what asks
    for equality with a number is told by `never_equal`. And lines that compare with two numbers between which nothing was."""
    copies: dict[tuple[int, float | None], list[tuple[Comparison, Question]]] = defaultdict(list)
    numbers: dict[int, dict[float, float]] = defaultdict(dict)  # of a line, each with the smallest beyond it
    for one in compared:
        asked = disassembly.questions.get(one.address)
        if asked is None or not asked.line or not _decides_by_data(one, asked):
            continue
        number = one.bound if one.number is None else one.number
        copies[asked.line, number].append((one, asked))
        if number is not None and not asked.equal:
            known = numbers[asked.line].get(number, math.inf)
            numbers[asked.line][number] = min(known, math.inf if one.next is None else one.next)
    empty = {line for line, beyond in numbers.items() for low, high in pairwise(sorted(beyond)) if beyond[low] >= high}
    return frozenset(empty | {line for (line, _), each in copies.items() if _went_one_way(each)})


def _went_one_way(copies: Sequence[tuple[Comparison, Question]]) -> bool:
    """Whether none of the copies went both ways, and no two went different ones, as those before a loop and at its end do."""
    if not any(asked.known for _, asked in copies) or any(_went_both_ways(*each) for each in copies):
        return False
    smaller, larger = zip(*(_sides(*each) for each in copies), strict=True)
    return not (any(smaller) and any(larger))


def _decides_by_data(one: Comparison, asked: Question) -> bool:
    """Not whether a loop has turns, a size is none, all went well."""
    if asked.equal:
        return one.of_thread and one.number in _EVERYWHERE
    return one.number not in _EVERYWHERE


def _went_both_ways(one: Comparison, asked: Question) -> bool:
    if asked.splits:
        return one.ways > 1
    # Which side equals belong to is not known. Floats that are equal to a number of the text were made so.
    return asked.known and one.equal * (one.bound is None or one.bound in _EVERYWHERE) + sum(_sides(one, asked)) > 1


def _sides(one: Comparison, asked: Question) -> tuple[bool, bool]:
    return (one.less, one.greater) if asked.signed else (one.below, one.above)
