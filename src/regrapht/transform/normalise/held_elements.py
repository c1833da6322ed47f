"""Elements that turns read back, kept in locals: the value at the best place so far (`x[at]`), and the few elements before a turn's own
(`y[i - 2]`)."""

from collections.abc import Iterator
from dataclasses import replace

from regrapht.source.polynomial import add
from regrapht.transform.ir.expressions import (
    Binary,
    Conditional,
    Element,
    Expression,
    Variable,
    children,
    mentions,
    number,
    rewrite,
    walk,
)
from regrapht.transform.ir.idioms import negation, written_out
from regrapht.transform.ir.statement_walk import expressions_of, rewritten, with_blocks
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, every
from regrapht.transform.normalise.scan_forms import Around, Rewritten, any_of, scan_form
from regrapht.transform.polyhedral.residues import changed_by, terms_of

_MOST_BEHIND = 3
"""Elements: values that hang on each other, which a scan takes together."""


def _at_places(loop: For, around: Around) -> Rewritten | None:
    """The loop with `x[at]` in a local that follows `at`; nothing writes `x`."""
    changed, declared = changed_by(loop.body), around.declared
    read = {part for whole in expressions_of(loop.body) for part in walk(whole) if isinstance(part, Element)}
    held = [
        one
        for one in sorted(read, key=str)
        if one.array not in changed
        and any(mentions(one, Variable(name)) for name in changed - declared)
        and not any(mentions(one, Variable(name)) for name in {*declared, loop.variable})
        and not any(isinstance(part, Element) for index in one.subscripts for part in walk(index))
    ]
    if not held:
        return None
    locals_ = {one: Variable(around.fresh(f"{one.array}_held")) for one in held}

    def conditions(body: list[Statement]) -> list[Statement]:
        return [with_blocks(_as_condition(one, around), conditions) for one in body]

    def followed(body: list[Statement]) -> list[Statement]:
        out: list[Statement] = []
        for one in body:
            out.append(with_blocks(one, followed))
            if isinstance(one, Assign | Update) and isinstance(one.target, Variable):
                places = [place for place in held if mentions(place, one.target)]
                out += [Assign(locals_[place], _moved(place, one), one.line) for place in places]
        return out

    before: list[Statement] = [
        around.held(name.name, place, around.kind_of(place.array)) for place, name in locals_.items()
    ]
    body = followed(
        rewritten(conditions(loop.body), lambda part: locals_.get(part) if isinstance(part, Element) else None)
    )
    return Rewritten(before, replace(loop, body=body), [])


def _as_condition(one: Statement, around: Around) -> Statement:
    """`at = c ? i : at` as `if (c) at = i`."""
    match one:
        case Assign(target, Conditional(condition, then, otherwise), line) if target in (then, otherwise):
            if otherwise == target:
                return If(condition, [Assign(target, then, line)], [], line)
            (*parts, test) = any_of(negation(condition), around)
            return If(negation(condition) if parts else test, [Assign(target, otherwise, line)], [], line)
    return one


def _moved(place: Element, one: Assign | Update) -> Expression:
    """The element where a place is now."""
    if not isinstance(one, Assign) or mentions(one.value, one.target):
        return place
    return rewrite(place, lambda part: one.value if part == one.target else None)


def _behind(loop: For, around: Around) -> Rewritten | None:
    """The loop with the few elements before the one that a turn sets in locals that change places."""
    for array in sorted(changed_by(loop.body) & around.analysis.scop.arrays):
        found = [one for one in loop.body if isinstance(one, Assign | Update) and _array(one.target) == array]
        inside = [one for one in every(loop.body) if isinstance(one, Assign | Update) and _array(one.target) == array]
        if len(found) != 1 or len(inside) != 1 or not isinstance(found[0].target, Element):
            continue
        distances = _distances(found[0].target, loop)
        if distances:
            return _rotated(loop, around, found[0], distances)
    return None


def _array(target: Variable | Element) -> str:
    return target.array if isinstance(target, Element) else ""


def _distances(target: Element, loop: For) -> dict[Element, int] | None:
    """How many turns before each element that is read back was set; None where that is not seen, or more than a few."""
    if len(target.subscripts) != 1:
        return None
    found: dict[Element, int] = {}
    plain = [one for one in loop.body if isinstance(one, Assign | Update | Declare)]
    always = {part for whole in expressions_of(list(plain)) for part in _always_read(whole)}
    own = terms_of(target.subscripts[0], {})
    if own is None or add(own, {(loop.variable,): 1}, -1).get((loop.variable,)):
        return None
    for part in (part for whole in expressions_of(loop.body) for part in walk(whole)):
        if not isinstance(part, Element) or part.array != target.array or part == target:
            continue
        terms = terms_of(part.subscripts[0], {})
        apart = None if terms is None else add(own, terms, -1)
        distance = (apart or {}).get((), 0) * (loop.step or 0)
        if part not in always or not apart or set(apart) != {()} or not 1 <= distance <= _MOST_BEHIND:
            return None
        found[part] = distance
    return found if max(found.values(), default=0) > 1 else None


def _always_read(whole: Expression) -> Iterator[Expression]:
    """The parts of an expression that are evaluated whenever it is."""
    yield whole
    match whole:
        case Conditional(condition=first) | Binary("&&" | "||", left=first):
            yield from _always_read(first)
        case _:
            for part in children(whole):
                yield from _always_read(part)


def _rotated(loop: For, around: Around, change: Assign | Update, distances: dict[Element, int]) -> Rewritten | None:
    target = change.target
    assert isinstance(target, Element)
    kind = around.kind_of(target.array)
    names = [
        Variable(around.fresh(f"{target.array}_{count}_before")) for count in range(1, max(distances.values()) + 1)
    ]
    first = rewrite(target, lambda part: loop.start if part == around.turn else None)
    assert isinstance(first, Element)
    before: list[Statement] = []
    for count, name in enumerate(names, 1):
        index = Binary("-" if loop.step == 1 else "+", first.subscripts[0], number(count))
        before.append(around.held(name.name, Element(target.array, (index,)), kind))
    set_here = Variable(around.fresh(f"{target.array}_here"))
    held = {place: names[distance - 1] for place, distance in distances.items()}
    place = loop.body.index(change)
    now = rewritten(loop.body, lambda part: held.get(part) if isinstance(part, Element) else None)
    changed = now[place]
    assert isinstance(changed, Assign | Update)
    value = changed.value if isinstance(changed, Assign) else written_out(changed)
    rest = rewritten(now[place + 1 :], lambda part: set_here if part == target else None)
    moves: list[Statement] = [
        Assign(to, of, change.line) for to, of in reversed(list(zip(names, [set_here, *names], strict=False)))
    ]
    own: list[Statement] = [Declare(kind, set_here.name, value, change.line), Assign(target, set_here, change.line)]
    return Rewritten(before, replace(loop, body=[*now[:place], *own, *rest, *moves]), [])


AT_PLACES = scan_form(_at_places)
BEHIND = scan_form(_behind)
