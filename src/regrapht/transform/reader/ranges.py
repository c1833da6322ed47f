"""The standard library's loops over a range (`std::fill`, `std::copy`, `memset`, ...) as loops."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import (
    Binary,
    Element,
    Expression,
    Number,
    Variable,
    integer,
)
from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.ir.scope import Pointer, Scope, refuse
from regrapht.transform.ir.statements import Assign, Declare, For, Statement, Update
from regrapht.transform.reader.byte_counts import element_count
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

ZERO, ONE = Number("0", 0), Number("1", 1)
_SUMS = {"accumulate": (3,), "reduce": (2, 3), "inner_product": (4,), "transform_reduce": (4,)}
"""Functions that sum up numbers, each with how many arguments it is taken with. A policy does not count."""


def given_to(source: SourceText, call: SyntaxNode) -> list[SyntaxNode]:
    """The arguments of a call, without the execution policy that the standard library's functions may begin with."""
    given = [n for n in call.child_by_field_name("arguments").named_children if n.type != "comment"]
    return given[1:] if given and source.text(given[0]).startswith("std::execution::") else given


def range_statement(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """A call of one of these functions; None for other calls."""
    name = reader.source.text(node.child_by_field_name("function")).removeprefix("::").removeprefix("std::")
    given = given_to(reader.source, node)
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
    before, found = reader.effects.gathered(lambda: _loop(reader, name, given, scope, reader.source.line(node)))
    return None if found is None else [*before, found]


def _loop(reader: "StatementReader", name: str, given: list[SyntaxNode], scope: Scope, line: int) -> Statement | None:
    first = reader.expressions.pointer(given[0], scope)
    if first is None or not is_plain(reader, first):
        return None
    read = reader.expressions.read
    if name in ("fill", "iota", "copy", "swap_ranges"):
        end = reader.expressions.pointer(given[1], scope)
        if end is None:
            return None
        count = distance(first, end, line)
    else:
        count = element_count(reader, given[2:], first, scope) if name.startswith("mem") else read(given[1], scope)
    if name in ("fill", "fill_n"):
        return filled(reader, first, count, read(given[2], scope), line)
    if name == "iota":
        counter = fresh_counter(reader)
        value = Binary("+", read(given[2], scope), Variable(counter))
        return counting(counter, count, [Assign(element_of(first, counter), value, line)], line)
    if name == "memset":
        if integer(read(given[1], scope)) != 0:
            raise refuse(f"'memset' with '{reader.source.text(given[1])}'", line, "use std::fill")
        return filled(reader, first, count, ZERO, line)
    other = reader.expressions.pointer(given[1 if name.startswith("mem") else 2], scope)
    if other is None or not is_plain(reader, other) or (name == "memmove" and other.array == first.array):
        return None
    if name == "swap_ranges":
        return swapping(reader, first, other, count, line)
    source, target = (other, first) if name.startswith("mem") else (first, other)
    return copied(reader, source, target, count, line)


def range_value(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> Expression | None:
    """`std::accumulate`, `std::inner_product` and their like: a loop before the expression, and its sum. None for other calls."""
    name = reader.source.text(node.child_by_field_name("function")).removeprefix("::").removeprefix("std::")
    given = given_to(reader.source, node)
    if len(given) not in _SUMS.get(name, ()) or reader.inlines(name):
        return None
    has_start = len(given) > 2
    places = [reader.expressions.pointer(argument, scope) for argument in (given[:-1] if has_start else given)]
    if any(place is None or not is_plain(reader, place) for place in places):
        return None
    first, end, *others = (place for place in places if place is not None)
    line, counter = reader.source.line(node), fresh_counter(reader)
    term: Expression = element_of(first, counter)
    for other in others:
        term = Binary("*", term, element_of(other, counter))
    start = reader.expressions.read(given[-1], scope) if has_start else ZERO
    total = reader.names.unique("sum")
    reader.types[total] = reader.type_of(start, line) if has_start else reader.types[first.array]
    reader.mutable.add(total)
    grow: list[Statement] = [Assign(Variable(total), Binary("+", Variable(total), term), line)]
    update = Update(Variable(total), "+", term, line)
    body = [update] if reader.type_of(term, line) == reader.types[total] else grow
    loop = counting(counter, distance(first, end, line), list[Statement](body), line)
    reader.effects.add([Declare(reader.types[total], total, start, line), loop], node)
    return Variable(total)


def extreme_value(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> Expression | None:
    """`*std::max_element(p, q)` or `*std::min_element(p, q)`: a loop before the expression, and what it finds. None for others."""
    inner = node.child_by_field_name("argument")
    if inner is None or inner.type != "call_expression":
        return None
    name = reader.source.text(inner.child_by_field_name("function")).removeprefix("::").removeprefix("std::")
    given = [n for n in inner.child_by_field_name("arguments").named_children if n.type != "comment"]
    if name not in ("max_element", "min_element") or len(given) != 2 or reader.inlines(name):
        return None
    first, end = (reader.expressions.pointer(argument, scope) for argument in given)
    if first is None or end is None or not is_plain(reader, first):
        return None
    line, counter = reader.source.line(node), fresh_counter(reader)
    best = reader.names.unique("best")
    reader.types[best] = reader.types[first.array]
    reader.mutable.add(best)
    start = first.subscripted(ZERO)
    test = {"max": "<", "min": ">"}[name[:3]] if is_float(reader.types[best]) else ""
    update = Update(Variable(best), name[:3], element_of(first, counter), line, test)
    loop = counting(counter, distance(first, end, line), [update], line)
    declared = Declare(reader.types[best], best, Element(start.array, start.prefix), line)
    reader.effects.add([declared, loop], node)
    return Variable(best)


def filled(reader: "StatementReader", place: Pointer, count: Expression, value: Expression, line: int) -> For:
    """The loop that sets `count` elements from `place` on."""
    counter = fresh_counter(reader)
    return counting(counter, count, [Assign(element_of(place, counter), value, line)], line)


def copied(reader: "StatementReader", source: Pointer, target: Pointer, count: Expression, line: int) -> For:
    """The loop that copies `count` elements."""
    counter = fresh_counter(reader)
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


def swapping(reader: "StatementReader", first: Pointer, other: Pointer, count: Expression, line: int) -> For:
    """The loop that exchanges `count` elements of two places."""
    counter, kept = fresh_counter(reader), reader.names.unique("swapped")
    one, two = element_of(first, counter), element_of(other, counter)
    reader.types[kept] = reader.types[first.array]
    body: list[Statement] = [
        Declare(reader.types[kept], kept, one, line),
        Assign(one, two, line),
        Assign(two, Variable(kept), line),
    ]
    return counting(counter, count, body, line)


def element_of(place: Pointer, counter: str) -> Element:
    """The element as far behind a place as a loop's counter says."""
    at = place.subscripted(Variable(counter))
    return Element(at.array, at.prefix)


def fresh_counter(reader: "StatementReader") -> str:
    """The name of a counter for a loop that the source does not write out."""
    name = reader.names.unique("place")
    reader.types[name] = "long long"
    return name


def is_plain(reader: "StatementReader", place: Pointer) -> bool:
    """Whether it points to numbers, one after the other."""
    plain = place.array not in reader.expressions.structs.of_array
    return plain and len(place.prefix) == place.rank - 1
