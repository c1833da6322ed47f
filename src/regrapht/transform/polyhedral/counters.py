"""Scalars that each turn of a loop raises by a constant at most, as what is kept is counted: where they are after some turns."""

from dataclasses import dataclass

from regrapht.transform.ir.expressions import Binary, Call, Element, Expression, Number, Variable, integer
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import Allocate, Assign, Declare, For, If, Statement, Update, every
from regrapht.transform.polyhedral.intervals import Distance, State, mentions_any

_SIGNED = ("int", "long long")
_MOST_RISE = 64


@dataclass(frozen=True, slots=True)
class Grown:
    """A scalar that a loop raises: how far it is from what it was before, at the start of a turn and after the loop."""

    name: str
    inside: Distance | None
    after: Distance | None


def counted_up(loop: For, entry: State) -> list[Grown]:
    """The scalars that a loop raises; `entry` is what is known before its first turn.

    The loop's own variable is one of them: it is as far from its start as its turns take it.
    """
    body = assigned_variables(loop.body)
    if loop.step is None or loop.step < 1 or loop.launched or loop.variable in body | _declared(loop.body):
        return []
    changed = body | _declared(loop.body) | _written(loop.body) | {loop.variable}
    own = entry.distances.get(loop.variable)
    found = [] if own is None else [Grown(loop.variable, own._replace(span=None, high=None), None)]
    found = [one for one in found if own is not None and not own.depends_on(changed)]
    turns, in_all = _turns(loop, entry, changed)
    for name in sorted(body & set(entry.distances)):
        before = entry.distances[name]
        most = None if name in _declared(loop.body) else rise(loop.body, name)
        if most is None or most > _MOST_RISE or before.depends_on(changed):
            continue
        found.append(Grown(name, _farther(before, most, turns), _farther(before, most, in_all)))
    return found


def _farther(before: Distance, most: int, turns: Expression | None) -> Distance:
    if most == 0:
        return before
    if turns is None or before.high is None:
        return before._replace(span=None, high=None)
    share = turns if most == 1 else Binary("*", Number(str(most), most), turns)
    return before._replace(span=share if before.span is None else Binary("+", before.span, share))


def _turns(loop: For, entry: State, changed: set[str]) -> tuple[Expression | None, Expression | None]:
    """How many turns there were at most at the start of one, and how many there are in all; None where that is not known."""
    own = Variable(loop.variable)
    types = [loop.type, entry.type(loop.start)]
    zero = integer(loop.start) == 0
    if mentions_any(loop.start, changed) or not (zero or set(types) <= set(_SIGNED)):
        return None, None
    inside: Expression = own if zero else Binary("-", own, loop.start)
    match loop.condition:
        case Binary("<", Variable(name=name), end) if name == loop.variable and not mentions_any(end, changed):
            if entry.type(end) not in _SIGNED or loop.type not in _SIGNED:
                plain = (
                    zero and isinstance(end, Variable) and loop.type == entry.type(end)
                )  # no difference, which may wrap
                return inside, end if plain else None
            whole = end if zero else Binary("-", end, loop.start)
            return inside, Call("max", (Number("0", 0), whole))
    return inside, None


def rise(statements: list[Statement], name: str) -> int | None:
    """By how much statements raise a scalar at most; None where they may set it otherwise."""
    most = 0
    for statement in statements:
        match statement:
            case Update(Variable(name=target), "+", value) if target == name:
                more = integer(value)
                if more is None or more < 0:
                    return None
                most += more
            case If(then=then, otherwise=otherwise):
                sides = [rise(then, name), rise(otherwise, name)]
                known = [side for side in sides if side is not None]
                if len(known) < 2:
                    return None
                most += max(known)
            case _ if name in assigned_variables([statement]):
                return None
    return most


def _declared(statements: list[Statement]) -> set[str]:
    found = set()
    for statement in every(statements):
        match statement:
            case Declare(name=name) | Allocate(name=name) | For(variable=name):
                found.add(name)
    return found


def _written(statements: list[Statement]) -> set[str]:
    """Arrays that statements write."""
    targets = (one.target for one in every(statements) if isinstance(one, Assign | Update))
    return {target.array for target in targets if isinstance(target, Element)}
