"""What is known of the buffers of a function: when a loop sets one as a whole, and whether others than a loop know it."""

from dataclasses import replace

from regrapht.transform.ir.expressions import ONE, Binary, Element, Expression, Number, Variable, walk
from regrapht.transform.ir.statement_walk import expressions_of, mentions_array, runs_to_its_end
from regrapht.transform.ir.statements import Allocate, Assign, For, Statement, blocks, every

_NOWHERE = Variable("")


def without_useless_fills(statements: list[Statement]) -> list[Statement]:
    """Without the loops that fill a new buffer which the next statement that knows it sets as a whole."""
    out: list[Statement] = []
    for position, statement in enumerate(statements):
        before = statements[position - 1] if position else None
        is_fill = isinstance(before, Allocate) and only_fills(statement, before)
        if is_fill and isinstance(before, Allocate) and sets_whole(statements[position + 1 :], before):
            continue
        out.append(statement)
    return out


def only_fills(statement: Statement, buffer: Allocate) -> bool:
    """Whether a statement is a loop that sets elements of a buffer, and does nothing else."""
    body = statement.body if isinstance(statement, For) else []
    return len(body) == 1 and isinstance(body[0], Assign) and _array_of(body[0].target) == buffer.name


def sets_whole(statements: list[Statement], buffer: Allocate) -> bool:
    """Whether the first of the statements that touches a buffer is a loop that sets all of it and reads none of it."""
    for statement in statements:
        if not mentions_array([statement], buffer.name):
            continue
        match statement:
            case For(
                variable=variable,
                start=Number(value=0),
                condition=Binary("<" | "<=" as operator, Variable(name=counted), end),
                step=1,
                body=body,
            ) if counted == variable and _ends(operator, end) == buffer.length and runs_to_its_end(statement):
                return _sets_own(body, Element(buffer.name, (Variable(variable),)))
        return False
    return False


def _sets_own(body: list[Statement], own: Element) -> bool:
    """Whether each turn sets its own element before it reads it, and touches no other."""
    first = next(statement for statement in body if mentions_array([statement], own.array))
    if (
        not isinstance(first, Assign)
        or first.target != own
        or mentions_array([replace(first, target=_NOWHERE)], own.array)
    ):
        return False
    parts = [part for whole in expressions_of(body) for part in walk(whole)]
    return not any(isinstance(part, Element) and part.array == own.array and part != own for part in parts)


def _ends(operator: str, end: Expression) -> Expression:
    """What a counter stays below."""
    return end if operator == "<" else Binary("+", end, ONE)


def touched_outside(buffer: Allocate, loop: For, statements: list[Statement]) -> bool:
    """Whether anything but `loop` knows a buffer; what fills it where it is declared, and reads none of it, does not count."""
    for position, statement in enumerate(statements):
        if statement is loop or not mentions_array([statement], buffer.name):
            continue
        is_around = any(one is loop for one in every([statement]))
        if not is_around and position and statements[position - 1] is buffer and only_sets(statement, buffer):
            continue
        if not is_around or any(touched_outside(buffer, loop, block) for block in blocks(statement)):
            return True
    return False


def only_sets(statement: Statement, buffer: Allocate) -> bool:
    """Whether a loop reads no element of a buffer."""
    parts = [part for whole in expressions_of([statement]) for part in walk(whole)]
    targets = [one.target for one in every([statement]) if isinstance(one, Assign)]
    named, set_ = (sum(_array_of(part) == buffer.name for part in some) for some in (parts, targets))
    return isinstance(statement, For) and named == set_


def _array_of(part: Expression) -> str:
    return part.array if isinstance(part, Element) else ""
