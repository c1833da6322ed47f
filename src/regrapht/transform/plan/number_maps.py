"""Numbers that turns hand on, as maps that can be combined: turns side by side find what several of them do one after the other.

Here what all such maps share, and sums of the values, each times a factor: `x = a * x + b`, filters of second order.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Cast,
    Conditional,
    Element,
    Expression,
    Unary,
    Variable,
    mentions,
    place_name,
    walk,
)
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import is_float, is_unsigned, size_bytes
from regrapht.transform.ir.statements import Assign, Declare, If, Statement, Update, every
from regrapht.transform.plan.contributions import Contribution, Family, NoScan, RunningValue, StateMap, value_of
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.scop import Scop

Place = Variable | Element
Found = tuple[StateMap, tuple[Statement, ...]]


def affine(
    group: Sequence[RunningValue], known: Sequence[Place], unknown: Sequence[Place], leaf: Leaf, scop: Scop
) -> Found:
    types = {value.type for value in group}
    if all(map(is_float, types)):
        numbers = ["float", "double"] if types == {"float"} else ["double"]
    elif len(types) == 1 and "bool" not in types:
        (kind,) = types
        numbers = ["unsigned long long" if size_bytes(kind) == 8 else "unsigned int"]
    else:
        raise NoScan("values that it hands on have several types")
    for number in numbers:
        try:
            return _Affine(group, known, unknown, leaf, scop, number).found()
        except Wider:
            continue
    raise NoScan("values that it hands on have several types")


class Wider(Exception):
    """The entries must be of a wider type."""


class NumberMaps(Contribution, ABC):
    """Translates what a turn does to the values of a group into what it does to the columns of their map."""

    family: Family

    def __init__(
        self,
        group: Sequence[RunningValue],
        known: Sequence[Place],
        unknown: Sequence[Place],
        leaf: Leaf,
        scop: Scop,
        number: str,
    ) -> None:
        places = [value.place for value in group]
        super().__init__(known, [place for place in unknown if place not in places], leaf)
        self.group, self.scop, self.number, self.statements = tuple(group), scop, number, leaf.statements
        self.moved, self.needed = _between(places, leaf)
        self.taken = set(scop.function.identifiers)
        self.columns: dict[Place, list[Variable]] = {}
        for value in group:
            self.columns[value.place] = self._named(place_name(value.place))

    def found(self) -> Found:
        entries = tuple(tuple(one.name for one in self.columns[value.place]) for value in self.group)
        statements = tuple(self.of(self.statements))
        return StateMap(family=self.family, values=self.group, number=self.number, entries=entries), statements

    @abstractmethod
    def _titles(self) -> Sequence[str]:
        """What the columns are called."""

    @abstractmethod
    def _row(self, value: Expression) -> list[Expression]:
        """The columns of a value that hangs on the group's."""

    @abstractmethod
    def _of_known(self, value: Expression) -> list[Expression]:
        """The columns of a value that does not."""

    def _named(self, name: str) -> list[Variable]:
        made = []
        for title in self._titles():
            text = fresh_name(f"{name}_{title}", self.taken)
            self.taken.add(text)
            self.scop.symbols.types[text] = self.number
            made.append(Variable(text))
        return made

    def _is_moved(self, value: Expression) -> bool:
        """Whether a value hangs on those of the group."""
        return any(mentions(value, place) for place in self.columns) or any(
            isinstance(part, Variable) and part.name in self.moved for part in walk(value)
        )

    def columns_of(self, value: Expression) -> list[Expression]:
        if not self._is_moved(value):
            self._check(value)
            return self._of_known(value)
        self._check_type(value)
        if isinstance(value, Variable | Element):
            if value not in self.columns:
                raise NoScan("what it adds depends on the running value")
            return list(self.columns[value])
        return self._row(value)

    def _check_type(self, value: Expression) -> None:
        kind = self._type(value)
        if (
            kind == "bool"
            or is_float(kind) != is_float(self.number)
            or (not is_float(kind) and size_bytes(kind) < self._least())
        ):
            raise NoScan("what it hands on changes its type on the way")
        if kind == "double" and self.number == "float":
            raise Wider

    def _least(self) -> int:
        """The bytes that integers which hang on the values have at least."""
        return max(size_bytes(value.type) for value in self.group)

    def _type(self, value: Expression) -> str:
        try:
            return type_of(value, self.scop.symbols.types)
        except CannotTransform as unknown:
            raise NoScan(str(unknown)) from unknown

    def _selected(self, condition: Expression, then: Expression, otherwise: Expression) -> list[Expression]:
        """The columns of a choice that does not hang on the group's values."""
        self._check(condition)
        pairs = zip(self.columns_of(then), self.columns_of(otherwise), strict=True)
        return [one if one == other else Conditional(condition, one, other) for one, other in pairs]

    def _step(self, step: Expression) -> Expression:
        """What steps are added up from: of integers none that could make the sum of them leave its type."""
        self._check(step)
        if not is_float(self.number) and size_bytes(self._type(step)) == 8:
            raise NoScan("steps of 64 bits may outgrow what is added up")
        return Cast(self.number, step)

    def _one(self, statement: Statement) -> list[Statement]:
        match statement:
            case Declare(name=name, value=value, line=line) if name in self.moved & self.needed:
                if statement.lengths:
                    raise NoScan("a local array hangs on the running value")
                self._check_type(Variable(name))
                columns = self.columns_of(ZERO if value is None else value)
                self.columns[Variable(name)] = own = self._named(name)
                pairs = zip(own, columns, strict=True)
                declared: list[Statement] = [Declare(self.number, one.name, None, line) for one in own]
                return [*declared, *(Assign(one, entry, line) for one, entry in pairs)]
            case Assign(target=target) | Update(target=target) if target in self.columns:
                columns = self.columns_of(value_of(statement))
                pairs = zip(self.columns[target], columns, strict=True)
                return [Assign(one, entry, statement.line) for one, entry in pairs if one != entry]
            case Declare(name=name, value=value) if value is not None and self._is_moved(value):
                self.tainted.append(Variable(name))
                return []
            case Assign(target=Variable(name) as target, value=value) if name in self.own and self._is_moved(value):
                self.tainted.append(target)
                return []
            case Update(target=Variable(name) as target) if name in self.own and self._is_moved(value_of(statement)):
                self.tainted.append(target)
                return []
        return super()._one(statement)

    def _branch(
        self, statement: If, condition: Expression, then: list[Statement], otherwise: list[Statement]
    ) -> list[Statement]:
        if not self._is_moved(condition) and not self._is_tainted(condition):
            return super()._branch(statement, condition, then, otherwise)
        chosen = self._chosen_of(statement)
        for inner in every([statement]):
            if isinstance(inner, Assign | Update) and (chosen is None or inner.target != chosen.target):
                if inner.target in self.columns or place_name(inner.target) in self.needed:
                    raise NoScan("what it adds depends on the running value")
                self._leave_out(inner.target)
        return [] if chosen is None else self._one(chosen)

    def _chosen_of(self, statement: If) -> Assign | None:
        """What a condition on the values of the group does to one of them, where that is one choice; what else it does is left out."""
        targets = {one.target for one in every([statement]) if isinstance(one, Assign | Update)} & set(self.columns)
        if len(targets) != 1:
            return None
        (target,) = targets

        def own(statements: list[Statement]) -> list[Statement]:
            return [
                one
                for one in statements
                if any(isinstance(s, Assign | Update) and s.target == target for s in every([one]))
            ]

        return _chosen(If(statement.condition, own(statement.then), own(statement.otherwise), statement.line))


def _chosen(statement: If) -> Assign | None:
    """`if (c) s = a; else s = b;` as one statement."""
    then, otherwise = statement.then, statement.otherwise
    if len(then) != 1 or len(otherwise) > 1 or not all(isinstance(one, Assign | Update) for one in then + otherwise):
        return None
    first = then[0]
    assert isinstance(first, Assign | Update)
    second: Expression = first.target
    if otherwise:
        other = otherwise[0]
        assert isinstance(other, Assign | Update)
        if other.target != first.target:
            return None
        second = value_of(other)
    return Assign(first.target, Conditional(statement.condition, value_of(first), second), statement.line)


def _between(places: Sequence[Place], leaf: Leaf) -> tuple[set[str], set[str]]:
    """The locals of a turn that hang on these places, and those on which the places hang."""
    given: list[tuple[Place, list[Expression]]] = list(_given(leaf.statements, []))
    moved: set[str] = set()
    needed: set[str] = set()
    before = -1
    while before != len(moved) + len(needed):
        before = len(moved) + len(needed)
        for target, (value, *conditions) in given:
            own = isinstance(target, Variable) and target.name in leaf.own
            names = {part.name for part in walk(value) if isinstance(part, Variable)}
            if own and (names & moved or any(mentions(value, place) for place in places)):
                moved.add(place_name(target))
            if target in places or (own and place_name(target) in needed):
                tests = {part.name for one in conditions for part in walk(one) if isinstance(part, Variable)}
                needed |= (names | tests) & leaf.own
    return moved, needed


def _given(statements: Sequence[Statement], conditions: list[Expression]) -> Iterator[tuple[Place, list[Expression]]]:
    """Each place that statements set, with the value and the conditions around it."""
    for statement in statements:
        match statement:
            case Declare(name=name, value=value):
                for part in [value, *(statement.values or ())]:
                    if part is not None:
                        yield Variable(name), [part, *conditions]
            case Assign(target=target) | Update(target=target):
                yield target, [value_of(statement), *conditions]
            case If(condition=condition, then=then, otherwise=otherwise):
                yield from _given([*then, *otherwise], [*conditions, condition])


class _Affine(NumberMaps):
    """A column for the factor of each value, and one for the summand."""

    family = Family.AFFINE

    def _titles(self) -> Sequence[str]:
        return [f"by_{place_name(value.place)}" for value in self.group] + ["added"]

    def _of_known(self, value: Expression) -> list[Expression]:
        return [*(ZERO for _ in self.group), Cast(self.number, value)]

    def _row(self, value: Expression) -> list[Expression]:
        match value:
            case Unary("-", operand):
                return [_negated(one) for one in self.columns_of(operand)]
            case Binary("+" | "-" as operator, left, right):
                pairs = zip(self.columns_of(left), self.columns_of(right), strict=True)
                return [_sum(operator, one, other) for one, other in pairs]
            case Binary("*", left, right):
                for moved, factor in ((left, right), (right, left)):
                    if not self._is_moved(factor):
                        self._check(factor)
                        return [self._times(one, factor) for one in self.columns_of(moved)]
            case Binary("<<", left, right) if not self._is_moved(right) and is_unsigned(self._type(left)):
                self._check(right)
                power = Binary("<<", Cast(self.number, ONE), right)
                return [self._times(one, power) for one in self.columns_of(left)]
            case Binary("/", left, right) if is_float(self.number) and not self._is_moved(right):
                self._check(right)
                return [
                    one if one == ZERO else Binary("/", one, Cast(self.number, right)) for one in self.columns_of(left)
                ]
            case Conditional(condition, then, otherwise) if not self._is_moved(condition):
                return self._selected(condition, then, otherwise)
            case Cast(operand=operand):
                return self.columns_of(operand)
        raise NoScan("what it adds depends on the running value")

    def _times(self, column: Expression, factor: Expression) -> Expression:
        return column if column == ZERO else Binary("*", column, Cast(self.number, factor))


def _negated(column: Expression) -> Expression:
    return column if column == ZERO else Unary("-", column)


def _sum(operator: str, left: Expression, right: Expression) -> Expression:
    if right == ZERO:
        return left
    if left == ZERO:
        return right if operator == "+" else _negated(right)
    return Binary(operator, left, right)
