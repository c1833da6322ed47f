"""Trip counts of `while` loops that walk a pointer to an end, by an amount that is no number: `for` loops over their turns.

`end = p + rows * cols; while (p != end) { ...; p += cols; }` makes `rows` turns, because the distance is that many times the step. Where
`cols` is 0 the distance is, too, and the loop makes none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import prod

from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Variable,
    integer,
    number,
    walk,
)
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables, leaves_own_loop
from regrapht.transform.ir.statements import Continue, Declare, For, Statement, Update, While, every
from regrapht.transform.normalise.local_variables import Locals

_MIRRORED = {"!=": "!=", ">": "<"}
_LARGEST_BITS = 64


@dataclass(frozen=True, slots=True)
class Ending:
    """The test of a loop: it goes on while the variable has not come to its end."""

    variable: str
    end: Expression


@dataclass(frozen=True, slots=True)
class Product:
    """A number times variables."""

    number: int
    names: tuple[str, ...]

    def over(self, other: "Product") -> "Product | None":
        """The quotient; None where it is no such product."""
        left = list(self.names)
        for name in other.names:
            if name not in left:
                return None
            left.remove(name)
        exact = other.number > 0 and self.number % other.number == 0
        return Product(self.number // other.number, tuple(left)) if exact else None


def endings(loop: While) -> list[Ending]:
    """The ways to read a loop's test as that of a variable that goes up to an end."""
    if leaves_own_loop(loop.body, Continue):
        return []
    match loop.condition:
        case Binary("!=" | "<" | ">" as operator, left, right):
            sides = [(left, right)] if operator != ">" else []
            sides += [(right, left)] if operator in _MIRRORED else []
            return [Ending(side.name, end) for side, end in sides if isinstance(side, Variable)]
    return []


def over_turns(
    work: Locals, loop: While, ending: Ending, step: Expression, before: Sequence[Statement]
) -> "tuple[For, Expression | None] | None":
    """The loop over its turns, and what must hold for there to be any; None where the step is not seen to divide the distance.

    Args:
        work: What is known of the function's locals.
        loop: The loop, whose body stays as it is.
        ending: Its test.
        step: What every turn adds to the variable, of parts that the loop does not change.
        before: The statements before the loop in its list.
    """
    distance = _distance(ending, loop, before)
    whole, part = (None if one is None else _product(one, work.types) for one in (distance, step))
    turns = None if whole is None or part is None else whole.over(part)
    if turns is None or part is None or not all(_is_nonnegative(name, work) for name in part.names):
        return None
    type_name, count = _counted(turns, work.types)
    name = work.fresh("turn")
    work.types[name] = type_name
    own = Variable(name)
    advance = Update(own, "+", ONE, loop.line)
    counted = For(name, type_name, ZERO, Binary("<", own, count), 1, advance, loop.body, loop.line)
    positive: list[Expression] = [Binary(">", Variable(one), ZERO) for one in dict.fromkeys(part.names)]
    return counted, reduce(partial(Binary, "&&"), positive) if positive else None


def _is_nonnegative(name: str, work: Locals) -> bool:
    return name in work.nonnegative or is_unsigned(work.types[name])


def _distance(ending: Ending, loop: While, before: Sequence[Statement]) -> Expression | None:
    """How far the end is from the variable before the loop, of parts that are the same then and in every turn."""
    moved = _changed(loop.body)
    end, settled = _at(ending.end, before)
    start, begun = _at(Variable(ending.variable), before)
    parts = {part.name for part in walk(end) if isinstance(part, Variable)}
    if any(isinstance(part, Element | Call) for side in (end, start) for part in walk(side)):
        return None
    if (parts - {ending.variable}) & (moved | _changed(before[settled:])):
        return None
    if isinstance(ending.end, Variable) and ending.end.name in moved:
        return None
    if ending.variable in parts:
        if end is ending.end or ending.variable in _changed(before[settled:]):
            return None  # each turn has an end of its own, or it was found from another place
        return _difference(end, Variable(ending.variable))
    of_start = {part.name for part in walk(start) if isinstance(part, Variable)}
    if of_start & (moved | _changed(before[begun:])):
        return None
    return end if integer(start) == 0 else _difference(end, start)


def _at(value: Expression, before: Sequence[Statement]) -> tuple[Expression, int]:
    """What a variable was declared as, if nothing set it since, and the place behind that; anything else as it is before the loop."""
    for place in range(len(before), 0, -1):
        one = before[place - 1]
        if isinstance(value, Variable) and isinstance(one, Declare) and one.name == value.name:
            plain = one.value is not None and not one.lengths and value.name not in _changed(before[place:])
            return (one.value, place) if plain and one.value is not None else (value, len(before))
    return value, len(before)


def _changed(statements: Sequence[Statement]) -> set[str]:
    loops = {one.variable for one in every(list(statements)) if isinstance(one, For)}
    return assigned_variables(list(statements)) | loops


def _difference(end: Expression, start: Expression) -> Expression | None:
    """`d` of `start + d`."""
    match end:
        case Binary("+", left, right):
            return right if left == start else left if right == start else None
    return None


def _product(value: Expression, types: dict[str, str]) -> Product | None:
    """The expression as a product, where its type holds that of any variables, or overflows without a meaning."""
    if isinstance(value, Binary) and value.operator == "+" and not is_unsigned(type_of(value, types)):
        return _sum(_product(value.left, types), _product(value.right, types))
    factors = _factors(value, types)
    if factors is None:
        return None
    names = tuple(one.name for one in factors if isinstance(one, Variable))
    number = prod(integer(one) or 0 for one in factors if not isinstance(one, Variable))
    if len(factors) > 1 and is_unsigned(type_of(value, types)):
        bits = sum(8 * size_bytes(types[name]) - (not is_unsigned(types[name])) for name in names)
        if bits + max(number - 1, 0).bit_length() > _LARGEST_BITS:
            return None
    return Product(number, names)


def _sum(left: Product | None, right: Product | None) -> Product | None:
    same = left is not None and right is not None and sorted(left.names) == sorted(right.names)
    return Product(left.number + right.number, left.names) if same and left and right else None


def _factors(value: Expression, types: dict[str, str]) -> list[Expression] | None:
    match value:
        case Variable(name=name):
            return [value] if is_integer(types.get(name, "float")) else None
        case Cast(type=to, operand=operand):
            return _factors(operand, types) if is_integer(to) and size_bytes(to) == 8 else None
        case Binary("*", left, right):
            first, second = _factors(left, types), _factors(right, types)
            narrow = first is not None and second is not None and type_of(value, types) == "unsigned int"
            return None if first is None or second is None or narrow else [*first, *second]
    return [value] if integer(value) is not None and (integer(value) or 0) > 0 else None


def _counted(turns: Product, types: dict[str, str]) -> tuple[str, Expression]:
    """A product as the end of a counter, with the counter's type."""
    if not turns.names:
        return "long long", number(turns.number)
    if len(turns.names) == 1 and turns.number == 1:
        (name,) = turns.names
        return types[name] if size_bytes(types[name]) >= 4 else "int", Variable(name)
    parts: list[Expression] = [Variable(name) for name in turns.names]
    parts += [number(turns.number)] if turns.number != 1 else []
    return "long long", reduce(partial(Binary, "*"), [Cast("long long", parts[0]), *parts[1:]])
