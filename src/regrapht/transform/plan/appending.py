"""Outputs that a loop appends to: `kept[used++] = x[i]` under a condition. Each write has a place of its own, which a scan finds."""

from collections.abc import Collection, Iterator, Sequence

from regrapht.transform.ir.expressions import Element, Number, Variable, integer, place_name
from regrapht.transform.ir.statements import Assign, If, Statement, Update, blocks
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, WRITE, Leaf


def is_appended(array: str, counters: Collection[str], leaf: Leaf) -> bool:
    """Whether all that a leaf does to an array is to write the element that a counter names, which the next statements move on.

    The counter is one of `counters`, nothing but positive constants is added to it, and so no element is written twice.
    """
    own = [access for access in leaf.accesses if access.array == array]
    places = {access.expression for access in own}
    if len(places) != 1 or any(access.kind != WRITE for access in own):
        return False
    (place,) = places
    counter = place.subscripts[0] if isinstance(place, Element) and len(place.subscripts) == 1 else None
    if not isinstance(place, Element) or not isinstance(counter, Variable | Element) or not _is_fixed(counter):
        return False
    name = place_name(counter)
    if name not in counters or any(a.kind not in (READ, UPDATE) for a in leaf.accesses if a.array == name):
        return False
    return all(_moves_on(block, place, counter) for block in _lists(leaf.statements))


def _is_fixed(counter: Variable | Element) -> bool:
    return isinstance(counter, Variable) or all(isinstance(part, Number) for part in counter.subscripts)


def _lists(statements: Sequence[Statement]) -> Iterator[Sequence[Statement]]:
    """The list of statements and all lists inside of it."""
    yield statements
    for statement in statements:
        for block in blocks(statement):
            yield from _lists(block)


def _moves_on(statements: Sequence[Statement], place: Element, counter: Variable | Element) -> bool:
    """Whether every write in this list itself is followed, before anything else of interest, by a step of the counter."""
    written = False
    for statement in statements:
        if isinstance(statement, Update) and statement.target == counter:
            step = integer(statement.value)
            if statement.operator != "+" or step is None or step <= 0:
                return False
            written = False
        elif isinstance(statement, Assign) and statement.target == place:
            if written:
                return False
            written = True
        elif written and isinstance(statement, If):
            return False
    return not written
