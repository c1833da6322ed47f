"""The standard library's loops over a range (`std::fill`, `std::copy`, `memset`, ...) as loops."""

from regrapht.transform.ir.expressions import ONE, ZERO, Binary, Element, Expression, Variable, integer
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.ir.statements import Assign, Declare, For, Statement, Update
from regrapht.transform.reader.byte_counts import element_count
from regrapht.transform.reader.callees import arguments_of, library_name
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

_SUMS = {"accumulate": (3,), "reduce": (2, 3), "inner_product": (4,), "transform_reduce": (4,)}
"""Functions that sum up numbers, each with how many arguments it is taken with. A policy does not count."""
SEARCHES = {"max_element": (2,), "min_element": (2,), "find": (3,), "find_if": (3,), "find_if_not": (3,)}
"""Each with how many arguments it is taken with."""


def given_to(source: SourceText, call: SyntaxNode) -> list[SyntaxNode]:
    """The arguments of a call, without the execution policy that the standard library's functions may begin with."""
    given = arguments_of(call)
    return given[1:] if given and source.text(given[0]).startswith("std::execution::") else given


def finds_place(source: SourceText, call: SyntaxNode) -> bool:
    """Whether a call is one of these searches, by its name with `std::`."""
    name = source.text(call.child_by_field_name("function"))
    counts = SEARCHES.get(name.removeprefix("std::"), ())
    return name.startswith("std::") and len(given_to(source, call)) in counts


def range_statement(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """A call of one of these functions; None for other calls."""
    name = library_name(context.source, node)
    given = given_to(context.source, node)
    known = {
        "fill": 3,
        "fill_n": 3,
        "copy": 3,
        "copy_n": 3,
        "iota": 3,
        "memset": 3,
        "memcpy": 3,
        "memmove": 3,
        "swap_ranges": 3,
    }
    if known.get(name) != len(given):
        return None
    before, found = context.gathered(lambda: _loop(context, name, given, scope, context.source.line(node)))
    return None if found is None else [*before, found]


def _loop(context: Context, name: str, given: list[SyntaxNode], scope: Scope, line: int) -> Statement | None:
    first = context.pointer(given[0], scope)
    if first is None or not is_plain(context, first):
        return None
    read = context.read
    if name in ("fill", "iota", "copy", "swap_ranges"):
        end = context.pointer(given[1], scope)
        if end is None:
            return None
        count = distance(first, end, line)
    else:
        count = element_count(context, given[2:], first, scope) if name.startswith("mem") else read(given[1], scope)
    if name in ("fill", "fill_n"):
        return filled(context, first, count, read(given[2], scope), line)
    if name == "iota":
        counter = context.fresh("place", "long long")
        value = Binary("+", read(given[2], scope), Variable(counter))
        return counting(counter, count, [Assign(element_of(first, counter), value, line)], line)
    if name == "memset":
        if integer(read(given[1], scope)) != 0:
            raise refuse(f"'memset' with '{context.source.text(given[1])}'", line, "use std::fill")
        return filled(context, first, count, ZERO, line)
    other = context.pointer(given[1 if name.startswith("mem") else 2], scope)
    if other is None or not is_plain(context, other) or (name == "memmove" and other.array == first.array):
        return None
    if name == "swap_ranges":
        return swapping(context, first, other, count, line)
    source, target = (other, first) if name.startswith("mem") else (first, other)
    return copied(context, source, target, count, line)


def range_value(context: Context, node: SyntaxNode, scope: Scope) -> Expression | None:
    """`std::accumulate`, `std::inner_product` and their like: a loop before the expression, and its sum. None for other calls."""
    name = library_name(context.source, node)
    given = given_to(context.source, node)
    if len(given) not in _SUMS.get(name, ()) or context.inlines(name):
        return None
    has_start = len(given) > 2
    places = [context.pointer(argument, scope) for argument in (given[:-1] if has_start else given)]
    if any(place is None or not is_plain(context, place) for place in places):
        return None
    first, end, *others = (place for place in places if place is not None)
    line, counter = context.source.line(node), context.fresh("place", "long long")
    term: Expression = element_of(first, counter)
    for other in others:
        term = Binary("*", term, element_of(other, counter))
    start = context.read(given[-1], scope) if has_start else ZERO
    total = context.fresh("sum", context.type_of(start, line) if has_start else context.types[first.array])
    context.mutable.add(total)
    grow: list[Statement] = [Assign(Variable(total), Binary("+", Variable(total), term), line)]
    update = Update(Variable(total), "+", term, line)
    body = [update] if context.type_of(term, line) == context.types[total] else grow
    loop = counting(counter, distance(first, end, line), list[Statement](body), line)
    context.add_effects([Declare(context.types[total], total, start, line), loop], node)
    return Variable(total)


def extreme_value(context: Context, node: SyntaxNode, scope: Scope) -> Expression | None:
    """`*std::max_element(p, q)` or `*std::min_element(p, q)`: a loop before the expression, and what it finds. None for others."""
    inner = node.child_by_field_name("argument")
    if inner is None or inner.type != "call_expression":
        return None
    name = library_name(context.source, inner)
    given = arguments_of(inner)
    if name not in ("max_element", "min_element") or len(given) != 2 or context.inlines(name):
        return None
    first, end = (context.pointer(argument, scope) for argument in given)
    if first is None or end is None or not is_plain(context, first):
        return None
    line, counter = context.source.line(node), context.fresh("place", "long long")
    best = context.fresh("best", context.types[first.array])
    context.mutable.add(best)
    start = first.subscripted(ZERO)
    test = {"max": "<", "min": ">"}[name[:3]] if is_float(context.types[best]) else ""
    update = Update(Variable(best), name[:3], element_of(first, counter), line, test)
    loop = counting(counter, distance(first, end, line), [update], line)
    declared = Declare(context.types[best], best, Element(start.array, start.prefix), line)
    context.add_effects([declared, loop], node)
    return Variable(best)


def filled(context: Context, place: Pointer, count: Expression, value: Expression, line: int) -> For:
    """The loop that sets `count` elements from `place` on."""
    counter = context.fresh("place", "long long")
    return counting(counter, count, [Assign(element_of(place, counter), value, line)], line)


def copied(context: Context, source: Pointer, target: Pointer, count: Expression, line: int) -> For:
    """The loop that copies `count` elements."""
    counter = context.fresh("place", "long long")
    return counting(counter, count, [Assign(element_of(target, counter), element_of(source, counter), line)], line)


def counting(counter: str, count: Expression, body: list[Statement], line: int) -> For:
    """A loop from 0 to `count`."""
    variable = Variable(counter)
    return For(
        counter, "long long", ZERO, Binary("<", variable, count), 1, Update(variable, "+", ONE, line), body, line
    )


def distance(first: Pointer, end: Pointer, line: int) -> Expression:
    """How many elements lie between two places of one array.

    Raises:
        CannotTransform: They are places of two.
    """
    if (first.array, first.prefix) != (end.array, end.prefix):
        raise refuse("a range that begins in one array and ends in another", line)
    if first.offset is None or end.offset is None:
        return end.offset or ZERO
    match end.offset:
        case Binary("+", start, count) if start == first.offset:
            return count
    return Binary("-", end.offset, first.offset)


def swapping(context: Context, first: Pointer, other: Pointer, count: Expression, line: int) -> For:
    """The loop that exchanges `count` elements of two places."""
    counter, kept = context.fresh("place", "long long"), context.fresh("swapped", context.types[first.array])
    one, two = element_of(first, counter), element_of(other, counter)
    body: list[Statement] = [
        Declare(context.types[kept], kept, one, line),
        Assign(one, two, line),
        Assign(two, Variable(kept), line),
    ]
    return counting(counter, count, body, line)


def element_of(place: Pointer, counter: str) -> Element:
    """The element as far behind a place as a loop's counter says."""
    at = place.subscripted(Variable(counter))
    return Element(at.array, at.prefix)


def is_plain(context: Context, place: Pointer) -> bool:
    """Whether it points to numbers, one after the other."""
    plain = context.structs.of(place.array) is None
    return plain and len(place.prefix) == place.rank - 1
