"""Symbols that take a range of values, and the largest and smallest value of a polynomial over them."""

from dataclasses import dataclass, field

from regrapht.records.expression import Expression
from regrapht.source.polynomial import Polynomial

ZERO, ONE = Polynomial.constant(0), Polynomial.constant(1)


class Unbounded(Exception):
    """The code does not say how large a value gets."""

    def __init__(self, what: str, line: int, *, array: str | None = None) -> None:
        self.what, self.line, self.array = what, line, array
        super().__init__(f"line {line}: {what}")


class TooLong(Unbounded):
    """A value is known, as a formula that is longer than a task may hold."""


def require_short(value: Polynomial, what: str, line: int, *, array: str | None = None) -> None:
    """Refuse a value whose formula no task can hold.

    Raises:
        TooLong: It is none, with what the expression's own check says.
    """
    try:
        Expression(str(value))
    except ValueError as error:
        raise TooLong(f"{what} is a formula that no task can hold: {error}", line, array=array) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A loop variable, a clamped local, or an element of an index array. None: that bound is not known."""

    name: str
    low: Polynomial | None
    high: Polynomial | None
    """Largest value, which may name symbols declared before."""
    line: int
    what: str
    """For messages: `loop variable i`, `the contents of idx`."""
    data_array: str | None = None
    """The index array that the value is read from."""
    data_index: Polynomial | None = None
    """Which element of it, where that is known."""
    dense: bool = False
    """Whether it takes every value from 0 to `high`."""
    is_middle: bool = False
    """Whether it is the middle of a range that a search halves: what it is a subscript of is in order."""
    is_loose: bool = False
    """Whether the bounds come from all that a variable is ever set to: it need not reach them."""
    is_kept: bool = False
    """Whether an expression keeps it inside the bounds, as `std::clamp` does: where they cross, it has no value inside."""


@dataclass(slots=True)
class Symbols:
    """All symbols seen so far, in the order of their declaration."""

    known: dict[str, Symbol] = field(default_factory=dict)
    _made: dict[str, tuple[Polynomial, ...]] = field(default_factory=dict)
    """What stands in each `max(...)` and `min(...)` that was made, so that the next one is written flat."""

    def add(self, symbol: Symbol) -> Polynomial:
        """Remember the symbol; a symbol already known stays as it was."""
        self.known.setdefault(symbol.name, symbol)
        return Polynomial.name(symbol.name)

    def of(self, value: Polynomial) -> list[Symbol]:
        """The symbols in `value`, last declared first."""
        return [symbol for name, symbol in reversed(self.known.items()) if name in value.names]

    def upper(
        self,
        value: Polynomial,
        tighter: dict[str, Polynomial] | None = None,
        *,
        positive: tuple[Polynomial, ...] = (),
    ) -> Polynomial:
        """A size-only polynomial that `value` never exceeds.

        Args:
            value: What to bound.
            tighter: Upper bounds that hold for this use only, such as those of the conditions around it.
            positive: What is at least 1 for this use, such as the turns of the loops around it.

        Raises:
            Unbounded: A symbol has no known bound on the side that matters.
        """
        return self._bound(value, upward=True, tighter=tighter or {}, positive=positive)

    def lower(self, value: Polynomial, *, positive: tuple[Polynomial, ...] = ()) -> Polynomial:
        """A size-only polynomial that `value` never falls below; `positive` as for `upper`.

        Raises:
            Unbounded: As `upper`.
        """
        return self._bound(value, upward=False, tighter={}, positive=positive)

    def largest(self, first: Polynomial, second: Polynomial) -> Polynomial:
        """The larger of two size-only polynomials; written as `max(a, b)` where neither always is."""
        return self._extreme("max", first, second)

    def smallest(self, first: Polynomial, second: Polynomial) -> Polynomial:
        """The smaller of two size-only polynomials; written as `min(a, b)` where neither always is."""
        return self._extreme("min", first, second)

    def _extreme(self, called: str, first: Polynomial, second: Polynomial) -> Polynomial:
        def covers(one: Polynomial, other: Polynomial) -> bool:
            return (one - other if called == "max" else other - one).is_never_negative()

        parts = list(self._made.get(f"{called}:{first}", (first,)))
        for part in self._made.get(f"{called}:{second}", (second,)):
            if not any(covers(other, part) for other in parts):
                parts = [other for other in parts if not covers(part, other)] + [part]
        if len(parts) == 1:
            return parts[0]
        name = f"{called}({', '.join(map(str, parts))})"
        self._made[f"{called}:{name}"] = tuple(parts)
        return Polynomial.name(name)

    def _bound(
        self, value: Polynomial, *, upward: bool, tighter: dict[str, Polynomial], positive: tuple[Polynomial, ...]
    ) -> Polynomial:
        while symbols := self.of(value):
            symbol = symbols[0]
            factor, _ = value.split(symbol.name)
            rising = self._is_rising(factor, symbol, positive)
            end = symbol.high if rising == upward else symbol.low
            if rising == upward and symbol.name in tighter:
                end = tighter[symbol.name]
            if end is None:
                raise Unbounded(symbol.what, symbol.line)
            value = value.substitute(symbol.name, end)
        return value

    def _is_rising(self, factor: Polynomial, symbol: Symbol, positive: tuple[Polynomial, ...]) -> bool:
        if symbol.name in factor.names:  # a square: only sign-free ranges are followed
            factor = factor.substitute(symbol.name, ONE)
        if self.of(factor):
            if self.lower(factor, positive=positive).is_never_negative(positive):
                return True
            if (-self.upper(factor, positive=positive)).is_never_negative(positive):
                return False
        elif factor.is_never_negative(positive):
            return True
        elif (-factor).is_never_negative(positive):
            return False
        raise Unbounded(f"{symbol.what}, multiplied by {factor}, which changes its sign,", symbol.line)
