"""Flags as reductions: setting a local that only ever holds a few known numbers to the largest of them has no order among iterations.

`if (x[i] != y[i]) changed = true;` sets a flag however often it runs: the same as the maximum of all that is set. Loops that do it are
reductions then, and not loops that write one place again and again.
"""

from dataclasses import replace

from regrapht.transform.ir.expressions import ONE, ZERO, Expression, Number, Variable, integer, mentions
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import expressions_of, leaves_own_loop, with_blocks
from regrapht.transform.ir.statements import Assign, Break, Declare, For, Statement, Update, While, every

_TRUTHS = {"true": ONE, "false": ZERO}


def with_flags(body: list[Statement]) -> list[Statement]:
    """The statements with such assignments in loops as updates; flags of type `bool` become `int`, which has updates."""
    for declared in [
        one for one in every(body) if isinstance(one, Declare) and not one.lengths and is_integer(one.type)
    ]:
        name = declared.name
        values = _values(body, name)
        if values is None or len(values) < 2:
            continue
        marked = _marked(body, name, min(values), max(values))
        if marked != body and declared.type == "bool":
            body = _as_int(marked, name)
        elif marked != body:
            body = marked
    return body


def _values(body: list[Statement], name: str) -> set[int] | None:
    """All that a local is ever set to; None where one value is not known."""
    found: set[int] = set()
    for one in every(body):
        if isinstance(one, For) and one.variable == name:
            return None
        if isinstance(one, Update) and one.target == Variable(name):
            return None
        sets = (isinstance(one, Assign) and one.target == Variable(name)) or (
            isinstance(one, Declare) and one.name == name
        )
        value = one.value if sets and isinstance(one, Assign | Declare) else None
        if value is None:
            continue
        known = integer(value)
        if known is None:
            return None
        found.add(known)
    return found


def _marked(statements: list[Statement], name: str, low: int, high: int) -> list[Statement]:
    """The outermost loops in which it gets one extreme value alone, and is not read, with updates."""
    out: list[Statement] = []
    for one in statements:
        if isinstance(one, For | While):
            sets = [s for s in every(one.body) if isinstance(s, Assign) and s.target == Variable(name)]
            known = {integer(s.value) for s in sets}
            own = any(isinstance(s, Declare) and s.name == name for s in every(one.body))
            leaves = leaves_own_loop(one.body, Break)  # one thread runs it then
            if len(known) == 1 and known <= {low, high} and not own and not leaves and not _is_read(one, name):
                operator = "max" if known == {high} else "min"
                one = replace(one, body=_updating(one.body, name, operator))
            else:
                one = replace(one, body=_marked(one.body, name, low, high))
        else:
            one = with_blocks(one, lambda block: _marked(block, name, low, high))
        out.append(one)
    return out


def _is_read(loop: For | While, name: str) -> bool:
    """Whether anything but the places of assignments has the name."""
    targets = sum(isinstance(s, Assign) and s.target == Variable(name) for s in every(loop.body))
    whole = [part for part in expressions_of([loop]) if mentions(part, Variable(name))]
    return len(whole) != targets or any(part != Variable(name) for part in whole)


def _updating(statements: list[Statement], name: str, operator: str) -> list[Statement]:
    out: list[Statement] = []
    for one in statements:
        match one:
            case Assign(Variable(name=target), value, line) if target == name:
                out.append(Update(Variable(name), operator, _number(value), line))
            case _:
                out.append(with_blocks(one, lambda block: _updating(block, name, operator)))
    return out


def _number(value: Expression) -> Expression:
    return _TRUTHS.get(value.text, value) if isinstance(value, Number) else value


def _as_int(statements: list[Statement], name: str) -> list[Statement]:
    """The statements with one flag as an `int`: its declaration, and numbers for truths."""
    out: list[Statement] = []
    for one in statements:
        match one:
            case Declare(name=declared, value=value) if declared == name:
                out.append(replace(one, type="int", value=None if value is None else _number(value)))
            case Assign(Variable(name=target), value, line) if target == name:
                out.append(Assign(one.target, _number(value), line))
            case _:
                out.append(with_blocks(one, lambda block: _as_int(block, name)))
    return out
