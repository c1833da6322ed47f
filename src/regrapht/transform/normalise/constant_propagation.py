"""Constant propagation: locals such as `const int block = 32` written out, because steps and lengths are known only as numbers."""

from dataclasses import replace

from regrapht.transform.ir.expressions import Binary, Expression, Number, Variable, integer, mentions, rewrite
from regrapht.transform.ir.statement_walk import assigned_variables, rewritten, with_blocks
from regrapht.transform.ir.statements import Declare, For, Statement, Update, every
from regrapht.transform.normalise.local_variables import Locals


def with_constants(body: list[Statement]) -> list[Statement]:
    """A function's body without integers of its own that only ever have one known value."""
    changing = assigned_variables(body)
    values = {
        s.name: s.value
        for s in body
        if isinstance(s, Declare) and isinstance(s.value, Number) and not s.lengths and s.name not in changing
        if s.type == "int" and s.value.value is not None
    }
    if not values:
        return body
    kept = [s for s in body if not isinstance(s, Declare) or s.name not in values]
    return _with_steps(rewritten(kept, lambda part: values.get(part.name) if isinstance(part, Variable) else None))


def _with_steps(statements: list[Statement]) -> list[Statement]:
    """Loops with the steps that are numbers now."""
    out: list[Statement] = []
    for statement in statements:
        statement = with_blocks(statement, _with_steps)
        if isinstance(statement, For) and statement.step is None:
            advance = statement.advance
            if isinstance(advance, Update) and advance.operator == "+":
                statement = replace(statement, step=integer(advance.value))
        out.append(statement)
    return out


def propagated(work: Locals, statements: list[Statement]) -> list[Statement]:
    """The statements with locals that this work has made constant replaced by their value."""
    changed = assigned_variables(statements)
    values: dict[str, Expression] = {}
    for statement in every(statements):
        if not isinstance(statement, Declare) or statement.name not in work.touched or statement.name in changed:
            continue
        value = statement.value
        same = isinstance(value, Variable) and value.name in work.fixed and work.types[value.name] == statement.type
        if value is not None and (
            same or (integer(value) is not None and not mentions(value, Variable(statement.name)))
        ):
            values[statement.name] = value
    if not values:
        return statements

    def change(part: Expression) -> Expression | None:
        match part:
            case Binary("+", Variable(name=name), right) if integer(values.get(name, part)) == 0:
                return rewrite(right, change)
        return values.get(part.name) if isinstance(part, Variable) else None

    return rewritten(statements, change)
