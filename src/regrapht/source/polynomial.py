"""Polynomials with whole coefficients over the names of sizes and loop variables.

`Terms` and the functions on them are the arithmetic; a `Polynomial` holds terms, with operators, and prints as a formula of a task.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Monomial = tuple[str, ...]
Terms = dict[Monomial, int]
"""Sorted tuples of atoms (names, or texts such as `floor((i)/2)`) with their coefficients; absent means 0."""


def constant(value: int) -> Terms:
    return {(): value} if value else {}


def words(text: str) -> list[str]:
    """The names in an atom, which may be an isl expression."""
    return re.findall(r"[A-Za-z_]\w*", text)


def names_in(polynomial: Terms) -> set[str]:
    """All names that a polynomial depends on."""
    return {name for atoms in polynomial for atom in atoms for name in words(atom)}


def add(left: Mapping[Monomial, int], right: Mapping[Monomial, int], factor: int = 1) -> Terms:
    """left + factor * right"""
    out = dict(left)
    for monomial, coefficient in right.items():
        out[monomial] = out.get(monomial, 0) + factor * coefficient
        if out[monomial] == 0:
            del out[monomial]
    return out


def multiply(left: Mapping[Monomial, int], right: Mapping[Monomial, int]) -> Terms:
    out: Terms = {}
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


def divided(dividend: Mapping[Monomial, int], divisor: Mapping[Monomial, int]) -> tuple[Terms, Terms]:
    """Quotient and remainder, highest terms first; no term of the remainder is a multiple of the divisor's highest one."""
    top = highest(divisor)
    found: Terms = {}
    rest: Terms = {}
    left = dict(dividend)
    while left:
        atoms = highest(left)
        part = quotient(atoms, top)
        if part is None or left[atoms] % divisor[top]:
            rest[atoms] = left.pop(atoms)
        else:
            term: Terms = {part: left[atoms] // divisor[top]}
            found = add(found, term)
            left = add(left, multiply(term, divisor), -1)
    return found, rest


def highest(polynomial: Mapping[Monomial, int]) -> Monomial:
    """The term that comes first when polynomials are divided: by degree, then by names, an order that products keep."""
    return max(polynomial, key=lambda atoms: (len(atoms), atoms))


def written_out(polynomial: Terms, values: Mapping[str, Terms]) -> Terms:
    """The polynomial with names replaced by their values, where they have one."""
    out: Terms = {}
    for atoms, coefficient in polynomial.items():
        term = constant(coefficient)
        for atom in atoms:
            term = multiply(term, values.get(atom, {(atom,): 1}))
        out = add(out, term)
    return out


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of monomials: sorted names -> coefficient, without zeros."""

    terms: Mapping[Monomial, int]

    @staticmethod
    def constant(value: int) -> "Polynomial":
        return Polynomial(constant(value))

    @staticmethod
    def name(name: str) -> "Polynomial":
        return Polynomial({(name,): 1})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and dict(self.terms) == dict(other.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __add__(self, other: "Polynomial") -> "Polynomial":
        return Polynomial(add(self.terms, other.terms))

    def __neg__(self) -> "Polynomial":
        return Polynomial({monomial: -value for monomial, value in self.terms.items()})

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        return Polynomial(add(self.terms, other.terms, -1))

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        return Polynomial(multiply(self.terms, other.terms))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for monomial in self.terms for name in monomial)

    @property
    def as_constant(self) -> int | None:
        """The value of a polynomial without names."""
        return self.terms.get((), 0) if not self.names else None

    @property
    def as_operand(self) -> str:
        """Its text, in parentheses where an operator beside it needs them."""
        text = str(self)
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def split(self, name: str) -> tuple["Polynomial", "Polynomial"]:
        """(A, B) with self = A * name + B and no `name` in B."""
        factor: dict[Monomial, int] = {}
        rest: dict[Monomial, int] = {}
        for monomial, value in self.terms.items():
            if name in monomial:
                place = monomial.index(name)
                factor[monomial[:place] + monomial[place + 1 :]] = value
            else:
                rest[monomial] = value
        return Polynomial(factor), Polynomial(rest)

    def substitute(self, name: str, value: "Polynomial") -> "Polynomial":
        """The polynomial with `value`, in which `name` may stand again, in place of `name`."""
        result, power, factor = Polynomial({}), Polynomial.constant(1), self
        while factor.terms:  # Horner's rule from below: A * name^2 + B * name + C, C first
            factor, rest = factor.split(name)
            result, power = result + rest * power, power * value
        return result

    def divide(self, divisor: "Polynomial") -> tuple["Polynomial", "Polynomial"]:
        """(quotient, rest) with self = quotient * divisor + rest, by the divisor's highest monomial."""
        quotient, rest = divided(self.terms, divisor.terms)
        return Polynomial(quotient), Polynomial(rest)

    def in_terms_of(self, values: Iterable["Polynomial"]) -> "Polynomial":
        """The polynomial with a name of its own for each of `values` that can be solved for one of its names.

        In terms of `w - 2 * r`, called `w'`, `w * h` is `h * w' + 2 * h * r`.
        """
        solved: list[tuple[str, Polynomial]] = []

        def replaced(value: "Polynomial") -> "Polynomial":
            for name, instead in solved:
                value = value.substitute(name, instead)
            return value

        for value in map(replaced, values):
            name = value._linear_name()
            if name is not None:
                instead = Polynomial.name(name + "'") + Polynomial.name(name) - value
                solved.append((name, instead))
        return replaced(self)

    def _linear_name(self) -> str | None:
        """A name that stands in it once, by itself."""
        alone = [names[0] for names, factor in self.terms.items() if len(names) == 1 and factor == 1]
        return next((name for name in sorted(alone) if sum(name in names for names in self.terms) == 1), None)

    def is_never_negative(self, positive: Iterable["Polynomial"] = ()) -> bool:
        """Whether it is at least 0 where all names, and all of `positive`, are at least 1; False also where that is not seen."""
        shifted = given = self.in_terms_of(positive)
        for name in given.names:  # name = fresh + 1; primes cannot stand in a name of C
            shifted = shifted.substitute(name, Polynomial.name(name + "'") + Polynomial.constant(1))
        return all(value >= 0 for value in shifted.terms.values())

    def __str__(self) -> str:
        """An expression of the task format."""
        if not self.terms:
            return "0"
        text = ""
        for monomial, value in sorted(self.terms.items(), key=lambda term: _reading_order(*term)):
            factors = [*([] if abs(value) == 1 and monomial else [str(abs(value))]), *monomial]
            sign = " - " if value < 0 else " + "
            text += (sign if text else sign.strip(" +")) + " * ".join(factors)
        return text


def total(parts: Iterable[Polynomial]) -> Polynomial:
    """The sum of all parts."""
    result = Polynomial({})
    for part in parts:
        result += part
    return result


def _reading_order(monomial: Monomial, value: int) -> tuple[bool, int, Monomial]:
    return value < 0, -len(monomial), monomial
