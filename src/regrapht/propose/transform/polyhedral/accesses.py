"""What each leaf reads, writes and updates, and under which conditions."""

from collections.abc import Container, Mapping

from regrapht.errors import CannotTransform
from regrapht.propose.transform.frontend.expressions import (
    Binary,
    Conditional,
    Element,
    Expression,
    Variable,
    children,
)
from regrapht.propose.transform.frontend.statements import (
    Assign,
    Declare,
    For,
    If,
    Statement,
    Update,
    While,
)
from regrapht.propose.transform.polyhedral.affine import Symbols
from regrapht.propose.transform.polyhedral.loop_tree import READ, UPDATE, WRITE, Access, Leaf, affine_inside
from regrapht.propose.transform.polyhedral.tree_builder import Local

UNKNOWN = "?"
"""Stands for a condition that is not affine."""


class AccessCollector:
    """Walks the statements of one leaf and notes every access, in order."""

    def __init__(self, leaf: Leaf, symbols: Symbols, arrays: Container[str], local: Mapping[str, Local]) -> None:
        self.leaf, self.arrays, self.locals = leaf, arrays, local
        self.affine = affine_inside(symbols, leaf.loops, leaf.conditions)
        leaf.affine = self.affine

    def collect(self) -> None:
        """Fill `leaf.accesses` and `leaf.own`."""
        self._statements(self.leaf.statements, ())

    def _note(self, place: Variable | Element, kind: str, conditions: tuple[str, ...], operator: str = "") -> None:
        known = tuple(condition for condition in conditions if condition != UNKNOWN)
        certain = UNKNOWN not in conditions
        if isinstance(place, Variable):
            if place.name in self.locals:
                access = Access(place.name, kind, place, [], known, self.leaf, operator, certain)
                self.leaf.accesses.append(access)
            return
        if place.array not in self.arrays and place.array not in self.locals:
            raise CannotTransform(f"'{place.array}' is not an array", line=self.leaf.line)
        reached = self.affine.under(*known)
        subscripts = [reached.polynomial(subscript) for subscript in place.subscripts]
        self.leaf.accesses.append(Access(place.array, kind, place, subscripts, known, self.leaf, operator, certain))
        for subscript in place.subscripts:
            self._read(subscript, conditions)

    def _given(self, condition: Expression, wanted: bool, conditions: tuple[str, ...]) -> tuple[str, ...]:
        reached = self.affine.under(*(text for text in conditions if text != UNKNOWN))
        return (*conditions, reached.condition(condition, wanted=wanted) or UNKNOWN)

    def _read(self, expression: Expression | None, conditions: tuple[str, ...]) -> None:
        match expression:
            case None:
                return
            case Variable() | Element():
                self._note(expression, READ, conditions)
            case Conditional(condition, then, otherwise):
                self._read(condition, conditions)
                self._read(then, self._given(condition, True, conditions))
                self._read(otherwise, self._given(condition, False, conditions))
            case Binary("&&" | "||" as operator, left, right):
                self._read(left, conditions)
                self._read(right, self._given(left, operator == "&&", conditions))
            case _:
                for child in children(expression):
                    self._read(child, conditions)

    def _statements(self, statements: list[Statement], conditions: tuple[str, ...]) -> None:
        for statement in statements:
            self._statement(statement, conditions)

    def _statement(self, statement: Statement, conditions: tuple[str, ...]) -> None:
        unknown = (*conditions, UNKNOWN)
        match statement:
            case Declare(name=name, value=value):
                self.leaf.own.add(name)
                self._read(value, conditions)
                if value is not None:
                    self._note(Variable(name), WRITE, conditions)
            case Assign(target=target, value=value):
                self._read(value, conditions)
                self._note(target, WRITE, conditions)
            case Update(target=target, operator=operator, value=value):
                self._read(value, conditions)
                self._note(target, UPDATE, conditions, operator)
            case If(condition=condition, then=then, otherwise=otherwise):
                self._read(condition, conditions)
                self._statements(then, self._given(condition, True, conditions))
                self._statements(otherwise, self._given(condition, False, conditions))
            case For(start=start, condition=condition, body=body):
                self._read(start, conditions)
                self._read(condition, conditions)
                self._statements(body, unknown)
            case While(condition=condition, body=body):
                self._read(condition, conditions)
                self._statements(body, unknown)
