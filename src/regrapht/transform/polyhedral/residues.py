"""Turns that meet only a fixed distance apart: classes of turns by their remainder, each of which one thread makes in its order.

`for (i = 0; i < n; ++i) y[i] = x[i] + y[i - d]` has chains: turns meet only where their numbers differ by multiples of `d`. As

    for (r = 0; ...; ++r)
        if (r < step)
            for (w = r; w < n; w += step) { int i = w; y[i] = x[i] + y[i - d]; }

with `step` being `d > 0 ? d : 1`, turns of `r` touch no element together, whatever `d` is. isl cannot tell, because the distance is no
number. It is told from the text: every array that is written has a subscript in which all of its places are the turn plus one and the same
amount, but for multiples of `d` (what is left of a division by `d` counts as that which is divided).
"""

from collections.abc import Mapping, Sequence

from regrapht.source.polynomial import Terms, add, constant, divided, multiply, names_in
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Cast,
    Conditional,
    Element,
    Expression,
    Unary,
    Variable,
    integer,
    place_name,
    walk,
)
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import expressions_of
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, every
from regrapht.transform.polyhedral.loop_tree import Leaf, Loop


def step_of(distance: Expression) -> Expression:
    """The step of the chains of turns that meet `distance` apart: 1, which keeps all turns in one chain, where that is not positive."""
    return distance if integer(distance) else Conditional(Binary(">", distance, ZERO), distance, ONE)


def are_apart(loop: Loop) -> bool:
    """Whether turns of a loop are such classes, so that no two touch one element that either writes, in one turn of the loops around."""
    if len(loop.children) != 1 or not isinstance(loop.children[0], Leaf) or not loop.nonnegative:
        return False
    statements = loop.children[0].statements
    before, last = statements[:-1], statements[-1]
    if not isinstance(last, If) or last.otherwise or len(last.then) != 1 or not isinstance(last.then[0], For):
        return False
    if not all(isinstance(one, Declare) and not one.lengths for one in before):
        return False
    return _is_chain(loop.variable, last, last.then[0])


def _is_chain(turn: str, test: If, chain: For) -> bool:
    if not (isinstance(chain.advance, Update) and chain.advance.operator == "+" and chain.body):
        return False
    step, own = chain.advance.value, chain.body[0]
    distance = distance_of(step)
    if distance is None or Binary("<", Variable(turn), step) not in all_of(test.condition):
        return False
    if not (isinstance(own, Declare) and own.value == Cast(own.type, Variable(chain.variable))):
        return False
    start = chain.start
    if not (isinstance(start, Binary) and start.operator == "+" and start.right == Variable(turn)):
        return False
    changed = changed_by(chain.body)
    locals_ = {one.name for one in every(chain.body) if isinstance(one, Declare)}
    locals_ |= {one.variable for one in every(chain.body) if isinstance(one, For)}
    fixed = {place_name(p) for whole in (step, start) for p in walk(whole) if isinstance(p, Variable | Element)}
    arrays = {name for name in changed - locals_ if not _is_scalar(name, chain.body)}
    if fixed & (changed | locals_) or changed - locals_ != arrays:
        return False
    return meet_only_at(distance, own.name, chain.body[1:], arrays)


def distance_of(step: Expression) -> Expression | None:
    """What a positive step is the distance of; None for one that is not seen to be positive."""
    value = integer(step)
    if value is not None:
        return step if value > 0 else None
    match step:
        case Conditional(Binary(">", tested, zero), distance, one) if (tested, zero, one) == (distance, ZERO, ONE):
            return distance.operand if isinstance(distance, Cast) and distance.type == "long long" else distance
    return None


def changed_by(body: Sequence[Statement]) -> set[str]:
    """The variables and arrays that statements change."""
    return {place_name(one.target) for one in every(list(body)) if isinstance(one, Assign | Update)}


def _is_scalar(name: str, body: Sequence[Statement]) -> bool:
    targets = [one.target for one in every(list(body)) if isinstance(one, Assign | Update)]
    return any(target == Variable(name) for target in targets)


def meet_only_at(distance: Expression, turn: str, body: Sequence[Statement], arrays: set[str]) -> bool:
    """Whether all places of each of these arrays are the turn plus one amount, but for multiples of the distance."""
    values = settled(body)
    own = {one.name for one in every(list(body)) if isinstance(one, Declare)} | changed_by(body)
    own |= {one.variable for one in every(list(body)) if isinstance(one, For)}
    period = terms_of(distance, values)
    if period is None or not period or turn in {p.name for p in walk(distance) if isinstance(p, Variable)}:
        return False
    if changed_by(body) & {place_name(p) for p in walk(distance) if isinstance(p, Variable | Element)}:
        return False
    for array in arrays:
        places = places_of(array, body)
        if len({len(place) for place in places}) != 1:
            return False
        columns = zip(*places, strict=True)
        if not any(_is_one_class(column, distance, period, turn, values, own) for column in columns):
            return False
    return True


def places_of(array: str, body: Sequence[Statement]) -> list[tuple[Expression, ...]]:
    """The subscripts of all elements of an array, in order."""
    parts = (part for whole in expressions_of(list(body)) for part in walk(whole))
    return [part.subscripts for part in parts if isinstance(part, Element) and part.array == array]


def _is_one_class(
    column: Sequence[Expression],
    distance: Expression,
    period: Terms,
    turn: str,
    values: Mapping[str, Expression],
    own: set[str],
) -> bool:
    """Whether places are the turn plus one amount, in which nothing of a turn's `own` is, but for multiples of the distance."""
    amounts = []
    for place in column:
        whole = _written_out(place, values)
        if isinstance(whole, Binary) and whole.operator == "%" and whole.right == distance:
            whole = whole.left
        terms = terms_of(whole, values)
        if terms is None:
            return False
        amount = divided(add(terms, {(turn,): 1}, -1), period)[1]
        if names_in(amount) & {*own, turn}:
            return False
        amounts.append(amount)
    return all(not divided(add(one, amounts[0], -1), period)[1] for one in amounts)


def settled(body: Sequence[Statement]) -> dict[str, Expression]:
    """The locals with one value each."""
    declared = [one for one in every(list(body)) if isinstance(one, Declare)]
    changed, names = changed_by(body), [one.name for one in declared]
    return {
        one.name: one.value
        for one in declared
        if one.value is not None and is_integer(one.type) and size_bytes(one.type) >= 4 and one.name not in changed
        if names.count(one.name) == 1
    }


def _written_out(place: Expression, values: Mapping[str, Expression]) -> Expression:
    while isinstance(place, Variable) and place.name in values:
        place = values[place.name]
    return place


def terms_of(whole: Expression, values: Mapping[str, Expression]) -> Terms | None:
    """An integer expression as a polynomial, elements of arrays being names of their own; None for anything else.

    Casts count as what is cast: a subscript that is no longer the number that it is made of would be none of the array.
    """
    value = integer(whole)
    if value is not None:
        return constant(value)
    match whole:
        case Variable(name=name):
            return terms_of(values[name], values) if name in values else {(name,): 1}
        case Element():
            return {(repr(whole),): 1}
        case Cast(type=to, operand=operand) if is_integer(to) and size_bytes(to) >= 4:
            return terms_of(operand, values)
        case Unary("-", operand):
            inner = terms_of(operand, values)
            return None if inner is None else add({}, inner, -1)
        case Binary("+" | "-" | "*" as operator, left, right):
            a, b = terms_of(left, values), terms_of(right, values)
            if a is None or b is None:
                return None
            return multiply(a, b) if operator == "*" else add(a, b, 1 if operator == "+" else -1)
    return None
