"""Calls that stand as statements: helpers that are written out, `std::swap`, methods, loops over ranges, assertions."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.idioms import assignment
from regrapht.transform.ir.scope import Scope, refuse
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.algorithms import algorithm_statement
from regrapht.transform.reader.heap import is_free
from regrapht.transform.reader.preconditions import is_assertion, require_no_effect
from regrapht.transform.reader.ranges import range_statement
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.vectors import method_statement

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader


def call_statement(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """A call that stands as a statement; None for one that is not known."""
    function = node.child_by_field_name("function")
    name = reader.source.text(function)
    given = [n for n in node.child_by_field_name("arguments").named_children if n.type != "comment"]
    if is_assertion(name) and name not in reader.expressions.helpers:
        require_no_effect(reader, node)
        return []
    if name not in reader.expressions.helpers and is_free(reader, node, scope):
        return []
    if reader.inliner is not None and reader.callees(node, scope):
        return reader.inliner.called(reader, node, scope, wanted=False)[0]
    if function.type == "field_expression" and name.endswith((".swap", "->swap")):
        given = [function.child_by_field_name("argument"), *given]
        name = "swap"
    if name in ("std::swap", "swap") and len(given) == 2:
        return _swapped(reader, given, scope)
    for known in (method_statement, range_statement, algorithm_statement):
        if (found := known(reader, node, scope)) is not None:
            return found
    return None


def _swapped(reader: "StatementReader", given: list[SyntaxNode], scope: Scope) -> list[Statement] | None:
    line = reader.source.line(given[0])
    places = [reader.expressions.pointer(node, scope) if node.type == "identifier" else None for node in given]
    if places[0] is not None and places[1] is not None:
        if any(place is not None and place.counter for place in places):
            raise refuse("pointers that walk change places", line, "index the arrays")
        for node, place in zip(given, reversed(places), strict=True):
            assert place is not None
            scope.rebind(reader.source.text(node), place)
        return []
    before, (first, second) = reader.effects.gathered(lambda: [reader.target(node, scope) for node in given])
    name = reader.names.unique("swapped")
    reader.types[name] = reader.type_of(first, line)
    return [
        *before,
        Declare(reader.types[name], name, first, line),
        assignment(first, "=", second, line),
        assignment(second, "=", Variable(name), line),
    ]
