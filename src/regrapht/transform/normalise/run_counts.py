"""Counts of the run that a loop appended last (`count[k - 1]++`), kept in a local and written where the next run begins, and at the end."""

from dataclasses import replace

from regrapht.transform.ir.expressions import ONE, ZERO, Binary, Element, Expression, Variable, walk
from regrapht.transform.ir.statement_walk import expressions_of, with_blocks
from regrapht.transform.ir.statements import Assign, For, If, Statement, Update, every
from regrapht.transform.normalise.scan_forms import Around, Rewritten, counts_up


def with_counts_held(loop: For, counter: Variable, around: Around) -> Rewritten | None:
    """The loop with what is combined into elements at `counter - 1` in locals; None where there is nothing like it."""
    last = (Binary("-", counter, ONE),)
    arrays = {
        s.target.array
        for s in every(loop.body)
        if isinstance(s, Update) and isinstance(s.target, Element) and s.target.subscripts == last
    }
    if not arrays or not all(_is_only_combined(loop, array, counter, last) for array in arrays):
        return None
    kinds = {array: around.kind_of(array) for array in sorted(arrays)}
    names = {array: Variable(around.fresh(f"{array}_of_run")) for array in kinds}
    any_there = Binary(">", counter, ZERO)

    def kept(array: str) -> Statement:
        return Assign(Element(array, last), names[array], loop.line)

    def changed(body: list[Statement]) -> list[Statement]:
        out: list[Statement] = []
        for one in body:
            target = one.target if isinstance(one, Assign | Update) else None
            if isinstance(target, Element) and target.array in names:
                own = names[target.array]
                if isinstance(one, Assign):
                    out += [If(any_there, [kept(target.array)], [], one.line), Assign(own, one.value, one.line)]
                elif isinstance(one, Update):
                    out.append(replace(one, target=own))
            else:
                out.append(with_blocks(one, changed))
        return out

    before: list[Statement] = [
        around.held(name.name, Element(array, last), kinds[array], any_there) for array, name in names.items()
    ]
    end: Statement = If(Binary("&&", around.has_turns, any_there), [kept(array) for array in names], [], loop.line)
    return Rewritten(before, replace(loop, body=changed(loop.body)), [end])


def _is_only_combined(loop: For, array: str, counter: Variable, last: tuple[Expression, ...]) -> bool:
    """Whether an array is set where a run begins, before the counter moves on, and else combined into at the last run alone."""
    parts = [
        p for whole in expressions_of(loop.body) for p in walk(whole) if isinstance(p, Element) and p.array == array
    ]
    targets = [s for s in every(loop.body) if isinstance(s, Assign | Update) and _is_of(s.target, array)]
    sets = [s for s in targets if isinstance(s, Assign) and _is_of(s.target, array, (counter,))]
    combined = [s for s in targets if isinstance(s, Update) and _is_of(s.target, array, last)]
    if len(sets) != 1 or len(sets) + len(combined) != len(parts):
        return False
    for one in every([If(ONE, loop.body, [], loop.line)]):
        for block in (one.then, one.otherwise) if isinstance(one, If) else ():
            if sets[0] in block:
                rest = block[block.index(sets[0]) + 1 :]
                steps = [
                    place
                    for place, s in enumerate(rest)
                    if counts_up(s) and isinstance(s, Update) and s.target == counter
                ]
                before_step = steps[0] if steps else None
                return before_step is not None and not any(s in combined for s in every(rest[:before_step]))
    return False


def _is_of(target: Expression, array: str, subscripts: tuple[Expression, ...] | None = None) -> bool:
    return isinstance(target, Element) and target.array == array and subscripts in (None, target.subscripts)
