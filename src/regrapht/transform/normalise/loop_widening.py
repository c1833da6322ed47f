"""Loops whose bounds data choose within bounds that the launcher knows, as loops over all of these: their turns may then be threads.

In `for d { from = max(0, -shift[d]), to = min(n, n - shift[d]); for (i = from; i < to; ++i) y[i] += ... }` turns of `d` meet, and nobody
knows the turns of `i` in advance. As `for (i = 0; i < n; ++i) if (i >= from && i < to) ...` there is a thread for each `i`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    place_name,
    walk,
)
from regrapht.transform.ir.idioms import all_of, as_extreme
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables, with_statement
from regrapht.transform.ir.statements import Declare, For, Function, If, every
from regrapht.transform.normalise.forms import Form, has_more_threads
from regrapht.transform.normalise.guard_sinking import (
    for_unknown_loops,
    leaves,
    names_changed,
    with_guards_sunk,
    with_scalars_sunk_into,
)
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.polyhedral.loop_tree import Key, loop_key


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, frozenset[Key]]]:
    return for_unknown_loops(analysis, with_bounds_widened(analysis.function))


def _accept(before: Analysis, after: Analysis, loops: frozenset[Key]) -> bool:
    return has_more_threads(before.nests, after.nests, after.scop.tree, loops, first=True)


LOOP_WIDENING = Form(_candidates, _accept)


def with_bounds_widened(function: Function) -> Iterator[tuple[Function, frozenset[Key]]]:
    """For each loop whose bounds are within known ones: the function with that loop over all of these, its turns under the bounds as they
    are, and the loop.

    Where scalars are set between it and the loops around, the function with these set inside, too, comes before the one without. Last come
    those with a condition around the loop inside of it.
    """
    bounds = _Bounds.of(function)
    for loop in [one for one in every(function.body) if isinstance(one, For)]:
        wide = _widened(loop, bounds)
        if wide is None:
            continue
        keys = frozenset({loop_key(loop)})
        body = with_statement(function.body, loop, [wide])
        settled = with_scalars_sunk_into(body, keys)
        if settled is not body:
            yield replace(function, body=settled), keys
        yield replace(function, body=body), keys
        yield from (form for form in with_guards_sunk(replace(function, body=body)) if keys <= form[1])


def _widened(loop: For, bounds: "_Bounds") -> For | None:
    """The loop over all values that its variable may have; None where they are not known, or its own bounds are known already."""
    own = Variable(loop.variable)
    if loop.step != 1 or loop.left_by_flag or loop.launched or loop.known or leaves(loop.body):
        return None
    ends = all_of(loop.condition)
    read = {
        place_name(part) for one in [loop.start, *ends] for part in walk(one) if isinstance(part, Variable | Element)
    }
    changed = {*names_changed(loop.body), loop.variable}
    if (read - {loop.variable}) & changed or loop.variable in bounds.changing or loop.variable in _names(loop.start):
        return None
    low = bounds.bound(loop.start, "max")
    heads: list[Expression] = []
    for end in ends:
        if (
            not isinstance(end, Binary)
            or end.operator not in ("<", "<=")
            or end.left != own
            or own.name in _names(end.right)
        ):
            return None
        high = bounds.bound(end.right, "min")
        if high is not None:
            heads.append(replace(end, right=high))
    wide = [part for head in heads if isinstance(head, Binary) for part in (head.right, low) if part is not None]
    exact = low == loop.start and heads == ends
    if low is None or not heads or exact or not all(bounds.fits(one, loop.type) for one in [*wide, loop.start]):
        return None
    guard = _all([Binary(">=", own, loop.start), *ends])
    return replace(loop, start=low, condition=_all(heads), body=[If(guard, loop.body, [], loop.line)])


def _all(parts: list[Expression]) -> Expression:
    return reduce(lambda left, right: Binary("&&", left, right), parts)


def _names(expression: Expression) -> set[str]:
    return {part.name for part in walk(expression) if isinstance(part, Variable)}


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What is known of the values of a function's scalars."""

    types: dict[str, str]
    fixed: set[str]
    """Integer parameters that keep their values, and whose names nothing else has."""
    declared: dict[str, Declare]
    """Scalars with one value, and whose names nothing else has."""
    changing: set[str]

    @classmethod
    def of(cls, function: Function) -> "_Bounds":
        statements = list(every(function.body))
        changing = assigned_variables(function.body)
        declares = [one for one in statements if isinstance(one, Declare)]
        loops = [one for one in statements if isinstance(one, For)]
        locals_ = [one.name for one in declares] + [one.variable for one in loops]
        kinds = [(one.name, one.type) for one in function.constants if one.type is not None]
        kinds += [(one.name, one.type) for one in function.parameters] + [(one.name, one.type) for one in declares]
        kinds += [(one.variable, one.type) for one in loops]
        types = {name: to for name, to in kinds if all(to == other for same, other in kinds if same == name)}
        taken = {*changing, *locals_}
        fixed = {one.name for one in function.parameters if not one.is_pointer and one.name not in taken}
        taken = {*changing, *(one.name for one in function.parameters)}
        once = [one for one in declares if not one.lengths and one.value is not None and locals_.count(one.name) == 1]
        return cls(types, fixed, {one.name: one for one in once if one.name not in taken}, changing)

    def bound(self, expression: Expression, extreme: str) -> Expression | None:
        """A value that the launcher knows and that the expression is never below (`extreme` is `max`) or never above (`min`)."""
        expression = as_extreme(expression)
        if not self._is_signed(expression):
            return None
        if self._is_known(expression):
            return expression
        match expression:
            case Variable(name=name) if name in self.declared:
                value = self.declared[name].value
                return None if value is None or not self.fits(value, self.types[name]) else self.bound(value, extreme)
            case Cast(type=to, operand=operand):
                return self.bound(operand, extreme) if self.fits(operand, to) else None
            case Call("min" | "max" as function, (_, _) as sides) if all(map(self._is_signed, sides)):
                found = [self.bound(side, extreme) for side in sides]
                known = [one for one in found if one is not None]
                if function == extreme:
                    return known[0] if known else None
                return Call(function, tuple(known)) if len(known) == 2 else None
        return None

    def fits(self, value: Expression, to: str) -> bool:
        """Whether a signed type holds all values of an expression of a signed type."""
        own = self._type(value)
        return own is not None and _is_signed(own) and _is_signed(to) and size_bytes(own) <= size_bytes(to)

    def _is_known(self, expression: Expression) -> bool:
        """Whether it is the same wherever it stands, and can be computed there: sums and products of parameters."""
        for part in walk(expression):
            match part:
                case Variable(name=name) if name in self.fixed:
                    pass
                case Number(value=int()) | Unary("+" | "-", _) | Binary("+" | "-" | "*", _, _):
                    pass
                case _:
                    return False
        return all(map(self._is_signed, walk(expression)))

    def _is_signed(self, expression: Expression) -> bool:
        own = self._type(expression)
        return own is not None and _is_signed(own)

    def _type(self, expression: Expression) -> str | None:
        try:
            return type_of(expression, self.types)
        except CannotTransform:
            return None


def _is_signed(name: str) -> bool:
    return is_integer(name) and not is_unsigned(name) and size_bytes(name) >= 4
