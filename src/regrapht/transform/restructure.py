"""Nests that are joined or cut: the function's statements change, and all of its analysis is made again."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from regrapht.errors import CannotTransform
from regrapht.transform.ir.statement_walk import arrays_in, names_in, renamed
from regrapht.transform.ir.statements import Allocate, Declare, For, If, Statement, While, every
from regrapht.transform.nest import Nest
from regrapht.transform.program import Analysis, Program, analyse_function

Edit = Callable[[list[Statement], int], list[Statement] | None]
"""Given a list of statements and the position of a loop in it, the list that replaces it; None where that cannot be done."""


def edited(program: Program, nest: Nest, edit: Edit) -> Analysis | None:
    """The program's function analysed again after an edit where `nest` stands; None where the edit or the analysis does not work out."""
    body = program.analysis.function.body
    here = [other for other in program.nests if (other.root.variable, other.line) == (nest.root.variable, nest.line)]
    places = [
        one
        for one in every(body)
        if isinstance(one, For) and (one.variable, one.line) == (nest.root.variable, nest.line)
    ]
    if len(places) != len(here):
        return None
    changed = _replaced(body, places[here.index(nest)], edit)
    if changed is None:
        return None
    try:
        function = replace(program.analysis.function, body=changed)
        return analyse_function(program.task, function, guard=program.analysis.guard)
    except CannotTransform:
        return None


def _replaced(statements: list[Statement], loop: For, edit: Edit) -> list[Statement] | None:
    for position, statement in enumerate(statements):
        if statement is loop:
            return edit(statements, position)
        if not isinstance(statement, For | If | While):
            continue
        for name in ("then", "otherwise") if isinstance(statement, If) else ("body",):
            inside = _replaced(getattr(statement, name), loop, edit)
            if inside is not None:
                return [*statements[:position], replace(statement, **{name: inside}), *statements[position + 1 :]]  # type: ignore[arg-type]
    return None


# ---- joining


def joined(first: For, second: For, depth: int) -> For | None:
    """Both loops as one, with those inside down to `depth`; None where their headers differ or names are in the way."""
    if second.variable != first.variable:
        if second.type != first.type or first.variable in names_in([second]):
            return None
        (second,) = renamed([second], {second.variable: first.variable})  # type: ignore[assignment]
    same = (first.start, first.condition, first.step, first.type) == (
        second.start,
        second.condition,
        second.step,
        second.type,
    )
    if not same or first.step is None:
        return None
    if depth == 1:
        return replace(first, body=[*first.body, *second.body])
    if len(first.body) != 1 or len(second.body) != 1:
        return None
    one, other = first.body[0], second.body[0]
    inside = joined(one, other, depth - 1) if isinstance(one, For) and isinstance(other, For) else None
    return None if inside is None else replace(first, body=[inside])


# ---- cutting


def cut_places(loop: For, depth: int) -> list[int]:
    """Where the body `depth` loops down may be cut in two: no local of the first part is used in the second."""
    body = _body(loop, depth)
    found = []
    for place in range(1, len(body)):
        first, second = body[:place], body[place:]
        declared = {one.name for one in every(first) if isinstance(one, Declare)}
        if declared & (names_in(second) | arrays_in(second)) or not (
            _does_something(first) and _does_something(second)
        ):
            continue
        found.append(place)
    return found


def _does_something(statements: Sequence[Statement]) -> bool:
    return any(not isinstance(statement, Declare | Allocate) for statement in statements)


def _body(loop: For, depth: int) -> list[Statement]:
    if depth == 1:
        return loop.body
    inner = loop.body[0]
    assert isinstance(inner, For)
    return _body(inner, depth - 1)


def parts(loop: For, depth: int, place: int) -> tuple[For, For]:
    """The loop twice, each with one part of the body `depth` loops down."""
    if depth == 1:
        return replace(loop, body=loop.body[:place]), replace(loop, body=loop.body[place:])
    inner = loop.body[0]
    assert isinstance(inner, For)
    first, second = parts(inner, depth - 1, place)
    return replace(loop, body=[first]), replace(loop, body=[second])
