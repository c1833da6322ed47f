"""Small arrays that all iterations of a nest update at the same places: each thread can have a copy of its own (privatisation)."""

from collections.abc import Iterator, Mapping, Sequence, Set
from math import prod

from regrapht.source.polynomial import words
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    integer,
    place_name,
)
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import Assign, Break, Continue, Declare, For, If, Statement, Update, While, every
from regrapht.transform.polyhedral.loop_tree import UPDATE, Leaf
from regrapht.transform.polyhedral.scop import Scop

MOST_IN_REGISTERS = 64
"""Elements of the arrays that a thread may have for itself."""
MOST_IN_MEMORY = 256
"""Elements of the copies that a thread has where few threads, or one, would do all the work otherwise: its own memory holds them then."""


def fixed_length(array: str, scop: Scop, lengths: Mapping[str, int], host_depth: int) -> int | None:
    """How many elements an array has that outlives a nest below `host_depth` loops of the launcher; None where that is not fixed.

    `lengths` are those of parameters.
    """
    if array in scop.locals:
        local = scop.locals[array]
        return prod(local.lengths) if local.lengths and len(local.loops) <= host_depth else None
    if array in scop.buffers:
        return integer(scop.buffers[array].length)
    return None if array in scop.function.fields else lengths.get(array)


def copies_of(
    group: Sequence[Leaf], targets: Mapping[str, int], moving: Sequence[str], scop: Scop, most: int = MOST_IN_REGISTERS
) -> dict[str, int] | None:
    """The arrays that each thread has a copy of, with their lengths; None where they are no arrays for that.

    A copy has all of an array's elements, so that it is right whatever the places are. It is only worth its room where places are the same
    in every turn of the loops in `moving`, because then it can be held in registers, or read by all threads of a warp at one place.

    Args:
        group: The leaves of the nest.
        targets: Lengths of the arrays that its iterations meet in, by name.
        moving: The loops that become threads.
        scop: The function.
        most: The elements that the copies of a thread have together, at most.
    """
    if sum(targets.values()) > most:
        return None
    accesses = [access for leaf in group for access in leaf.accesses if access.array in targets]
    if any(access.kind != UPDATE for access in accesses):
        return None
    updates = [one for leaf in group for one in every(leaf.statements) if isinstance(one, Update)]
    ways = {(name, one.operator, one.test) for one in updates if (name := place_name(one.target)) in targets}
    if len(ways) != len(targets):
        return None
    varying = _varying(group, set(moving))
    places = [access.expression for access in accesses]
    tables = scop.function.tables.keys()
    steady = all(
        _is_steady(s, varying, tables) for place in places if isinstance(place, Element) for s in place.subscripts
    )
    return dict(targets) if steady else None


def _is_steady(expression: Expression, varying: Set[str], tables: Set[str] = frozenset()) -> bool:
    """Whether an expression has no part that differs between turns or is read from an array; constant tables are no such arrays."""
    match expression:
        case Number():
            return True
        case Variable(name=name):
            return name not in varying
        case Binary(left=left, right=right):
            return _is_steady(left, varying, tables) and _is_steady(right, varying, tables)
        case Unary(operand=operand) | Cast(operand=operand):
            return _is_steady(operand, varying, tables)
        case Call(function="min" | "max", arguments=arguments):
            return all(_is_steady(argument, varying, tables) for argument in arguments)
        case Element(array=array, subscripts=subscripts) if array in tables:
            return all(_is_steady(subscript, varying, tables) for subscript in subscripts)
    return False


def _varying(group: Sequence[Leaf], moving: Set[str]) -> set[str]:
    """The loops in `moving`, and all variables whose values may differ between their turns."""
    found = set(moving)
    before = -1
    while before != len(found):
        before = len(found)
        for leaf in group:
            inner = [loop for loop in leaf.loops if loop.variable not in moving]
            bounds = {loop.variable: {w for text in loop.constraints for w in words(text)} for loop in inner}
            ended = {variable for variable, names in bounds.items() if (names - {variable}) & found}
            found |= ended | set(_set_differently(leaf.statements, found))
            if ended or any(set(words(text)) & found for text in leaf.conditions):
                found |= _set_from_inside(leaf.statements)
    return found


def _set_differently(statements: Sequence[Statement], varying: Set[str]) -> Iterator[str]:
    """Variables that statements set to what may differ between turns, or set in some turns alone."""
    for statement in statements:
        match statement:
            case Assign(Variable(name), value) | Update(Variable(name), _, value) | Declare(name=name, value=value):
                if value is not None and not _is_steady(value, varying):
                    yield name
            case If(condition, then, otherwise):
                if not _is_steady(condition, varying):
                    yield from _set_from_inside(then) | _set_from_inside(otherwise)
                yield from _set_differently([*then, *otherwise], varying)
            case For(start=start, condition=condition, advance=advance, body=body):
                leaves_early = any(isinstance(one, Break | Continue) for one in every(body))
                if leaves_early or not all(_is_steady(end, varying) for end in (start, condition, advance.value)):
                    yield statement.variable
                    yield from _set_from_inside(body)
                yield from _set_differently(body, varying)
            case While(body=body):
                yield from assigned_variables(body)


def _set_from_inside(block: list[Statement]) -> set[str]:
    """Variables of the code around a block that it sets."""
    return assigned_variables(block) - {one.name for one in every(block) if isinstance(one, Declare)}
