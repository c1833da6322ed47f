"""A whole number that is set anew between loops is a new variable each time: then every one of them has one value."""

from dataclasses import replace

from regrapht.transform.ir.expressions import Binary, Expression, Variable
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import assigned_variables, rewritten
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, While, blocks
from regrapht.transform.reader.counted_loops import Loops


def versioned(work: Loops, statements: list[Statement]) -> list[Statement]:
    """The statements with a declaration for each value of locals that only their own block changes, outside of its loops."""
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
                out += rewritten([_inside(work, statement)], current)
    return out


def _next(work: Loops, read: Statement, name: str, now: dict[str, str]) -> Statement:
    assert isinstance(read, Declare)
    now[name] = work.fresh(name)
    work.types[now[name]] = read.type
    work.touched |= {name, now[name]}
    return replace(read, name=now[name])


def _inside(work: Loops, statement: Statement) -> Statement:
    match statement:
        case If(condition, then, otherwise, line):
            return If(condition, versioned(work, then), versioned(work, otherwise), line)
        case For(body=body) | While(body=body):
            return replace(statement, body=versioned(work, body))
    return statement
