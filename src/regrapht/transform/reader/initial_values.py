"""Local arrays that begin with values: an assignment for each one given, zeros for the others."""

from functools import partial
from math import prod
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Binary, Element, Expression, Number, Variable
from regrapht.transform.ir.scope import Pointer, Scope, refuse
from regrapht.transform.ir.statements import Assign, Declare, For, Statement, Update
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

ZERO, ONE = Number("0", 0), Number("1", 1)


def filled_array(
    reader: "StatementReader", written: str, local: Declare, value: SyntaxNode, scope: Scope
) -> list[Statement]:
    """A local array with its initialiser as statements.

    Raises:
        CannotTransform: A list of values has another nesting than the array.
    """
    given = _placed(value, len(local.lengths))
    if given is None:
        raise refuse(f"local array '{written}' with nested values", local.line, "fill it in a loop")
    reads = [partial(reader.expressions.read, node, scope) for _, node in given]
    before, read = reader.effects.in_order(list(reads), local.line)
    scope.names[written] = Pointer(local.name, len(local.lengths))
    out: list[Statement] = [*before, local]
    flat = len(local.lengths) == 1
    if not flat and len(given) < prod(local.lengths):
        out.append(_zeros(reader, local, ()))
    for (place, _), one in zip(given, read, strict=True):
        out.append(Assign(Element(local.name, tuple(map(_number, place))), one, local.line))
    if flat and len(given) < local.lengths[0]:
        out.append(_zeros(reader, local, (), first=len(given)))
    return out


def depth_of(value: SyntaxNode) -> int:
    """How deep lists of values are nested; 0 for what is none."""
    if value.type != "initializer_list":
        return 0
    return 1 + max((depth_of(child) for child in value.named_children), default=0)


def unwrapped(value: SyntaxNode, rank: int) -> SyntaxNode:
    """The list of values without the second pair of brackets that `{{1, 2, 3}}` may have for a `std::array`."""
    inside = [child for child in value.named_children if child.type != "comment"]
    return inside[0] if len(inside) == 1 and depth_of(value) > rank else value


def _placed(value: SyntaxNode, rank: int) -> list[tuple[tuple[int, ...], SyntaxNode]] | None:
    """The values with their places; None where one stands at another depth than `rank`."""
    out: list[tuple[tuple[int, ...], SyntaxNode]] = []
    for position, child in enumerate(child for child in value.named_children if child.type != "comment"):
        if (child.type == "initializer_list") != (rank > 1):
            return None
        inner = [((), child)] if rank == 1 else _placed(child, rank - 1)
        if inner is None:
            return None
        out += [((position, *place), node) for place, node in inner]
    return out


def _zeros(reader: "StatementReader", local: Declare, outer: tuple[Expression, ...], *, first: int = 0) -> For:
    """The loops that set the elements under `outer` to zero, from the place `first` on."""
    counter = reader.names.unique("rest")
    reader.types[counter] = "int"
    target, length = Variable(counter), local.lengths[len(outer)]
    places = (*outer, target)
    last = len(places) == len(local.lengths)
    body: list[Statement] = [
        Assign(Element(local.name, places), ZERO, local.line) if last else _zeros(reader, local, places)
    ]
    advance = Update(target, "+", ONE, local.line)
    below = Binary("<", target, _number(length))
    return For(counter, "int", _number(first), below, 1, advance, body, local.line)


def _number(value: int) -> Number:
    return Number(str(value), value)
