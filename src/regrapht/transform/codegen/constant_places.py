"""Small local arrays whose every index becomes a constant when loops are unrolled, so that registers can hold them.

Insertion into a sorted array goes down from a place that data choose, `while (at > LOW && test) { body; --at; }`, and stores there. Here
the loop goes over all places that it can come to, and does at each of them what the source does there, or nothing:

    const int start = at;
    bool moving = false;
    for (int place = TOP; place >= LOW; --place) {  // unrolled
        if (place == start) moving = true;
        if (moving) {
            if (place > LOW && test) { body; --at; } else { s[place] = value; moving = false; }
        }
    }

`moving` is true at `place` just where the source's loop comes to `at == place`: at the start, and below it after each turn. So the same
steps happen in the same order, whatever the values are: nothing is assumed of an order among them, of equal ones or of NaN. A start above
TOP has no meaning in the source, whose first turn, or the store, would then be outside of an array.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    integer,
    rewrite,
    walk,
)
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, promoted
from regrapht.transform.ir.statement_walk import (
    assigned_variables,
    expressions_of,
    mentions_array,
    mentions_variable,
    rewritten,
)
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, While, every

_TRUE, _FALSE = Number("true", 1), Number("false", 0)
_MIRRORED = {"<": ">", "<=": ">="}


@dataclass(frozen=True, slots=True)
class _Descent:
    """A loop that goes down by one a turn: `while (at > low && test) { body; --at; }`."""

    at: str
    type: str
    start: Expression
    low: int
    test: Expression | None
    body: list[Statement]
    keeps: bool
    """Whether the place is a variable that lives on after the loop."""


def turns_of(loop: For) -> list[int] | None:
    """The values that the variable of a loop takes where constants bound it, 64 at most; None for other loops."""
    start, found = integer(loop.start), _bound(loop.condition, loop.variable)
    if start is None or found is None or not loop.step or loop.variable in assigned_variables(loop.body):
        return None
    operator, end = found
    tests: dict[str, Callable[[int], bool]] = {
        "<": lambda v: v < end,
        "<=": lambda v: v <= end,
        ">": lambda v: v > end,
        ">=": lambda v: v >= end,
    }
    values: list[int] = []
    while tests[operator](start) and len(values) <= 64:
        values.append(start)
        start += loop.step
    unsigned = is_unsigned(loop.type) and start < 0
    return None if len(values) > 64 or unsigned else values


def _bound(condition: Expression, variable: str) -> tuple[str, int] | None:
    """The operator and the constant that a condition compares a variable with."""
    match condition:
        case Binary("<" | "<=" | ">" | ">=" as operator, Variable(name), end) if name == variable:
            value = integer(end)
        case Binary("<" | "<=" as mirrored, end, Variable(name)) if name == variable:
            return None if integer(end) is None else (_MIRRORED[mirrored], integer(end) or 0)
        case _:
            return None
    return None if value is None else (operator, value)


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    match condition:
        case Binary("&&", left, right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case _:
            yield condition


def _descent(loop: Statement, types: Mapping[str, str]) -> _Descent | None:
    found: tuple[str, Expression, bool]
    match loop:
        case While(condition=condition, body=[*body, Update(Variable(at), "+", step)]) if integer(step) == -1:
            found = types.get(at, ""), Variable(at), True
        case For(variable=at, step=-1, start=start, condition=condition, body=body):
            found = loop.type, start, False
        case _:
            return None
    if not is_integer(found[0]) or at in assigned_variables(body):
        return None
    parts = list(_conjuncts(condition))
    bounds = [(part, bound) for part in parts for bound in [_bound(part, at)] if bound and bound[0] in (">", ">=")]
    if len(bounds) != 1 or not all(isinstance(s, Assign | Update | Declare | If) for s in every(body)):
        return None
    (limit, (operator, value)) = bounds[0]
    if isinstance(limit, Binary) and not is_unsigned(found[0]) and is_unsigned(_wider(limit, types)):
        return None  # a negative place would count as a large one
    low = value if operator == ">" else value - 1
    if low < (0 if is_unsigned(found[0]) else -1):
        return None
    test: Expression | None = None
    for part in parts:
        if part is not limit:
            test = part if test is None else Binary("&&", test, part)
    return _Descent(at, *found[:2], low, test, body, found[2])


def _wider(comparison: Binary, types: Mapping[str, str]) -> str:
    """The type that a comparison is made in; the widest unsigned one where that is not known."""
    try:
        return promoted(type_of(comparison.left, types), type_of(comparison.right, types))
    except CannotTransform:
        return "unsigned long long"


def _offset(subscript: Expression, at: str) -> int | None:
    """How far a subscript is above the place `at`."""
    match subscript:
        case Variable(name) if name == at:
            return 0
        case Binary("+" | "-" as sign, Variable(name), more) if name == at:
            distance = integer(more)
            return None if distance is None else distance if sign == "+" else -distance
    return None


@dataclass(slots=True)
class ConstantPlaces:
    """Rewrites statements so that the arrays `lengths` are accessed at places that are constants after unrolling, where it can.

    `fresh` makes names that nothing else has, always the same for the same name.
    """

    lengths: Mapping[str, int]
    types: Mapping[str, str]
    fresh: Callable[[str], str]
    descents: int = 0
    """Loops that were rewritten."""
    named: dict[str, int] = field(default_factory=dict)
    """How often a word was made a name."""

    def statements(self, statements: list[Statement], fixed: Collection[str]) -> list[Statement]:
        """The statements in that form; `fixed` are variables that are constants after unrolling."""
        out: list[Statement] = []
        left = list(statements)
        while left:
            one = left.pop(0)
            descent = _descent(one, self.types)
            found = self._descended(descent, left, one.line) if descent is not None else None
            if found is not None:
                out += found[0]
                del left[: found[1]]
                continue
            out += self._one(one, fixed)
        return out

    def _one(self, one: Statement, fixed: Collection[str]) -> list[Statement]:
        match one:
            case Assign(target=Element(array=array, subscripts=(place,))) if array in self.lengths:
                return self._stored(one, array, place, fixed)
            case If(condition, then, otherwise, line):
                return [If(condition, self.statements(then, fixed), self.statements(otherwise, fixed), line)]
            case While(body=body):
                return [replace(one, body=self.statements(body, fixed))]
            case For(body=body) if turns_of(one) is not None and any(
                mentions_array(body, name) for name in self.lengths
            ):
                return [replace(one, body=self.statements(body, {*fixed, one.variable}), unrolled=True)]
            case For(body=body):
                return [replace(one, body=self.statements(body, fixed))]
        return [one]

    def _name(self, word: str) -> str:
        self.named[word] = self.named.get(word, 0) + 1
        return self.fresh(word if self.named[word] == 1 else f"{word}_{self.named[word]}")

    # ---- a store at a place that data choose

    def _stored(self, one: Assign, array: str, place: Expression, fixed: Collection[str]) -> list[Statement]:
        """A store as one at each place, of which the right one happens."""
        if is_constant(place, fixed) or any(isinstance(part, Element | Call) for part in walk(place)):
            return [one]
        head: list[Statement] = []
        value = one.value
        if not isinstance(value, Variable | Number):  # computed once, not at each place
            name = self._name("stored")
            head, value = [Declare(self.types[array], name, value, one.line)], Variable(name)
        counter = Variable(self.fresh("place"))
        same = Binary("==", _as(counter, type_of(place, self.types)), place)
        store = If(same, [Assign(Element(array, (counter,)), value, one.line)], [], one.line)
        return [*head, _over(counter, 0, self.lengths[array] - 1, 1, [store], one.line)]

    # ---- a loop that goes down from a place that data choose

    def _descended(self, loop: _Descent, after: list[Statement], line: int) -> tuple[list[Statement], int] | None:
        """What a loop and the stores at the place where it ends become, with the number of these stores; None where it stays."""
        inside = [*([If(loop.test, [], [], line)] if loop.test is not None else []), *loop.body]
        top = self._top(loop)
        if top is None or not self._within(inside, loop.at, loop.low + 1, top):
            return None
        stores = self._stores(loop, top, after)
        counter = Variable(self.fresh("place"))

        def moved(part: Expression) -> Expression | None:
            match part:
                case Element(array, (subscript,)) if array in self.lengths:
                    offset = _offset(subscript, loop.at)
                    return None if offset is None else Element(array, (_plus(counter, offset),))
            return None

        body = rewritten(loop.body, moved)
        if loop.keeps:
            body = [*body, Update(Variable(loop.at), "+", Unary("-", _number(1)), line)]
        test = None if loop.test is None else rewrite(loop.test, moved)
        if not loop.keeps and (mentions_variable([*body, If(test or _TRUE, [], [], line)], loop.at)):
            return None
        start, moving = Variable(self._name(f"{loop.at}_start")), Variable(self._name("moving"))
        if stores:
            lower: Expression = Binary(">", counter, _number(loop.low))
            test = lower if test is None else Binary("&&", lower, test)
        ends = [*rewritten(stores, moved), Assign(moving, _FALSE, line)]
        step: list[Statement] = [If(test, body, ends, line)] if test is not None else body
        turn: list[Statement] = [
            If(Binary("==", _as(counter, loop.type), start), [Assign(moving, _TRUE, line)], [], line),
            If(moving, step, [], line),
        ]
        self.descents += 1
        first = [Declare(loop.type, start.name, loop.start, line), Declare("bool", moving.name, None, line)]
        whole = _over(counter, top, loop.low if stores else loop.low + 1, -1, turn, line)
        return [*first, Assign(moving, _FALSE, line), whole], len(stores)

    def _top(self, loop: _Descent) -> int | None:
        """The highest place at which a turn stays inside of the arrays; None where no access of every turn says so."""
        places: list[int] = []
        for one in loop.body:
            for whole in [] if isinstance(one, If) else expressions_of([one]):
                parts = list(walk(whole))
                if any(
                    isinstance(p, Conditional) or (isinstance(p, Binary) and p.operator in ("&&", "||")) for p in parts
                ):
                    continue
                for part in parts:
                    if isinstance(part, Element) and part.array in self.lengths:
                        offset = _offset(part.subscripts[0], loop.at)
                        places += [] if offset is None else [self.lengths[part.array] - 1 - offset]
        return min(places) if places and min(places) > loop.low else None

    def _within(self, statements: list[Statement], at: str, low: int, high: int) -> bool:
        """Whether all accesses relative to a place are inside of their arrays from `low` to `high`."""
        for part in (part for whole in expressions_of(statements) for part in walk(whole)):
            if isinstance(part, Element) and part.array in self.lengths:
                offset = _offset(part.subscripts[0], at)
                if offset is not None and not (low + offset >= 0 and high + offset < self.lengths[part.array]):
                    return False
        return True

    def _stores(self, loop: _Descent, top: int, after: list[Statement]) -> list[Statement]:
        """The stores right after a loop, at the place where it ends, which then are part of it.

        They are taken where a place below the loop's own or above `top` would be outside of an array.
        """
        found: list[Statement] = []
        for one in after if loop.keeps else []:
            match one:
                case Assign(Element(array, (subscript,)), value) if (
                    array in self.lengths
                    and _offset(subscript, loop.at) is not None
                    and not any(isinstance(part, Call) for part in walk(value))
                ):
                    found.append(one)
                case _:
                    break
        while found and not self._within(found, loop.at, loop.low, top):
            found.pop()
        firm = any(
            isinstance(one, Assign)
            and isinstance(one.target, Element)
            and _offset(one.target.subscripts[0], loop.at) == -loop.low
            and top - loop.low == self.lengths[one.target.array] - 1
            for one in found
        )
        return found if firm else []


def is_constant(place: Expression, fixed: Collection[str]) -> bool:
    """Whether a subscript is a constant where the variables `fixed` are."""
    return not any(
        isinstance(part, Element | Call) or (isinstance(part, Variable) and part.name not in fixed)
        for part in walk(place)
    )


def uses_of(
    statements: list[Statement], arrays: Collection[str], fixed: Mapping[str, int], times: int = 1
) -> Iterator[tuple[str, bool, int]]:
    """Each access of some arrays: the array, whether its place is a constant after unrolling, and how often it is then written.

    `fixed` are the variables that are constants then.
    """
    for one in statements:
        own: Statement = one
        if isinstance(one, For | While):
            own = replace(one, body=[])
        elif isinstance(one, If):
            own = replace(one, then=[], otherwise=[])
        for part in (part for whole in expressions_of([own]) for part in walk(whole)):
            if isinstance(part, Element) and part.array in arrays:
                yield part.array, len(part.subscripts) == 1 and is_constant(part.subscripts[0], fixed), times
            elif isinstance(part, Variable) and part.name in arrays:
                yield part.name, False, times
        if isinstance(one, For):
            values = turns_of(one) if one.unrolled else None
            inner = fixed if values is None else {**fixed, one.variable: len(values)}
            yield from uses_of(one.body, arrays, inner, times * (len(values) if values else 1))
        elif isinstance(one, While):
            yield from uses_of(one.body, arrays, fixed, times)
        elif isinstance(one, If):
            yield from uses_of(one.then, arrays, fixed, times)
            yield from uses_of(one.otherwise, arrays, fixed, times)


def _over(counter: Variable, first: int, last: int, step: int, body: list[Statement], line: int) -> For:
    """The loop over all places, unrolled."""
    end = Binary("<=" if step > 0 else ">=", counter, _number(last))
    advance = Update(counter, "+", _number(step), line)
    return For(counter.name, "int", _number(first), end, step, advance, body, line, unrolled=True)


def _number(value: int) -> Number:
    return Number(str(value), value)


def _plus(place: Variable, offset: int) -> Expression:
    if offset == 0:
        return place
    return Binary("+" if offset > 0 else "-", place, _number(abs(offset)))


def _as(place: Variable, type_name: str) -> Expression:
    """A place, which is 0 or more there, in an unsigned type that it is compared with."""
    return Cast(type_name, place) if is_unsigned(type_name) else place
