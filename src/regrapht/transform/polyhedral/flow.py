"""What is known of integers at each statement of a function: its statements are followed in their order, with intervals for values.

A loop is followed until another turn says nothing new. What is found holds for every execution of a statement in the source's order; where
legality then lets turns run as threads, each has the values that it has there.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from regrapht.transform.ir.expressions import Binary, Call, Element, Expression, Variable
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statements import (
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
from regrapht.transform.polyhedral.counters import Grown, counted_up
from regrapht.transform.polyhedral.intervals import Interval, State, joined, values_of, widened

_MOST_STEPS = 30_000
"""Statements that are followed before nothing is said at all: loops in loops in loops are followed again and again."""
_MOST_TURNS = 16
_EXACT_TURNS = 2
"""Turns after which bounds that still move are given up: what `% 16` or a mask holds does not move by then."""


class _TooLong(Exception):
    """A function is followed no further."""


@dataclass(slots=True)
class KnownValues:
    """What is known of values in one function.

    Args:
        function: The function; its statements are known by identity.
        nonnegative: Parameters that are 0 or more.
    """

    function: Function
    nonnegative: Collection[str] = ()
    before: dict[int, State] = field(default_factory=dict, init=False)
    """By the identity of a statement, what is known where it begins."""
    turns: dict[int, State] = field(default_factory=dict, init=False)
    """By the identity of a loop, what is known where it decides on its next turn."""

    def __post_init__(self) -> None:
        types = _types(self.function)
        try:
            results = _results(self.function, types)
            known: dict[Expression, Interval] = {
                Variable(name): Interval(0, values_of(types[name]).high) for name in self.nonnegative if name in types
            }
            _Walk(self).follow(self.function.body, State(types, results, known))
        except _TooLong:
            self.before.clear()
            self.turns.clear()

    @property
    def written(self) -> set[str]:
        """Arrays that the function writes."""
        targets = (one.target for one in every(self.function.body) if isinstance(one, Assign | Update))
        return {target.array for target in targets if isinstance(target, Element)}

    def at(self, statement: Statement) -> State | None:
        """What is known where a statement begins; None where nothing is."""
        return self.before.get(id(statement))

    def at_turn(self, loop: For | While) -> State | None:
        """What is known where a loop decides on its next turn; None where nothing is."""
        return self.turns.get(id(loop))


def _types(function: Function) -> dict[str, str]:
    """Types of what has one type in the whole function."""
    kinds = [(one.name, one.type) for one in function.constants if one.type is not None]
    kinds += [(one.name, one.type) for one in function.parameters]
    kinds += [(name, one.type) for name, one in function.fields.items()]
    kinds += [(one.name, one.returns) for one in function.helpers if one.returns is not None]
    kinds += _declared(function.body)
    return _single(kinds)


def _declared(statements: list[Statement]) -> list[tuple[str, str]]:
    found = []
    for statement in every(statements):
        match statement:
            case Declare(type=kind, name=name) | Allocate(type=kind, name=name) | For(type=kind, variable=name):
                found.append((name, kind))
    return found


def _single(kinds: list[tuple[str, str]]) -> dict[str, str]:
    types: dict[str, str] = {}
    several = {name for name, kind in kinds if types.setdefault(name, kind) != kind}
    return {name: kind for name, kind in types.items() if name not in several}


def _results(function: Function, types: dict[str, str]) -> dict[str, Interval]:
    """What helpers return, whatever they are given; a helper that calls another counts what that may return as well."""
    found: dict[str, Interval] = {}
    for helper in function.helpers:
        if helper.returns is None or not is_integer(helper.returns):
            continue
        own = [(one.name, one.type) for one in helper.parameters] + _declared(helper.body)
        outer = {name: kind for name, kind in types.items() if name not in {name for name, _ in own}}
        walk = _Walk(None)
        walk.follow(helper.body, State({**outer, **_single(own)}))
        values = [state.of(value) for state, value in walk.returned]
        known = [value for value in values if value is not None]
        every_one = values_of(helper.returns)
        if known and len(known) == len(values) and all(value.within(every_one) for value in known):
            found[helper.name] = Interval(min(one.low for one in known), max(one.high for one in known))
    return found


@dataclass(slots=True)
class _Exits:
    """The states in which a loop is left, or its turn is cut short."""

    breaks: State | None = None
    continues: State | None = None


@dataclass(slots=True)
class _Walk:
    into: KnownValues | None
    """Where to note what is known; None: nowhere."""
    steps: int = 0
    exits: list[_Exits] = field(default_factory=list)
    returned: list[tuple[State, Expression]] = field(default_factory=list)
    heads: dict[int, State] = field(default_factory=dict)
    """By the identity of a loop, what was found when it was followed last: a loop around it follows it again with little more."""

    def follow(self, statements: list[Statement], state: State | None) -> State | None:
        """What is known after statements; None where they are never left at their end."""
        for statement in statements:
            if state is None:
                return None
            state = self._after(statement, state)
        return state

    def _after(self, statement: Statement, state: State) -> State | None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _TooLong
        if self.into is not None:
            _note(self.into.before, statement, state)
        match statement:
            case Assign(target=target, value=value):
                return state.assigned(target, value)
            case Update(target=target, operator=operator, value=value):
                return state.assigned(target, _updated(target, operator, value))
            case Allocate(name=name):
                return state.without({name})
            case Declare(name=name, value=value, lengths=lengths):
                return state.without({name}) if lengths or value is None else state.assigned(Variable(name), value)
            case If(condition=condition, then=then, otherwise=otherwise):
                sides = ((then, True), (otherwise, False))
                ends = [self.follow(block, state.given(condition, wanted=wanted)) for block, wanted in sides]
                return joined(*ends)
            case For() | While():
                return self._loop(statement, state)
            case Return(value=value):
                if value is not None:
                    self.returned.append((state, value))
                return None
            case Break():
                self.exits[-1].breaks = joined(self.exits[-1].breaks, state)
                return None
            case Continue():
                self.exits[-1].continues = joined(self.exits[-1].continues, state)
                return None
        raise AssertionError(statement)

    def _loop(self, loop: For | While, state: State) -> State | None:
        entry = state.assigned(Variable(loop.variable), loop.start) if isinstance(loop, For) else state
        head, into, returned = joined(self.heads.get(id(loop)), entry), self.into, len(self.returned)
        grown = counted_up(loop, entry) if isinstance(loop, For) else []
        self.into = None
        for turn in range(_MOST_TURNS):
            assert head is not None
            again = joined(entry, self._turn(loop, head, grown)[0])
            assert again is not None
            if joined(head, again) == head:
                head = again  # bounds that were given up for good come back where conditions in the loop hold them
                break
            head = joined(head, again) if turn < _EXACT_TURNS else widened(head, again)
        else:
            raise _TooLong
        self.heads[id(loop)] = head
        self.into = into
        del self.returned[returned:]
        if into is not None:
            _note(into.turns, loop, head)
        _, after = self._turn(loop, head, grown)
        if after is not None and isinstance(loop, For):
            after = after.without({loop.variable})
            for one in grown:
                after = after.at_distance(one.name, one.after)
        return after

    def _turn(self, loop: For | While, head: State, grown: "Sequence[Grown]" = ()) -> tuple[State | None, State | None]:
        """What is known after a turn and its advance, and what is known where the loop is left."""
        begun = head
        for one in grown:
            begun = begun.at_distance(one.name, one.inside)
        inside = begun.given(loop.condition, wanted=True)
        if isinstance(loop, For):
            for known in loop.known:
                inside = None if inside is None else inside.given(known, wanted=True)
        self.exits.append(_Exits())
        end = self.follow(loop.body, inside)
        exits = self.exits.pop()
        end = joined(end, exits.continues)
        if end is not None and isinstance(loop, For):
            end = self._advanced(loop.advance, end)
        return end, joined(exits.breaks, head.given(loop.condition, wanted=False))

    @staticmethod
    def _advanced(advance: Assign | Update, state: State) -> State:
        value = advance.value
        if isinstance(advance, Update):
            value = _updated(advance.target, advance.operator, advance.value)
        return state.assigned(advance.target, value)


def _updated(target: Variable | Element, operator: str, value: Expression) -> Expression:
    """What an update sets its target to."""
    return Call(operator, (target, value)) if operator in ("min", "max") else Binary(operator, target, value)


def _note(states: dict[int, State], statement: Statement, state: State) -> None:
    before = states.get(id(statement))
    found = state if before is None else joined(before, state)
    assert found is not None
    states[id(statement)] = found
