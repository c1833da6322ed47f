"""Induction-variable substitution: what a loop moves by one amount every turn (walking pointers, second counters), as its counter says."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Unary,
    Variable,
    integer,
    number,
    walk,
)
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables, leaves_own_loop, mentions_variable, rewritten
from regrapht.transform.ir.statements import (
    Assign,
    Break,
    Continue,
    Declare,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
    every,
)
from regrapht.transform.normalise.local_variables import Locals, Place
from regrapht.transform.normalise.trip_counts import endings, over_turns


def induced(work: Locals, statements: list[Statement], around: tuple[Place, ...], *, in_loop: bool) -> list[Statement]:
    """The statements with such variables replaced, inner loops first."""
    out: list[Statement] = []
    for position, statement in enumerate(statements):
        here = (*around, Place(statements[position + 1 :], statements, in_loop, out))
        match statement:
            case For(body=body):
                loop = replace(statement, body=induced(work, body, here, in_loop=True))
                out += _closed_forms(work, loop, here)
            case While(body=body):
                out += _to_end(work, replace(statement, body=induced(work, body, here, in_loop=True)), here)
            case If(condition, then, otherwise, line):
                parts = [induced(work, part, here, in_loop=False) for part in (then, otherwise)]
                out.append(If(condition, parts[0], parts[1], line))
            case _:
                out.append(statement)
    return out


def _to_end(work: Locals, loop: While, here: tuple[Place, ...]) -> list[Statement]:
    """The loop over its turns where it walks to an end by whole steps; otherwise as it is."""
    for ending in endings(loop):
        changes = _changes(work, loop, ending.variable)
        found = None if changes is None else over_turns(work, loop, ending, reduce(plus, changes), here[-1].before)
        if found is not None:
            counted, some = found
            work.touched |= {ending.end.name} if isinstance(ending.end, Variable) else set()
            inner, *behind = _closed_forms(work, counted, here)
            if some is None:
                return [inner, *behind]
            moved = [
                replace(one, value=Conditional(some, one.value, ZERO)) for one in behind if isinstance(one, Update)
            ]
            return [If(some, [inner], [], loop.line), *moved]
    return [loop]


def _closed_forms(work: Locals, loop: For, here: tuple[Place, ...]) -> list[Statement]:
    """The loop, and behind it what it adds to variables that are read later."""
    behind: list[Statement] = []
    if leaves_own_loop(loop.body, Continue) or any(isinstance(s, Return) for s in every(loop.body)):
        return [loop]
    if _ends_by_what_moves(loop):
        return [loop]
    turn = _turn(loop)
    for name in sorted(assigned_variables(loop.body)):
        changes = _changes(work, loop, name)
        if turn is None or changes is None or not _is_used(loop.body, name):
            continue
        total = reduce(plus, changes)
        if work.is_live(name, here):
            count = _count(work, loop)
            if count is None or leaves_own_loop(loop.body, Break):
                continue
            added = times(total, _typed(work, count, loop.type, name))
            behind.append(Update(Variable(name), "+", added, loop.line))
        loop = replace(loop, body=_replaced(work, loop, name, total, turn))
        work.touched.add(name)
    return [loop, *behind]


def _ends_by_what_moves(loop: For) -> bool:
    """Whether the test of a loop reads anything that its turns set, besides its counter."""
    targets = [s.target for s in every(loop.body) if isinstance(s, Assign | Update)]
    names = {target.array if isinstance(target, Element) else target.name for target in targets}
    read = [part for part in walk(loop.condition) if isinstance(part, Element | Variable)]
    return any((part.array if isinstance(part, Element) else part.name) in names for part in read)


def _changes(work: Locals, loop: For | While, name: str) -> list[Expression] | None:
    """What the turns add to a variable, one at a time; None where they do something else to it."""
    type_name = work.types.get(name, "float")
    if not is_integer(type_name) or size_bytes(type_name) < 4:
        return None
    if any(isinstance(s, Declare) and s.name == name for s in every(loop.body)):
        return None
    changed = assigned_variables(loop.body) | ({loop.variable} if isinstance(loop, For) else set())
    changed |= {s.variable for s in every(loop.body) if isinstance(s, For)}
    changed |= {s.name for s in every(loop.body) if isinstance(s, Declare)}
    found: list[Expression] = []
    for statement in every(loop.body):
        if not isinstance(statement, Assign | Update) or statement.target != Variable(name):
            continue
        own = any(statement is one for one in loop.body)  # an equal one in an inner loop may stand on the same line
        if not isinstance(statement, Update) or statement.operator != "+" or not own:
            return None
        if any(
            isinstance(p, Element | Call) or (isinstance(p, Variable) and p.name in changed)
            for p in walk(statement.value)
        ):
            return None
        found.append(statement.value)
    return found or None


def _is_used(body: Sequence[Statement], name: str) -> bool:
    """Whether a turn uses the variable besides moving it: otherwise it is a plain sum."""
    own = Variable(name)
    rest = [s for s in body if not (isinstance(s, Update) and s.target == own)]
    return mentions_variable(list(rest), name)


def _turn(loop: For) -> Expression | None:
    """How many turns lie before one, as an expression of the loop's variable."""
    if loop.step is None or abs(loop.step) != 1:
        return None
    variable = Variable(loop.variable)
    return minus(variable, loop.start) if loop.step == 1 else minus(loop.start, variable)


def _count(work: Locals, loop: For) -> Expression | None:
    """How many turns a loop makes."""
    match loop.condition:
        case Binary("<" | "<=" | ">" | ">=" as operator, Variable(name=name), bound) if name == loop.variable:
            if (operator in ("<", "<=")) != (loop.step == 1):
                return None
            count = minus(bound, loop.start) if loop.step == 1 else minus(loop.start, bound)
            count = plus(count, ONE) if operator in ("<=", ">=") else count
            if integer(count) is not None and (integer(count) or 0) >= 0:
                return count
            plain = count.operand if isinstance(count, Cast) else count
            if isinstance(plain, Variable) and plain.name in work.nonnegative:
                return count
            return Call("max", (count, ZERO))
    return None


def _replaced(work: Locals, loop: For, name: str, total: Expression, turn: Expression) -> list[Statement]:
    moved = plus(Variable(name), times(total, _typed(work, turn, loop.type, name)))
    out: list[Statement] = []
    for statement in loop.body:
        if isinstance(statement, Update) and statement.target == Variable(name):
            moved = plus(moved, statement.value)
            continue

        def change(part: Expression, moved: Expression = moved) -> Expression | None:
            return moved if part == Variable(name) else None

        out += rewritten([statement], change)
    return out


def _typed(work: Locals, value: Expression, own: str, name: str) -> Expression:
    """A count of the loop's type `own` in the type of the variable `name`."""
    wanted = work.types[name]
    return value if own == wanted or integer(value) is not None else Cast(wanted, value)


def plus(left: Expression, right: Expression) -> Expression:
    """The sum, with numbers added up and zeros left out."""
    if integer(left) == 0:
        return right
    known = integer(right)
    if known == 0:
        return left
    if known is not None and integer(left) is not None:
        return number((integer(left) or 0) + known)
    if known is not None and isinstance(left, Binary) and left.operator in "+-":
        inner = integer(left.right)
        if inner is not None:
            return plus(left.left, number(known + (inner if left.operator == "+" else -inner)))
    if known is not None and known < 0:
        return Binary("-", left, number(-known))
    if isinstance(right, Unary) and right.operator == "-":
        return Binary("-", left, right.operand)
    return Binary("+", left, right)


def minus(left: Expression, right: Expression) -> Expression:
    known = integer(right)
    if known is not None:
        return plus(left, number(-known))
    return ZERO if left == right else Binary("-", left, right)


def times(left: Expression, right: Expression) -> Expression:
    """The product, with ones left out."""
    if integer(left) == 1:
        return right
    if integer(right) == 1:
        return left
    if integer(left) == -1:
        return Unary("-", right)
    return Binary("*", left, right)
