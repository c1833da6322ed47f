"""Loops that run until something holds, but no more than so many times, as loops of that many turns under a flag.

`while (err > tol && it < most) { ... }` makes at most `most - it` turns. So does a loop over that many turns in which everything stands
under a flag that the first failing test takes down. What is inside keeps its loops then: a launch of each for every turn,
which does nothing once the flag is down. Only loops outside of all others are taken, because a thread of its own leaves its loop sooner.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce

from regrapht.propose.transform.frontend.expressions import (
    Binary,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    integer,
    walk,
)
from regrapht.propose.transform.frontend.idioms import all_of, negation
from regrapht.propose.transform.frontend.statement_walk import leaves_own_loop, mentions_array
from regrapht.propose.transform.frontend.statements import (
    Allocate,
    Assign,
    Break,
    Continue,
    Declare,
    For,
    Function,
    If,
    Return,
    Statement,
    Update,
    While,
    every,
)

ZERO, ONE = Number("0", 0), Number("1", 1)
_TRUE, _FALSE = Number("true", 1), Number("false", 0)
_BELOW = {"<": "<", "<=": "<="}


@dataclass(frozen=True, slots=True)
class Counted:
    """Such a loop with its turns counted: the statements in its place, and the variable of the loop over them."""

    statements: list[Statement]
    variable: str


def with_counted_turns(function: Function) -> Iterator[tuple[Function, str]]:
    """For each such loop of a function: the function with its turns counted, and the variable of the loop over them."""
    for position in range(len(function.body)):
        names = set(function.identifiers)

        def fresh(name: str, names: set[str] = names) -> str:
            chosen, number = name, 2
            while chosen in names:
                chosen, number = f"{name}_{number}", number + 1
            names.add(chosen)
            return chosen

        found = _counted(function.body, position, fresh)
        if found is not None:
            body = [*function.body[:position], *found.statements, *function.body[position + 1 :]]
            yield replace(function, body=body, identifiers=frozenset(names)), found.variable


def _counted(statements: list[Statement], position: int, fresh: Callable[[str], str]) -> Counted | None:
    """The loop at a position in that form; None where it is none, or no number of turns bounds it."""
    loop = statements[position]
    if not isinstance(loop, For | While) or not any(isinstance(one, For) for one in every(loop.body)):
        return None
    if any(isinstance(one, Return | Continue) for one in every(loop.body)) or not _breaks_are_plain(loop.body):
        return None
    if isinstance(loop, For):
        return _for(loop, fresh)
    return _while(loop, statements[:position], fresh)


def _for(loop: For, fresh: Callable[[str], str]) -> Counted | None:
    parts = all_of(loop.condition)
    counts = [part for part in parts if _counts(part, Variable(loop.variable), loop.body)]
    others = [part for part in parts if part not in counts]
    if not counts or loop.step is None or loop.step < 1 or not (others or leaves_own_loop(loop.body, Break)):
        return None
    flag = Variable(fresh("goes_on"))
    body = _under(flag, [*_tested(flag, others, loop.line), *_body(loop.body, flag)])
    head = reduce(partial(Binary, "&&"), counts)
    declared = Declare("bool", flag.name, _TRUE, loop.line)
    return Counted([declared, replace(loop, condition=head, body=body)], loop.variable)


def _while(loop: While, before: list[Statement], fresh: Callable[[str], str]) -> Counted | None:
    tests = [] if loop.condition == _TRUE else all_of(loop.condition)
    ends = [one for one in loop.body if isinstance(one, If) and one.then and isinstance(one.then[-1], Break)]
    behind = [part for one in ends for part in all_of(_holds(one.condition))]
    for part in [*tests, *behind]:
        if not isinstance(part, Binary) or not isinstance(part.left, Variable | Element):
            continue
        place, start = part.left, _value_before(before, part.left)
        if start is None or not _counts(part, place, loop.body) or not _steps(loop.body, place):
            continue
        turn, flag = fresh("turn"), Variable(fresh("goes_on"))
        bound = part.right if start == ZERO else Binary("-", part.right, start)
        test: Expression = Binary(part.operator, Variable(turn), bound)
        if part not in tests:  # the turn in which it fails has begun
            one_more = Binary("+", bound, ONE) if part.operator == "<=" else bound
            test = Binary("||", Binary("<=", Variable(turn), one_more), Binary("<=", Variable(turn), ZERO))
        body = _under(flag, [*_tested(flag, tests, loop.line), *_body(loop.body, flag)])
        advance = Update(Variable(turn), "+", ONE, loop.line)
        counted = For(turn, "long long", ZERO, test, 1, advance, body, loop.line)
        return Counted([Declare("bool", flag.name, _TRUE, loop.line), counted], turn)
    return None


def _counts(part: Expression, place: Expression, body: list[Statement]) -> bool:
    """Whether a part of a condition keeps a counter below something that the loop does not change."""
    if not isinstance(part, Binary) or part.operator not in _BELOW or part.left != place:
        return False
    changed = {one.target for one in every(body) if isinstance(one, Assign | Update)}
    return not any(isinstance(inner, Element) or inner in changed for inner in walk(part.right))


def _steps(body: list[Statement], place: Expression) -> bool:
    """Whether every turn adds one or more to a place, and nothing else changes it."""
    changes = [one for one in every(body) if isinstance(one, Assign | Update) and _same(one.target, place)]
    if len(changes) != 1 or changes[0] not in body or not isinstance(changes[0], Update) or changes[0].target != place:
        return False
    step = integer(changes[0].value) if changes[0].operator == "+" else None
    return step is not None and step >= 1


def _same(target: Expression, place: Expression) -> bool:
    """Whether a change of `target` may be one of the counter's place."""
    if isinstance(place, Element):
        return isinstance(target, Element) and target.array == place.array
    return target == place


def _value_before(before: list[Statement], place: Expression) -> Expression | None:
    """What a counter surely is when the loop begins, as a whole number; None where that is not plain."""
    for one in reversed(before):
        if isinstance(one, Declare) and Variable(one.name) == place:
            return one.value if one.value is not None and integer(one.value) is not None else None
        if isinstance(one, Assign) and one.target == place:
            return one.value if integer(one.value) is not None else None
        touched = isinstance(place, Element) and mentions_array([one], place.array)
        if touched or any(isinstance(s, Assign | Update) and s.target == place for s in every([one])):
            return None
    return None


def _breaks_are_plain(body: list[Statement]) -> bool:
    """Whether the loop is only left by `if (...) break;` in its own list of statements."""
    for one in body:
        if isinstance(one, Break):
            return False
        if isinstance(one, If) and leaves_own_loop([one], Break):
            inner = one.then[:-1] if one.then and isinstance(one.then[-1], Break) else one.then
            if leaves_own_loop([*inner, *one.otherwise], Break):
                return False
    return True


def _holds(condition: Expression) -> Expression:
    """What holds where a loop goes on that a condition ends."""
    opposite = {">=": "<", ">": "<=", "<": ">=", "<=": ">"}
    match condition:
        case Unary("!", inner):
            return inner
        case Binary("||", left, right):
            return Binary("&&", _holds(left), _holds(right))
        case Binary(operator, left, right) if operator in opposite and isinstance(left, Variable):
            return Binary(opposite[operator], left, right)
    return negation(condition)


def _tested(flag: Variable, parts: list[Expression], line: int) -> list[Statement]:
    """The flag goes down where one of the parts fails; they are only asked while it is up."""
    return [Assign(flag, reduce(partial(Binary, "&&"), parts), line)] if parts else []


def _body(body: list[Statement], flag: Variable) -> list[Statement]:
    """The statements of a turn, with the flag going down in the place of `break`."""
    out: list[Statement] = []
    for one in body:
        if isinstance(one, If) and one.then and isinstance(one.then[-1], Break):
            down = Assign(flag, _FALSE, one.line)
            one = replace(one, then=[*one.then[:-1], down])
        out.append(one)
    return out


def _under(flag: Variable, statements: list[Statement]) -> list[Statement]:
    """The statements, each under the flag; loops keep their heads outside of it."""
    out: list[Statement] = []
    run: list[Statement] = []

    def flush() -> None:
        if run:
            out.append(If(flag, list(run), [], run[0].line))
            run.clear()

    for one in statements:
        if isinstance(one, Allocate) or (isinstance(one, Declare) and (one.value is None or _is_harmless(one.value))):
            flush()
            out.append(one)
        elif isinstance(one, Declare):
            flush()
            out.append(replace(one, value=None))
            run.append(Assign(Variable(one.name), one.value or ZERO, one.line))
        elif isinstance(one, For) and _has_plain_head(one):
            flush()
            inner = one.body[0] if len(one.body) == 1 else None
            chain = isinstance(inner, For) and _has_plain_head(inner)
            whole: list[Statement] = [If(flag, one.body, [], one.line)]
            body = _under(flag, one.body) if chain else whole
            out.append(replace(one, body=body))
        else:
            run.append(one)
            if any(isinstance(s, Assign) and s.target == flag for s in every([one])):
                flush()
    flush()
    return out


def _has_plain_head(loop: For) -> bool:
    return _is_harmless(loop.start) and _is_harmless(loop.condition) and not leaves_own_loop(loop.body, Break)


def _is_harmless(value: Expression) -> bool:
    """Whether an expression may be evaluated where the source does not: it reads no array and divides by nothing."""
    return not any(
        isinstance(part, Element) or (isinstance(part, Binary) and part.operator in "/%" and not integer(part.right))
        for part in walk(value)
    )
