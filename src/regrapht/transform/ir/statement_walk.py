"""All expressions of a list of statements, and what is asked of them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from regrapht.transform.ir.expressions import Element, Expression, Variable, rewrite, walk
from regrapht.transform.ir.statements import (
    Allocate,
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
    blocks,
    every,
)


def expressions_of(statements: list[Statement]) -> Iterator[Expression]:
    """Every whole expression, in order; their parts are not listed."""
    for statement in every(statements):
        match statement:
            case Assign(target=target, value=value) | Update(target=target, value=value):
                yield target
                yield value
            case If(condition=condition) | While(condition=condition):
                yield condition
            case For(start=start, condition=condition, advance=advance):
                yield start
                yield condition
                yield advance.value
            case Declare(value=value, values=values):
                if value is not None:
                    yield value
                yield from values or ()
            case Return(value=value):
                if value is not None:
                    yield value
            case Allocate(length=length):
                yield length


def rewritten(statements: list[Statement], change: Callable[[Expression], Expression | None]) -> list[Statement]:
    """The statements with every part of every expression replaced by `change(part)` where that is not None; targets included."""
    return [_rewritten(statement, change) for statement in statements]


def _rewritten(statement: Statement, change: Callable[[Expression], Expression | None]) -> Statement:
    def new(expression: Expression) -> Any:  # a target stays a target: callers replace variables by places only
        return rewrite(expression, change)

    match statement:
        case Assign(target, value, line):
            return Assign(new(target), new(value), line)
        case Update(target=target, value=value):
            return replace(statement, target=new(target), value=new(value))
        case Declare(value=value, values=values):
            inside = None if values is None else tuple(new(one) for one in values)
            return replace(statement, value=None if value is None else new(value), values=inside)
        case Allocate(length=length):
            return replace(statement, length=new(length))
        case If(condition, then, otherwise, line):
            return If(new(condition), rewritten(then, change), rewritten(otherwise, change), line)
        case For(start=start, condition=condition, advance=advance, body=body):
            moved = _rewritten(advance, change)
            assert isinstance(moved, Assign | Update)
            known = tuple(new(one) for one in statement.known)
            body = rewritten(body, change)
            return replace(statement, start=new(start), condition=new(condition), advance=moved, body=body, known=known)
        case While(condition, body, line):
            return While(new(condition), rewritten(body, change), line)
        case Return(value, line):
            return Return(None if value is None else new(value), line)
    return statement


def with_blocks(statement: Statement, change: Callable[[list[Statement]], list[Statement]]) -> Statement:
    """The statement with the lists directly inside of it changed."""
    match statement:
        case If(condition, then, otherwise, line):
            return If(condition, change(then), change(otherwise), line)
        case For(body=body) | While(body=body):
            return replace(statement, body=change(body))
    return statement


def without_locals(statements: list[Statement], names: Collection[str]) -> list[Statement]:
    """The statements without declarations and changes of these locals, and without conditions that have nothing left inside."""
    out: list[Statement] = []
    for statement in statements:
        match statement:
            case Declare(name=name) if name in names:
                continue
            case Assign(target=Variable(name=name)) | Update(target=Variable(name=name)) if name in names:
                continue
        kept = with_blocks(statement, lambda block: without_locals(block, names))
        if not isinstance(kept, If) or kept.then or kept.otherwise:
            out.append(kept)
    return out


def with_statement(statements: list[Statement], old: Statement, new: list[Statement]) -> list[Statement]:
    """The statements with others in the place of one of them; what does not hold it stays the same object."""
    out: list[Statement] = []
    for statement in statements:
        if statement is old:
            out += new
        elif any(one is old for one in every([statement])):
            names = ("then", "otherwise") if isinstance(statement, If) else ("body",)
            inside = {name: with_statement(getattr(statement, name), old, new) for name in names}
            out.append(replace(statement, **inside))  # type: ignore[arg-type]
        else:
            out.append(statement)
    return out


def mentions_variable(statements: list[Statement], name: str) -> bool:
    """Whether a variable occurs anywhere, as a target or as a value."""
    return any(part == Variable(name) for whole in expressions_of(statements) for part in walk(whole))


def mentions_array(statements: list[Statement], name: str) -> bool:
    """Whether an element of an array occurs anywhere, as a target or as a value."""
    parts = (part for whole in expressions_of(statements) for part in walk(whole))
    return any(isinstance(part, Element) and part.array == name for part in parts)


def assigned_variables(statements: list[Statement]) -> set[str]:
    """Variables that some statement changes; declarations do not count."""
    return {
        s.target.name for s in every(statements) if isinstance(s, Assign | Update) and isinstance(s.target, Variable)
    }


def leaves_own_loop(statements: list[Statement], kind: type[Break] | type[Continue]) -> bool:
    """Whether a `break` (or `continue`) here is about the loop around `statements` itself."""
    return any(
        isinstance(statement, kind)
        or (isinstance(statement, If) and any(leaves_own_loop(block, kind) for block in blocks(statement)))
        for statement in statements
    )


def ends_early(body: list[Statement]) -> bool:
    """Whether a turn of a loop with this body may end before the body does, with or without the loop."""
    returns = any(isinstance(one, Return) for one in every(body))
    return returns or any(leaves_own_loop(body, kind) for kind in (Break, Continue))


def runs_to_its_end(loop: For) -> bool:
    """Whether nothing but its condition ends a loop or a turn, and its turns leave its variable alone."""
    return not (loop.left_by_flag or ends_early(loop.body) or loop.variable in assigned_variables(loop.body))


def names_in(statements: Sequence[Statement]) -> set[str]:
    """Variables that statements use or declare."""
    own = list(statements)
    known = [one for statement in every(own) if isinstance(statement, For) for one in statement.known]
    used = {p.name for whole in (*expressions_of(own), *known) for p in walk(whole) if isinstance(p, Variable)}
    declared = {one.name for one in every(own) if isinstance(one, Declare)}
    return used | declared | {one.variable for one in every(own) if isinstance(one, For)}


def arrays_in(statements: Sequence[Statement]) -> set[str]:
    """Arrays of which statements use elements."""
    wholes = expressions_of(list(statements))
    return {part.array for whole in wholes for part in walk(whole) if isinstance(part, Element)}


def renamed(statements: Sequence[Statement], names: Mapping[str, str]) -> list[Statement]:
    """The statements with scalars and loop variables under other names, where they are declared, too."""

    def again(value: Any) -> Any:
        if isinstance(value, Expression):
            return rewrite(value, _new_variable)
        if isinstance(value, list | tuple):
            return type(value)(again(part) for part in value)
        if is_dataclass(value) and not isinstance(value, type):
            changed = {field.name: again(getattr(value, field.name)) for field in fields(value)}
            if "variable" in changed:
                changed["variable"] = names.get(changed["variable"], changed["variable"])
            if isinstance(value, Declare):
                changed["name"] = names.get(value.name, value.name)
            return replace(value, **changed)
        return value

    def _new_variable(part: Expression) -> Expression | None:
        return Variable(names[part.name]) if isinstance(part, Variable) and part.name in names else None

    return [again(statement) for statement in statements]


def values_of(body: Sequence[Statement]) -> Iterator[Expression]:
    """What statements read: values, conditions, and the subscripts of what they write; an update's own old value is not counted."""
    for one in every(list(body)):
        if isinstance(one, Assign | Update):
            yield from one.target.subscripts if isinstance(one.target, Element) else ()
            yield one.value
        else:
            yield from expressions_of([with_blocks(one, lambda _: [])])


def arrays_read(body: Sequence[Statement]) -> set[str]:
    """The arrays of which statements read elements."""
    return {part.array for whole in values_of(body) for part in walk(whole) if isinstance(part, Element)}


def run_once(body: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that a turn runs once at most."""
    for one in body:
        yield one
        if isinstance(one, If):
            yield from run_once(one.then)
            yield from run_once(one.otherwise)


def without_empty(body: Sequence[Statement]) -> list[Statement]:
    """The statements without conditions and loops that have nothing inside."""
    out: list[Statement] = []
    for one in body:
        kept = with_blocks(one, without_empty)
        if isinstance(kept, If) and not kept.then and not kept.otherwise:
            continue
        if isinstance(kept, For | While) and not kept.body:
            continue
        out.append(kept)
    return out
