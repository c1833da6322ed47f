"""Loops with a data-dependent exit (until something has converged), as loops that the launcher leaves by a flag.

`while (err > tol) { ... }` sets a flag to what the test says, and is left where that is 0. The launcher can run such a loop: it starts the
loops inside in every turn, reads the flag where the source asks for it, and leaves. Nobody has to know how many turns there are. Loops
inside of others are taken where the launcher runs these as well: otherwise a thread for each turn of the outer one may be better.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    integer,
    walk,
)
from regrapht.transform.ir.idioms import all_of, negation
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.ir.statement_walk import leaves_own_loop, with_statement
from regrapht.transform.ir.statements import (
    ALWAYS,
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
from regrapht.transform.normalise.forms import Form, threaded_loops
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.nest import Kind
from regrapht.transform.polyhedral.loop_tree import Key, loop_key

_TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, str]]:
    launched = {variable for nest in analysis.nests for variable in nest.host_loops}
    threads = {key for nest in analysis.nests if nest.kind is not Kind.SERIAL for key in threaded_loops(nest)}
    return with_ways_out(analysis.function, launched, threads)


def _accept(_: Analysis, after: Analysis, variable: str) -> bool:
    """Whether the launcher runs the loop, and starts threads in it."""
    return any(variable in nest.host_loops and nest.is_worth_launching for nest in after.nests)


DATA_DEPENDENT_EXITS = Form(_candidates, _accept)


def with_ways_out(
    function: Function, launched: Container[str], threads: Container[Key] = ()
) -> Iterator[tuple[Function, str]]:
    """For each such loop around others: the function with that loop left by a flag, and the variable that the loop has then.

    `launched` are the variables of loops that the launcher runs already; `threads` are loops whose turns are threads, which stay so.
    """
    for loop in _loops(function.body, launched):
        if isinstance(loop, For) and loop_key(loop) in threads:
            continue
        if any(isinstance(one, Return | Continue) for one in every(loop.body)) or not _breaks_are_plain(loop.body):
            continue
        names = set(function.identifiers)
        flag, turn = _fresh("goes_on", names), _fresh("turn", names)
        tests = _Tests(Variable(flag), _flags(function.body))
        made = _for(loop, tests) if isinstance(loop, For) else _while(loop, tests, turn)
        if made is not None:
            body = with_statement(function.body, loop, [Declare("int", flag, None, loop.line), made])
            yield replace(function, body=body, identifiers=frozenset({*names, flag, turn})), made.variable


def _loops(statements: list[Statement], launched: Container[str]) -> Iterator[For | While]:
    """Loops around others, outer ones first, that are inside of nothing but loops of the launcher."""
    for one in statements:
        if isinstance(one, For | While) and any(isinstance(inner, For) for inner in every(one.body)):
            if not (isinstance(one, For) and one.left_by_flag):
                yield one
            if isinstance(one, For) and one.variable in launched:
                yield from _loops(one.body, launched)


def _fresh(name: str, names: set[str]) -> str:
    chosen, number = name, 2
    while chosen in names:
        chosen, number = f"{name}_{number}", number + 1
    return chosen


def _flags(body: list[Statement]) -> frozenset[str]:
    """Locals of type `int` that change: a loop can be left by one of them as it is."""
    changed = {one.target for one in every(body) if isinstance(one, Assign | Update)}
    declared = [one for one in every(body) if isinstance(one, Declare) and one.type == "int" and not one.lengths]
    return frozenset(one.name for one in declared if Variable(one.name) in changed)


@dataclass(frozen=True, slots=True)
class _Tests:
    """Makes the statements that leave a loop."""

    flag: Variable
    """The loop's own."""
    flags: frozenset[str]
    """Others, of the source."""

    def going_on(self, condition: Expression, line: int) -> list[Statement]:
        """The loop is left unless a condition holds."""
        own = self._own_flag(condition)
        if own is not None:
            return [If(own, [Break(line)], [], line)]
        return [Assign(self.flag, _as_number(condition), line), self._way_out(line)]

    def turn(self, body: list[Statement]) -> list[Statement]:
        """The statements of a turn, each `break` a way out."""
        out: list[Statement] = []
        for one in body:
            if not isinstance(one, If) or not one.then or not isinstance(one.then[-1], Break):
                out.append(one)
            elif len(one.then) == 1 and not one.otherwise:
                out += self.going_on(negation(one.condition), one.line)
            else:
                out.append(Assign(self.flag, _as_number(negation(one.condition)), one.line))
                out.append(replace(one, condition=Unary("!", self.flag), then=one.then[:-1]))
                out.append(self._way_out(one.line))
        return out

    def _way_out(self, line: int) -> If:
        return If(Unary("!", self.flag), [Break(line)], [], line)

    def _own_flag(self, condition: Expression) -> Expression | None:
        """The condition of the way out where a loop goes on by a flag of the source alone."""
        match condition:
            case Variable(name=name) | Binary("!=", Variable(name=name), Number(value=0)) if name in self.flags:
                return Unary("!", Variable(name))
            case Unary("!", Variable(name=name)) | Binary("==", Variable(name=name), Number(value=0)):
                return Variable(name) if name in self.flags else None
        return None


def _while(loop: While, tests: _Tests, turn: str) -> For | None:
    always = integer(loop.condition) not in (None, 0)
    if always and not leaves_own_loop(loop.body, Break):
        return None
    body = [*([] if always else tests.going_on(loop.condition, loop.line)), *tests.turn(loop.body)]
    advance = Update(Variable(turn), "+", ONE, loop.line)
    return For(turn, "int", ZERO, ALWAYS, 1, advance, body, loop.line, left_by_flag=True)


def _for(loop: For, tests: _Tests) -> For | None:
    parts = all_of(loop.condition)
    counting = [part for part in parts if counts(part, loop)]
    others = [part for part in parts if part not in counting and integer(part) in (None, 0)]
    if not loop.step or not (others or leaves_own_loop(loop.body, Break)):
        return None
    if not counting and (loop.step < 0 or size_bytes(loop.type) < 4):
        return None  # the counter may begin again at its other end
    head = reduce(partial(Binary, "&&"), counting) if counting else ALWAYS
    test = tests.going_on(reduce(partial(Binary, "&&"), others), loop.line) if others else []
    return replace(loop, condition=head, body=[*test, *tests.turn(loop.body)], left_by_flag=True)


def counts(part: Expression, loop: For) -> bool:
    """Whether a part of a condition keeps the counter on one side of something that the loop does not change."""
    towards = ("<", "<=") if (loop.step or 0) > 0 else (">", ">=")
    if not isinstance(part, Binary) or part.operator not in towards or part.left != Variable(loop.variable):
        return False
    changed = {one.target for one in every(loop.body) if isinstance(one, Assign | Update)}
    return not any(isinstance(inner, Element) or inner in changed for inner in walk(part.right))


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


def _as_number(condition: Expression) -> Expression:
    """A condition as an `int`: a value of another type is not cut to one."""
    match condition:
        case Unary("!", _):
            return condition
        case Binary(operator, _, _) if operator in _TRUTHS:
            return condition
    return Conditional(condition, ONE, ZERO)
