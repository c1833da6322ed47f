"""Guard sinking, the reverse of loop unswitching: conditions around loops as conditions inside of them, so that the loops may be threads.

`for d { if (used[d]) for w ... }` has one thread in all where turns of `d` meet, because what data say stands between the loops. With
`for d for w if (used[d]) ...` there is one for each `w`. What moves out of the condition's protection is the counting of the inner loop
alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

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
from regrapht.transform.ir.idioms import all_of, negation
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables, leaves_own_loop, with_statement
from regrapht.transform.ir.statements import (
    Allocate,
    Assign,
    Break,
    Continue,
    Declare,
    For,
    Function,
    If,
    Return,
    Statement,
    Update,
    every,
)
from regrapht.transform.normalise.forms import Form, has_more_threads
from regrapht.transform.normalise.scalar_sinking import can_move, with_scalars_sunk
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.polyhedral.loop_tree import Key, all_loops, loop_key


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, frozenset[Key]]]:
    return for_unknown_loops(analysis, with_guards_sunk(analysis.function))


def _accept(before: Analysis, after: Analysis, loops: frozenset[Key]) -> bool:
    return has_more_threads(before.nests, after.nests, after.scop.tree, loops, first=False)


GUARD_SINKING = Form(_candidates, _accept)


def for_unknown_loops(
    analysis: Analysis, forms: Iterable[tuple[Function, frozenset[Key]]]
) -> Iterator[tuple[Function, frozenset[Key]]]:
    """The forms for loops that are text so far; others count already, and what is around them is in their domains."""
    known = {loop_key(loop) for loop in all_loops(analysis.scop.tree)}
    return ((function, loops) for function, loops in forms if not loops & known)


def with_guards_sunk(function: Function) -> Iterator[tuple[Function, frozenset[Key]]]:
    """For each condition around loops: the function with it inside of them, as few loops deep as possible first, and these loops.

    Where scalars are set between those and the loops around, the function with these set inside, too, comes before the one without.
    """
    body = function.body
    facts, scratch = _Facts.of(function), _scratch(body)
    for guard in [one for one in every(body) if isinstance(one, If) and _has_loop(one)]:
        if names_changed([*guard.then, *guard.otherwise]) & scratch:
            continue  # that a turn writes what it reads of it shows only where the condition is around all of that
        depth = 1
        while True:
            work = _Mover(facts)
            inside = with_statement(body, guard, work.moved(guard, depth))
            if not work.reached:
                break
            keys = frozenset(work.loops)
            settled = with_scalars_sunk_into(inside, keys)
            if settled is not inside:
                yield replace(function, body=settled), keys
            yield replace(function, body=inside), keys
            depth += 1


def _scratch(body: list[Statement]) -> set[str]:
    """Buffers and local arrays."""
    return {one.name for one in every(body) if isinstance(one, Allocate) or (isinstance(one, Declare) and one.lengths)}


def _has_loop(statement: Statement) -> bool:
    return any(isinstance(one, For) for one in every([statement]))


def with_scalars_sunk_into(body: list[Statement], keys: frozenset[Key]) -> list[Statement]:
    """The body with the scalars that stand between these loops and those around set inside, as far as they may be."""
    for inner, changed in with_scalars_sunk(body):
        if any(isinstance(one, For) and loop_key(one) in keys for one in every([inner])):
            return with_scalars_sunk_into(changed, keys)
    return body


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of a function's scalars."""

    types: dict[str, str]
    """Of those that have a value from the beginning on."""
    changing: set[str]

    @classmethod
    def of(cls, function: Function) -> "_Facts":
        types = {constant.name: constant.type for constant in function.constants if constant.type is not None}
        types |= {parameter.name: parameter.type for parameter in function.parameters if not parameter.is_pointer}
        unset: set[str] = set()
        for one in every(function.body):
            if isinstance(one, For):
                types[one.variable] = one.type
            elif isinstance(one, Declare) and not one.lengths:
                types[one.name] = one.type
                unset |= {one.name} if one.value is None else set()
        return cls({name: to for name, to in types.items() if name not in unset}, assigned_variables(function.body))

    def counts_anywhere(self, loop: For) -> bool:
        """Whether a loop's bounds can be computed wherever its scalars are known, and it makes a finite number of turns then.

        What bounds that read arrays, divide or call something rely on may be just what the condition around the loop says.
        """
        if loop.step is None or loop.left_by_flag or loop.launched or loop.known or loop.variable in self.changing:
            return False
        parts = all_of(loop.condition)
        if not all(isinstance(part, Binary) and part.operator in ("<", "<=", ">", ">=") for part in parts):
            return False
        return all(self._is_harmless(one) for one in [loop.start, *parts])

    def _is_harmless(self, expression: Expression) -> bool:
        parts = list(walk(expression))
        if any(isinstance(part, Variable) and part.name in self.changing for part in parts):
            return False
        return all(_is_total(part) and self._is_plain_integer(part) for part in parts)

    def _is_plain_integer(self, part: Expression) -> bool:
        """Whether a part is an integer, and no difference that an unsigned type makes large: the condition may be what keeps that out."""
        try:
            own = type_of(part, self.types)
        except CannotTransform:
            return False
        takes_away = isinstance(part, Unary | Binary) and part.operator == "-"
        return is_integer(own) and not (takes_away and is_unsigned(own))


def _is_total(part: Expression) -> bool:
    match part:
        case Number() | Variable():
            return True
        case Unary(operator=operator):
            return operator in "+-"
        case Binary(operator=operator):
            return operator in ("+", "-", "*", "<", "<=", ">", ">=")
        case Call(function=function):
            return function in ("min", "max")
        case Cast(type=to):
            return is_integer(to) and size_bytes(to) >= 4 and not is_unsigned(to)
    return False


@dataclass(slots=True)
class _Mover:
    """Moves one condition into loops, so many deep, and less deep where these hold something else."""

    facts: _Facts
    loops: set[Key] = field(default_factory=set)
    """Those that it moved into."""
    reached: bool = False
    """Whether it came to that depth anywhere."""

    def moved(self, guard: If, depth: int) -> list[Statement]:
        """What does the same as the statement; the statement itself where the condition has to stay."""
        inside = [*guard.then, *guard.otherwise]
        if _names_read(guard.condition) & names_changed(inside) or leaves(inside):
            return [guard]
        out = self._under(guard.condition, guard.then, guard.line, depth)
        if guard.otherwise:
            out += self._under(negation(guard.condition), guard.otherwise, guard.line, depth)
        return out

    def _under(self, condition: Expression, block: list[Statement], line: int, depth: int) -> list[Statement]:
        """The statements, each under the condition where it counts; all of them together where they share locals."""
        before = set(self.loops), self.reached
        apart = self._apart(block, depth)
        has_loop = any(isinstance(one, For) and self.facts.counts_anywhere(one) for one in apart)
        if not has_loop or any(isinstance(one, Declare | Allocate) for one in apart):
            self.loops, self.reached = before
            return [If(condition, block, [], line)] if block else []
        out: list[Statement] = []
        for one in apart:
            last = out[-1] if out else None
            if isinstance(one, For) and self.facts.counts_anywhere(one):
                out.append(self._inside(condition, one, line, depth))
            elif isinstance(last, If) and last.condition is condition:
                out[-1] = replace(last, then=[*last.then, one])
            else:
                out.append(If(condition, [one], [], line))
        return out

    def _inside(self, condition: Expression, loop: For, line: int, depth: int) -> For:
        self.loops.add(loop_key(loop))
        self.reached |= depth == 1
        if depth == 1:
            return replace(loop, body=[If(condition, loop.body, [], line)])
        return replace(loop, body=self._under(condition, loop.body, line, depth - 1))

    def _apart(self, block: list[Statement], depth: int) -> list[Statement]:
        """The statements with conditions among them moved too, and with scalars in front of a loop that is all else set inside of it."""
        out: list[Statement] = []
        for one in block:
            out += self.moved(one, depth) if isinstance(one, If) and _has_loop(one) else [one]
        last = out[-1] if out else None
        if not isinstance(last, For) or not all(can_move(one, last, self.facts.changing) for one in out[:-1]):
            return out
        return [replace(last, body=[*out[:-1], *last.body])]


def leaves(statements: list[Statement]) -> bool:
    """Whether something here leaves a loop around it, or the function: then not all that follows is under the same conditions."""
    returns = any(isinstance(one, Return) for one in every(statements))
    inside = [loop.body for loop in every(statements) if isinstance(loop, For)]
    kinds: tuple[type[Break] | type[Continue], ...] = (Break, Continue)
    return returns or any(leaves_own_loop(one, kind) for one in [statements, *inside] for kind in kinds)


def _names_read(condition: Expression) -> set[str]:
    return {place_name(part) for part in walk(condition) if isinstance(part, Variable | Element)}


def names_changed(statements: list[Statement]) -> set[str]:
    """Arrays and scalars that the statements change or declare."""
    found: set[str] = set()
    for one in every(statements):
        match one:
            case Assign(target=target) | Update(target=target):
                found.add(place_name(target))
            case Declare(name=name) | Allocate(name=name):
                found.add(name)
            case For(variable=variable, advance=advance):
                found |= {variable, place_name(advance.target)}
    return found
