"""Polynomials with whole coefficients over the names of sizes and loop variables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Monomial = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of monomials: sorted names -> coefficient, without zeros."""

    terms: Mapping[Monomial, int]

    @staticmethod
    def constant(value: int) -> "Polynomial":
        return Polynomial({(): value} if value else {})

    @staticmethod
    def name(name: str) -> "Polynomial":
        return Polynomial({(name,): 1})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and dict(self.terms) == dict(other.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __add__(self, other: "Polynomial") -> "Polynomial":
        total = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            total[monomial] = total.get(monomial, 0) + coefficient
        return Polynomial({monomial: value for monomial, value in total.items() if value})

    def __neg__(self) -> "Polynomial":
        return Polynomial({monomial: -value for monomial, value in self.terms.items()})

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        return self + -other

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        total = Polynomial({})
        for left, a in self.terms.items():
            total += Polynomial({tuple(sorted(left + right)): a * b for right, b in other.terms.items()})
        return total

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
        """The polynomial with `value` in place of `name`."""
        result = self
        while name in result.names:
            factor, rest = result.split(name)
            result = factor * value + rest
        return result

    def divide(self, divisor: "Polynomial") -> tuple["Polynomial", "Polynomial"]:
        """(quotient, rest) with self = quotient * divisor + rest, by the divisor's leading monomial."""
        lead = max(divisor.terms, key=_order)
        quotient, rest = Polynomial({}), self
        for _ in range(len(self.terms) * 4):
            for monomial, value in sorted(rest.terms.items(), key=lambda term: _order(term[0]), reverse=True):
                cofactor = _without(monomial, lead)
                if cofactor is not None and value % divisor.terms[lead] == 0:
                    step = Polynomial({cofactor: value // divisor.terms[lead]})
                    quotient, rest = quotient + step, rest - step * divisor
                    break
            else:
                break
        return quotient, rest

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


def _order(monomial: Monomial) -> tuple[int, Monomial]:
    return len(monomial), monomial


def _reading_order(monomial: Monomial, value: int) -> tuple[bool, int, Monomial]:
    return value < 0, -len(monomial), monomial


def _without(monomial: Monomial, part: Monomial) -> Monomial | None:
    left = list(monomial)
    for name in part:
        if name not in left:
            return None
        left.remove(name)
    return tuple(left)
