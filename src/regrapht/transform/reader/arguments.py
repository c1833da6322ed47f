"""What a parameter stands for in a call that is written out: the argument itself where nothing can change it, or a local."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from regrapht.transform.ir.expressions import Binary, Element, Expression, Number, Unary, Variable, walk
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statements import Declare, Parameter, Statement
from regrapht.transform.reader.callees import Callee
from regrapht.transform.reader.changes import changed_names, changes_in, is_pure
from regrapht.transform.reader.context import Context, Given, given_argument
from regrapht.transform.reader.local_arrays import copy_of
from regrapht.transform.reader.overloads import type_text
from regrapht.transform.reader.parameters import read_parameter
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.struct_values import listed

_PLACES = ("identifier", "subscript_expression", "field_expression", "pointer_expression", "parenthesized_expression")
"""Arguments that a reference is another name for; a constant reference to anything else holds its value."""
_MOST_PARTS = 7
"""Of an index that is put into a body as it stands."""


@contextmanager
def meaning(context: Context, types: Mapping[str, str]) -> Iterator[None]:
    """Have names of types stand for these for a while, those of a template or `auto`."""
    outer = dict(context.aliases)
    context.aliases.update(types)
    try:
        yield
    finally:
        context.aliases.clear()
        context.aliases.update(outer)


def bound_arguments(
    context: Context, callee: Callee, given: list[Given], inside: Scope, scope: Scope, line: int
) -> list[Statement]:
    """Give the parameters their meaning; what must run before the body."""
    before: list[Statement] = []
    pure = is_pure(callee, context.callees, context.helpers)
    for place, node in enumerate(callee.parameters):
        if place < len(given):
            one = given[place]
        else:
            one = given_argument(context, callee.default(place), callee.scope)
        written = callee.source.text(node.child_by_field_name("type")).removeprefix("const ")
        with meaning(context, {"auto": _type_of_auto(context, one, line)} if written == "auto" else {}):
            parameter = read_parameter(context, node, inside)
        declared, inside.names[parameter.written] = _bound(context, callee, parameter, one, pure, scope)
        before += declared
    return before


def _type_of_auto(context: Context, one: Given, line: int) -> str:
    """What `auto` stands for in a parameter.

    Raises:
        CannotTransform: It is given a list of values.
    """
    if one.value is None:
        raise refuse("a list of values for 'auto'", line, "write the type out")
    return type_text(context, one.value, line)


def _bound(
    context: Context, callee: Callee, parameter: Parameter, one: Given, pure: bool, scope: Scope
) -> tuple[list[Statement], Binding]:
    """What a parameter stands for, and what must run before the body. `pure`: the body changes nothing but its own locals.

    Raises:
        CannotTransform: The argument is none for such a parameter.
    """
    as_a_whole = changes_in(callee.source, callee.body, context.by_reference).assigned
    changed = changed_names(callee.source, callee.body) | as_a_whole
    assigned, struct = parameter.written in changed, context.structs.by_name.get(parameter.type)
    value = one.value
    if value is None:
        if struct is None or parameter.is_pointer:
            raise refuse(f"'{one.text}' for '{parameter.written}'", one.line, "give it a value of its type")
        before, values = listed(one.context, struct, one.node, scope, one.line)
        value, one = Record(struct.name, values), replace(one, before=before)
    if parameter.is_reference and not parameter.is_pointer:
        is_place = one.is_place or one.node.type in _PLACES
        if is_place and not one.before and stays_put(context, value):
            return [], value
        if not parameter.is_const or (is_place and not pure):
            what = f"reference '{parameter.written}' to a place that may move"
            raise refuse(what, one.line, "use the element itself")
    if parameter.is_pointer:
        if not isinstance(value, Pointer) or parameter.written in as_a_whole or parameter.lengths:
            raise refuse(f"'{one.text}' for the pointer '{parameter.written}'", one.line)
        return one.before, Pointer(value.array, value.rank, value.prefix, value.offset)
    if parameter.is_array:
        if not isinstance(value, Pointer):
            raise refuse(f"'{one.text}' for the array '{parameter.written}'", one.line)
        local, copy = Declare(parameter.type, parameter.name, None, one.line, parameter.lengths), Scope()
        return copy_of(context, value, parameter.written, local, copy), copy.names[parameter.written]
    if isinstance(value, Record) and struct is not None and value.struct == struct.name:
        declared, record = held_record(context, parameter.name, value, assigned, pure, one.line)
        return [*one.before, *declared], record
    if struct is not None or not isinstance(value, Expression):
        raise refuse(f"'{one.text}' for '{parameter.written}'", one.line, "give it a value of its type")
    held, kept = _held(context, parameter.name, parameter.type, value, assigned, pure, one.line)
    return [*one.before, *held], kept


def _held(
    context: Context, name: str, type_name: str, value: Expression, assigned: bool, pure: bool, line: int
) -> tuple[list[Statement], Expression]:
    """A scalar parameter."""
    same = context.type_of(value, line) == type_name and not assigned
    if same and _may_stand(context, value, type_name, pure):
        return [], value
    name = context.fresh(name, type_name)
    if assigned:
        context.mutable.add(name)
    return [Declare(type_name, name, value, line)], Variable(name)


def _may_stand(context: Context, value: Expression, type_name: str, pure: bool) -> bool:
    """Whether a value is as good as a local that holds it: a number, a variable, or an index made of few of these."""
    parts = list(walk(value))
    plain = all(
        isinstance(part, Number)
        or (isinstance(part, Variable) and (pure or part.name not in context.mutable))
        or (isinstance(part, Binary) and part.operator in "+-*")
        or isinstance(part, Unary)
        for part in parts
    )
    return plain and (len(parts) == 1 or (is_integer(type_name) and len(parts) <= _MOST_PARTS))


def held_record(
    context: Context, written: str, value: Record, assigned: bool, pure: bool, line: int
) -> tuple[list[Statement], Record]:
    """A struct by value: a local for each field that is not as good as one.

    Raises:
        CannotTransform: It holds an array that may change.
    """
    struct = context.structs.by_name[value.struct]
    out: list[Statement] = []
    fields: dict[str, Binding] = {}
    for one in struct.fields:
        part = value.fields[one.name]
        if isinstance(part, Expression):
            name = f"{written}_{one.name}"
            declared, fields[one.name] = _held(context, name, one.type, part, assigned, pure, line)
            out += declared
        elif isinstance(part, Pointer) and (one.is_pointer or (pure and not assigned)):
            fields[one.name] = part
        else:
            raise refuse(f"the struct '{written}' with an array inside is copied", line, "pass a reference")
    return out, Record(value.struct, fields)


def _is_place(value: Binding) -> bool:
    parts = value.fields.values() if isinstance(value, Record) else (value,)
    return all(isinstance(part, Variable | Element | Pointer) for part in parts)


def stays_put(context: Context, value: Binding) -> bool:
    """Whether a reference can be another name for this: a variable, or an element at a place that no variable moves."""
    if isinstance(value, Pointer):
        return value.offset is None or (value.length is not None and context.stays(value.offset))
    parts = value.fields.values() if isinstance(value, Record) else (value,)
    subscripts = [one for part in parts if isinstance(part, Element) for one in part.subscripts]
    return _is_place(value) and all(context.stays(one) for one in subscripts)
