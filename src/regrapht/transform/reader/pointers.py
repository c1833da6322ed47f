"""Local pointers: those that stay, those that walk along an array, and buffers that change places."""

from dataclasses import replace

from regrapht.transform.ir.expressions import ZERO, Element, Variable
from regrapht.transform.ir.idioms import assignment
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.assignments import changed_place
from regrapht.transform.reader.context import Context, Places
from regrapht.transform.reader.heap import heap_assignment, unset
from regrapht.transform.reader.ranges import finds_place
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.struct_values import record_of
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.vectors import assigned_vector, row_of

_AT_ENDS = ("data", "begin", "cbegin", "end", "cend", "get")


def pointer_local(
    context: Context, type_text: str, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement]:
    """The declaration of a pointer: none where it stays at a place that stays, else that of its offset."""
    source, line = context.source, context.source.line(declarator)
    names = [n for n in source.walk(declarator) if n.type == "identifier"]
    is_plain = names[:1] == [declarator] or (len(names) == 1 and names[0].parent == declarator)
    if len(names) != 1 or (not is_plain and value is None):
        what = f"pointer '{source.text(declarator)}'"
        raise refuse(what, line, "set it to a place in an array where it is declared")
    written = source.text(names[0])
    if value is None or value.type == "null":
        scope.names[written] = unset(type_text)
        return []
    before, place = context.gathered(lambda: context.pointer(value, scope))
    if place is None:
        raise refuse(f"pointer '{written}'", line, "set it to a place in an array where it is declared")
    declared, scope.names[written] = placed(context, written, place, line)
    return [*before, *declared]


def reference_local(
    context: Context, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement]:
    """The declaration of a reference: another name for a variable, for an element at a place that stays, or for a struct there."""
    source, line = context.source, context.source.line(declarator)
    names = [n for n in source.walk(declarator) if n.type == "identifier"]
    if len(names) != 1 or value is None:
        raise refuse(f"reference '{source.text(declarator)}'", line, "use the variable or the element itself")
    scope.names[source.text(names[0])] = referred(context, value, scope, source.text(names[0]))
    return []


def referred(context: Context, value: SyntaxNode, scope: Scope, name: str) -> Binding:
    """What a reference `name` to `value` stands for.

    Raises:
        CannotTransform: It is to a place that may move, or to none.
    """
    before, bound = context.gathered(lambda: _named(context, value, scope))
    places = list(bound.fields.values()) if isinstance(bound, Record) else [bound]
    subscripts = [one for place in places if isinstance(place, Element) for one in place.subscripts]
    subscripts += [place.offset for place in places if isinstance(place, Pointer) and place.offset is not None]
    if before or not all(context.stays(subscript) for subscript in subscripts):
        raise refuse(
            f"reference '{name}' to a place that may move", context.source.line(value), "use the element itself"
        )
    return bound


def _named(context: Context, value: SyntaxNode, scope: Scope) -> Binding:
    vector = scope.find(context.source.text(value)) if value.type == "identifier" else None
    vector = vector or row_of(context, value, scope)
    if isinstance(vector, Pointer) and vector.length is not None:
        return vector
    record = record_of(context, value, scope)
    return changed_place(context, value, scope) if record is None else record


def pointer_assignment(context: Context, left: SyntaxNode, right: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """`p = q + 1` for a pointer; None where the left side is none."""
    bound = scope.find(context.source.text(left)) if left.type == "identifier" else None
    bound = bound or row_of(context, left, scope)
    if not isinstance(bound, Pointer):
        return None
    if bound.length is not None:
        return assigned_vector(context, bound, right, scope)
    name, line = context.source.text(left), context.source.line(left)
    own = scope.find("this")
    if isinstance(own, Record) and own.fields.get(name) is bound:
        raise refuse(f"the pointer '{name}' of a '{own.struct}' is set anew", line, "make a new object")
    if (made := heap_assignment(context, name, bound, right, scope)) is not None:
        return made
    if right.type == "null" and bound.array in context.names.buffers:
        return []
    before, place = context.gathered(lambda: context.pointer(right, scope))
    if place is None:
        raise refuse(f"'{name}' is set to '{context.source.text(right)}', which is no place in an array", line)
    if bound.counter is None:
        declared, now = placed(context, name, place, line)
        scope.rebind(name, now)
        return [*before, *declared]
    if (place.array, place.prefix) != (bound.array, bound.prefix):
        raise refuse(f"the pointer '{name}' walks along more than one array", line, "use one pointer for each")
    return [*before, assignment(Variable(bound.counter), "=", place.offset or ZERO, line, context.types)]


def placed(context: Context, written: str, place: Pointer, line: int) -> tuple[list[Statement], Pointer]:
    """A pointer that is set to `place`: its offset is kept in a local where it, or what it is made of, may change."""
    place = replace(place, counter=None)
    walks = written in context.changes.stepped
    if not walks and (place.offset is None or context.stays(place.offset)):
        return [], place
    name = context.fresh(f"{written}_at", "long long")
    if walks:
        context.mutable.add(name)
    kept = replace(place, offset=Variable(name), counter=name if walks else None)
    return [Declare("long long", name, place.offset or ZERO, line)], kept


def forget_set(places: Places, scope: Scope) -> None:
    """Have pointers that were set first in code that may run never, or again, point nowhere behind it."""
    for name in scope.pointers():
        if name in places and places[name].unset:
            scope.rebind(name, places[name])


def require_same(places: Places, scope: Scope, line: int) -> None:
    """Refuse code after which pointers may point elsewhere, depending on what ran.

    Raises:
        CannotTransform: They do.
    """
    forget_set(places, scope)
    for name, place in scope.pointers().items():
        if name in places and places[name] != place:
            what = f"which array '{name}' points to depends on what was run before"
            raise refuse(what, line, "let pointers change places at the end of a counted loop, or index the arrays")


def begins_with_pointer(context: Context, node: SyntaxNode, scope: Scope) -> bool:
    """Whether an expression is a pointer by its first name: `p`, `p + n`, `&a[i]`, `v.end()`, `std::find(p, q, x)`."""

    text = context.source.text
    while node.type in ("binary_expression", "parenthesized_expression"):
        if node.type == "binary_expression" and text(node.child_by_field_name("operator")) not in ("+", "-"):
            return False
        node = node.child_by_field_name("left") or node.named_children[0]
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        is_method = function.type == "field_expression" and isinstance(
            scope.find(text(function.child_by_field_name("argument"))), Pointer
        )
        is_end = is_method and text(function.child_by_field_name("field")) in _AT_ENDS
        return is_end or (finds_place(context.source, node) and context.takes_effects)
    if node.type == "pointer_expression":
        return text(node).startswith("&")
    return node.type == "identifier" and isinstance(scope.find(text(node)), Pointer)
