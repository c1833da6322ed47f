"""What each leaf reads, writes and updates, and under which conditions."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, add, words
from regrapht.transform.ir.expressions import Binary, Cast, Conditional, Element, Expression, Variable, children
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import Assign, Declare, For, If, Parts, Statement, Update, While
from regrapht.transform.polyhedral.affine import Affine, Symbols
from regrapht.transform.polyhedral.data_places import place_of_data
from regrapht.transform.polyhedral.flow import KnownValues
from regrapht.transform.polyhedral.intervals import State
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, WRITE, Access, Inside, Leaf, Segment, affine_inside
from regrapht.transform.polyhedral.segments import segment_of
from regrapht.transform.polyhedral.tree_builder import Local

_ANY = "any__"
"""Counts the elements of a part of a buffer."""


@dataclass(frozen=True, slots=True)
class _Where:
    """What is known at a place of a leaf.

    `conditions` are affine in the leaf's own iteration; `certain` is False below others. `variables` count loops that are text of the leaf,
    `bounds` are the affine ones of what holds for them, `segments` what some of them stay in.
    """

    conditions: tuple[str, ...] = ()
    certain: bool = True
    variables: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    segments: tuple[tuple[str, Segment], ...] = ()
    state: State | None = None
    """What is known of values."""

    def inside(self, affine: Affine) -> Affine:
        """Reads expressions inside of the leaf's own loops, too."""
        return replace(affine, iterators=(*affine.iterators, *self.variables)).under(*self.conditions, *self.bounds)

    def segment_at(self, subscript: Expression) -> Segment | None:
        """The segment that a subscript stays in: that of the variable which it is. Every element of it has one subscript then."""
        while isinstance(subscript, Cast) and is_integer(subscript.type) and size_bytes(subscript.type) == 8:
            subscript = subscript.operand
        return dict(self.segments).get(subscript.name) if isinstance(subscript, Variable) else None

    def at(self, state: State | None) -> "_Where":
        """The same where something else is known of values."""
        return self if state is self.state else replace(self, state=state)

    def given(self, condition: Expression, affine: Affine, *, wanted: bool) -> "_Where":
        if self.state is not None:
            self = self.at(self.state.given(condition, wanted=wanted))
        text = affine.under(*self.conditions).condition(condition, wanted=wanted)
        if text is not None:
            return replace(self, conditions=(*self.conditions, text))
        bound = self.inside(affine).condition(condition, wanted=wanted) if self.variables else None
        return replace(self, certain=False, bounds=self.bounds if bound is None else (*self.bounds, bound))

    def counting(self, loop: For) -> "_Where":
        """Where a loop that stays text decides on its next turn. A variable that the turns change themselves counts nothing."""
        others = tuple(one for one in self.variables if one != loop.variable)
        bounds = tuple(text for text in self.bounds if loop.variable not in words(text))
        known = others if loop.variable in assigned_variables(loop.body) else (*others, loop.variable)
        segments = tuple(one for one in self.segments if one[0] != loop.variable)
        return replace(self, variables=known, bounds=bounds, segments=segments)

    def turn(self, loop: For, affine: Affine) -> "_Where":
        """Inside of one turn of such a loop."""
        turn = replace(self.counting(loop), certain=False)
        segment = segment_of(loop, affine.under(*self.conditions), certain=self.certain)
        if segment is not None:
            turn = replace(turn, segments=(*turn.segments, (loop.variable, segment)))
        if loop.variable not in turn.variables:
            return turn
        start = self.inside(affine).affine(loop.start) if loop.step is not None else None
        first = [] if start is None else [f"{loop.variable} {'>=' if (loop.step or 1) > 0 else '<='} {start}"]
        reads = turn.inside(affine)
        held = [reads.condition(part, trusted=True) for part in all_of(loop.condition)]
        return replace(turn, bounds=(*turn.bounds, *first, *(text for text in held if text is not None)))


class AccessCollector:
    """Walks the statements of one leaf and notes every access, in order."""

    def __init__(
        self,
        leaf: Leaf,
        symbols: Symbols,
        arrays: Container[str],
        local: Mapping[str, Local],
        parts: Mapping[str, Parts],
        values: KnownValues | None = None,
    ) -> None:
        self.leaf, self.arrays, self.locals, self.parts, self.values = leaf, arrays, local, parts, values
        self.written = values.written if values is not None else set()
        self.placed = False
        """Whether what is known of values says where an access is."""
        self.line = leaf.line
        """Of the statement that is looked at."""
        self.affine = affine_inside(symbols, leaf.loops, leaf.conditions)
        leaf.affine = self.affine

    def collect(self) -> None:
        """Fill `leaf.accesses` and `leaf.own`."""
        self._statements(self.leaf.statements, _Where())

    def _note(self, place: Variable | Element, kind: str, where: _Where, operator: str = "") -> None:
        if isinstance(place, Variable):
            if place.name in self.locals:
                access = Access(place.name, kind, place, [], where.conditions, self.leaf, operator, where.certain)
                access.line = self.line
                self.leaf.accesses.append(access)
            return
        if place.array not in self.arrays and place.array not in self.locals:
            raise CannotTransform(f"'{place.array}' is not an array", line=self.leaf.line)
        reached = self.affine.under(*where.conditions)
        subscripts = [reached.polynomial(subscript) for subscript in place.subscripts]
        access = Access(place.array, kind, place, subscripts, where.conditions, self.leaf, operator, where.certain)
        access.line = self.line
        if len(place.subscripts) == 1:
            access.segment = where.segment_at(place.subscripts[0])
        if None in subscripts and place.array in self.parts:
            access.inside = self._in_part(place, self.parts[place.array], where)
        elif None in subscripts and where.variables:
            own = where.inside(self.affine)
            flat = [own.polynomial(subscript) for subscript in place.subscripts]
            places = tuple(polynomial for polynomial in flat if polynomial is not None)
            if len(places) == len(flat):
                access.inside = Inside(own, where.variables, where.bounds, places)
        if (
            None in subscripts
            and where.state is not None
            and place.array in self.arrays
            and place.array in self.written
            and place.array not in self.parts
        ):
            around = Inside(where.inside(self.affine), where.variables, where.bounds, ())
            found = place_of_data(place.subscripts, around, where.state)
            access.inside, self.placed = found or access.inside, self.placed or found is not None
        self.leaf.accesses.append(access)
        for subscript in place.subscripts:
            self._read(subscript, where)

    def _in_part(self, place: Element, parts: Parts, where: _Where) -> Inside | None:
        """An access at a place that nobody knows is in the turn's own part: the source's index is inside the buffer that the part is."""
        own = where.inside(self.affine)
        own = replace(own, iterators=(*own.iterators, _ANY))
        (subscript,) = place.subscripts
        starts: Terms | None = {}
        for _ in range(parts.loops):
            match subscript:
                case Binary("+", Binary("*", Cast("long long", Variable())) as first, rest):
                    start, subscript = own.polynomial(first), rest
                case _:
                    return None  # what sets the first part from outside of the turns
            starts = None if starts is None or start is None else add(starts, start)
        inner: Terms = own.polynomial(subscript) or {}
        text, length = own.text(inner), own.affine(parts.length)
        if not inner or text is None:
            inner, text = {(_ANY,): 1}, _ANY
        if starts is None or length is None:
            return None
        bounds = (*where.bounds, f"0 <= {text} < {length}")
        return Inside(own, (*where.variables, _ANY), bounds, (add(starts, inner),))

    def _read(self, expression: Expression | None, where: _Where) -> None:
        match expression:
            case None:
                return
            case Variable() | Element():
                self._note(expression, READ, where)
            case Conditional(condition, then, otherwise):
                self._read(condition, where)
                self._read(then, where.given(condition, self.affine, wanted=True))
                self._read(otherwise, where.given(condition, self.affine, wanted=False))
            case Binary("&&" | "||" as operator, left, right):
                self._read(left, where)
                self._read(right, where.given(left, self.affine, wanted=operator == "&&"))
            case _:
                for child in children(expression):
                    self._read(child, where)

    def _statements(self, statements: list[Statement], where: _Where) -> None:
        for statement in statements:
            self._statement(statement, where)

    def _statement(self, statement: Statement, where: _Where) -> None:
        self.line = statement.line
        where = where.at(None if self.values is None else self.values.at(statement))
        match statement:
            case Declare(name=name, value=value):
                self.leaf.own.add(name)
                self._read(value, where)
                if value is not None:
                    self._note(Variable(name), WRITE, where)
            case Assign(target=target, value=value):
                self._read(value, where)
                self._note(target, WRITE, where)
            case Update(target=target, operator=operator, value=value):
                self._read(value, where)
                self._note(target, UPDATE, where, operator)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._read(condition, where)
                self._statements(then, where.given(condition, self.affine, wanted=True))
                self._statements(otherwise, where.given(condition, self.affine, wanted=False))
            case For(start=start, condition=condition, body=body):
                self._read(start, where)
                self._read(condition, where.counting(statement).at(self._at_turn(statement)))
                self._statements(body, where.turn(statement, self.affine))
            case While(condition=condition, body=body):
                self._read(condition, where.at(self._at_turn(statement)))
                self._statements(body, replace(where, certain=False))

    def _at_turn(self, loop: For | While) -> State | None:
        return None if self.values is None else self.values.at_turn(loop)
