"""Buffers that change places in a loop of which nobody knows how often it runs: what they hold changes places instead.

Where the number of turns says it, `std::swap(old, now)` costs nothing: the engine knows which of the two a name is. Where data end the loop
it does not, and the elements are exchanged. That is the same as long as nobody else knows the buffers.
"""

from regrapht.transform.ir.buffers import without_useless_fills
from regrapht.transform.ir.expressions import Expression
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Statement
from regrapht.transform.reader.context import Context, Places
from regrapht.transform.reader.ranges import swapping
from regrapht.transform.reader.returns import without_continue
from regrapht.transform.reader.scope import Pointer, Record, Scope
from regrapht.transform.reader.syntax import SyntaxNode


def body_with_exchanges(context: Context, node: SyntaxNode, scope: Scope, places: Places) -> list[Statement]:
    """The body of a loop, read again with names that stay where they were (`places`), and elements that are exchanged.

    Raises:
        CannotTransform: More happens to the pointers than that two buffers of the function's own, of one length, change places.
    """
    line, whole = context.source.line(node), node.child_by_field_name("body")
    _restore(scope, places)
    inside, out = scope.inner(), list[Statement]()
    for one in whole.named_children if whole.type == "compound_statement" else [whole]:
        out += context.statement(one, inside)
        if context.fork is not None:
            raise refuse("buffers change places in an inner loop", line)
        arrays = _exchanged(context, scope, places)
        if arrays is not None:
            first, other, length = arrays
            out.append(swapping(context, Pointer(first), Pointer(other), length, context.source.line(one)))
            _restore(scope, places)
    moved = [name for name, place in scope.pointers().items() if name in places and places[name] != place]
    if moved:
        what = f"which array '{moved[0]}' points to depends on what was run before"
        raise refuse(what, line, "let two buffers of the function's own change places, or index the arrays")
    return without_continue(without_useless_fills(out), context)


def _restore(scope: Scope, places: Places) -> None:
    for name, place in places.items():
        if scope.find(name) != place:
            scope.rebind(name, place)


def _exchanged(context: Context, scope: Scope, places: Places) -> tuple[str, str, Expression] | None:
    """The two buffers that all names of them have exchanged, and their length; None where that is not what happened."""
    now = {name: place for name, place in scope.pointers().items() if name in places}
    moved = {name for name, place in now.items() if place != places[name]}
    arrays = {place.array for name in moved for place in (now[name], places[name])}
    lengths = [context.names.buffers.get(array) for array in arrays]
    if len(arrays) != 2 or lengths[0] is None or lengths[0] != lengths[1]:
        return None
    first, other = sorted(arrays)
    for name, place in now.items():
        before = places[name]
        if {place.array, before.array} & arrays and (
            place.array == before.array or place.prefix or place.offset is not None or before.offset is not None
        ):
            return None
    return None if _is_in_record(scope, arrays) else (first, other, lengths[0])


def _is_in_record(scope: Scope, arrays: set[str]) -> bool:
    """Whether an object has a pointer to one of the arrays."""
    around: Scope | None = scope
    while around is not None:
        for held in around.names.values():
            parts = held.fields.values() if isinstance(held, Record) else ()
            if any(isinstance(part, Pointer) and part.array in arrays for part in parts):
                return True
        around = around.outer
    return False
