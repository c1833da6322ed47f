"""What an expression stands for where it may be a pointer or a struct as well as a number."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Binary, Conditional, Expression, Number, Unary
from regrapht.transform.ir.scope import Binding, Pointer, Record, Scope, refuse
from regrapht.transform.ir.statements import Statement
from regrapht.transform.reader.structs import element_record, field_value, literal_record, record_of
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.expression_reader import ExpressionReader
    from regrapht.transform.reader.statement_reader import StatementReader

_CHANGES = ("assignment_expression", "update_expression")
ZERO = Number("0", 0)


def bound_value(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Binding:
    """What `node` stands for; its effects happen once.

    Raises:
        CannotTransform: It is of a kind that the engine does not take.
    """
    match node.type:
        case "parenthesized_expression":
            return bound_value(reader, node.named_children[0], scope)
        case "identifier":
            found = scope.find(reader.source.text(node))
            return found if isinstance(found, Pointer | Record) else reader.read(node, scope)
        case "field_expression":
            held = field_value(reader, node, scope)
            return held if isinstance(held, Expression | Pointer) else reader.read(node, scope)
        case "call_expression":
            return _called(reader, node, scope)
        case "subscript_expression":
            place = reader.pointer(node, scope)
            if place is None:
                return reader.read(node, scope)
            return _at(reader, place, node) if len(place.prefix) == place.rank else place
        case "pointer_expression":
            if not reader.source.text(node).startswith("*"):
                return reader.pointer(node, scope) or reader.read(node, scope)
            if node.child_by_field_name("argument").type == "this":
                return record_of(reader, node, scope) or reader.read(node, scope)
            place = reader.pointer(node.child_by_field_name("argument"), scope)
            return reader.read(node, scope) if place is None else _at(reader, place.subscripted(ZERO), node)
        case "binary_expression" | "unary_expression":
            return computed(reader, node, scope)
        case "update_expression":
            return reader.pointer(node, scope) or reader.read(node, scope)
        case "conditional_expression":
            return _chosen(reader, node, scope)
        case "compound_literal_expression":
            return literal_record(reader, node, scope) or reader.read(node, scope)
    return reader.read(node, scope)


def _at(reader: "ExpressionReader", place: Pointer, node: SyntaxNode) -> Binding:
    return element_record(reader, place) or reader.element(place, node)


def computed(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Binding:
    """An operation, which may be one of the file's own operators or a step of a pointer."""
    source = reader.source
    operator = source.text(node.child_by_field_name("operator"))
    if operator in ("&&", "||", "and", "or"):
        return reader.read(node, scope)
    sides = [node.child_by_field_name(name) for name in ("left", "right", "argument")]
    sides = [side for side in sides if side is not None]
    values = [bound_value(reader, side, scope) for side in sides]
    if any(isinstance(value, Record) for value in values):
        return _operated(reader, operator, list(zip(sides, values, strict=True)), node, scope)
    first, last = values[0], values[-1]
    if isinstance(first, Expression) and isinstance(last, Expression):
        written = {"not": "!"}.get(operator, operator)
        return Binary(written, first, last) if len(values) == 2 else Unary(written, first)
    if isinstance(first, Pointer) and isinstance(last, Expression) and operator in ("+", "-"):
        return first.moved(last if operator == "+" else Unary("-", last))
    if isinstance(last, Pointer) and isinstance(first, Expression) and operator == "+":
        return last.moved(first)
    return reader.read(node, scope)


def _operated(
    reader: "ExpressionReader", operator: str, sides: list[tuple[SyntaxNode, Binding]], node: SyntaxNode, scope: Scope
) -> Binding:
    from regrapht.transform.reader.arguments import Given

    callees, line, text = reader.operators(operator), reader.source.line(node), reader.source.text(node)
    first = sides[0][1]
    own = [
        c
        for c in callees
        if c.struct and isinstance(first, Record) and c.struct == first.struct and c.takes(len(sides) - 1)
    ]
    callees = tuple(own) or tuple(c for c in callees if not c.struct)
    if not callees or reader.effects is None or (inliner := reader.effects.reader.inliner) is None:
        what = f"'{operator}' of structs in '{text}'"
        raise refuse(what, line, f"define operator{operator} in the same file, outside of the struct")
    given = [Given(reader.effects.reader, [], value, side, reader.source.text(side), line) for side, value in sides]
    receiver = given.pop(0) if own else None
    statements, value = inliner.written_out(reader.effects.reader, callees, given, scope, line, receiver=receiver)
    reader.effects.add(statements, node)
    if value is None:
        raise refuse(f"'{text}' has no value", line)
    return value


def operated_assignment(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """`a += b` by the file's own operator; None where the left side is no struct."""
    from regrapht.transform.reader.arguments import gathered

    operator, line = reader.source.text(node.child_by_field_name("operator")), reader.source.line(node)
    callees = reader.expressions.operators(operator)
    if not callees or reader.inliner is None:
        return None
    given = [gathered(reader, node.child_by_field_name(side), scope) for side in ("left", "right")]
    if not isinstance(given[0].value, Record):
        return None
    own = tuple(one for one in callees if one.struct == given[0].value.struct)
    receiver = given.pop(0) if own else None
    callees = own or tuple(one for one in callees if not one.struct)
    return reader.inliner.written_out(reader, callees, given, scope, line, wanted=False, receiver=receiver)[0]


def _called(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Binding:
    if reader.effects is not None and reader.effects.reader.callees(node, scope):
        return reader.effects.reader.inlined_value(node, scope)
    return reader.pointer(node, scope) or reader.read(node, scope)


def _chosen(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Binding:
    """`condition ? a : b`, of structs field by field where both sides only name them."""
    parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
    changes = any(inner.type in _CHANGES for part in parts for inner in reader.source.walk(part))
    if changes or any(part.type not in ("identifier", "subscript_expression") for part in parts[1:]):
        return reader.read(node, scope)
    first, second = (record_of(reader, part, scope) for part in parts[1:])
    if first is None or second is None or first.struct != second.struct:
        return reader.read(node, scope)
    condition = reader.read(parts[0], scope)
    fields: dict[str, Binding] = {}
    for name, one in first.fields.items():
        other = second.fields[name]
        if not isinstance(one, Expression) or not isinstance(other, Expression):
            raise refuse(f"a choice of structs with arrays '{reader.source.text(node)}'", reader.source.line(node))
        fields[name] = Conditional(condition, one, other)
    return Record(first.struct, fields)
