"""Places that the standard library's searches find (`std::max_element`, `std::find`, `std::find_if`, ...): a loop before the expression."""

from dataclasses import replace
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Binary, Element, Unary, Variable
from regrapht.transform.ir.scope import Pointer, Scope
from regrapht.transform.ir.statements import Assign, If, Statement, Update
from regrapht.transform.reader.algorithms import RangeCall, range_call
from regrapht.transform.reader.ranges import ZERO, counting, element_of, given_to
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

_SEARCHES = {"max_element": (2,), "min_element": (2,), "find": (3,), "find_if": (3,), "find_if_not": (3,)}
"""Each with how many arguments it is taken with."""


def finds_place(source: SourceText, call: SyntaxNode) -> bool:
    """Whether a call is one of these searches, by its name with `std::`."""
    name = source.text(call.child_by_field_name("function"))
    counts = _SEARCHES.get(name.removeprefix("std::"), ())
    return name.startswith("std::") and len(given_to(source, call)) in counts


def found_place(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place that such a call finds, the first one of several, or the end; None where it is no range of numbers."""
    call = range_call(reader, node, scope, _SEARCHES)
    if call is None:
        return None
    loop = _extreme if call.name.endswith("_element") else _first_match
    at = loop(call, node)
    reader.effects.add(call.out, node)
    return replace(call.first, offset=None, counter=None, length=None).moved(
        at if call.first.offset is None else Binary("+", call.first.offset, at)
    )


def _extreme(call: RangeCall, node: SyntaxNode) -> Variable:
    line, start, own = call.line, call.first.subscripted(ZERO), element_of(call.first, call.counter)
    best = call.local("best", call.reader.types[call.first.array], Element(start.array, start.prefix))
    at = call.local("best_at", "long long", ZERO)
    test = Binary("<" if call.name == "max_element" else ">", best, own)
    found: list[Statement] = [Assign(best, own, line), Assign(at, Variable(call.counter), line)]
    call.out.append(counting(call.counter, call.count, [If(test, found, [], line)], line))
    return at


def _first_match(call: RangeCall, node: SyntaxNode) -> Variable:
    """The least place of all that match: found in any order, where the source would stop at the first."""
    at = call.local("found_at", "long long", call.count)
    own, before = element_of(call.first, call.counter), list[Statement]()
    if call.name == "find":
        test = call.equal(own, call.given[2])
    else:
        before, test = call.applied(call.given[2], [call.element(call.first, node)])
        test = Unary("!", test) if call.name == "find_if_not" else test
    body = [*before, If(test, [Update(at, "min", Variable(call.counter), call.line)], [], call.line)]
    call.out.append(counting(call.counter, call.count, body, call.line))
    return at
