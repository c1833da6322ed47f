"""Scalar privatisation and renaming: a scalar that holds several values in turn becomes one for each.

A scalar that is declared before it is set is declared where it is set, so that the turns of a loop do not share it. A whole number that is
set anew between loops is a new variable each time: then every one of them has one value.
"""

from dataclasses import replace

from regrapht.transform.ir.expressions import Binary, Expression, Variable, mentions
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import assigned_variables, mentions_variable, rewritten, with_blocks
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, While, blocks, every
from regrapht.transform.normalise.local_variables import Locals


def declared_where_set(body: list[Statement]) -> list[Statement]:
    """A function's body with `int row; ... row = 3 * width;` as one declaration, where that is all that sets the scalar."""
    out = list(body)
    for declared in body:
        if not isinstance(declared, Declare) or declared.value is not None or declared.lengths:
            continue
        own = Variable(declared.name)
        changes = [s for s in every(out) if isinstance(s, Assign | Update) and s.target == own]
        first = next((s for s in out if mentions_variable([s], declared.name)), None)
        if len(changes) == 1 and changes[0] is first and isinstance(first, Assign) and not mentions(first.value, own):
            place = next(k for k, s in enumerate(out) if s is first)
            out[place] = Declare(declared.type, declared.name, first.value, first.line)
            out = [s for s in out if s is not declared]
    return out


def privatised(work: Locals, statements: list[Statement]) -> list[Statement]:
    """The statements with such scalars declared inside of the loops."""
    out = [with_blocks(statement, lambda block: privatised(work, block)) for statement in statements]
    for declared in [s for s in out if isinstance(s, Declare) and not s.lengths]:
        position = out.index(declared)
        rest = out[position + 1 :]
        if not any(isinstance(s, For | While | If) and mentions_variable([s], declared.name) for s in rest):
            continue
        if any(not isinstance(s, For | While | If) and mentions_variable([s], declared.name) for s in rest):
            continue
        closed = _closed(work, rest, declared)
        if closed is not None:
            out = [*out[:position], *closed]
    return out


def _closed(work: Locals, statements: list[Statement], local: Declare) -> list[Statement] | None:
    """The statements with a local of their own for each stretch that sets it first; None where one reads it before."""
    out: list[Statement] = []
    for position, statement in enumerate(statements):
        if not mentions_variable([statement], local.name):
            out.append(statement)
            continue
        if isinstance(statement, Assign) and statement.target == Variable(local.name):
            if mentions(statement.value, Variable(local.name)):
                return None
            return [*out, *_own(work, statement, statements[position + 1 :], local)]
        inner = _branches(work, statement, local)
        if inner is None:
            return None
        out.append(inner)
    return out


def _branches(work: Locals, statement: Statement, local: Declare) -> Statement | None:
    own = Variable(local.name)
    match statement:
        case If(condition, then, otherwise, line) if not mentions(condition, own):
            parts = [_closed(work, part, local) for part in (then, otherwise)]
            return None if parts[0] is None or parts[1] is None else If(condition, parts[0], parts[1], line)
        case While(condition=condition, body=body) if not mentions(condition, own):
            inner = _closed(work, body, local)
            return None if inner is None else replace(statement, body=inner)
        case For(start=start, condition=condition, advance=advance, body=body):
            if any(mentions(part, own) for part in (start, condition, advance.value, advance.target)):
                return None
            inner = _closed(work, body, local)
            return None if inner is None else replace(statement, body=inner)
    return None


def _own(work: Locals, first: Assign, rest: list[Statement], local: Declare) -> list[Statement]:
    name = work.fresh(local.name)
    work.types[name] = local.type

    def change(part: Expression) -> Expression | None:
        return Variable(name) if part == Variable(local.name) else None

    return [Declare(local.type, name, first.value, first.line), *rewritten(rest, change)]


def renamed_scalars(work: Locals, statements: list[Statement]) -> list[Statement]:
    """Scalar renaming: a declaration for each value of locals that only their own block changes, outside of its loops."""
    nested = {name for s in statements for block in blocks(s) for name in assigned_variables(block)}
    nested |= {name for s in statements if isinstance(s, For) for name in assigned_variables([s.advance])}
    own = {s.name for s in statements if isinstance(s, Declare) and not s.lengths and is_integer(s.type)} - nested
    out: list[Statement] = []
    now: dict[str, str] = {}

    def current(part: Expression) -> Expression | None:
        return Variable(now[part.name]) if isinstance(part, Variable) and part.name in now else None

    for statement in statements:
        match statement:
            case Assign(Variable(name=name), value, line) if name in own:
                (read,) = rewritten([Declare(work.types[name], name, value, line)], current)
                out.append(_next(work, read, name, now))
            case Update(Variable(name=name), "+" | "*" as operator, value, line) if name in own:
                whole = Binary(operator, Variable(name), value)
                (read,) = rewritten([Declare(work.types[name], name, whole, line)], current)
                out.append(_next(work, read, name, now))
            case _:
                inside = with_blocks(statement, lambda block: renamed_scalars(work, block))
                out += rewritten([inside], current)
    return out


def _next(work: Locals, read: Statement, name: str, now: dict[str, str]) -> Statement:
    assert isinstance(read, Declare)
    now[name] = work.fresh(name)
    work.types[now[name]] = read.type
    work.touched |= {name, now[name]}
    return replace(read, name=now[name])
