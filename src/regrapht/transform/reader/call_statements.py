"""Calls that stand as statements: helpers that are written out, `std::swap`, methods, loops over ranges, assertions."""

from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.idioms import assignment
from regrapht.transform.ir.math_functions import is_math
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.algorithms import algorithm_statement
from regrapht.transform.reader.assignments import changed_place
from regrapht.transform.reader.callees import arguments_of, library_name
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.heap import is_free
from regrapht.transform.reader.inlining import inlined_call
from regrapht.transform.reader.overloads import callees_of
from regrapht.transform.reader.ranges import range_statement
from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.vectors import method_statement

_CHANGES = ("assignment_expression", "update_expression")


def call_statement(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """A call that stands as a statement; None for one that is not known."""
    function = node.child_by_field_name("function")
    name = context.source.text(function)
    given = arguments_of(node)
    if name == "assert" and name not in context.helpers:
        _require_no_effect(context, node)
        return []
    if name not in context.helpers and is_free(context, node, scope):
        return []
    if callees_of(context, node, scope):
        return inlined_call(context, node, scope, wanted=False)[0]
    if function.type == "field_expression" and name.endswith((".swap", "->swap")):
        given = [function.child_by_field_name("argument"), *given]
        name = "swap"
    if name in ("std::swap", "swap") and len(given) == 2:
        return _swapped(context, given, scope)
    for known in (method_statement, range_statement, algorithm_statement):
        if (found := known(context, node, scope)) is not None:
            return found
    return None


def _swapped(context: Context, given: list[SyntaxNode], scope: Scope) -> list[Statement] | None:
    line = context.source.line(given[0])
    places = [context.pointer(node, scope) if node.type == "identifier" else None for node in given]
    if places[0] is not None and places[1] is not None:
        if any(place is not None and place.counter for place in places):
            raise refuse("pointers that walk change places", line, "index the arrays")
        for node, place in zip(given, reversed(places), strict=True):
            assert place is not None
            scope.rebind(context.source.text(node), place)
        return []
    before, (first, second) = context.gathered(lambda: [changed_place(context, node, scope) for node in given])
    name = context.fresh("swapped", context.type_of(first, line))
    return [
        *before,
        Declare(context.types[name], name, first, line),
        assignment(first, "=", second, line, context.types),
        assignment(second, "=", Variable(name), line, context.types),
    ]


def _require_no_effect(context: Context, node: SyntaxNode) -> None:
    """Refuse an `assert` that does more than look: it does it only where NDEBUG is not set.

    Raises:
        CannotTransform: It changes something, or calls a function that may.
    """
    source = context.source
    for part in source.walk(node.child_by_field_name("arguments")):
        if part.type in _CHANGES or (part.type == "call_expression" and not _only_looks(context, part)):
            what = f"'{source.text(part)}' inside an assert may change something"
            raise refuse(what, source.line(part), "do it in a statement before the assert")


def _only_looks(context: Context, call: SyntaxNode) -> bool:
    function = call.child_by_field_name("function")
    if function.type == "field_expression":
        return context.source.text(function.child_by_field_name("field")) in ("size", "empty", "front", "back", "at")
    name = library_name(context.source, call)
    return is_math(name) or (name in context.helpers and not context.inlines(name))
