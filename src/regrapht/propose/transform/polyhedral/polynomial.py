"""Integer polynomials over names: what a subscript is before isl sees it."""

import re

Monomial = tuple[str, ...]
Polynomial = dict[Monomial, int]
"""Sorted tuples of atoms (names, or texts such as `floor((i)/2)`) with their coefficients; absent means 0."""


def constant(value: int) -> Polynomial:
    return {(): value} if value else {}


def words(text: str) -> list[str]:
    """The names in an atom, which may be an isl expression."""
    return re.findall(r"[A-Za-z_]\w*", text)


def names_in(polynomial: Polynomial) -> set[str]:
    """All names that a polynomial depends on."""
    return {name for atoms in polynomial for atom in atoms for name in words(atom)}


def add(left: Polynomial, right: Polynomial, factor: int = 1) -> Polynomial:
    """left + factor * right"""
    out = dict(left)
    for monomial, coefficient in right.items():
        out[monomial] = out.get(monomial, 0) + factor * coefficient
        if out[monomial] == 0:
            del out[monomial]
    return out


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    out: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            out = add(out, {tuple(sorted(a + b)): x * y})
    return out


def quotient(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The monomial without the divisor's atoms; None when it does not hold them all."""
    rest = list(monomial)
    for atom in divisor:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)
