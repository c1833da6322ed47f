"""What an expression stands for where it may be a pointer or a struct as well as a number."""

from regrapht.transform.ir.expressions import ZERO, Binary, Conditional, Element, Expression, Unary
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Statement
from regrapht.transform.reader.callees import Callee
from regrapht.transform.reader.context import Context, Given, given_argument
from regrapht.transform.reader.inlining import inlined, inlined_value
from regrapht.transform.reader.overloads import callees_of
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.struct_values import element_record, field_value, literal_record, record_of
from regrapht.transform.reader.syntax import SyntaxNode

_CHANGES = ("assignment_expression", "update_expression")


def read_bound(context: Context, node: SyntaxNode, scope: Scope) -> Binding:
    """What `node` stands for; its effects happen once.

    Raises:
        CannotTransform: It is of a kind that the engine does not take.
    """
    match node.type:
        case "parenthesized_expression":
            return read_bound(context, node.named_children[0], scope)
        case "identifier":
            found = scope.find(context.source.text(node))
            return found if isinstance(found, Pointer | Record) else context.read(node, scope)
        case "field_expression":
            held = field_value(context, node, scope)
            return held if isinstance(held, Expression | Pointer | Record) else context.read(node, scope)
        case "call_expression":
            return _called(context, node, scope)
        case "subscript_expression":
            place = context.pointer(node, scope)
            if place is None:
                return context.read(node, scope)
            return _at(context, place, node) if len(place.prefix) == place.rank else place
        case "pointer_expression":
            if not context.source.text(node).startswith("*"):
                return context.pointer(node, scope) or context.read(node, scope)
            if node.child_by_field_name("argument").type == "this":
                return record_of(context, node, scope) or context.read(node, scope)
            place = context.pointer(node.child_by_field_name("argument"), scope)
            return context.read(node, scope) if place is None else _at(context, place.subscripted(ZERO), node)
        case "binary_expression" | "unary_expression":
            return computed(context, node, scope)
        case "update_expression":
            return context.pointer(node, scope) or context.read(node, scope)
        case "conditional_expression":
            return _chosen(context, node, scope)
        case "compound_literal_expression":
            return literal_record(context, node, scope) or context.read(node, scope)
    return context.read(node, scope)


def _at(context: Context, place: Pointer, node: SyntaxNode) -> Binding:
    return element_record(context, place) or element(context, place, node)


def computed(context: Context, node: SyntaxNode, scope: Scope) -> Binding:
    """An operation, which may be one of the file's own operators or a step of a pointer."""
    source = context.source
    operator = source.text(node.child_by_field_name("operator"))
    if operator in ("&&", "||", "and", "or"):
        return context.read(node, scope)
    sides = [node.child_by_field_name(name) for name in ("left", "right", "argument")]
    sides = [side for side in sides if side is not None]
    values = [read_bound(context, side, scope) for side in sides]
    if any(isinstance(value, Record) for value in values):
        return _operated(context, operator, list(zip(sides, values, strict=True)), node, scope)
    first, last = values[0], values[-1]
    if isinstance(first, Expression) and isinstance(last, Expression):
        written = {"not": "!"}.get(operator, operator)
        return Binary(written, first, last) if len(values) == 2 else Unary(written, first)
    if isinstance(first, Pointer) and isinstance(last, Expression) and operator in ("+", "-"):
        return first.moved(last if operator == "+" else Unary("-", last))
    if isinstance(last, Pointer) and isinstance(first, Expression) and operator == "+":
        return last.moved(first)
    return context.read(node, scope)


def _operated(
    context: Context, operator: str, sides: list[tuple[SyntaxNode, Binding]], node: SyntaxNode, scope: Scope
) -> Binding:
    callees, line, text = operators(context, operator), context.source.line(node), context.source.text(node)
    first = sides[0][1]
    own = [
        c
        for c in callees
        if c.struct and isinstance(first, Record) and c.struct == first.struct and c.takes(len(sides) - 1)
    ]
    callees = tuple(own) or tuple(c for c in callees if not c.struct)
    if not callees or not context.takes_effects:
        what = f"'{operator}' of structs in '{text}'"
        raise refuse(what, line, f"define operator{operator} in the same file, outside of the struct")
    given = [Given(context, [], value, side, context.source.text(side), line) for side, value in sides]
    receiver = given.pop(0) if own else None
    statements, value = inlined(context, callees, given, scope, line, receiver=receiver)
    context.add_effects(statements, node)
    if value is None:
        raise refuse(f"'{text}' has no value", line)
    return value


def operated_assignment(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """`a += b` by the file's own operator; None where the left side is no struct."""
    operator, line = context.source.text(node.child_by_field_name("operator")), context.source.line(node)
    callees = operators(context, operator)
    if not callees:
        return None
    given = [given_argument(context, node.child_by_field_name(side), scope) for side in ("left", "right")]
    if not isinstance(given[0].value, Record):
        return None
    own = tuple(one for one in callees if one.struct == given[0].value.struct)
    receiver = given.pop(0) if own else None
    callees = own or tuple(one for one in callees if not one.struct)
    return inlined(context, callees, given, scope, line, wanted=False, receiver=receiver)[0]


def _called(context: Context, node: SyntaxNode, scope: Scope) -> Binding:
    if context.takes_effects and callees_of(context, node, scope):
        return inlined_value(context, node, scope)
    return context.pointer(node, scope) or context.read(node, scope)


def _chosen(context: Context, node: SyntaxNode, scope: Scope) -> Binding:
    """`condition ? a : b`, of structs field by field where both sides only name them."""
    parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
    changes = any(inner.type in _CHANGES for part in parts for inner in context.source.walk(part))
    if changes or any(part.type not in ("identifier", "subscript_expression") for part in parts[1:]):
        return context.read(node, scope)
    first, second = (record_of(context, part, scope) for part in parts[1:])
    if first is None or second is None or first.struct != second.struct:
        return context.read(node, scope)
    condition = context.read(parts[0], scope)
    fields: dict[str, Binding] = {}
    for name, one in first.fields.items():
        other = second.fields[name]
        if not isinstance(one, Expression) or not isinstance(other, Expression):
            raise refuse(f"a choice of structs with arrays '{context.source.text(node)}'", context.source.line(node))
        fields[name] = Conditional(condition, one, other)
    return Record(first.struct, fields)


def operators(context: Context, operator: str) -> tuple[Callee, ...]:
    """The file's own functions for an operator."""
    if not context.takes_effects:
        return ()
    name, structs = f"operator{operator}", context.structs
    own = (one for struct in structs.methods for one in structs.functions(struct, name))
    return (*context.callees.get(name, ()), *own)


def indexed(context: Context, node: SyntaxNode, scope: Scope) -> Expression | None:
    """`v[i]` by a struct's own operator; None for other subscripts."""
    held = node.child_by_field_name("argument")
    record = scope.find(context.source.text(held)) if held.type in ("identifier", "this") else None
    callees = context.structs.functions(record.struct, "operator[]") if isinstance(record, Record) else ()
    if not callees or not context.takes_effects:
        return None
    line = context.source.line(node)
    receiver = Given(context, [], record, held, context.source.text(held), line)
    given = [given_argument(context, one, scope) for one in node.child_by_field_name("indices").named_children]
    statements, value = inlined(context, callees, given, scope, line, receiver=receiver)
    context.add_effects(statements, node)
    return value if isinstance(value, Expression) else None


def element(context: Context, place: Pointer, node: SyntaxNode) -> Expression:
    """The element at a place, for the expression `node`."""
    if len(place.prefix) != place.rank:
        raise refuse(f"'{context.source.text(node)}' is a row, not an element", context.source.line(node))
    if context.structs.of(place.array) is not None:
        raise refuse(
            f"the struct '{context.source.text(node)}' is used as a value", context.source.line(node), "use its fields"
        )
    return Element(place.array, place.prefix)
