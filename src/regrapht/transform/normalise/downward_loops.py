"""Loop normalisation of loops that count down what is left while pointers walk up: they count up instead.

`while (left) { *d++ = f(*s++); --left; }` is a loop over `left` whose subscripts are `n - left`. Counted by `turn = n - left` the turns
come in the same order, and neighbouring ones are seen to touch neighbouring elements.
"""

from dataclasses import replace

from regrapht.transform.ir.expressions import Binary, Expression, Number, Variable
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.statement_walk import assigned_variables, mentions_variable, rewritten, with_statement
from regrapht.transform.ir.statements import For, Function, Update, every


def counted_upward(function: Function) -> Function:
    """The function with loops that count down to 1 counted up from 0, where their bodies use the counter for nothing but the distance."""
    for loop in [one for one in every(function.body) if isinstance(one, For)]:
        name = fresh_name("turn", function.identifiers)
        upward = _upward(loop, name, assigned_variables(function.body))
        if upward is not None:
            body = with_statement(function.body, loop, [upward])
            changed = replace(function, body=body, identifiers=function.identifiers | {name})
            return counted_upward(changed)
    return function


def _upward(loop: For, name: str, changing: set[str]) -> For | None:
    """The loop counted up by a variable `name`; None where that is not the same or helps nothing."""
    start, counter = loop.start, Variable(loop.variable)
    fixed = isinstance(start, Variable) and start.name not in changing and start.name != loop.variable
    if loop.step != -1 or not fixed or loop.condition != Binary(">", counter, Number("0", 0)):
        return None
    distance, found = Binary("-", start, counter), 0

    def change(expression: Expression) -> Expression | None:
        nonlocal found
        found += expression == distance
        return Variable(name) if expression == distance else None

    body = rewritten(loop.body, change)
    if not found or mentions_variable(body, loop.variable) or loop.variable in assigned_variables(loop.body):
        return None
    return replace(
        loop,
        variable=name,
        start=Number("0", 0),
        condition=Binary("<", Variable(name), start),
        step=1,
        advance=Update(Variable(name), "+", Number("1", 1), loop.line),
        body=body,
    )
