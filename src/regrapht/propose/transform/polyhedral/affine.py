"""Expressions of the source as integer polynomials and, where they are affine, as text for isl."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from regrapht.errors import CannotTransform
from regrapht.propose.transform.frontend.expression_types import type_of
from regrapht.propose.transform.frontend.expressions import (
    Binary,
    Call,
    Cast,
    Expression,
    Number,
    Unary,
    Variable,
)
from regrapht.propose.transform.frontend.scalar_types import is_integer, is_unsigned, promoted, size_bytes
from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.polyhedral.polynomial import Polynomial, add, constant, multiply

NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(slots=True)
class Symbols:
    """The integers that a function's subscripts and bounds are made of; shared by all of its loops."""

    parameters: set[str]
    """Integer scalars that never change: isl's parameters."""
    nonnegative: set[str]
    """Those of them that are known to be 0 or more."""
    types: dict[str, str]
    """Types of variables, elements of arrays, constants and helpers."""
    definitions: dict[str, Expression] = field(default_factory=dict)
    """Integer locals with one value."""
    values: dict[str, Polynomial] = field(default_factory=dict)
    """What those parameters that the launcher computes are in terms of the others, such as `plane = height * width`."""
    products: dict[str, str] = field(default_factory=dict)
    """isl parameters that stand for a product of parameters, with their C text."""


@dataclass(frozen=True, slots=True)
class Affine:
    """Reads expressions inside certain loops."""

    symbols: Symbols
    iterators: tuple[str, ...]
    nonnegative: frozenset[str] = frozenset()
    """Those of the loop variables that are known to be 0 or more."""
    given: tuple[str, ...] = ()
    """What holds where the expressions are evaluated, as isl's text: bounds of the loops, conditions around."""

    def under(self, *conditions: str | None) -> "Affine":
        """The same where these conditions hold as well; None is one that is not affine and says nothing."""
        known = tuple(text for text in conditions if text is not None)
        return replace(self, given=(*self.given, *known)) if known else self

    def has_iterator(self, atom: str) -> bool:
        return any(word in self.iterators for word in re.findall(r"[A-Za-z_]\w*", atom))

    def polynomial(self, expression: Expression) -> Polynomial | None:
        """The expression as a polynomial over parameters and loop variables; None when it is none."""
        match expression:
            case Number(value=value):
                return None if value is None else constant(value)
            case Variable(name=name):
                if name in self.iterators or name in self.symbols.parameters:
                    return {(name,): 1}
                return self._definition(name)
            case Cast(type=to, operand=operand):
                inner = self.polynomial(operand) if is_integer(to) and size_bytes(to) >= 4 else None
                return inner if inner is not None and self._fits(operand, to) else None
            case Unary(operator, operand) if operator in "+-":
                inner = self.polynomial(operand)
                return None if inner is None else multiply(inner, constant(-1 if operator == "-" else 1))
            case Binary("+" | "-" | "*" as operator, left, right):
                a, b = self.polynomial(left), self.polynomial(right)
                if a is None or b is None:
                    return None
                return multiply(a, b) if operator == "*" else add(a, b, 1 if operator == "+" else -1)
            case Binary("/" | "%" as operator, left, Number(value=int(divisor))) if divisor > 0:
                inner = self.polynomial(left)
                if inner is not None and set(inner) <= {()} and inner.get((), 0) >= 0:
                    value = inner.get((), 0)
                    return constant(value // divisor if operator == "/" else value % divisor)
                text = self.text(inner)
                if inner is None or text is None or not self.is_nonnegative(inner):
                    return None  # C rounds towards zero: only for values of 0 or more is that isl's floor
                return {(f"floor(({text})/{divisor})" if operator == "/" else f"(({text}) mod {divisor})",): 1}
            case Binary("<<", left, Number(value=int(places))) if 0 <= places < 31:
                return self.polynomial(Binary("*", left, Number(str(2**places), 2**places)))
            case Binary(">>", left, Number(value=int(places))) if 0 <= places < 31:
                return self.polynomial(Binary("/", left, Number(str(2**places), 2**places)))
            case Call("min" | "max" as function, (left, right)):
                texts = self.affine(left), self.affine(right)
                return None if None in texts else {(f"{function}({texts[0]}, {texts[1]})",): 1}
        return None

    def _definition(self, name: str) -> Polynomial | None:
        value, to = self.symbols.definitions.get(name), self.symbols.types.get(name, "int")
        inner = None if value is None else self.polynomial(value)
        return inner if inner is not None and value is not None and self._fits(value, to) else None

    def _fits(self, value: Expression, to: str) -> bool:
        """Whether a value keeps its meaning in the type `to`: a negative one wraps in an unsigned type."""
        return not is_unsigned(to) or self._is_proven_nonnegative(value)

    def _is_proven_nonnegative(self, value: Expression) -> bool:
        """Whether a value is 0 or more wherever `given` holds: from signs, or because isl finds no other point."""
        polynomial = self.polynomial(value)
        if polynomial is None or self.is_nonnegative(polynomial) or not self.given:
            return polynomial is not None and self.is_nonnegative(polynomial)
        match value:
            case Binary("+" | "*", left, right) if all(map(self._is_proven_nonnegative, (left, right))):
                return True
            case Variable(name=name) if name in self.symbols.definitions and name not in self.iterators:
                return self._is_proven_nonnegative(self.symbols.definitions[name])
        text = self.text(polynomial)
        if text is None:
            return False
        names = ", ".join(sorted({*self.symbols.parameters, *self.symbols.products, *self.iterators}))
        known = " and ".join([*self.given, *(f"{name} >= 0" for name in sorted(self.symbols.nonnegative))])
        return bool(isl().Set(f"[{names}] -> {{ : {known} and {text} < 0 }}").is_empty())

    def is_nonnegative(self, polynomial: Polynomial) -> bool:
        """True when that is plain from signs alone."""
        return all(
            value > 0 and all(self._atom_nonnegative(atom) for atom in atoms) for atoms, value in polynomial.items()
        )

    def _atom_nonnegative(self, atom: str) -> bool:
        known = atom in self.nonnegative or (atom in self.symbols.nonnegative and atom not in self.iterators)
        return known or atom.startswith(("floor(", "(("))  # those two are only made of such values

    def text(self, polynomial: Polynomial | None) -> str | None:
        """isl's text of an affine polynomial, a product of parameters being one parameter; None when it is not affine."""
        if polynomial is None:
            return None
        out = ""
        for atoms, value in sorted(polynomial.items(), key=lambda item: (item[1] < 0, item[0] == (), item[0])):
            if len(atoms) > 1:
                if any(self.has_iterator(atom) or not atom.isidentifier() for atom in atoms):
                    return None
                name = "__".join(atoms)
                self.symbols.products[name] = "(" + " * ".join(atoms) + ")"
                atoms = (name,)
            size = abs(value)
            term = str(size) if not atoms else atoms[0] if size == 1 else f"{size}*{atoms[0]}"
            out += (" - " if value < 0 else " + ") + term
        if not out:
            return "0"
        return out[3:] if out.startswith(" + ") else "-" + out[3:]

    def affine(self, expression: Expression) -> str | None:
        return self.text(self.polynomial(expression))

    def condition(self, expression: Expression, *, wanted: bool = True, trusted: bool = False) -> str | None:
        """isl's text of "the condition is `wanted`"; None when it is not affine.

        `trusted`: it bounds a loop, so that a difference of unsigned values may be taken not to wrap.
        """
        match expression:
            case Unary("!", operand):
                return self.condition(operand, wanted=not wanted, trusted=trusted)
            case Binary("&&" | "||" as operator, left, right):
                a = self.condition(left, wanted=wanted, trusted=trusted)
                reached = self.under(self.condition(left, wanted=operator == "&&", trusted=trusted))
                b = reached.condition(right, wanted=wanted, trusted=trusted)
                joined = "and" if (operator == "&&") == wanted else "or"
                return None if a is None or b is None else f"({a} {joined} {b})"
            case Binary(operator, left, right) if operator in NEGATED:
                if not trusted and not self._compares_as_integers(left, right):
                    return None
                a, b = self.affine(left), self.affine(right)
                shown = operator if wanted else NEGATED[operator]
                return None if a is None or b is None else f"({a} {'=' if shown == '==' else shown} {b})"
        return None

    def _compares_as_integers(self, left: Expression, right: Expression) -> bool:
        """False where a comparison is of unsigned values that may have wrapped."""
        try:
            types = [type_of(side, self.symbols.types) for side in (left, right)]
        except CannotTransform:
            return False
        if not is_unsigned(promoted(*types)):
            return True
        for side in (left, right):
            polynomial = self.polynomial(side)
            if polynomial is None or (self._varies(polynomial) and not self._is_proven_nonnegative(side)):
                return False
        return True

    def _varies(self, polynomial: Polynomial) -> bool:
        return any(self.has_iterator(atom) for atoms in polynomial for atom in atoms)


def c_text(text: str, products: Mapping[str, str], arguments: Mapping[str, str] | None = None) -> str:
    """An affine text as C: products written out, loop variables replaced by what stands for them."""

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        if word in products:
            return products[word]
        value = (arguments or {}).get(word)
        return word if value is None else value if re.fullmatch(r"\w+", value) else f"({value})"

    return re.sub(r"[A-Za-z_]\w*", replaced, text)
