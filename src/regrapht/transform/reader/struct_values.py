"""The values of plain structs: what an expression names, and what a new one begins with."""

from collections.abc import Callable, Sequence
from functools import partial

from regrapht.transform.ir.expressions import ZERO, Cast, Element, Expression, number
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Statement, Struct
from regrapht.transform.reader.callees import parts_of
from regrapht.transform.reader.context import Context, given_argument
from regrapht.transform.reader.local_arrays import depth_of
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.side_effects import in_order
from regrapht.transform.reader.syntax import SyntaxNode

_COMPUTED = (
    "parenthesized_expression",
    "call_expression",
    "binary_expression",
    "unary_expression",
    "compound_literal_expression",
    "conditional_expression",
)
"""Expressions that may have a struct for a value without naming one."""


def record_of(context: Context, node: SyntaxNode, scope: Scope) -> Record | None:
    """The fields of the struct that an expression names: a local, an element of an array, or what a pointer points to."""
    if node.type in _COMPUTED and context.takes_effects:
        value = context.bound(node, scope)
        return value if isinstance(value, Record) else None
    if node.type in ("identifier", "this"):
        found = scope.find(context.source.text(node))
        return found if isinstance(found, Record) else None
    if node.type == "field_expression":
        held = field_value(context, node, scope)
        return held if isinstance(held, Record) else None
    place: Pointer | None = None
    if node.type == "subscript_expression":
        place = context.pointer(node, scope)
    elif node.type == "pointer_expression" and context.source.text(node).startswith("*"):
        if node.child_by_field_name("argument").type == "this":
            return record_of(context, node.child_by_field_name("argument"), scope)
        place = context.pointer(node.child_by_field_name("argument"), scope)
        place = place and place.subscripted(ZERO)
    return None if place is None else element_record(context, place)


def element_record(context: Context, place: Pointer) -> Record | None:
    """The fields of one element of an array of structs; None for another array."""
    structs = context.structs
    struct = structs.of(place.array)
    if struct is None or len(place.prefix) != place.rank:
        return None
    assert context.takes_effects
    types = context.types
    fields: dict[str, Binding] = {}
    for field in struct.fields:
        own = structs.field_array(place.array, field, types)
        fields[field.name] = Element(own, place.prefix)
        if field.lengths:
            length = number(field.lengths[0])
            fields[field.name] = Pointer(own, place.rank + len(field.lengths), place.prefix, length=length)
    return Record(struct.name, fields)


def field_value(context: Context, node: SyntaxNode, scope: Scope) -> Binding | None:
    """What `s.field`, `a[i].field` or `p->field` names; None where that is no field of a plain struct."""
    argument, field = node.child_by_field_name("argument"), context.source.text(node.child_by_field_name("field"))
    if context.source.text(node.child_by_field_name("operator")) == "->" and argument.type != "this":
        place = context.pointer(argument, scope)
        record = None if place is None else element_record(context, place.subscripted(ZERO))
    else:
        record = record_of(context, argument, scope)
    return None if record is None else context.structs.member(record, field)


def literal_record(context: Context, node: SyntaxNode, scope: Scope) -> Record | None:
    """`Vec3{x, y, z}` or `(Vec3){x, y, z}`; None for what is no plain struct."""
    text, line = context.source.text(node.child_by_field_name("type")), context.source.line(node)
    struct = context.structs.named(text, context.aliases)
    if struct is None or not context.takes_effects:
        return None
    before, values = listed(context, struct, node.child_by_field_name("value"), scope, line)
    context.add_effects(before, node)
    return Record(struct.name, values)


def initial_fields(
    context: Context, struct: Struct, value: SyntaxNode | None, scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The values of a new struct's fields, and what must run before."""
    if value is None:
        if context.structs.functions(struct.name, struct.name):
            return _built(context, struct, [], scope, line)
        own = [one for one in struct.fields if one.is_pointer or _is_set(context, struct, one.name)]
        return [], {one.name: default_of(context, struct, one.name, line) for one in own}
    if value.type == "compound_literal_expression":
        value = value.child_by_field_name("value")
    if value.type == "initializer_list":
        return listed(context, struct, value, scope, line)
    if value.type == "argument_list" and context.structs.functions(struct.name, struct.name):
        return _built(context, struct, value.named_children, scope, line)
    before, record = context.gathered(lambda: record_of(context, value, scope))
    if record is None or record.struct != struct.name:
        raise refuse(f"'{context.source.text(value)}' for a '{struct.name}'", line, "set its fields one by one")
    if any(field.lengths for field in struct.fields):
        raise refuse(f"a '{struct.name}' with an array inside is copied", line, "set its fields one by one")
    return before, dict(record.fields)


def listed(
    context: Context, struct: Struct, value: SyntaxNode, scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The values that a list gives to a struct's fields or to its constructor; other fields are what they begin with."""
    if context.structs.functions(struct.name, struct.name):
        return _built(context, struct, value.named_children, scope, line)
    given = parts_of(value)
    if struct.inner:
        return _listed_members(context, struct, given, scope, line)
    if any(field.lengths for field in struct.fields) or len(given) > len(struct.fields):
        raise refuse(f"values for a '{struct.name}'", line, "set its fields one by one")
    names: list[str] = []
    reads: list[Callable[[], Expression]] = []
    places: dict[str, Binding] = {}
    for field, child in zip(struct.fields, given, strict=False):
        name = field.name
        if child.type == "initializer_pair":
            name = context.source.text(child.child_by_field_name("designator")).removeprefix(".")
            child = child.child_by_field_name("value")
        own = struct.field(name)
        if own is None:
            raise refuse(f"'{name}' is no field of '{struct.name}'", line)
        if own.is_pointer:
            place = context.pointer(child, scope)
            if place is None:
                raise refuse(
                    f"'{context.source.text(child)}' for the pointer '{name}'", line, "give it a place in an array"
                )
            places[name] = place
            continue
        names.append(name)
        reads.append(partial(context.read, child, scope))
    before, values = in_order(context, reads, line)
    known = places | dict(zip(names, values, strict=True))
    return before, {
        f.name: known[f.name] if f.name in known else default_of(context, struct, f.name, line) for f in struct.fields
    }


def _listed_members(
    context: Context, struct: Struct, given: Sequence[SyntaxNode], scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """As `listed`, for a struct with structs inside: `{{x, y}, mass}` or `{position, mass}`."""
    pairs = any(child.type == "initializer_pair" for child in given)
    if pairs or any(field.lengths or field.is_pointer for field in struct.fields) or len(given) > len(struct.members):
        raise refuse(f"values for a '{struct.name}'", line, "set its fields one by one")
    paths: list[str] = []
    reads: list[Callable[[], Expression]] = []
    for name, child in zip(struct.members, given, strict=False):
        inner = struct.member(name)
        if inner is None:
            paths.append(name)
            reads.append(partial(context.read, child, scope))
            continue
        before, values = initial_fields(context, context.structs.by_name[inner], child, scope, line)
        if before or not all(isinstance(one, Expression) for one in values.values()):
            raise refuse(f"values for '{struct.name}::{name}'", line, "set its fields one by one")
        paths += [f"{name}.{one}" for one in values]
        reads += [partial(_itself, one) for one in values.values() if isinstance(one, Expression)]
    before, read = in_order(context, reads, line)
    known: dict[str, Binding] = dict(zip(paths, read, strict=True))
    return before, {
        f.name: known[f.name] if f.name in known else default_of(context, struct, f.name, line) for f in struct.fields
    }


def _itself(value: Expression) -> Expression:
    return value


def _is_set(context: Context, struct: Struct, path: str) -> bool:
    """Whether a field of a new object has a value without being given one."""
    built = any(context.structs.functions(inner, inner) for name, inner in struct.inner if path.startswith(f"{name}."))
    return built or context.structs.begins_with(struct, path) is not None or _has_own(context, struct, path)


def _has_own(context: Context, struct: Struct, path: str) -> bool:
    """Whether a struct gives a value to the member as a whole that a field is in."""
    parts = path.split(".")
    return any((struct.name, ".".join(parts[:n])) in context.structs.defaults for n in range(1, len(parts)))


def _built(
    context: Context, struct: Struct, nodes: Sequence[SyntaxNode], scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The fields of a new object that a constructor makes of these arguments, or a copy of one, and what must run before."""
    given = [given_argument(context, node, scope) for node in nodes if node.type != "comment"]
    if len(given) == 1 and isinstance(given[0].value, Record) and given[0].value.struct == struct.name:
        return given[0].before, dict(given[0].value.fields)
    before, record = context.statements.constructed(context, struct, given, scope, line)
    return before, dict(record.fields)


def default_of(context: Context, struct: Struct, name: str, line: int) -> Binding:
    """What a field begins with where nothing else is said: zero is as good as any other value that nobody may read."""
    structs, field = context.structs, struct.field(name)
    node = structs.begins_with(struct, name)
    assert field is not None
    made = [inner for path, inner in struct.inner if name.startswith(f"{path}.") and structs.functions(inner, inner)]
    if made or _has_own(context, struct, name):
        raise refuse(f"the value that '{struct.name}::{name}' begins with", line, "set its fields one by one")
    if field.lengths:
        if node is not None and context.source.text(node).strip("{} ") not in ("", "0", "0.0f"):
            raise refuse(f"values for '{struct.name}::{name}'", line, "set its elements in a loop")
        return Pointer("", unset=field.type)
    if node is None:
        return Pointer("", unset=field.type) if field.is_pointer else ZERO
    if any(structs.source is not None and struct.field(structs.source.text(n)) for n in _identifiers(node)):
        raise refuse(f"the value of '{struct.name}::{name}' from another field", line, "set it in a constructor")
    if depth_of(node):
        node = node.named_children[0] if node.named_children else None
    assert structs.scope is not None and structs.source is not None
    inner = context.within(structs.source)
    return initial_value(inner, field.is_pointer, field.type, node, structs.scope, line)


def _identifiers(node: SyntaxNode) -> list[SyntaxNode]:
    inside = [one for child in node.children for one in _identifiers(child)]
    return [node, *inside] if node.type == "identifier" else inside


def initial_value(
    context: Context, is_pointer: bool, type_name: str, node: SyntaxNode | None, scope: Scope, line: int
) -> Binding:
    if is_pointer:
        place = None if node is None else context.pointer(node, scope)
        return place if place is not None else Pointer("", unset=type_name)
    value = ZERO if node is None else context.read(node, scope)
    return value if context.type_of(value, line) == type_name else Cast(type_name, value)
