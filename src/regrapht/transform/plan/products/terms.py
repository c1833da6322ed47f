"""An expression as a sum of products: scalars that the launcher knows, times elements and running sums."""

from collections.abc import Collection
from dataclasses import dataclass

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
    children,
)
from regrapht.transform.ir.scalar_types import promoted
from regrapht.transform.polyhedral.scop import Scop


class NoProduct(Exception):
    """The nest is no matrix product; the text says why."""


@dataclass(frozen=True, slots=True)
class Term:
    """`(-) scalars... * parts...`"""

    negative: bool
    scalars: tuple[Expression, ...]
    """Values that the launcher can compute."""
    parts: tuple[Variable | Element, ...]
    """What only the device has: elements, locals."""


class TermReader:
    """Takes expressions of one floating-point type apart. `host_loops` are loop variables that the launcher has."""

    def __init__(self, scop: Scop, type_name: str, host_loops: Collection[str]) -> None:
        self.scop, self.type = scop, type_name
        scalars = {p.name for p in scop.function.parameters if not p.is_pointer}
        self.known = scalars | {local.name for local in scop.host} | set(host_loops)
        self.name = ""
        self.helpers = {helper.name for helper in scop.function.helpers}

    def terms(self, expression: Expression, name: str) -> list[Term]:
        """The terms whose sum the expression is; `name` is what a reason calls it.

        Raises:
            NoProduct: It is no such sum, or not all of it is computed in the reader's type.
        """
        self.name = name
        return self._terms(expression, negative=False)

    def is_zero(self, expression: Expression) -> bool:
        """Whether it is a literal zero, of any type."""
        while isinstance(expression, Cast) or (isinstance(expression, Unary) and expression.operator in "+-"):
            expression = expression.operand
        return isinstance(expression, Number) and expression.text.rstrip("fFlLuU") in ("0", "0.", ".0", "0.0", "0x0")

    def on_host(self, expression: Expression) -> bool:
        """Whether the launcher can compute it."""
        match expression:
            case Element():
                return False
            case Variable(name=name):
                return name in self.known
            case Call(function=function) if function in self.helpers:
                return False
        return all(self.on_host(child) for child in children(expression))

    def _terms(self, expression: Expression, *, negative: bool) -> list[Term]:
        if not self.on_host(expression):
            match expression:
                case Binary("+" | "-" as operator, left, right):
                    self._check_type(expression)
                    second = negative != (operator == "-")
                    return self._terms(left, negative=negative) + self._terms(right, negative=second)
                case Unary("+" | "-" as operator, operand):
                    return self._terms(operand, negative=negative != (operator == "-"))
                case Cast(operand=operand) if self.type_of(expression) == self.type_of(operand):
                    return self._terms(operand, negative=negative)
        return [self._product(expression, negative=negative)]

    def _product(self, expression: Expression, *, negative: bool) -> Term:
        if self.on_host(expression):
            self._check_scalar(expression)
            return Term(negative, (expression,), ())
        match expression:
            case Element() | Variable():
                self._check_type(expression)
                return Term(negative, (), (expression,))
            case Unary("+" | "-" as operator, operand):
                return self._product(operand, negative=negative != (operator == "-"))
            case Cast(operand=operand) if self.type_of(expression) == self.type_of(operand):
                return self._product(operand, negative=negative)
            case Binary("*", left, right):
                self._check_type(expression)
                first, second = self._product(left, negative=negative), self._product(right, negative=False)
                sign = first.negative != second.negative
                return Term(sign, first.scalars + second.scalars, first.parts + second.parts)
        raise NoProduct(self._reason(expression))

    def _reason(self, expression: Expression) -> str:
        match expression:
            case Call(function=function):
                return f"'{function}' is applied to {self.name}"
            case Conditional():
                return f"{self.name} depends on a condition"
            case Cast(to, operand):
                return f"{self.name} is converted from {self.type_of(operand)} to {to} on the way"
            case Binary(operator=operator):
                return f"'{operator}' is applied to {self.name}"
        return f"{self.name} is more than products and sums"

    def type_of(self, expression: Expression) -> str:
        """The C++ type of an expression.

        Raises:
            NoProduct: It is not known.
        """
        try:
            return type_of(expression, self.scop.symbols.types)
        except CannotTransform as error:
            raise NoProduct(str(error)) from error

    def _check_type(self, expression: Expression) -> None:
        found = self.type_of(expression)
        if found != self.type:
            what = f"'{expression.array}' is" if isinstance(expression, Element) else "it computes in"
            raise NoProduct(f"{what} {found}, and its sum is {self.type}")

    def _check_scalar(self, expression: Expression) -> None:
        found = self.type_of(expression)
        if promoted(found, self.type) != self.type:
            raise NoProduct(f"it multiplies by a {found}, and its sum is {self.type}")
