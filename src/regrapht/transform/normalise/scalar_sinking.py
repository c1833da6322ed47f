"""Scalar sinking: loops with scalars set between them as perfect nests, in which each loop holds nothing but the next one.

The inner ones may then be threads, too.

`for r { float y = y0 + r * dy; for c ... }` has one thread a row. Where `y` is computed anew for each column, there is one a point.
"""

from collections.abc import Iterator
from dataclasses import replace

from regrapht.transform.ir.expressions import Element, Variable, walk
from regrapht.transform.ir.statement_walk import assigned_variables, mentions_variable, with_statement
from regrapht.transform.ir.statements import Assign, Declare, For, Function, Statement, Update, every
from regrapht.transform.normalise.forms import Form
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.nest import Nest
from regrapht.transform.polyhedral.loop_tree import Loop, loop_key


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, For]]:
    for inner, body in with_scalars_sunk(analysis.function.body):
        if any(_stops_above(nest, inner) for nest in analysis.nests):
            yield replace(analysis.function, body=body), inner


def _accept(before: Analysis, after: Analysis, inner: For) -> bool:
    """Whether the turns of the inner loop are independent ones of a nest, and no nest is lost."""
    return len(after.nests) == len(before.nests) and any(_has_parallel(nest, inner) for nest in after.nests)


SCALAR_SINKING = Form(_candidates, _accept)


def _stops_above(nest: Nest, inner: For) -> bool:
    """Whether the nest's loops that hold nothing but the next one end with the loop around `inner`."""
    children = [child for child in nest.chain[-1].children if isinstance(child, Loop)]
    return len(children) == 1 and loop_key(children[0]) == loop_key(inner)


def _has_parallel(nest: Nest, inner: For) -> bool:
    return inner.variable in nest.parallel and any(loop_key(loop) == loop_key(inner) for loop in nest.chain)


def with_scalars_sunk(body: list[Statement]) -> Iterator[tuple[For, list[Statement]]]:
    """For each loop that holds nothing but scalars and one more loop: that inner loop, and the body with the scalars set in it."""
    changing = assigned_variables(body)
    for loop in [one for one in every(body) if isinstance(one, For)]:
        first, last = loop.body[:-1], loop.body[-1] if loop.body else None
        if not first or not isinstance(last, For) or not all(can_move(one, last, changing) for one in first):
            continue
        inner = replace(last, body=[*first, *last.body])
        yield inner, with_statement(body, loop, [replace(loop, body=[inner])])


def can_move(statement: Statement, inner: For, changing: set[str]) -> bool:
    """Whether a statement sets a scalar once, and has the same value in each turn of the inner loop, whose header does not ask for it."""
    match statement:
        case Declare(name=name, value=value, lengths=()) if value is not None and name not in changing:
            header = replace(inner, body=[])
            used = list(walk(value))
            targets = [s.target for s in every(inner.body) if isinstance(s, Assign | Update)]
            stored = {target.array for target in targets if isinstance(target, Element)}
            moves = {part.name for part in used if isinstance(part, Variable)} & {*changing, inner.variable}
            reads = {part.array for part in used if isinstance(part, Element)} & stored
            return not moves and not reads and not mentions_variable([header], name)
    return False
