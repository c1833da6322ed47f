"""Expressions of the source as integer polynomials and, where they are affine, as text for isl."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, add, constant, multiply, names_in
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import Binary, Call, Cast, Expression, Number, Unary, Variable, children, integer
from regrapht.transform.ir.scalar_types import in_range, is_integer, is_unsigned, promoted, size_bytes
from regrapht.transform.polyhedral.isl_library import isl

_MOST = {1: 2**8, 2: 2**16, 4: 2**31, 8: 2**47}
"""What integer variables stay below, by their size: those of 64 bits count what is in memory."""
_STRIDES = {4: 2**24, 8: _MOST[8]}
"""What strides of unsigned types stay below, by the type's size."""
_MOST_RUNS = 2
"""Each run of ones in a mask is a quotient and a remainder to isl, which takes long over many."""
_IN_C = {"floor": "", "mod": "%"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


Divisible = Collection[tuple[str, str]]
"""Pairs of a size and what the task requires to divide it: another size, or a number."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """`result = dividend / divisor`, rounded down: the dividend is 0 or more, the divisor 1 or more."""

    result: str
    dividend: str
    divisor: str | int
    exact: bool
    """Whether nothing is left over."""

    @property
    def product(self) -> Terms:
        """The divisor times the result, which is the dividend or less."""
        factor: Terms = {(self.divisor,): 1} if isinstance(self.divisor, str) else {(): self.divisor}
        return multiply({(self.result,): 1}, factor)


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
    values: dict[str, Terms] = field(default_factory=dict)
    """What those parameters that the launcher computes are in terms of the others, such as `plane = height * width`."""
    products: dict[str, str] = field(default_factory=dict)
    """isl parameters that stand for a product of parameters, with their C text."""
    divisible: Divisible = ()
    """Sizes with what the task requires to divide them."""
    quotients: list[Quotient] = field(default_factory=list)
    """Those parameters that the launcher computes as a quotient of others."""
    _read: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)

    def isl_set(self, text: str) -> Any:
        """isl's set of a text. Reading one takes longer than most of what is asked of it, and a function's texts come again and again."""
        return self._known("Set", text)

    def isl_map(self, text: str) -> Any:
        """isl's map of a text, as `isl_set`."""
        return self._known("Map", text)

    def _known(self, kind: str, text: str) -> Any:
        key = kind, text
        if key not in self._read:
            self._read[key] = getattr(isl(), kind)(text)
        return self._read[key]


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

    def polynomial(self, expression: Expression) -> Terms | None:
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
                if operator != "*":
                    return add(a, b, 1 if operator == "+" else -1)
                product = multiply(a, b)
                return None if self._scatters(expression, product) else product
            case Binary("/" | "%" as operator, left, right) if (integer(right) or 0) > 0:
                return self._share(left, operator, integer(right) or 0)
            case Binary("<<", left, Number(value=int(places))) if 0 <= places < 31:
                return self.polynomial(Binary("*", left, Number(str(2**places), 2**places)))
            case Binary(">>", left, Number(value=int(places))) if 0 <= places < 31:
                return self._share(left, "/", 2**places)
            case Binary("&" | "|" | "^" as operator, left, right):
                return self._bits(operator, left, right)
            case Call("min" | "max" as function, (left, right)):
                texts = self.affine(left), self.affine(right)
                return None if None in texts else {(f"{function}({texts[0]}, {texts[1]})",): 1}
        return None

    def _scatters(self, product: Binary, terms: Terms) -> bool:
        """Whether a product of an unsigned type has a factor larger than strides are: then it is meant to wrap, as in a hash."""
        factor = _largest_factor(terms)
        of = self._type(product) if factor >= _STRIDES[4] else None
        return of is not None and is_unsigned(of) and factor >= _STRIDES[size_bytes(of)]

    def _share(self, value: Expression, operator: str, divisor: int) -> Terms | None:
        """A value divided by a constant, or its remainder."""
        inner = self._counted(value)
        if inner is not None and set(inner) <= {()}:
            number = inner.get((), 0)
            return constant(number // divisor if operator == "/" else number % divisor)
        return None if inner is None else (self._quotient if operator == "/" else self._remainder)(inner, divisor)

    def _bits(self, operator: str, left: Expression, right: Expression) -> Terms | None:
        """`x & 3` as a remainder, `x & ~3` as a quotient, `x | 3` and `x ^ 3` as what those add or take."""
        value, mask = (left, self._mask(right, left)) if integer(left) is None else (right, self._mask(left, right))
        inner = None if mask is None else self._counted(value)
        if inner is None or mask is None or (mask < 0 and operator != "&"):
            return None
        if mask < 0 and mask & (mask - 1) == 2 * mask:  # ones above, zeros below
            rounded = self._quotient(inner, -mask)
            return None if rounded is None else multiply(rounded, constant(-mask))
        common = self._under_mask(inner, mask if mask >= 0 else ~mask)
        if common is None or (operator == "&" and mask >= 0):
            return common
        if operator == "&":
            return add(inner, common, -1)
        return add(add(inner, constant(mask)), common, -1 if operator == "|" else -2)

    def _mask(self, expression: Expression, other: Expression) -> int | None:
        """A constant as an operand of `&` beside `other`, negative where its ones have no end; None where it is none."""
        inverted = isinstance(expression, Unary) and expression.operator == "~"
        value = integer(expression.operand if inverted and isinstance(expression, Unary) else expression)
        mask = None if value is None else ~value if inverted else value
        if mask is None or mask >= 0:
            return mask
        types = [self._type(expression), self._type(other)]
        if None in types or (is_unsigned(str(types[0])) and size_bytes(str(types[0])) < size_bytes(str(types[1]))):
            return None  # it ends above, in the middle of the other
        return mask

    def _under_mask(self, inner: Terms, mask: int) -> Terms | None:
        """The bits of a value of 0 or more that are ones in `mask`, run by run."""
        found: Terms = {}
        runs = runs_of_ones(mask)
        if len(runs) > _MOST_RUNS:
            return None
        for low, length in runs:
            above = inner if low == 0 else self._quotient(inner, 2**low)
            run = None if above is None else self._remainder(above, 2**length)
            if run is None:
                return None
            found = add(found, multiply(run, constant(2**low)))
        return found

    def _quotient(self, inner: Terms, divisor: int) -> Terms | None:
        whole, rest = self._multiples(inner, divisor)
        text = self.text(rest)
        if text is None or not rest:
            return None if text is None else whole
        return add(whole, {(f"floor(({text})/{divisor})",): 1})

    def _remainder(self, inner: Terms, divisor: int) -> Terms | None:
        _, rest = self._multiples(inner, divisor)
        text = self.text(rest)
        if text is None or not rest:
            return None if text is None else {}
        return {(f"(({text}) mod {divisor})",): 1}

    def _multiples(self, inner: Terms, divisor: int) -> tuple[Terms, Terms]:
        """What a divisor divides, as a quotient, and the rest, where the value as a whole is not affine; else all is rest."""
        if self.text(inner) is not None or not self.is_nonnegative(inner):
            return {}, inner
        whole = {atoms: value // divisor for atoms, value in inner.items() if value % divisor == 0}
        return whole, {atoms: value for atoms, value in inner.items() if value % divisor}

    def _counted(self, value: Expression) -> Terms | None:
        """A value that is 0 or more and that no arithmetic cuts; None where that is not certain.

        C rounds towards zero and has bits of negative values: only of values of 0 or more is a share isl's floor.
        """
        inner = self.polynomial(value)
        if inner is None or not self.is_exact(value):
            return None
        text = None if self.is_nonnegative(inner) else self.text(inner)
        return inner if self.is_nonnegative(inner) or (text is not None and self._is_never(f"{text} < 0")) else None

    def is_exact(self, expression: Expression) -> bool:
        """Whether arithmetic gives what it gives with integers of any size: that of unsigned types may wrap, as in a hash."""
        match expression:
            case Variable(name=name) if name not in self.iterators and name not in self.symbols.parameters:
                value, to = self.symbols.definitions.get(name), self.symbols.types.get(name, "int")
                return value is not None and self.is_exact(Cast(to, value))
            case Binary("+" | "-" | "*" | "<<", _, _) | Unary("-", _):
                of = self._type(expression)
                if of is None or (is_unsigned(of) and not self._stays_below(expression, of, _MOST)):
                    return False
            case Cast(type=to, operand=operand):
                of = self._type(operand)
                cut = of is not None and is_integer(of) and size_bytes(to) < size_bytes(of)
                if of is None or (cut and not self._stays_below(operand, to, {4: _MOST[4], 8: _MOST[4]})):
                    return False
        return all(map(self.is_exact, children(expression)))

    def _stays_below(self, expression: Expression, of: str, most: Mapping[int, int]) -> bool:
        """Whether isl proves that a value is in the range of the type `of`; `most` are the largest values of signed variables by size."""
        polynomial = self.polynomial(expression)
        text, limit = self.text(polynomial), 2 ** (8 * size_bytes(of) - (not is_unsigned(of)))
        if polynomial is None:
            return False
        if text is None:  # a place in an array, as `y * width + x`
            return size_bytes(of) == 8 and self.is_nonnegative(polynomial) and sum(polynomial.values()) < 2**16
        bounds = []
        for name in sorted(names_in(polynomial) & {*self.symbols.parameters, *self.symbols.products, *self.iterators}):
            kind = self.symbols.types.get(name, "long long")
            end = 2**32 if kind == "unsigned int" and most is _MOST else most[size_bytes(kind)]
            bounds.append(f"{name} < {end}")
        return self._is_never(" and ".join([*bounds, f"({text} < 0 or {text} >= {limit})"]))

    def _type(self, expression: Expression) -> str | None:
        try:
            return type_of(expression, self.symbols.types)
        except CannotTransform:
            return None

    def _definition(self, name: str) -> Terms | None:
        value, to = self.symbols.definitions.get(name), self.symbols.types.get(name, "int")
        inner = None if value is None else self.polynomial(value)
        return inner if inner is not None and value is not None and self._fits(value, to) else None

    def _fits(self, value: Expression, to: str) -> bool:
        """Whether a value keeps its meaning in the type `to`: a negative one wraps in an unsigned type, and a narrower one cuts what has
        larger factors than strides have."""
        of = self._type(value)
        if of is None or size_bytes(to) < size_bytes(of):
            polynomial = self.polynomial(value)
            if polynomial is None or _largest_factor(polynomial) >= _STRIDES[4]:
                return False
            if set(polynomial) <= {()} and not in_range(polynomial.get((), 0), to):
                return False
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
        return text is not None and self._is_never(f"{text} < 0")

    def _is_never(self, condition: str) -> bool:
        """Whether isl finds no point where a condition holds beside what is given."""
        names = ", ".join(sorted({*self.symbols.parameters, *self.symbols.products, *self.iterators}))
        signs = {*self.symbols.nonnegative} - {*self.iterators} | self.nonnegative
        known = " and ".join([*self.given, *(f"{name} >= 0" for name in sorted(signs)), condition])
        return bool(self.symbols.isl_set(f"[{names}] -> {{ : {known} }}").is_empty())

    def is_nonnegative(self, polynomial: Terms) -> bool:
        """True when that is plain from signs alone."""
        return all(
            value > 0 and all(self._atom_nonnegative(atom) for atom in atoms) for atoms, value in polynomial.items()
        )

    def _atom_nonnegative(self, atom: str) -> bool:
        known = atom in self.nonnegative or (atom in self.symbols.nonnegative and atom not in self.iterators)
        return known or atom.startswith(("floor(", "(("))  # those two are only made of such values

    def text(self, polynomial: Terms | None) -> str | None:
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
        value = self.polynomial(expression)
        if value is None or not self._varies(value) or not self.is_exact(expression):
            return None
        text = self.text(value)
        return None if text is None else f"({text} {'!=' if wanted else '='} 0)"

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

    def _varies(self, polynomial: Terms) -> bool:
        return any(self.has_iterator(atom) for atoms in polynomial for atom in atoms)


def _largest_factor(terms: Terms) -> int:
    """Of what varies; 0 where nothing does."""
    return max((abs(value) for atoms, value in terms.items() if atoms), default=0)


def c_text(text: str, products: Mapping[str, str], arguments: Mapping[str, str] | None = None) -> str:
    """An affine text as C: products written out, loop variables replaced by what stands for them.

    It is to stand where the source has the value: what is divided there is 0 or more, so that C rounds as isl does.
    """

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        if word in _IN_C:
            return _IN_C[word]
        if word in products:
            return products[word]
        value = (arguments or {}).get(word)
        return word if value is None else value if re.fullmatch(r"\w+", value) else f"({value})"

    return re.sub(r"[A-Za-z_]\w*", replaced, text)


def runs_of_ones(mask: int) -> list[tuple[int, int]]:
    """The lowest bit and the length of each run of ones in a number of 0 or more."""
    found, low = [], 0
    while mask >> low:
        if mask >> low & 1:
            length = (~(mask >> low) & ((mask >> low) + 1)).bit_length() - 1
            found.append((low, length))
            low += length
        else:
            low += 1
    return found
