"""Recurrences at a distance: turns that meet only a fixed distance apart, as as many chains of turns as the distance is long.

Echoes and combs (`y[i] = x[i] + g * y[i - d]`), delays in a ring (`ring[i % d]`), tables that coins fill (`ways[j] += ways[j - c]`):
turns whose numbers leave the same remainder follow each other, and there is a thread for each remainder. `polyhedral/residues.py` says
when that is right.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import gcd

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, add, divided
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Cast,
    Element,
    Expression,
    Variable,
    integer,
    number,
    place_name,
    rewrite,
    walk,
)
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import (
    arrays_in,
    names_in,
    renamed,
    runs_to_its_end,
    with_statement,
    without_locals,
)
from regrapht.transform.ir.statements import Assign, Declare, For, Function, If, Update, every
from regrapht.transform.normalise.forms import Form, leaves_fewer_alone
from regrapht.transform.normalise.guard_sinking import with_scalars_sunk_into
from regrapht.transform.normalise.wrapping_counters import with_wrapped_counters
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.nest import Kind
from regrapht.transform.plan.scans import scan_of
from regrapht.transform.polyhedral.loop_tree import loop_key
from regrapht.transform.polyhedral.residues import changed_by, meet_only_at, places_of, settled, step_of, terms_of

_WIDE = "long long"
_FEWEST = 8
"""Chains that are worth their threads, where it is a number how many there are."""
_MOST = 8
"""Distances that are tried."""


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, None]]:
    function = analysis.function
    for nest in analysis.nests:
        if nest.kind is not Kind.SERIAL or not isinstance(scan_of(nest, analysis.scop), str):
            continue
        roots = [one for one in every(function.body) if isinstance(one, For) and loop_key(one) == loop_key(nest.root)]
        for loop in [one for one in every(list(roots)) if isinstance(one, For)]:
            for new, counters in with_wrapped_counters(loop, function):
                for distance in _distances(new):
                    chains = _in_chains(new, distance, function, analysis)
                    if chains is None or not _looks_back(new, distance):
                        continue
                    body = without_locals(with_statement(function.body, loop, [chains]), counters)
                    sunk = with_scalars_sunk_into(body, frozenset({loop_key(chains)}))
                    yield replace(function, body=sunk), None
                    if sunk is not body:
                        yield replace(function, body=body), None


def _accept(before: Analysis, after: Analysis, _: None) -> bool:
    return leaves_fewer_alone(before, after)


RESIDUE_CLASSES = Form(_candidates, _accept)


def _distances(loop: For) -> list[Expression]:
    """Distances that turns may meet at: of subscripts of an array that is written, and what rings are divided by."""
    values, found = settled(loop.body), []
    common = 0
    for array in sorted(changed_by(loop.body)):
        places = places_of(array, loop.body)
        for place in (subscript for whole in places for subscript in whole):
            whole = values.get(place.name, place) if isinstance(place, Variable) else place
            if isinstance(whole, Binary) and whole.operator == "%":
                found.append(whole.right)
        for one in places:
            for left, right in zip(places[0], one, strict=False):
                a, b = terms_of(left, values), terms_of(right, values)
                apart = None if a is None or b is None else add(a, b, -1)
                if apart and set(apart) == {()}:
                    common = gcd(common, apart[()])
                elif apart:
                    found += [part for part in _parts(left, right, loop) if _measures(terms_of(part, values), apart)]
    found += [number(common)] if common else []
    many = [one for one in found if (integer(one) or _FEWEST) >= _FEWEST]
    return list(dict.fromkeys(many))[:_MOST]


def _looks_back(loop: For, distance: Expression) -> bool:
    """Whether a turn touches an element that lies a distance behind it, so that distances are shorter than the loop, or one of a ring.

    Turns that touch elements ahead alone, as halves of an array are, may be independent: that is a condition for the program to test."""
    values = settled(loop.body)
    if integer(distance) is not None:
        return True
    for array in changed_by(loop.body):
        for place in (one for whole in places_of(array, loop.body) for one in whole):
            whole = values.get(place.name, place) if isinstance(place, Variable) else place
            terms = terms_of(whole, values)
            amount = {} if terms is None else add(terms, {(loop.variable,): 1}, -1)
            if (isinstance(whole, Binary) and whole.operator == "%") or any(
                atoms and c < 0 for atoms, c in amount.items()
            ):
                return True
    return False


def _measures(distance: Terms | None, apart: Terms) -> bool:
    """Whether an amount is a multiple of a distance that is no number."""
    return bool(distance) and set(distance or ()) != {()} and not divided(apart, distance or {})[1]


def _parts(left: Expression, right: Expression, loop: For) -> list[Expression]:
    """The parts of two subscripts and of what their locals are, which a distance may be."""
    values = settled(loop.body)
    wholes = [left, right, *values.values()]
    return [part for whole in wholes for part in walk(whole) if isinstance(part, Variable | Element | Binary)]


def _in_chains(loop: For, distance: Expression, function: Function, analysis: Analysis) -> For | None:
    """The loop as a loop over its chains; None where turns may meet otherwise, or it is not seen where it begins."""
    if loop.step != 1 or loop.launched or loop.known or loop.unrolled or not runs_to_its_end(loop):
        return None
    own = {one.name for one in every(loop.body) if isinstance(one, Declare)}
    changed = changed_by(loop.body) - own
    read = {
        place_name(p) for one in (loop.start, loop.condition) for p in walk(one) if isinstance(p, Variable | Element)
    }
    scalars = {
        one.target.name
        for one in every(loop.body)
        if isinstance(one, Assign | Update) and isinstance(one.target, Variable)
    }
    if (
        (read - {loop.variable}) & changed
        or scalars - own
        or not meet_only_at(distance, loop.variable, loop.body, changed)
    ):
        return None
    if not _is_wide_enough(distance, analysis) or not (_is_zero_or_more(loop.start) or _goes_through_elements(loop)):
        return None
    taken = {*function.identifiers, *names_in(function.body), *arrays_in(function.body)}
    chain = fresh_name("chain", taken)
    wide = fresh_name(f"{loop.variable}_wide", {*taken, chain})
    own_turn = fresh_name(loop.variable, {*taken, chain, wide})
    turn, place = Variable(chain), Variable(wide)
    bounds = [one for one in all_of(loop.condition) if _bounds(one, loop)]
    if len(bounds) != len(all_of(loop.condition)):
        return None
    step = step_of(Cast(_WIDE, distance) if integer(distance) is None else distance)

    def at(one: Expression, to: Expression) -> Expression:
        return rewrite(one, lambda part: to if part == Variable(loop.variable) else None)

    body = renamed(loop.body, {loop.variable: own_turn})
    inner = For(
        *(wide, _WIDE, Binary("+", loop.start, turn), at(loop.condition, place), integer(step)),
        *(
            Update(place, "+", step, loop.line),
            [Declare(loop.type, own_turn, Cast(loop.type, place), loop.line), *body],
        ),
        loop.line,
    )
    test = If(Binary("<", turn, step), [inner], [], loop.line)
    return For(chain, _WIDE, ZERO, at(loop.condition, turn), 1, Update(turn, "+", ONE, loop.line), [test], loop.line)


def _is_wide_enough(distance: Expression, analysis: Analysis) -> bool:
    """Whether a distance is a whole number of 32 bits or more."""
    try:
        return is_integer(type_of(distance, analysis.scop.symbols.types))
    except CannotTransform:
        return False


def _is_zero_or_more(start: Expression) -> bool:
    value = integer(start)
    return value is not None and value >= 0


def _goes_through_elements(loop: For) -> bool:
    """Whether each turn touches an element that there is only where its number is 0 or more."""
    for one in loop.body:
        if isinstance(one, Assign | Update) and isinstance(one.target, Element):
            terms: Terms | None = terms_of(one.target.subscripts[0], {}) if len(one.target.subscripts) == 1 else None
            rest = None if terms is None else add(terms, {(loop.variable,): 1}, -1)
            if rest is not None and set(rest) <= {()} and rest.get((), 0) <= 0:
                return True
    return False


def _bounds(one: Expression, loop: For) -> bool:
    """Whether a part of a condition is an upper end that turns leave as it is."""
    return isinstance(one, Binary) and one.operator in ("<", "<=") and one.left == Variable(loop.variable)
