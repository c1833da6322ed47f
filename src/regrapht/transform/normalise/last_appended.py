"""What a loop appended last, kept in a local: `if (k == 0 || x[i] != out[k - 1]) out[k++] = x[i]`.

A turn that appends nothing would have appended what is equal to the last, as far as that is compared, or no better. So every turn may set
the local to its own value, or to the better of the two, and a scan takes it.
"""

from dataclasses import dataclass, replace

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Element,
    Expression,
    Unary,
    Variable,
    integer,
    mentions,
    place_name,
    rewrite,
    walk,
)
from regrapht.transform.ir.idioms import MIRRORED, negation
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import expressions_of
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, every
from regrapht.transform.normalise.run_counts import with_counts_held
from regrapht.transform.normalise.scan_forms import Around, Rewritten, any_of, counts_up, scan_form, with_counter_behind
from regrapht.transform.polyhedral.residues import changed_by

_BETTER = {">": "max", ">=": "max", "<": "min", "<=": "min"}


Place = Variable | Element


@dataclass(frozen=True, slots=True)
class _Append:
    """`test` decides whether a turn appends: `block` is one of its two lists, and `counter` says where."""

    test: If
    block: list[Statement]
    counter: Variable
    values: dict[Place, Expression]
    """What a turn that appends leaves at the last place of each array, and in locals."""

    @property
    def condition(self) -> Expression:
        return self.test.condition if self.block is self.test.then else negation(self.test.condition)


def _written(loop: For, around: Around) -> Rewritten | None:
    """The loop with what it appended last in locals; None where it does not read that, or does more with it."""
    shifted = with_counter_behind(loop, around)
    append = _append_of(shifted.loop)
    if append is None:
        return None
    told = _last_in_locals(shifted.loop, append, around)
    counted = with_counts_held(shifted.loop if told is None else told.loop, append.counter, around)
    if told is None and counted is None:
        return None
    made = told.and_then(counted) if told is not None and counted is not None else told or counted
    assert made is not None
    return Rewritten([*shifted.before, *made.before], made.loop, [*made.after, *shifted.after])


LAST_APPENDED = scan_form(_written)


def _append_of(loop: For) -> _Append | None:
    """The one place where a loop appends under a condition."""
    steps = [one.target for one in every(loop.body) if isinstance(one, Assign | Update)]
    for test in (one for one in loop.body if isinstance(one, If)):
        for block in (test.then, test.otherwise):
            for step in block:
                if not counts_up(step) or not isinstance(step, Update) or not isinstance(step.target, Variable):
                    continue
                counter, values = step.target, dict[Place, Expression]()
                for one in block:
                    match one:
                        case Assign(Element(array, (index,)), value) if index == counter:
                            values[Element(array, (Binary("-", counter, ONE),))] = value
                        case Assign(Variable() as target, value) if steps.count(target) == 1:
                            values[target] = value
                if values and steps.count(counter) == 1:
                    return _Append(test, block, counter, values)
    return None


def _last_in_locals(loop: For, append: _Append, around: Around) -> Rewritten | None:
    """The loop with what its condition reads back in locals."""
    parts = any_of(append.condition, around)
    held = [place for place in append.values if any(mentions(part, place) for part in parts)]
    if not held or not all(_is_read_there_alone(loop, append, place) for place in held):
        return None
    names = {
        place: Variable(around.fresh(f"{place.array}_last")) if isinstance(place, Element) else place for place in held
    }
    empty = Variable(around.fresh("none_before"))
    first = Binary("&&", empty, Binary("==", around.turn, loop.start))
    alone = sum(not _is_empty(part, append.counter) for part in parts) == 1
    behind: dict[Place, Statement] = {}
    tests: list[Expression] = []
    for part in parts:
        read = [place for place in held if mentions(part, place)]
        if read:
            like = _like_a_constant(part, read[0], parts, append)
            for place, one in _set_after(like or part, read, append, names, first, around, alone=alone).items():
                if behind.setdefault(place, one) != one:
                    return None
            if not all(place in behind for place in read):
                return None
            tests.append(rewrite(part, lambda one: names.get(one) if isinstance(one, Element) else None))
        elif mentions(part, append.counter):
            if not _is_empty(part, append.counter):
                return None
            tests.append(first)
        else:
            tests.append(part)
    return _made(loop, append, around, names, tests, list(behind.values()), empty)


def _made(
    loop: For,
    append: _Append,
    around: Around,
    names: dict[Place, Variable],
    tests: list[Expression],
    behind: list[Statement],
    empty: Variable,
) -> Rewritten:
    whole = tests[0]
    for one in tests[1:]:
        whole = Binary("||", whole, one)
    test = append.test
    block = [one for one in append.block if not (isinstance(one, Assign) and one.target in names)]
    other = test.otherwise if append.block is test.then else test.then
    new: list[Statement] = [If(whole, block, other, test.line), *behind]
    body = [part for one in loop.body for part in (new if one is test else [one])]
    before: list[Statement] = [Declare("bool", empty.name, Binary("==", append.counter, ZERO), loop.line)]
    any_there = Binary(">", append.counter, ZERO)
    for place, name in names.items():
        if isinstance(place, Element):
            kind = around.kind_of(place.array)
            before.append(around.held(name.name, place, kind, any_there))
    return Rewritten(before, replace(loop, body=body), [])


def _is_read_there_alone(loop: For, append: _Append, place: Place) -> bool:
    """Whether the condition alone reads a place, and a turn's value is the same behind what it appends."""
    condition = sum(part == place for part in walk(append.test.condition))
    parts = [part for whole in expressions_of(loop.body) for part in walk(whole) if _is_in(part, place)]
    own = Element(place.array, (append.counter,)) if isinstance(place, Element) else place
    if len(parts) != condition + 1 or not all(part in (place, own) for part in parts):
        return False
    changed = changed_by([append.test])
    return not any(isinstance(p, Variable | Element) and place_name(p) in changed for p in walk(append.values[place]))


def _is_in(part: Expression, place: Place) -> bool:
    return part == place or (isinstance(part, Element) and isinstance(place, Element) and part.array == place.array)


def _like_a_constant(part: Expression, place: Place, parts: list[Expression], append: _Append) -> Expression | None:
    """`last != c` beside `value != c` as `value != last`, which none of the two holds without."""
    match part:
        case Binary("!=", left, right) if place in (left, right):
            other, value = right if left == place else left, append.values[place]
            if integer(other) is not None and any(one in parts for one in _both_ways(value, other)):
                return Binary("!=", value, place)
    return None


def _both_ways(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    return Binary("!=", left, right), Binary("!=", right, left)


def _set_after(
    part: Expression,
    read: list[Place],
    append: _Append,
    names: dict[Place, Variable],
    first: Expression,
    around: Around,
    *,
    alone: bool,
) -> dict[Place, Statement]:
    """What every turn sets the places to that a part of the condition reads; nothing where a turn may leave others behind.

    `alone` says that nothing else makes a turn append behind the first one.
    """
    line, values = append.test.line, append.values
    kinds = {one: around.kind_of(place_name(one)) for one in read}
    as_kept = all(around.type_of(values[one]) == kinds[one] for one in read)
    if not isinstance(part, Binary):
        return {}
    place, value = read[0], values[read[0]]
    exact = len(read) == 1 and {part.left, part.right} == {place, value}
    if part.operator == "!=":

        def with_own(whole: Expression) -> Expression:
            return rewrite(whole, lambda one: values.get(one) if isinstance(one, Variable | Element) else None)

        is_read_later = any(isinstance(one, Variable) for one in read)
        if is_read_later and not (exact and is_integer(kinds[place])):
            return {}
        if not exact and not (as_kept and with_own(part.left) == with_own(part.right)):
            return {}
        return {one: Assign(names[one], values[one], line) for one in read}
    operator = part.operator if (part.left, part.right) == (value, place) else MIRRORED.get(part.operator, "")
    if not exact or not alone or operator not in _BETTER or isinstance(place, Variable):
        return {}
    if not as_kept or not is_integer(kinds[place]):
        return {}
    better = Update(names[place], _BETTER[operator], value, line)
    return {place: If(first, [Assign(names[place], value, line)], [better], line)}


def _is_empty(part: Expression, counter: Variable) -> bool:
    """Whether a test says that nothing was appended: a counter of elements is never negative."""
    match part:
        case Unary("!", operand):
            return operand == counter
        case Binary("==" | "<=", left, right):
            return (left == counter and integer(right) == 0) or (
                part.operator == "==" and right == counter and integer(left) == 0
            )
        case Binary("<", left, right):
            return left == counter and integer(right) == 1
    return False
