"""Loops with scalars set between them, as loops around nothing but the next one: the inner ones may then be threads, too.

`for r { float y = y0 + r * dy; for c ... }` has one thread a row. Where `y` is computed anew for each column, there is one a point.
"""

from collections.abc import Iterator
from dataclasses import replace

from regrapht.transform.ir.expressions import Element, Variable, walk
from regrapht.transform.ir.statement_walk import assigned_variables, mentions_variable, with_statement
from regrapht.transform.ir.statements import (
    Assign,
    Declare,
    For,
    Statement,
    Update,
    every,
)


def with_scalars_inside(body: list[Statement]) -> Iterator[tuple[For, list[Statement]]]:
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
