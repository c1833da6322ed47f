"""The body of a function where a call of it stands, and the value that it has there."""

from regrapht.transform.ir.expressions import Cast, Expression, Variable
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Assign, Declare, Return, Statement, Struct, every
from regrapht.transform.reader.callees import Callee
from regrapht.transform.reader.changes import changes_in
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.returns import without_inner_returns
from regrapht.transform.reader.scope import Binding, Record, Scope

Written = tuple[list[Statement], Binding | None]
"""The statements of a call, and its value."""


def read_body(context: Context, callee: Callee, inside: Scope, line: int) -> Written:
    outer = context.changes, context.fork, context.returned, context.deduced
    context.changes, context.fork = changes_in(context.source, callee.body, context.by_reference), None
    struct = context.structs.named(callee.returned, context.aliases)
    context.returned = None if struct is None else _fresh_record(context, callee, struct)
    context.deduced = None if callee.returned else lambda found: _fresh_record(context, callee, found)
    context.open_calls.append(callee)
    body = context.block(callee.body, inside)
    context.open_calls.pop()
    record = context.returned
    context.changes, context.fork, context.returned, context.deduced = outer
    if not callee.has_value:
        return without_inner_returns(body, None, context), None
    if record is not None:
        return _record_result(context, record, body, line)
    return _scalar_result(context, callee, body, line)


def _scalar_result(context: Context, callee: Callee, body: list[Statement], line: int) -> Written:
    """The value of a body of one `return` as it stands, of another body in a local."""
    values = [one.value for one in every(body) if isinstance(one, Return) and one.value is not None]
    if not values:
        return without_inner_returns(body, None, context), None
    type_name = context.type_of(values[0], line)
    if callee.returned:
        type_name = context.type_name(callee.returned, line, f"what '{callee.name}' returns")
    last = body[-1]
    if len(body) == 1 and isinstance(last, Return) and last.value is not None:
        same = context.type_of(last.value, line) == type_name
        return [], last.value if same else Cast(type_name, last.value)
    name = context.fresh(f"{callee.word}_result", type_name)
    result = Variable(name)
    if len(values) == 1 and isinstance(last, Return):
        return [*body[:-1], Declare(type_name, name, last.value, line)], result
    return [Declare(type_name, name, None, line), *without_inner_returns(body, result, context)], result


def _fresh_record(context: Context, callee: Callee, struct: Struct) -> Record:
    """A local for each field of what a function returns."""
    line = context.source.line(callee.body)
    if any(one.lengths or one.is_pointer for one in struct.fields):
        raise refuse(f"'{callee.name}' returns a struct with an array inside", line, "give it a reference to set")
    fields: dict[str, Binding] = {}
    for one in struct.fields:
        name = context.fresh(f"{callee.word}_{one.name}", one.type)
        fields[one.name] = Variable(name)
    return Record(struct.name, fields)


def _record_result(context: Context, record: Record, body: list[Statement], line: int) -> Written:
    """The fields of a body with one `return` at its end as they are set there, of another body in locals."""
    places = list(record.fields.values())
    sets, before = body[-1 - len(places) : -1], body[: -1 - len(places)]
    ends = [one for one in every(body) if isinstance(one, Return)]
    straight = len(ends) == 1 and bool(body) and body[-1] is ends[0]
    if straight and [one.target for one in sets if isinstance(one, Assign)] == places:
        values: dict[str, Binding] = {
            name: _as(context, place, one.value, line)
            for (name, place), one in zip(record.fields.items(), sets, strict=True)
            if isinstance(one, Assign)
        }
        if not before:
            return [], Record(record.struct, values)
    declared: list[Statement] = [
        Declare(context.types[place.name], place.name, None, line) for place in places if isinstance(place, Variable)
    ]
    return [*declared, *without_inner_returns(body, None, context)], record


def _as(context: Context, place: Binding, value: Expression, line: int) -> Expression:
    assert isinstance(place, Variable)
    type_name = context.types[place.name]
    return value if context.type_of(value, line) == type_name else Cast(type_name, value)
