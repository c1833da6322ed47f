"""Functions of structs, written out where they are called: over the fields of the object, which are locals or elements of arrays."""

from collections.abc import Mapping
from functools import partial

from regrapht.transform.ir.expressions import ZERO
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Statement, Struct
from regrapht.transform.reader.arguments import bound_arguments, held_record, stays_put
from regrapht.transform.reader.call_bodies import read_body
from regrapht.transform.reader.callees import Callee, parts_of
from regrapht.transform.reader.changes import changed_names, is_pure
from regrapht.transform.reader.context import Context, Given, given_argument
from regrapht.transform.reader.overloads import chosen_overload
from regrapht.transform.reader.pointers import placed
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.struct_locals import field_local
from regrapht.transform.reader.struct_values import default_of, element_record, initial_value, record_of
from regrapht.transform.reader.syntax import SyntaxNode


def receiver_of(context: Context, call: SyntaxNode, callees: tuple[Callee, ...], scope: Scope) -> Given | None:
    """The object whose function is called; None for a constructor.

    Raises:
        CannotTransform: It is no plain struct.
    """
    function, line = call.child_by_field_name("function"), context.source.line(call)
    if callees[0].name == callees[0].struct:
        return None
    if function.type == "field_expression":
        node = function.child_by_field_name("argument")
        arrow = context.source.text(function.child_by_field_name("operator")) == "->" and node.type != "this"

        def read() -> Binding | None:
            if not arrow:
                return record_of(context, node, scope)
            place = context.pointer(node, scope)
            return None if place is None else element_record(context, place.subscripted(ZERO))

        before, found = context.gathered(read)
    else:
        node, before = function, []
        found = scope.find(context.source.text(function)) if callees[0].name == "operator()" else scope.find("this")
    if not isinstance(found, Record):
        raise refuse(f"'{context.source.text(call)}'", line, "functions of plain structs in the same file are taken")
    return Given(context, before, found, node, context.source.text(node), line)


def with_receiver(context: Context, callee: Callee, one: Given) -> tuple[list[Statement], Record]:
    """The object that a function works on, and what must run before: itself where it stays in its place, else a copy.

    Raises:
        CannotTransform: The function changes it, and its place may move.
    """
    record = one.value
    assert isinstance(record, Record)
    if not one.before and stays_put(context, record):
        return [], record
    pure = is_pure(callee, context.callees, context.helpers)
    names = changed_names(callee.source, callee.body)
    changes = not pure and (
        bool(names & set(context.structs.members(record))) or "this" in callee.source.text(callee.body)
    )
    is_place = one.node.type in ("identifier", "subscript_expression", "field_expression", "pointer_expression")
    if is_place and not pure:
        raise refuse(
            f"'{one.text}.{callee.name}' of an object whose place may move", one.line, "copy it to a local first"
        )
    declared, held = held_record(context, "self", record, changes, pure, one.line)
    return [*one.before, *declared], held


def constructed(
    context: Context, struct: Struct, given: list[Given], scope: Scope, line: int
) -> tuple[list[Statement], Record]:
    """A new object: what its constructor sets its fields to, and what must run before.

    Raises:
        CannotTransform: No constructor takes these arguments.
    """
    callees = context.structs.functions(struct.name, struct.name)
    callee = chosen_overload(context, callees, [one.value for one in given], [], line)
    if callee in context.open_calls or len(context.open_calls) > 20:
        raise refuse(f"call of '{callee.name}'", line, "helpers that do not call themselves are taken")
    inner = context.within(callee.source)
    inside = callee.scope.inner()
    before = bound_arguments(inner, callee, given, inside, scope, line)
    given_names = set(inside.names)  # a parameter hides the field of its name
    context.open_calls.append(callee)
    first, fields = _initialised(inner, struct, callee, inside, line)
    context.open_calls.pop()
    before += first
    if not any(node.type != "comment" for node in callee.body.named_children):
        return before, Record(struct.name, fields)
    declared, record = _locals(inner, struct, fields, line)
    inside.names |= {name: one for name, one in context.structs.members(record).items() if name not in given_names}
    inside.names["this"] = record
    body, _ = read_body(inner, callee, inside, line)
    return [*before, *declared, *body], record


def _initialised(
    context: Context, struct: Struct, callee: Callee, inside: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The fields as the list behind a constructor's head, and what the struct says, set them."""
    source, given = context.source, dict[str, SyntaxNode]()
    for node in callee.initialisers:
        named, listed = node.named_children[0], node.named_children[-1]
        if source.text(named) == struct.name:
            arguments = parts_of(listed)
            before, record = constructed(
                context, struct, [given_argument(context, one, inside) for one in arguments], inside, line
            )
            return before, dict(record.fields)
        given[source.text(named)] = listed
    whole = [name for name in given if struct.member(name) is not None]
    if whole:
        raise refuse(f"values for '{struct.name}::{whole[0]}'", line, "set its fields in the body")
    out: list[Statement] = []
    fields: dict[str, Binding] = {}
    for field in struct.fields:
        node = given.get(field.name)
        values = parts_of(node) if node is not None else []
        if node is not None and (field.lengths or len(values) > 1):
            raise refuse(f"values for '{struct.name}::{field.name}'", line, "set its elements in the body")
        if node is None:
            read = partial(default_of, context, struct, field.name, line)
        else:
            read = partial(
                initial_value, context, field.is_pointer, field.type, values[0] if values else None, inside, line
            )
        before, fields[field.name] = context.gathered(read)
        inside.names.setdefault(field.name, fields[field.name])
        out += before
    return out, fields


def _locals(
    context: Context, struct: Struct, fields: Mapping[str, Binding], line: int
) -> tuple[list[Statement], Record]:
    """A local for each field, which begins as `fields` say."""
    out: list[Statement] = []
    own: dict[str, Binding] = {}
    for field in struct.fields:
        name, value = f"made_{field.name}", fields.get(field.name)
        if field.is_pointer:
            assert isinstance(value, Pointer)
            declared, own[field.name] = ([], value) if value.unset else placed(context, name, value, line)
            out += declared
            continue
        local, own[field.name] = field_local(context, name, field, value, line)
        out.append(local)
    return out, Record(struct.name, own)
