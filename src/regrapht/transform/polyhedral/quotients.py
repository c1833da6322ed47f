"""Quotients of sizes that the launcher computes, such as `width = d / h`, and what follows for places in rows of d elements.

A product of the divisor and the quotient is no larger than the dividend, so that h parts of `width` elements fit into a row of d. Where the
task requires that the divisor divides the dividend, they fill it.
"""

from collections.abc import Sequence

from regrapht.source.polynomial import Terms, divided, written_out
from regrapht.transform.ir.expressions import Binary, Cast, Expression, integer
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.polyhedral.affine import Affine, Divisible, Quotient


def facts_of(quotient: Quotient, affine: Affine) -> list[str]:
    """What is known of the three, as isl's text: of a product isl knows nothing else."""
    product = affine.text(quotient.product)
    assert product is not None
    if quotient.exact:
        found = [f"{quotient.dividend} = {product}"]
    else:
        found = [f"{product} <= {quotient.dividend}", f"{quotient.dividend} < {product} + {quotient.divisor}"]
    if isinstance(quotient.divisor, str):
        found += [f"{quotient.divisor} >= 1", f"{quotient.result} <= {product}"]
    return [*found, f"{quotient.result} >= 0"]


def quotient_of(name: str, type_name: str, value: Expression, affine: Affine, divisible: Divisible) -> Quotient | None:
    """The quotient that a declaration holds which the source makes whatever its sizes are; None where it holds none.

    That the source divides says that the divisor is not 0. A type that may cut what it holds is none for that.
    """
    while isinstance(value, Cast) and is_integer(value.type):
        type_name = min(type_name, value.type, key=size_bytes)
        value = value.operand
    match value:
        case Binary("/", left, right):
            dividend, divisor = _name(left, affine), integer(right) or _name(right, affine)
        case _:
            return None
    if dividend is None or divisor is None or (isinstance(divisor, int) and divisor < 1):
        return None
    if size_bytes(type_name) < size_bytes(affine.symbols.types.get(dividend, "long long")):
        return None
    return Quotient(name, dividend, divisor, (dividend, str(divisor)) in divisible)


def _name(expression: Expression, affine: Affine) -> str | None:
    """The parameter that an expression is, if that is known to be 0 or more."""
    polynomial = affine.polynomial(expression)
    if polynomial is None or not affine.is_nonnegative(polynomial):
        return None
    match list(polynomial.items()):
        case [((name,), 1)] if name in affine.symbols.parameters:
            return name
    return None


def filled(quotients: Sequence[Quotient]) -> dict[str, Terms]:
    """The dividends that are products of divisor and quotient, with these."""
    return {one.dividend: one.product for one in quotients if one.exact}


def lowered(polynomial: Terms, quotient: Quotient, affine: Affine) -> Terms | None:
    """The polynomial with the product of divisor and quotient for the dividend: no more than it was. None where that is not certain."""
    if not affine.is_nonnegative(polynomial):
        return None
    return written_out(polynomial, {quotient.dividend: quotient.product})


def room(low: Terms, high: Terms, quotients: Sequence[Quotient], affine: Affine) -> Terms | None:
    """How many neighbours of `low` elements each surely fit into `high` elements; None where that is unknown."""
    if not affine.is_nonnegative(low):
        return None
    for end in (high, *(lowered(high, one, affine) for one in quotients)):
        share, rest = divided(end, low) if end is not None else ({}, {})
        if share and affine.is_nonnegative(share) and affine.is_nonnegative(rest):
            return share
    return None
