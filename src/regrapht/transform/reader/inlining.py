"""Calls that are written out where they stand: helpers with pointers or structs, templates, operators of structs, lambdas."""

from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statement_walk import without_locals
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.arguments import bound_arguments, meaning
from regrapht.transform.reader.call_bodies import Written, read_body
from regrapht.transform.reader.callees import Callee, arguments_of, called_name
from regrapht.transform.reader.context import Context, Given, given_argument
from regrapht.transform.reader.methods import constructed, receiver_of, with_receiver
from regrapht.transform.reader.overloads import callees_of, chosen_overload
from regrapht.transform.reader.scope import Binding, Record, Scope
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.templates import meanings_of


def inlined_call(context: Context, node: SyntaxNode, scope: Scope, *, wanted: bool = True) -> Written:
    """The statements of one call and its value, if that is `wanted`.

    Raises:
        CannotTransform: It calls itself, or is given something else than it declares.
    """
    callees, line = callees_of(context, node, scope), context.source.line(node)
    receiver = receiver_of(context, node, callees, scope) if callees[0].struct else None
    if receiver is not None and isinstance(receiver.value, Record):
        callees = tuple(one for one in callees if one.struct == receiver.value.struct)
    listed = arguments_of(node)
    explicit = called_name(context.source, node.child_by_field_name("function"))[1]
    given = [given_argument(context, one, scope) for one in listed]
    return inlined(context, callees, given, scope, line, explicit, wanted=wanted, receiver=receiver)


def inlined_value(context: Context, node: SyntaxNode, scope: Scope) -> Binding:
    """The value of a call that is written out before the expression."""
    statements, value = inlined_call(context, node, scope)
    if value is None:
        raise refuse(f"'{context.source.text(node)}' has no value", context.source.line(node))
    context.add_effects(statements, node)
    return value


def inlined(
    context: Context,
    callees: tuple[Callee, ...],
    given: list[Given],
    scope: Scope,
    line: int,
    explicit: list[str] | None = None,
    *,
    wanted: bool = True,
    receiver: Given | None = None,
) -> Written:
    """The body of the one of `callees` that takes these arguments; `receiver` is the object whose function it is."""
    values = [one.value for one in given]
    if callees and callees[0].struct and receiver is None:
        return constructed(context, context.structs.by_name[callees[0].struct], given, scope, line)
    callee = chosen_overload(context, callees, values, explicit or [], line)
    if callee in context.open_calls or len(context.open_calls) > 20:
        raise refuse(f"call of '{callee.name}'", line, "helpers that do not call themselves are taken")
    inner = context.within(callee.source)
    meanings = meanings_of(context, callee, values, explicit or [], scope, line)
    inside = callee.scope.inner(meanings.values)
    with meaning(context, meanings.types):
        before: list[Statement] = []
        if receiver is not None:
            before, own = with_receiver(inner, callee, receiver)
            inside.names |= {**context.structs.members(own), "this": own}
        before = before + bound_arguments(inner, callee, given, inside, scope, line)
        statements, value = read_body(inner, callee, inside, line)
        if not wanted:
            statements, value = _without_result(statements, value), None
    return [*before, *statements], value


def _without_result(statements: list[Statement], value: Binding | None) -> list[Statement]:
    """The statements without those that only make a value which nobody wants."""
    parts = value.fields.values() if isinstance(value, Record) else (value,)
    names = {part.name for part in parts if isinstance(part, Variable)}
    return without_locals(statements, names & {one.name for one in statements if isinstance(one, Declare)})
