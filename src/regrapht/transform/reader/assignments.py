"""What an assignment changes, and whether what it adds may be collected in any order."""

from dataclasses import replace

from regrapht.transform.ir.expressions import Element, Variable, place_name
from regrapht.transform.ir.idioms import written_out
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import holds_all, is_float
from regrapht.transform.ir.statements import Assign, Update
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SyntaxNode


def checked(context: Context, statement: Assign | Update) -> Assign | Update:
    """An update as an assignment where collecting parts of it would change its value."""
    if isinstance(statement, Assign):
        return statement
    if not keeps_values(context, statement):
        return Assign(statement.target, written_out(statement), statement.line)
    return statement if is_float(context.type_of(statement.target, statement.line)) else replace(statement, test="")


def keeps_values(context: Context, update: Update) -> bool:
    """Whether converting each value to the target's type first gives the same result in any order."""
    name = place_name(update.target)
    target, value = context.types.get(name), context.type_of(update.value, update.line)
    if target is None or is_float(target):
        return target is not None
    if is_float(value) or target == "bool":
        return False
    return update.operator in "+*" or holds_all(target, value)


def changed_place(context: Context, node: SyntaxNode, scope: Scope) -> Variable | Element:
    """The place that an assignment or a step changes.

    Raises:
        CannotTransform: It is none that the engine knows.
    """
    found = scope.find(context.source.text(node)) if node.type == "identifier" else None
    if isinstance(found, Pointer) and found.counter is not None:
        return Variable(found.counter)
    if isinstance(found, Pointer):
        raise refuse(f"the pointer '{context.source.text(node)}' moves", context.source.line(node), "index it instead")
    before, target = context.gathered(lambda: context.read(node, scope))
    if not isinstance(target, Variable | Element) or (before and _is_of_call(node)):
        raise refuse(f"assignment to '{context.source.text(node)}'", context.source.line(node))
    context.add_effects(before, node)
    return target


def _is_of_call(node: SyntaxNode) -> bool:
    """Whether a place is one that a call returns a reference to, which is known only where the call is one expression."""
    inside = ("field_expression", "subscript_expression", "parenthesized_expression")
    while node.type in inside:
        node = node.child_by_field_name("argument") or node.named_children[0]
    return bool(node.type == "call_expression")
