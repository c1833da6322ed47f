"""Loops that data end early (find the first, any, all, compare), as a search for the turn that ends them and what is left to do.

`for (i = 0; i < n; ++i) { s += x[i]; if (y[i] == key) { at = i; break; } }` is the least `i` with `y[i] == key`, which threads find as they
find any other minimum; then `s += x[i]` of all turns before it; then that turn itself. What the turns test must not hang on what they do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from regrapht.transform.ir.expressions import (
    ONE,
    Binary,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Variable,
    integer,
    number,
    place_name,
    walk,
)
from regrapht.transform.ir.idioms import all_of, negation
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import (
    arrays_in,
    assigned_variables,
    expressions_of,
    leaves_own_loop,
    names_in,
    renamed,
    rewritten,
    with_statement,
)
from regrapht.transform.ir.statements import (
    RESULT,
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
    blocks,
    every,
)
from regrapht.transform.normalise.data_dependent_exits import counts
from regrapht.transform.normalise.forms import Form, has_more_threads
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.polyhedral.loop_tree import Key, loop_key

_NEVER = {True: Number("LLONG_MAX"), False: Number("LLONG_MIN")}
"""The turn that ends a loop which goes up (or down), where none does."""
_TOWARDS = {1: ("<",), -1: (">", ">=")}
"""How a counter that moves by so much is held against its end."""


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, frozenset[Key]]]:
    return with_searches(analysis.function)


def _accept(before: Analysis, after: Analysis, loops: frozenset[Key]) -> bool:
    return has_more_threads(before.nests, after.nests, after.scop.tree, loops, first=True)


EARLY_EXITS = Form(_candidates, _accept)


def with_searches(function: Function) -> Iterator[tuple[Function, frozenset[Key]]]:
    """For each such loop: the function with what it stands for in its place, and the loop of the search."""
    for loop, before in _loops(function.body):
        taken = set(function.identifiers) | names_in(function.body)
        counted = _counted(function, loop, before, taken)
        first, alone = counted if counted is not None else ([], loop)
        turn = _Turn.of(alone) if isinstance(alone, For) else None
        if turn is None:
            continue
        made, search = _written(turn, taken)
        body = with_statement(function.body, loop, [*first, *made])
        yield replace(function, body=body, identifiers=frozenset(taken)), frozenset({loop_key(search)})


def _loops(statements: list[Statement]) -> Iterator[tuple[For | While, Statement | None]]:
    """All loops, each with the statement before it in its list."""
    for place, one in enumerate(statements):
        if isinstance(one, For | While):
            yield one, statements[place - 1] if place else None
        for block in blocks(one):
            yield from _loops(block)


def _counted(
    function: Function, loop: For | While, before: Statement | None, taken: set[str]
) -> tuple[list[Statement], For] | None:
    """`i = 0; while (i < n && ...) { ...; ++i; }` as a loop with a counter of its own, and what `i` is where nothing ends it early.

    A loop that has a counter already may move another beside it.
    """
    body, step = loop.body[:-1], loop.body[-1] if loop.body else None
    if not isinstance(before, Assign | Declare) or before.value is None or not isinstance(step, Update):
        return None
    start, place = before.value, before.target if isinstance(before, Assign) else Variable(before.name)
    kind, by = _type_of(function, place), integer(step.value)
    if kind is None or step.target != place or step.operator != "+" or by not in (1, -1):
        return None
    changed = [place_name(one.target) for one in every(body) if isinstance(one, Assign | Update)]
    if place_name(place) in changed or leaves_own_loop(body, Continue):
        return None
    parts = all_of(loop.condition)
    if isinstance(loop, While):
        counter, first, counter_type = Variable(fresh_name("turn", taken)), start, kind
        taken.add(counter.name)
        heads = [
            part for part in parts if isinstance(part, Binary) and part.operator in _TOWARDS[by] and part.left == place
        ]
        now: Expression = counter
    elif by == 1 and loop.step == 1 and integer(loop.start) == 0:
        counter, first, counter_type = Variable(loop.variable), loop.start, loop.type
        heads = [part for part in parts if isinstance(part, Binary) and part.operator == "<" and counts(part, loop)]
        now = Binary("+", start, Cast(kind, counter))
    else:
        return None
    if len(heads) != 1:
        return None
    head = heads[0]
    others = [part for part in parts if part is not head]
    if _is_meant_otherwise(place, [start, head.right], [*others, *expressions_of(body)]):
        return None
    end = _minus_one(head.right) if head.operator == ">=" else head.right
    after = Binary("+", start, Cast(kind, end)) if isinstance(loop, For) else end
    passed = Conditional(Binary(head.operator, first, head.right), after, start)

    def told(part: Expression) -> Expression | None:
        return now if part == place else None

    ends: list[Statement] = [If(negation(part), [Break(loop.line)], [], loop.line) for part in others]
    inside = _with_ends_noted(rewritten([*ends, *body], told), Assign(place, now, loop.line))
    made = For(
        counter.name,
        counter_type,
        first,
        replace(head, left=counter),
        by,
        Update(counter, "+", step.value, loop.line),
        inside,
        loop.line,
    )
    return [Assign(place, passed, loop.line)], made


def _minus_one(value: Expression) -> Expression:
    known = integer(value)
    return Binary("-", value, ONE) if known is None else number(known - 1)


def _is_meant_otherwise(place: Variable | Element, bounds: Sequence[Expression], body: Sequence[Expression]) -> bool:
    """Whether bounds name a place that counts, or the body may read it as another element of its array."""
    bound = any(
        place_name(part) == place_name(place)
        for one in bounds
        for part in walk(one)
        if isinstance(part, Variable | Element)
    )
    elements = [part for one in body for part in walk(one) if isinstance(part, Element)]
    return bound or (isinstance(place, Element) and any(e.array == place.array and e != place for e in elements))


def _type_of(function: Function, place: Variable | Element) -> str | None:
    """The type of a place that counts, where that is a local of whole numbers, the value that is returned or a fixed element."""
    if isinstance(place, Element):
        arrays = {one.name: one.type for one in function.parameters if one.is_pointer} | {RESULT: function.returns}
        kind = arrays.get(place.array) if all(integer(index) is not None for index in place.subscripts) else None
    else:
        kind = next(
            (one.type for one in every(function.body) if isinstance(one, Declare) and one.name == place.name), None
        )
    return kind if kind is not None and is_integer(kind) and size_bytes(kind) >= 4 else None


def _with_ends_noted(body: list[Statement], note: Statement) -> list[Statement]:
    """The statements with one more before each early end."""
    out: list[Statement] = []
    for one in body:
        if isinstance(one, If) and _is_end(one):
            one = replace(
                one, then=[*one.then[:-1], note, one.then[-1]], otherwise=_with_ends_noted(one.otherwise, note)
            )
        out.append(one)
    return out


@dataclass(frozen=True, slots=True)
class _Turn:
    """A loop with its early ends as conditions in a row: the first that holds ends it."""

    loop: For
    """With a head that only counts."""
    body: list[Statement]
    """Where an end in the head of the source is the first condition."""

    @staticmethod
    def of(loop: For) -> "_Turn | None":
        """The turn of a loop that may be written so; None for any other."""
        if loop.left_by_flag or loop.launched or not loop.step or loop.variable in assigned_variables(loop.body):
            return None
        parts = all_of(loop.condition)
        head = [part for part in parts if counts(part, loop)]
        ends = [part for part in parts if part not in head]
        if len(head) != 1 or not (ends or leaves_own_loop(loop.body, Break)):
            return None
        body = [*(If(negation(part), [Break(loop.line)], [], loop.line) for part in ends), *loop.body]
        if any(isinstance(one, Return | Continue | While | Allocate) for one in every(body)) or not _ends_are_plain(
            body
        ):
            return None
        turn = _Turn(replace(loop, condition=head[0]), body)
        return turn if turn.is_told_beforehand() else None

    def is_told_beforehand(self) -> bool:
        """Whether what the turns test is not changed by any of them, and can be had in turns that the source never comes to."""
        tests = _tests(self.body, [], _own(self.body))
        if _goes_by_data(tests):
            return False
        kept = {id(one) for one in every(tests)}
        done = [one for one in every(_without_ends(self.body)) if id(one) not in kept]
        changed = {place_name(one.target) for one in done if isinstance(one, Assign | Update)}
        return not changed & (names_in(tests) | arrays_in(tests))


def _written(turn: _Turn, taken: set[str]) -> tuple[list[Statement], For]:
    """The statements that a loop stands for, and the first loop among them; names that are made are added to `taken`."""
    loop, body = turn.loop, turn.body
    goes_up = (loop.step or 0) > 0

    def fresh(name: str) -> str:
        made = fresh_name(name, taken)
        taken.add(made)
        return made

    def copied(statements: list[Statement]) -> list[Statement]:
        own = sorted(_own(statements) | {one.variable for one in every(statements) if isinstance(one, For)})
        return renamed(statements, {name: fresh(name) for name in own})

    ends_at = Variable(fresh("ends_at"))
    note: list[Statement] = [Update(ends_at, "min" if goes_up else "max", Variable(loop.variable), loop.line)]
    looked_at = replace(loop, body=_tests(body, note, _own(body)))
    (search,) = copied([looked_at])
    assert isinstance(search, For)
    made: list[Statement] = [Declare("long long", ends_at.name, _NEVER[goes_up], loop.line), search]
    before = _without_ends(body)
    if _has_effects(before):
        is_before = Binary("<" if goes_up else ">", Variable(loop.variable), ends_at)
        made.append(replace(loop, body=[If(is_before, before, [], loop.line)]))
    last = copied(_last(body))
    if _has_effects(last):
        here = Cast(loop.type, ends_at)
        last = rewritten(last, lambda part: here if part == Variable(loop.variable) else None)
        made.append(If(Binary("!=", ends_at, _NEVER[goes_up]), last, [], loop.line))
    return made, search


def _is_end(statement: Statement) -> bool:
    return isinstance(statement, If) and bool(statement.then) and isinstance(statement.then[-1], Break)


def _ends_are_plain(body: Sequence[Statement]) -> bool:
    """Whether a turn ends the loop in its own list of statements alone: by `if (...) { ...; break; }`."""
    for one in body:
        if isinstance(one, If) and _is_end(one):
            if leaves_own_loop(one.then[:-1], Break) or not _ends_are_plain(one.otherwise):
                return False
        elif isinstance(one, Break) or leaves_own_loop([one], Break):
            return False
    return True


def _own(statements: Sequence[Statement]) -> set[str]:
    return {one.name for one in every(list(statements)) if isinstance(one, Declare)}


def _tests(body: Sequence[Statement], note: list[Statement], own: set[str]) -> list[Statement]:
    """The conditions alone, with what they need of the turn's own, and `note` where one holds."""
    out: list[Statement] = []
    for place, one in enumerate(body):
        rest = body[place + 1 :]
        if isinstance(one, If) and _is_end(one):
            return [*out, If(one.condition, note, _tests([*one.otherwise, *rest], note, own), one.line)]
        targets = {place_name(s.target) for s in every([one]) if isinstance(s, Assign | Update)}
        if targets <= own:
            out.append(one)
    return []


def _without_ends(body: Sequence[Statement]) -> list[Statement]:
    """A turn that does not end the loop."""
    out: list[Statement] = []
    for one in body:
        out += _without_ends(one.otherwise) if isinstance(one, If) and _is_end(one) else [one]
    return out


def _last(body: Sequence[Statement]) -> list[Statement]:
    """The turn that ends the loop, without the end."""
    out: list[Statement] = []
    for place, one in enumerate(body):
        if isinstance(one, If) and _is_end(one):
            otherwise = _last([*one.otherwise, *body[place + 1 :]])
            return [*out, If(one.condition, one.then[:-1], otherwise if _has_effects(otherwise) else [], one.line)]
        out.append(one)
    return []


def _has_effects(statements: Sequence[Statement]) -> bool:
    """Whether anything but the turn's own is changed."""
    own = _own(statements)
    return any(
        isinstance(one, Assign | Update) and place_name(one.target) not in own for one in every(list(statements))
    )


def _goes_by_data(tests: list[Statement]) -> bool:
    """Whether the place of an element, or how often a loop runs, is what data say: there may be no such place behind the end."""
    values = [(one.name, one.value) for one in every(tests) if isinstance(one, Declare) and one.value is not None]
    values += [(place_name(one.target), one.value) for one in every(tests) if isinstance(one, Assign | Update)]
    values += [
        (one.variable, part) for one in every(tests) if isinstance(one, For) for part in (one.start, one.condition)
    ]
    by_data: set[str] = set()

    def told(value: Expression) -> bool:
        return any(
            isinstance(part, Element) or (isinstance(part, Variable) and part.name in by_data) for part in walk(value)
        )

    while more := {name for name, value in values if name not in by_data and told(value)}:
        by_data |= more
    loops = {one.variable for one in every(tests) if isinstance(one, For)}
    subscripts = [
        index
        for whole in expressions_of(tests)
        for part in walk(whole)
        if isinstance(part, Element)
        for index in part.subscripts
    ]
    return bool(loops & by_data) or any(told(index) for index in subscripts)
