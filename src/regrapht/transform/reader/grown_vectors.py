"""Vectors that a loop fills by one `push_back` in each of its turns: as long as the loop has turns, and set by the turn's number.

The vector is declared in the block of the loop, before it, without a length.
"""

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Cast,
    Conditional,
    Element,
    Expression,
    Variable,
    integer,
)
from regrapht.transform.ir.statements import Allocate, Assign, Statement, Update
from regrapht.transform.reader.callees import arguments_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.heap import kept_length
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SyntaxNode

_LEAVING = ("break_statement", "continue_statement", "return_statement", "goto_statement")
_ADDING = ("push_back", "emplace_back")


def grown_vectors(
    context: Context,
    loop: SyntaxNode,
    scope: Scope,
    *,
    start: Expression,
    condition: Expression,
    advance: Assign | Update,
) -> list[Statement]:
    """The memory of the vectors that a loop fills; they are known by their lengths then, and `grown` says what a turn sets."""
    body = loop.child_by_field_name("body")
    statements = body.named_children if body.type == "compound_statement" else [body]
    names = [
        name for one in statements if (name := _grows(context, one)) is not None and _waits(context, loop, name, scope)
    ]
    if not names or any(node.type in _LEAVING for node in context.source.walk(body)):
        return []
    counted = _counted(start, condition, advance)
    if counted is None:
        return []
    out: list[Statement] = []
    for written in names:
        if sum(_is_named(context, node, written) for node in context.source.walk(body)) != 1:
            continue
        vector = scope.find(written)
        assert isinstance(vector, Pointer)
        line = context.source.line(loop)
        type_name = context.type_name(vector.unset, line, f"the elements of '{written}'")
        name = context.fresh(written, type_name)
        before, length = kept_length(context, name, counted[0], line)
        context.names.buffers[name] = length
        scope.rebind(written, Pointer(name, length=length))
        context.grown[name] = counted[1]
        out += [*before, Allocate(type_name, name, length, line)]
    return out


def grown(
    context: Context, vector: Pointer, method: str, arguments: list[SyntaxNode], scope: Scope, line: int
) -> list[Statement] | None:
    """What `v.push_back(e)` sets in the loop that fills the vector; None elsewhere."""
    turn = context.grown.get(vector.array)
    if turn is None or method not in _ADDING or len(arguments) != 1:
        return None
    before, value = context.value(arguments[0], scope)
    place = vector.subscripted(turn)
    return [*before, Assign(Element(place.array, place.prefix), value, line)]


def _grows(context: Context, statement: SyntaxNode) -> str | None:
    """The vector that a statement `v.push_back(e);` adds to."""
    call = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    if call is None or call.type != "call_expression" or len(arguments_of(call)) != 1:
        return None
    function = call.child_by_field_name("function")
    if function.type != "field_expression" or context.source.text(function.child_by_field_name("field")) not in _ADDING:
        return None
    held = function.child_by_field_name("argument")
    return context.source.text(held) if held.type == "identifier" else None


def _waits(context: Context, loop: SyntaxNode, name: str, scope: Scope) -> bool:
    """Whether a name is a vector that was declared without a length in the block of a loop."""
    vector, around = scope.find(name), loop.parent
    if (
        not isinstance(vector, Pointer)
        or not vector.unset
        or vector.length is None
        or around.type != "compound_statement"
    ):
        return False
    declared = [one for one in around.named_children if one.type == "declaration" and one.end_byte <= loop.start_byte]
    return any(
        context.source.text(declarator) == name
        for one in declared
        for declarator in one.children_by_field_name("declarator")
    )


def _is_named(context: Context, node: SyntaxNode, name: str) -> bool:
    return node.type == "identifier" and context.source.text(node) == name


def _counted(
    start: Expression, condition: Expression, advance: Assign | Update
) -> tuple[Expression, Expression] | None:
    """How many turns a loop by ones has, and a turn's number; None for other loops."""
    if not isinstance(advance, Update) or advance.operator != "+" or not isinstance(advance.target, Variable):
        return None
    variable, step = advance.target, integer(advance.value)
    match condition, step:
        case Binary("<" | "<=" as operator, left, bound), 1 if left == variable:
            low, high, turn = start, bound, _minus(variable, start)
        case Binary(">" | ">=" as operator, left, bound), -1 if left == variable:
            low, high, turn = bound, start, _minus(start, variable)
        case _:
            return None
    length = _minus(high, low)
    if operator.endswith("="):
        length = (
            length.left
            if isinstance(length, Binary) and (length.operator, length.right) == ("-", ONE)
            else Binary("+", length, ONE)
        )
    is_size = low == ZERO and not operator.endswith("=") and isinstance(high, Variable)
    if is_size or isinstance(length, Cast):
        return length, turn
    return Conditional(Binary("<", ZERO, length), length, ZERO), turn


def _minus(value: Expression, taken: Expression) -> Expression:
    if integer(taken) == 0:
        return value
    return Binary("-", Cast("long long", value), Cast("long long", taken))
