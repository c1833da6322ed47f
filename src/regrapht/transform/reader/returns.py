"""`return` and `continue` out of conditions and loops, as conditions, flags and `break`."""

from dataclasses import replace

from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import FALSE, TRUE, ZERO, Cast, Element, Unary, Variable
from regrapht.transform.ir.idioms import negation
from regrapht.transform.ir.statement_walk import leaves_own_loop, rewritten
from regrapht.transform.ir.statements import (
    RESULT,
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
from regrapht.transform.reader.context import Context


def without_inner_returns(
    body: list[Statement], result: Variable | Element | None, context: Context, *, is_truth: bool = False
) -> list[Statement]:
    """The statements without `return`: a value goes to `result`, what stands behind a taken `return` does not run.

    Args:
        is_truth: Whether the value is made a `bool`, which `result` is no place of.
    """
    return _Leaving(Return, result, context, is_truth=is_truth).block(body, last=True)


def without_continue(body: list[Statement], context: Context) -> list[Statement]:
    """The body of a loop without a `continue` of its own: what it skips stands under a condition."""
    return _Leaving(Continue, None, context).block(body, last=True)


class _Leaving:
    """Takes one kind of jump out of statements. A `continue` is one out of the loop's body, which inner loops do not hold."""

    def __init__(
        self,
        kind: type[Return] | type[Continue],
        result: Variable | Element | None,
        context: Context,
        *,
        is_truth: bool = False,
    ) -> None:
        self.kind, self.result, self.context, self.is_truth = kind, result, context, is_truth

    def _leaves(self, statements: list[Statement]) -> bool:
        if self.kind is Continue:
            return leaves_own_loop(statements, Continue)
        return any(isinstance(statement, Return) for statement in every(statements))

    def block(self, statements: list[Statement], *, last: bool) -> list[Statement]:
        """A list of statements behind which nothing runs (`last`: of the function)."""
        for position, statement in enumerate(statements):
            front, rest = statements[:position], statements[position + 1 :]
            if isinstance(statement, self.kind):
                return [*front, *self._value(statement)]
            if not self._leaves([statement]):
                continue
            if isinstance(statement, If):
                return [*front, *self._if(statement, rest, last=last)]
            assert isinstance(statement, For | While)
            return [*front, *self._loop(statement, rest, last=last)]
        return statements

    def _value(self, statement: Return | Continue) -> list[Statement]:
        if isinstance(statement, Continue) or statement.value is None or self.result is None:
            return []
        value = statement.value
        if self.is_truth and type_of(value, self.context.types) != "bool":
            value = Cast("bool", value)
        return [Assign(self.result, value, statement.line)]

    def _if(self, statement: If, rest: list[Statement], *, last: bool) -> list[Statement]:
        then, otherwise = self._closed(statement.then, rest), self._closed(statement.otherwise, rest)
        if then is None or otherwise is None:  # a branch leaves only sometimes: a flag says whether it did
            flag, declared = self._flag(statement.line)
            parts = [self._flagged(part, flag) for part in (statement.then, statement.otherwise)]
            goes_on: list[Statement] = [If(Unary("!", flag), self.block(rest, last=last), [], statement.line)]
            return [declared, If(statement.condition, parts[0], parts[1], statement.line), *(goes_on if rest else [])]
        then, otherwise = self.block(then, last=last), self.block(otherwise, last=last)
        if not then:
            return [If(negation(statement.condition), otherwise, [], statement.line)] if otherwise else []
        return [If(statement.condition, then, otherwise, statement.line)]

    def _closed(self, branch: list[Statement], rest: list[Statement]) -> list[Statement] | None:
        """A branch with what follows it; None where it only sometimes returns."""
        if branch and isinstance(branch[-1], self.kind) and not self._leaves(branch[:-1]):
            return branch
        return None if self._leaves(branch) and rest else [*branch, *rest]

    def _loop(self, statement: For | While, rest: list[Statement], *, last: bool) -> list[Statement]:
        if not rest and last and not any(self._leaves([s]) for s in statement.body if isinstance(s, For | While)):
            return [_with_body(statement, self._broken(statement.body, None))]
        flag, declared = self._flag(statement.line)
        looped = _with_body(statement, self._broken(statement.body, flag))
        goes_on: list[Statement] = [If(Unary("!", flag), self.block(rest, last=last), [], statement.line)]
        return [declared, looped, *(goes_on if rest else [])]

    def _flag(self, line: int) -> tuple[Variable, Declare]:
        name = self.context.fresh("returned", "bool")
        return Variable(name), Declare("bool", name, FALSE, line)

    def _flagged(self, statements: list[Statement], flag: Variable) -> list[Statement]:
        """Statements of a branch: `return` sets the flag, what stands behind asks it."""
        out: list[Statement] = []
        for position, statement in enumerate(statements):
            if isinstance(statement, self.kind):
                return [*out, *self._value(statement), Assign(flag, TRUE, statement.line)]
            if not self._leaves([statement]):
                out.append(statement)
                continue
            if isinstance(statement, If):
                parts = [self._flagged(part, flag) for part in (statement.then, statement.otherwise)]
                out.append(If(statement.condition, parts[0], parts[1], statement.line))
            else:
                assert isinstance(statement, For | While)
                out.append(_with_body(statement, self._broken(statement.body, flag)))
            rest = self._flagged(statements[position + 1 :], flag)
            return [*out, If(Unary("!", flag), rest, [], statement.line)] if rest else out
        return out

    def _broken(self, statements: list[Statement], flag: Variable | None) -> list[Statement]:
        """The body of a loop: `return` sets the flag and leaves the loop."""
        out: list[Statement] = []
        for statement in statements:
            if isinstance(statement, self.kind):
                done: list[Statement] = [] if flag is None else [Assign(flag, TRUE, statement.line)]
                return [*out, *self._value(statement), *done, Break(statement.line)]
            if isinstance(statement, If) and self._leaves([statement]):
                parts = [self._broken(part, flag) for part in (statement.then, statement.otherwise)]
                out.append(If(statement.condition, parts[0], parts[1], statement.line))
            elif isinstance(statement, For | While) and self._leaves([statement]):
                assert flag is not None
                out.append(_with_body(statement, self._broken(statement.body, flag)))
                out.append(If(flag, [Break(statement.line)], [], statement.line))
            else:
                out.append(statement)
        return out


def _with_body(loop: For | While, body: list[Statement]) -> For | While:
    return replace(loop, body=body)


def merge_result(function: Function) -> list[Statement]:
    """The body of `function`; `T s = x; ...; result[0] = s;` becomes `result[0] = x; ...` where the types agree."""
    body, place = function.body, Element(RESULT, (ZERO,))
    last = body[-1] if body else None
    if not isinstance(last, Assign) or last.target != place or not isinstance(last.value, Variable):
        return body
    name = last.value.name
    declared = [s for s in body if isinstance(s, Declare) and s.name == name]
    others = [s for s in every(body) if isinstance(s, Assign) and s.target == place]
    updates = [s for s in every(body) if isinstance(s, Assign | Update) and s.target == last.value]
    if function.returns == "bool":
        return body  # a task has no such outputs: what is kept for a truth would no longer be made one
    if len(declared) != 1 or declared[0].type != function.returns or len(others) != 1 or not updates:
        return body

    out = rewritten(body[:-1], lambda part: place if part == last.value else None)
    position = body.index(declared[0])
    first = out[position]
    assert isinstance(first, Declare)
    out[position : position + 1] = [] if first.value is None else [Assign(place, first.value, first.line)]
    return out
