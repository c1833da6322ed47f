"""Integer polynomials over names: what a subscript is before isl sees it."""

import re
from collections.abc import Mapping

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


def divided(dividend: Polynomial, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder, highest terms first; no term of the remainder is a multiple of the divisor's highest one."""
    top = highest(divisor)
    found: Polynomial = {}
    rest: Polynomial = {}
    left = dict(dividend)
    while left:
        atoms = highest(left)
        part = quotient(atoms, top)
        if part is None or left[atoms] % divisor[top]:
            rest[atoms] = left.pop(atoms)
        else:
            term: Polynomial = {part: left[atoms] // divisor[top]}
            found = add(found, term)
            left = add(left, multiply(term, divisor), -1)
    return found, rest


def highest(polynomial: Polynomial) -> Monomial:
    """The term that comes first when polynomials are divided: by degree, then by names, an order that products keep."""
    return max(polynomial, key=lambda atoms: (len(atoms), atoms))


def written_out(polynomial: Polynomial, values: Mapping[str, Polynomial]) -> Polynomial:
    """The polynomial with names replaced by their values, where they have one."""
    out: Polynomial = {}
    for atoms, coefficient in polynomial.items():
        term = constant(coefficient)
        for atom in atoms:
            term = multiply(term, values.get(atom, {(atom,): 1}))
        out = add(out, term)
    return out
