"""Plain structs as locals: a local for each field, set one by one. An array of structs is an array for each field."""

from collections.abc import Callable, Mapping

from regrapht.transform.ir.expressions import Element, Expression, Variable, walk
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Assign, Declare, Field, Return, Statement, Struct
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.pointers import placed
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.struct_values import initial_fields, record_of
from regrapht.transform.reader.syntax import SourceText, SyntaxNode


def declare_record(
    context: Context, written: str, struct: Struct, value: SyntaxNode | None, scope: Scope, line: int
) -> list[Statement]:
    """A local struct as a local for each field."""
    before, values = initial_fields(context, struct, value, scope, line)
    fields: dict[str, Binding] = {}
    declared: list[Statement] = []
    for field in struct.fields:
        given = values.get(field.name)
        if isinstance(given, Pointer) and (field.is_pointer or not given.unset):
            moved, fields[field.name] = ([], given) if field.lengths else placed(context, written, given, line)
            declared += moved
            continue
        local, fields[field.name] = field_local(context, f"{written}_{field.name}", field, given, line)
        declared.append(local)
    scope.names[written] = Record(struct.name, fields)
    return [*before, *declared]


def field_local(
    context: Context, name: str, field: Field, value: Binding | None, line: int
) -> tuple[Declare, Variable | Pointer]:
    """The local that is one field of a struct, and what the field stands for; a `value` that is a number is set."""
    name = context.fresh(name, field.type)
    if field.lengths:
        return Declare(field.type, name, None, line, field.lengths), Pointer(name, len(field.lengths))
    context.mutable.add(name)
    return Declare(field.type, name, value if isinstance(value, Expression) else None, line), Variable(name)


def constructed_local(
    context: Context, declarator: SyntaxNode, struct: Struct, scope: Scope, line: int
) -> list[Statement]:
    """`Vec3 v(x[i]);`, which also declares a function."""
    parts = [context.source.text(declarator.child_by_field_name(name)) for name in ("declarator", "parameters")]
    source = SourceText(f"{struct.name} made{parts[1].replace('(', '{', 1)[:-1]}}};", line, context.source)
    value = source.first("initializer_list")
    if not context.structs.functions(struct.name, struct.name):
        raise refuse(f"'{parts[1]}' for a '{struct.name}'", line, "set its fields one by one")
    return declare_record(context.within(source), parts[0], struct, value, scope, line)


def assign_record(context: Context, left: SyntaxNode, right: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """`a[i] = s` for structs, field by field; None where the left side is no struct.

    Fields are read before any is written, as the whole struct would be.
    """
    before, target = context.gathered(lambda: record_of(context, left, scope))
    if target is None:
        return None
    line = context.source.line(left)
    _check_place(context, target, line)
    struct = context.structs.by_name[target.struct]
    first, values = initial_fields(context, struct, right, scope, line)
    return [*before, *first, *set_fields(context, target, values, line)]


def set_fields(context: Context, target: Record, bindings: Mapping[str, Binding], line: int) -> list[Statement]:
    """Assignments of a struct's fields; a value that needs another field's old one is kept first.

    Raises:
        CannotTransform: A pointer inside would point elsewhere from now on.
    """
    moved = [name for name, place in bindings.items() if isinstance(place, Pointer) and place != target.fields[name]]
    if moved:
        raise refuse(f"the pointer '{moved[0]}' of a '{target.struct}' is set anew", line, "make a new object")
    values = {name: value for name, value in bindings.items() if isinstance(value, Expression)}
    fields = {name: place for name, place in target.fields.items() if name in values}
    out: list[Statement] = []
    new = dict(values)
    for name, value in values.items():
        if any(_needs(value, place) for other, place in fields.items() if other != name):
            kept = context.names.unique(f"{name}_new")
            struct = context.structs.by_name[target.struct]
            declared = struct.field(name)
            assert declared is not None
            context.types[kept] = declared.type
            out.append(Declare(declared.type, kept, value, line))
            new[name] = Variable(kept)
    for name, place in fields.items():
        assert isinstance(place, Variable | Element)
        out.append(Assign(place, new[name], line))
    return out


def returned_record(context: Context, target: Record, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """`return s` where the fields of what is returned have places."""
    line, struct = context.source.line(node), context.structs.by_name[target.struct]
    before, values = initial_fields(context, struct, node, scope, line)
    ordered = {name: values[name] for name in target.fields}
    return [*before, *set_fields(context, target, ordered, line), Return(None, line)]


def deduced_return(
    context: Context, made: Callable[[Struct], Record], node: SyntaxNode, scope: Scope
) -> list[Statement]:
    """The first `return` of a function that does not say what it returns; `made` gives places for the fields of a struct."""
    line = context.source.line(node)
    before, value = context.gathered(lambda: context.bound(node, scope))
    if isinstance(value, Record):
        context.returned = made(context.structs.by_name[value.struct])
        return [*before, *set_fields(context, context.returned, value.fields, line), Return(None, line)]
    if not isinstance(value, Expression):
        raise refuse(f"the pointer '{context.source.text(node)}' is returned", line, "return a value")
    return [*before, Return(value, line)]


def _needs(value: Expression, place: Binding) -> bool:
    """Whether a value may change when a place does."""
    if isinstance(place, Variable):
        return any(part == place for part in walk(value))
    return isinstance(place, Element) and any(
        isinstance(part, Element) and part.array == place.array for part in walk(value)
    )


def _check_place(context: Context, target: Record, line: int) -> None:
    """Refuse `a[a[i].next] = s`: writing one field would move the place of the others.

    Raises:
        CannotTransform: It is such a place.
    """
    places = [place for place in target.fields.values() if isinstance(place, Element)]
    arrays = {place.array for place in places}
    inside = [part for place in places for subscript in place.subscripts for part in walk(subscript)]
    if any(isinstance(part, Element) and part.array in arrays for part in inside):
        raise refuse("the place of a struct depends on its own fields", line, "keep the index in a local variable")
