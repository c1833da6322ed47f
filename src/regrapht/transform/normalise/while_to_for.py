"""`while` loops that count, as `for` loops, which is what analysis knows."""

from dataclasses import replace
from functools import partial, reduce

from regrapht.transform.ir.expressions import (
    ONE,
    TRUE,
    ZERO,
    Binary,
    Conditional,
    Element,
    Expression,
    Unary,
    Variable,
    integer,
    mentions,
    number,
    rewrite,
    walk,
)
from regrapht.transform.ir.idioms import all_of, negation
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import assigned_variables, leaves_own_loop, rewritten, with_blocks
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

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "==": "=="}
_NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


def counted(work: Locals, statements: list[Statement], around: tuple[Place, ...], *, in_loop: bool) -> list[Statement]:
    """A list of statements with its counting loops as `for`. `around` are the lists that it stands in, the outermost first."""
    out: list[Statement] = []
    for position, statement in enumerate(statements):
        here = (*around, Place(statements[position + 1 :], statements, in_loop, statements[:position]))
        match statement:
            case While():
                out += _while(work, statement, here)
            case For():
                inner = counted(work, statement.body, here, in_loop=True)
                out.append(_bounded(replace(statement, body=inner)))
            case Assign(target=Variable(name=name)) | Update(target=Variable(name=name)) if (
                name in work.touched and not work.is_live(name, here)
            ):
                pass  # the last step of a loop that counts by itself now
            case If(condition, then, otherwise, line):
                parts = [counted(work, part, here, in_loop=False) for part in (then, otherwise)]
                out.append(If(condition, parts[0], parts[1], line))
            case _:
                out.append(statement)
    return out


def _while(work: Locals, loop: While, here: tuple[Place, ...]) -> list[Statement]:
    loop = _test_in_front(loop)
    found = _counting(work, loop, here)
    if found is None:
        return [replace(loop, body=counted(work, loop.body, here, in_loop=True))]
    head, last = found
    return [replace(head, body=counted(work, head.body, here, in_loop=True)), *last]


def _counting(work: Locals, loop: While, here: tuple[Place, ...]) -> tuple[For, list[Statement]] | None:
    """The `for` loop that this is, with what gives the variable its last value; None where it does not count."""
    if leaves_own_loop(loop.body, Continue) or any(isinstance(s, Return) for s in every([loop])):
        return None
    condition, body, behind = loop.condition, list(loop.body), False
    if condition == TRUE:
        last = body[-1] if body else None
        if not isinstance(last, If) or last.otherwise or not _only_breaks(last.then):
            return None
        condition, body, behind = negation(last.condition), body[:-1], True
    for name in _candidates(work, condition):
        found = _over(work, name, condition, body, loop.line, behind=behind)
        if found is None and not behind:
            found = _left_early(work, name, condition, body, loop.line)
        if found is not None:
            return _closed(work, name, found, here)
    return None


def _left_early(work: Locals, name: str, condition: Expression, body: list[Statement], line: int) -> For | None:
    """The loop as one over `name` that is left where the parts of the condition that do not count it fail."""
    changed = assigned_variables(body)
    parts = all_of(condition)
    counts = [part for part in parts if _monotone_test(part, name, 1, changed, body) is not None]
    counts = counts or [part for part in parts if _monotone_test(part, name, -1, changed, body) is not None]
    others = [part for part in parts if part not in counts]
    if not counts or not others:
        return None
    leave = If(negation(reduce(partial(Binary, "&&"), others)), [Break(line)], [], line)
    return _over(work, name, reduce(partial(Binary, "&&"), counts), [leave, *body], line, behind=False)


def _candidates(work: Locals, condition: Expression) -> list[str]:
    parts = [part for part in walk(condition) if isinstance(part, Variable)]
    return list(dict.fromkeys(part.name for part in parts if is_integer(work.types.get(part.name, "float"))))


def _over(
    work: Locals, name: str, condition: Expression, body: list[Statement], line: int, *, behind: bool
) -> For | None:
    """The loop as one over `name`."""
    changes = [s for s in every(body) if isinstance(s, Assign | Update) and s.target == Variable(name)]
    if len(changes) != 1 or changes[0] not in body or not isinstance(changes[0], Update):
        return None
    change, position = changes[0], body.index(changes[0])
    step = integer(change.value) if change.operator == "+" else None
    test = None if not step else _monotone_test(condition, name, step, assigned_variables(body), body)
    if not step or test is None or (behind and leaves_own_loop(body, Break)):
        return None
    counter, type_name = work.fresh(f"{name}_k"), work.types[name]
    work.types[counter], work.counters[counter] = type_name, name
    new = Variable(counter)

    def moved(by: int) -> "dict[str, Expression]":
        return {name: new if by == 0 else Binary("+" if by > 0 else "-", new, number(abs(by)))}

    inner = _with(body[:position], moved(0)) + _with(body[position + 1 :], moved(step))
    (test,) = (rewrite(test, lambda part: moved(0).get(part.name) if isinstance(part, Variable) else None),)
    if behind:
        first = Binary("<=" if step > 0 else ">=", new, Variable(name))
        test = Binary("||", test, first)
    one = number(abs(step))
    advance = Update(new, "+", one if step > 0 else Unary("-", one), line)
    return For(counter, type_name, Variable(name), test, step, advance, inner, line)


def _closed(work: Locals, name: str, loop: For, here: tuple[Place, ...]) -> tuple[For, list[Statement]] | None:
    """The loop, with the last value of its variable where something reads it."""
    work.touched.add(name)
    if not work.is_live(name, here):
        return loop, []
    if leaves_own_loop(loop.body, Break) or abs(loop.step or 0) != 1:
        return None
    end = last_value(loop)
    return None if end is None else (loop, [Assign(Variable(name), end, loop.line)])


def last_value(loop: For) -> Expression | None:
    """The value of a loop's variable after its last turn; None where that is not plain."""
    match loop.condition:
        case Binary(operator, Variable(name=name), bound) if name == loop.variable and operator in (
            "<",
            "<=",
            ">",
            ">=",
        ):
            if operator in ("<=", ">="):
                bound = Binary("+" if operator == "<=" else "-", bound, ONE)
            ran = Binary("<" if (loop.step or 0) > 0 else ">", loop.start, bound)
            return bound if bound == loop.start else Conditional(ran, bound, loop.start)
    return None


def _with(statements: list[Statement], values: "dict[str, Expression]") -> list[Statement]:
    return rewritten(statements, lambda part: values.get(part.name) if isinstance(part, Variable) else None)


def _only_breaks(statements: list[Statement]) -> bool:
    return len(statements) == 1 and isinstance(statements[0], Break)


def _test_in_front(loop: While) -> While:
    """`while (true) { if (c) break; rest }` as `while (!c) { rest }`."""
    first = loop.body[0] if loop.body else None
    if loop.condition == TRUE and isinstance(first, If) and _only_breaks(first.then):
        return While(negation(first.condition), [*first.otherwise, *loop.body[1:]], loop.line)
    return loop


def _bounded(loop: For) -> For:
    """A plain `for` with `!=` as one with `<` or `>`: a step of one cannot jump over its end."""
    match loop.condition:
        case Binary("!=", Variable(name=name), bound) if name == loop.variable and abs(loop.step or 0) == 1:
            return replace(loop, condition=Binary("<" if loop.step == 1 else ">", Variable(name), bound))
    return loop


def _monotone_test(
    condition: Expression, name: str, step: int, changed: set[str], body: list[Statement]
) -> Expression | None:
    """The condition as comparisons of the variable with what stays, once false always false; None where it is not that."""
    match condition:
        case Binary("&&", left, right):
            sides = [_monotone_test(side, name, step, changed, body) for side in (left, right)]
            return None if sides[0] is None or sides[1] is None else Binary("&&", sides[0], sides[1])
        case Unary("!", Binary(operator, left, right)) if operator in _NEGATED:
            return _monotone_test(Binary(_NEGATED[operator], left, right), name, step, changed, body)
        case Variable():
            return _monotone_test(Binary("!=", condition, ZERO), name, step, changed, body)
        case Binary(operator, left, right) if operator in _MIRRORED:
            if not mentions(left, Variable(name)):
                left, operator, right = right, _MIRRORED[operator], left
            if mentions(right, Variable(name)) or not _stays(right, changed, body):
                return None
            return _compared(left, operator, right, name, step)
    return None


def _compared(left: Expression, operator: str, right: Expression, name: str, step: int) -> Expression | None:
    up = step > 0
    own = left == Variable(name)
    if operator == "!=" and own and abs(step) == 1:
        operator = "<" if up else ">"
    if operator not in (("<", "<=") if up else (">", ">=")):
        return None
    match left:
        case Variable():
            return Binary(operator, left, right)
        case Binary("+" | "-", Variable(name=other), shift) if other == name and integer(shift) is not None:
            return Binary(operator, left, right)
    return None


def _stays(expression: Expression, changed: set[str], body: list[Statement]) -> bool:
    """Whether an expression has one value during the loop."""
    stored = {s.target.array for s in every(body) if isinstance(s, Assign | Update) and isinstance(s.target, Element)}
    for part in walk(expression):
        if isinstance(part, Variable) and part.name in changed:
            return False
        if isinstance(part, Element) and part.array in stored:
            return False
    return True


def counters_renamed(work: Locals, body: list[Statement]) -> list[Statement]:
    """The statements with the counters made here under the names of what they were made of, where these are free again."""
    kept = {s.name for s in every(body) if isinstance(s, Declare)} | work.fixed
    new: dict[str, Expression] = {c: Variable(n) for c, n in work.counters.items() if n not in kept}
    return _with_counters(_with(body, new), {c: n for c, n in work.counters.items() if c in new})


def _with_counters(statements: list[Statement], names: dict[str, str]) -> list[Statement]:
    out = [with_blocks(statement, lambda block: _with_counters(block, names)) for statement in statements]
    return [
        replace(one, variable=names.get(one.variable, one.variable)) if isinstance(one, For) else one for one in out
    ]
