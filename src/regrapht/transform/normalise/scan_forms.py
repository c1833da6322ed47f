"""Loops that a scan could take if what they read back from memory were in locals: forms that put it there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Conditional,
    Element,
    Expression,
    Unary,
    Variable,
    integer,
    rewrite,
    walk,
)
from regrapht.transform.ir.idioms import negation
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import (
    arrays_in,
    assigned_variables,
    expressions_of,
    names_in,
    rewritten,
    runs_to_its_end,
    with_blocks,
    with_statement,
)
from regrapht.transform.ir.statements import Assign, Declare, For, Function, If, Statement, Update, blocks, every
from regrapht.transform.normalise.forms import Form
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.extremes import extreme_of
from regrapht.transform.plan.nest import Kind
from regrapht.transform.plan.scans import scan_of
from regrapht.transform.polyhedral.loop_tree import Key, loop_key

_OTHERWISE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(slots=True)
class Around:
    """What a loop stands in: the types of names, and names that are free."""

    analysis: Analysis
    loop: For
    types: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        function = self.analysis.function
        self.types |= self.analysis.scop.symbols.types
        self.taken |= {*function.identifiers, *names_in(function.body), *arrays_in(function.body)}

    def fresh(self, name: str) -> str:
        made = fresh_name(name, self.taken)
        self.taken.add(made)
        return made

    def type_of(self, value: Expression) -> str | None:
        try:
            return type_of(value, self.types)
        except CannotTransform:
            return None

    def kind_of(self, name: str) -> str:
        """The type of a variable, or of an array's elements."""
        return self.types.get(name) or self.analysis.scop.element_type(name)

    @property
    def has_turns(self) -> Expression:
        """Whether the loop has any turn."""
        return rewrite(self.loop.condition, lambda part: self.loop.start if part == self.turn else None)

    def held(self, name: str, value: Expression, kind: str, also: Expression | None = None) -> Declare:
        """A local that is set before the loop, if that has any turn, and `also` holds: what it reads might not be there otherwise."""
        test = self.has_turns if also is None else Binary("&&", self.has_turns, also)
        return Declare(kind, name, Conditional(test, value, ZERO), self.loop.line)

    @property
    def turn(self) -> Variable:
        return Variable(self.loop.variable)

    @property
    def declared(self) -> set[str]:
        """What the loop's turns declare."""
        inside = {one.name for one in every(self.loop.body) if isinstance(one, Declare)}
        return inside | {one.variable for one in every(self.loop.body) if isinstance(one, For)}


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A loop in another form, and what stands before and behind it then."""

    before: list[Statement]
    loop: For
    after: list[Statement]

    def and_then(self, other: "Rewritten") -> "Rewritten":
        """Both, of which the second was made of the first's loop."""
        return Rewritten([*self.before, *other.before], other.loop, [*other.after, *self.after])


Rewriting = Callable[[For, Around], Rewritten | None]
"""A loop in such a form; None where it has none."""


def scan_form(written: Rewriting) -> Form[Key]:
    """The form in which loops that `written` takes are scans."""

    def candidates(analysis: Analysis) -> Iterator[tuple[Function, Key]]:
        stuck = _stuck(analysis)
        for loop in [one for one in every(analysis.function.body) if isinstance(one, For) and loop_key(one) in stuck]:
            if loop.step not in (1, -1) or loop.launched or not runs_to_its_end(loop):
                continue
            if not _is_fixed(loop.start, loop) or not _is_fixed(loop.condition, loop):
                continue
            around = Around(analysis, loop)
            own = _with_own_scalars(loop, around)
            new = written(own.loop, around)
            if new is not None:
                new = own.and_then(new)
                body = with_statement(analysis.function.body, loop, [*new.before, new.loop, *new.after])
                yield replace(analysis.function, body=body), loop_key(loop)

    return Form(candidates, lambda before, after, key: _stuck(after) == _stuck(before) - {key})


def _stuck(analysis: Analysis) -> set[Key]:
    """The loops that one thread runs, and that are neither scans nor searches for an extreme value."""
    serial = [nest for nest in analysis.nests if nest.kind is Kind.SERIAL and nest.chain]
    none = [
        nest
        for nest in serial
        if isinstance(scan_of(nest, analysis.scop), str) and isinstance(extreme_of(nest, analysis.scop), str)
    ]
    return {loop_key(nest.root) for nest in none}


def _with_own_scalars(loop: For, around: Around) -> Rewritten:
    """The loop with single elements that it changes, such as a returned value or `count[0]`, in locals."""
    parts = [part for whole in expressions_of(loop.body) for part in walk(whole) if isinstance(part, Element)]
    targets = [one.target for one in every(loop.body) if isinstance(one, Assign | Update)]
    names: dict[Element, Variable] = {}
    for one in dict.fromkeys(target for target in targets if isinstance(target, Element)):
        fixed = all(integer(index) is not None for index in one.subscripts)
        if fixed and all(part == one for part in parts if part.array == one.array):
            names[one] = Variable(around.fresh(f"{one.array}_here"))
            around.types[names[one].name] = around.kind_of(one.array)
    if not names:
        return Rewritten([], loop, [])
    body = rewritten(loop.body, lambda part: names.get(part) if isinstance(part, Element) else None)
    before: list[Statement] = [around.held(to.name, one, around.kind_of(one.array)) for one, to in names.items()]
    kept: list[Statement] = [Assign(one, to, loop.line) for one, to in names.items()]
    return Rewritten(before, replace(loop, body=body), [If(around.has_turns, kept, [], loop.line)])


def _is_fixed(whole: Expression, loop: For) -> bool:
    """Whether an expression has one value before the loop and in all of its turns, its variable aside."""
    changed = assigned_variables(loop.body)
    return not any(
        isinstance(part, Element) or (isinstance(part, Variable) and part.name in changed) for part in walk(whole)
    )


def counts_up(one: Statement) -> bool:
    """Whether a statement adds one to a variable."""
    return (
        isinstance(one, Update) and isinstance(one.target, Variable) and (one.operator, integer(one.value)) == ("+", 1)
    )


def with_counter_behind(loop: For, around: Around) -> Rewritten:
    """`out[++k] = v` as `out[m++] = v`, where `m` is one more than `k`; the loop as it is where there is nothing like it."""
    for block in [loop.body, *(part for one in loop.body if isinstance(one, If) for part in blocks(one))]:
        for place, one in enumerate(block):
            if isinstance(one, Update) and isinstance(one.target, Variable) and counts_up(one):
                found = _behind(loop, around, block, place, one.target)
                if found is not None:
                    return found
    return Rewritten([], loop, [])


def _behind(loop: For, around: Around, block: list[Statement], place: int, counter: Variable) -> Rewritten | None:
    step, rest = block[place], block[place + 1 :]
    writes = list(takewhile(lambda one: counter in _subscripts(one), rest))
    if not writes or sum(isinstance(one, Assign | Update) and one.target == counter for one in every(loop.body)) != 1:
        return None
    assert isinstance(step, Update)
    following = Variable(around.fresh(f"{counter.name}_next"))
    less, more = Binary("-", following, ONE), Binary("+", counter, ONE)

    def by_following(part: Expression) -> Expression | None:
        return following if part == more else less if part == counter else None

    moved = rewritten(writes, lambda part: more if part == counter else None)
    new = [*block[:place], *moved, replace(step, target=following), *rest[len(writes) :]]
    body = rewritten(_with_block(loop.body, block, new), by_following)
    declared = Declare(around.kind_of(counter.name), following.name, more, loop.line)
    return Rewritten([declared], replace(loop, body=body), [Assign(counter, less, loop.line)])


def _subscripts(one: Statement) -> tuple[Expression, ...]:
    return one.target.subscripts if isinstance(one, Assign) and isinstance(one.target, Element) else ()


def _with_block(body: list[Statement], old: list[Statement], new: list[Statement]) -> list[Statement]:
    return new if body is old else [with_blocks(one, lambda block: _with_block(block, old, new)) for one in body]


def any_of(condition: Expression, around: Around) -> list[Expression]:
    """The parts of a condition of which one must hold."""
    match condition:
        case Binary("||", left, right):
            return [*any_of(left, around), *any_of(right, around)]
        case Unary("!", Binary("&&", left, right)):
            return [*any_of(negation(left), around), *any_of(negation(right), around)]
        case Unary("!", Unary("!", operand)):
            return any_of(operand, around)
        case Unary("!", Binary(operator, left, right)) if operator in _OTHERWISE:
            kinds = [around.type_of(left), around.type_of(right)]
            if operator in ("==", "!=") or all(kind is not None and is_integer(kind) for kind in kinds):
                return [Binary(_OTHERWISE[operator], left, right)]
    return [condition]
