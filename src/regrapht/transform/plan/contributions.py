"""What an iteration contributes to running values, picked from its statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from regrapht.transform.ir.expressions import Binary, Call, Element, Expression, Variable, mentions, place_name, walk
from regrapht.transform.ir.statements import Assign, Declare, If, Statement, Update, every
from regrapht.transform.polyhedral.loop_tree import Leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningValue:
    """What iterations combine values into."""

    place: Variable | Element
    """Its place in the statements."""
    operator: str
    type: str


class Family(StrEnum):
    AFFINE = "affine"
    BOUNDED = "bounded"
    EXTREME = "extreme"
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMap:
    """How values after a turn, or after several, follow from those before."""

    family: Family
    values: tuple[RunningValue, ...]
    number: str
    """The type of the map's entries."""
    entries: tuple[tuple[str, ...], ...] = ()
    """Names for the entries in the statements that find them: of each value its factors and a summand; or least, step and greatest."""
    size: int = 0
    """How many values a table has."""
    operator: str = ""
    """Of extremes: `max` or `min`."""


class NoScan(Exception):
    """The nest is no scan; the text says why."""


class Contribution:
    """Picks the statements that find what an iteration adds to the `wanted` running values, while `unknown` ones are not known yet.

    Wanted ones that are known already are changed on the way, as the iteration does it.
    """

    def __init__(self, wanted: Sequence[Variable | Element], unknown: Sequence[Variable | Element], leaf: Leaf) -> None:
        self.wanted, self.own = tuple(wanted), leaf.own
        self.tainted: list[Expression] = list(unknown)
        """Running values that are not known, and locals made of them."""
        self.written: set[str] = set()
        """Arrays and outer locals whose writes were left out so far."""

    def of(self, statements: list[Statement]) -> list[Statement]:
        kept: list[Statement] = []
        for statement in statements:
            kept += self._one(statement)
        return kept

    def _one(self, statement: Statement) -> list[Statement]:
        match statement:
            case Assign(target=target, value=value) | Update(target=target, value=value) if target in self.wanted:
                self._check(value)
                return [statement]
            case Declare(name=name, value=value):
                if value is not None and self._is_tainted(value):
                    self.tainted.append(Variable(name))
                    return []
                for part in [value, *(statement.values or ())]:
                    if part is not None:
                        self._check(part)
                return [statement]
            case Assign(target=target, value=value) | Update(target=target, value=value):
                if not isinstance(target, Variable) or target.name not in self.own:
                    self.written.add(place_name(target))
                    return []
                if self._is_tainted(value):
                    self.tainted.append(target)
                    return []
                self._check(value)
                return [statement]
            case If(condition=condition, then=then, otherwise=otherwise):
                return self._branch(statement, condition, then, otherwise)
        raise NoScan("its body has more than plain statements")

    def _branch(
        self, statement: If, condition: Expression, then: list[Statement], otherwise: list[Statement]
    ) -> list[Statement]:
        if self._is_tainted(condition):
            for inner in every([statement]):
                if isinstance(inner, Update) and inner.target in self.wanted:
                    raise NoScan("what it adds depends on the running value")
                if isinstance(inner, Assign | Update):
                    self._leave_out(inner.target)
            return []
        yes, no = self.of(then), self.of(otherwise)
        if not yes and not no:
            return []
        self._check(condition)
        return [If(condition, yes, no, statement.line)]

    def _leave_out(self, target: Variable | Element) -> None:
        if isinstance(target, Variable) and target.name in self.own:
            self.tainted.append(target)
        else:
            self.written.add(place_name(target))

    def _is_tainted(self, expression: Expression) -> bool:
        return any(mentions(expression, part) for part in self.tainted) or self._reads_written(expression)

    def _reads_written(self, expression: Expression) -> bool:
        names = {part.name for part in walk(expression) if isinstance(part, Variable)}
        arrays = {part.array for part in walk(expression) if isinstance(part, Element)}
        return bool((names | arrays) & self.written)

    def _check(self, expression: Expression) -> None:
        if self._is_tainted(expression):
            raise NoScan("what it adds depends on the running value, or on what the iteration wrote before")


def value_of(statement: Assign | Update) -> Expression:
    """The value that a statement gives its target."""
    if isinstance(statement, Assign):
        return statement.value
    if statement.operator in ("max", "min"):
        return Call(statement.operator, (statement.target, statement.value))
    return Binary(statement.operator, statement.target, statement.value)
