"""Plain structs: a local one is a local for each field, an array of them an array for each field that shares no memory with the others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as with_default
from functools import partial
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Element, Expression, Number, Variable, walk
from regrapht.transform.ir.scope import Binding, Pointer, Record, Scope, refuse
from regrapht.transform.ir.statements import Assign, Declare, Field, Return, Statement, Struct
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.callees import Callee
    from regrapht.transform.reader.expression_reader import ExpressionReader
    from regrapht.transform.reader.statement_reader import StatementReader

ZERO = Number("0", 0)


@dataclass(slots=True)
class Structs:
    """The structs of a file, and the arrays that stand for the fields of arrays of them."""

    by_name: dict[str, Struct]
    taken: set[str]
    """Names that no field array may have."""
    of_array: dict[str, Struct]
    """Parameters that are arrays of structs, by their names in generated code."""
    arrays: dict[str, tuple[str, str]]
    """Field array -> parameter and field."""
    methods: dict[str, dict[str, "tuple[Callee, ...]"]] = with_default(default_factory=dict)
    """The functions of each struct by their names; constructors have the struct's."""
    defaults: dict[tuple[str, str], SyntaxNode] = with_default(default_factory=dict)
    """What fields begin with where the struct says it, by struct and field."""
    source: SourceText | None = None
    """The file, and what is known of its names."""
    scope: Scope | None = None

    def functions(self, struct: str, name: str) -> "tuple[Callee, ...]":
        """The functions of this name that belong to a struct's objects."""
        return self.methods.get(struct, {}).get(name, ())

    def named(self, text: str, aliases: Mapping[str, str] | None = None) -> Struct | None:
        """The struct that a type's text names, itself or by one of `aliases`; None for another type."""
        words = [word for word in text.split() if word not in ("struct", "const", "constexpr", "static")]
        if len(words) != 1:
            return None
        return self.by_name.get(words[0]) or self.by_name.get((aliases or {}).get(words[0], ""))

    def field_array(self, array: str, field: Field, types: dict[str, str]) -> str:
        """The array that stands for one field of an array of structs."""
        for name, place in self.arrays.items():
            if place == (array, field.name):
                return name
        name = f"{array}_{field.name}"
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.arrays[name] = (array, field.name)
        types[name] = field.type
        return name


# ---- values

_COMPUTED = (
    "parenthesized_expression",
    "call_expression",
    "binary_expression",
    "unary_expression",
    "compound_literal_expression",
    "conditional_expression",
)
"""Expressions that may have a struct for a value without naming one."""


def record_of(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Record | None:
    """The fields of the struct that an expression names: a local, an element of an array, or what a pointer points to."""
    if node.type in _COMPUTED and reader.effects is not None:
        value = reader.bound(node, scope)
        return value if isinstance(value, Record) else None
    if node.type in ("identifier", "this"):
        found = scope.find(reader.source.text(node))
        return found if isinstance(found, Record) else None
    place: Pointer | None = None
    if node.type == "subscript_expression":
        place = reader.pointer(node, scope)
    elif node.type == "pointer_expression" and reader.source.text(node).startswith("*"):
        if node.child_by_field_name("argument").type == "this":
            return record_of(reader, node.child_by_field_name("argument"), scope)
        place = reader.pointer(node.child_by_field_name("argument"), scope)
        place = place and place.subscripted(ZERO)
    return None if place is None else element_record(reader, place)


def element_record(reader: "ExpressionReader", place: Pointer) -> Record | None:
    """The fields of one element of an array of structs; None for another array."""
    structs = reader.structs
    struct = structs.of_array.get(place.array)
    if struct is None or len(place.prefix) != place.rank:
        return None
    assert reader.effects is not None
    types = reader.effects.reader.types
    fields: dict[str, Binding] = {}
    for field in struct.fields:
        fields[field.name] = Element(structs.field_array(place.array, field, types), place.prefix)
    return Record(struct.name, fields)


def field_value(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Binding | None:
    """What `s.field`, `a[i].field` or `p->field` names; None where that is no field of a plain struct."""
    argument, field = node.child_by_field_name("argument"), reader.source.text(node.child_by_field_name("field"))
    if reader.source.text(node.child_by_field_name("operator")) == "->" and argument.type != "this":
        place = reader.pointer(argument, scope)
        record = None if place is None else element_record(reader, place.subscripted(ZERO))
    else:
        record = record_of(reader, argument, scope)
    return None if record is None else record.fields.get(field)


def literal_record(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Record | None:
    """`Vec3{x, y, z}` or `(Vec3){x, y, z}`; None for what is no plain struct."""
    text, line = reader.source.text(node.child_by_field_name("type")), reader.source.line(node)
    struct = reader.structs.named(text, reader.aliases)
    if struct is None or reader.effects is None:
        return None
    before, values = listed(reader.effects.reader, struct, node.child_by_field_name("value"), scope, line)
    reader.effects.add(before, node)
    return Record(struct.name, values)


# ---- declarations and assignments


def declare_record(
    reader: "StatementReader", written: str, struct: Struct, value: SyntaxNode | None, scope: Scope, line: int
) -> list[Statement]:
    """A local struct as a local for each field."""
    from regrapht.transform.reader.pointers import placed

    before, values = _initial(reader, struct, value, scope, line)
    fields: dict[str, Binding] = {}
    declared: list[Statement] = []
    for field in struct.fields:
        given = values.get(field.name)
        if isinstance(given, Pointer) and (field.is_pointer or not given.unset):
            moved, fields[field.name] = ([], given) if field.lengths else placed(reader, written, given, line)
            declared += moved
            continue
        name = reader.names.unique(f"{written}_{field.name}")
        reader.types[name] = field.type
        if field.lengths:
            fields[field.name] = Pointer(name, len(field.lengths))
            declared.append(Declare(field.type, name, None, line, field.lengths))
            continue
        reader.mutable.add(name)
        fields[field.name] = Variable(name)
        declared.append(Declare(field.type, name, given if isinstance(given, Expression) else None, line))
    scope.names[written] = Record(struct.name, fields)
    return [*before, *declared]


def constructed_local(
    reader: "StatementReader", declarator: SyntaxNode, struct: Struct, scope: Scope, line: int
) -> list[Statement]:
    """`Vec3 v(x[i]);`, which also declares a function."""
    parts = [reader.source.text(declarator.child_by_field_name(name)) for name in ("declarator", "parameters")]
    source = SourceText(f"{struct.name} made{parts[1].replace('(', '{', 1)[:-1]}}};", line, reader.source)
    value = source.first("initializer_list")
    if not reader.expressions.structs.functions(struct.name, struct.name):
        raise refuse(f"'{parts[1]}' for a '{struct.name}'", line, "set its fields one by one")
    return declare_record(reader.within(source), parts[0], struct, value, scope, line)


def _initial(
    reader: "StatementReader", struct: Struct, value: SyntaxNode | None, scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The values of a new struct's fields, and what must run before."""
    from regrapht.transform.reader.methods import built, default_of

    if value is None:
        if reader.expressions.structs.functions(struct.name, struct.name):
            return built(reader, struct, [], scope, line)
        own = [
            one
            for one in struct.fields
            if one.is_pointer or (struct.name, one.name) in reader.expressions.structs.defaults
        ]
        return [], {one.name: default_of(reader, struct, one.name, line) for one in own}
    if value.type == "compound_literal_expression":
        value = value.child_by_field_name("value")
    if value.type == "initializer_list":
        return listed(reader, struct, value, scope, line)
    if value.type == "argument_list" and reader.expressions.structs.functions(struct.name, struct.name):
        return built(reader, struct, value.named_children, scope, line)
    before, record = reader.effects.gathered(lambda: record_of(reader.expressions, value, scope))
    if record is None or record.struct != struct.name:
        raise refuse(f"'{reader.source.text(value)}' for a '{struct.name}'", line, "set its fields one by one")
    if any(field.lengths for field in struct.fields):
        raise refuse(f"a '{struct.name}' with an array inside is copied", line, "set its fields one by one")
    return before, dict(record.fields)


def listed(
    reader: "StatementReader", struct: Struct, value: SyntaxNode, scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Binding]]:
    """The values that a list gives to a struct's fields or to its constructor; other fields are what they begin with."""
    from regrapht.transform.reader.methods import built, default_of

    if reader.expressions.structs.functions(struct.name, struct.name):
        return built(reader, struct, value.named_children, scope, line)
    given = [child for child in value.named_children if child.type != "comment"]
    if any(field.lengths for field in struct.fields) or len(given) > len(struct.fields):
        raise refuse(f"values for a '{struct.name}'", line, "set its fields one by one")
    names: list[str] = []
    reads: list[Callable[[], Expression]] = []
    places: dict[str, Binding] = {}
    for field, child in zip(struct.fields, given, strict=False):
        name = field.name
        if child.type == "initializer_pair":
            name = reader.source.text(child.child_by_field_name("designator")).removeprefix(".")
            child = child.child_by_field_name("value")
        own = struct.field(name)
        if own is None:
            raise refuse(f"'{name}' is no field of '{struct.name}'", line)
        if own.is_pointer:
            place = reader.expressions.pointer(child, scope)
            if place is None:
                raise refuse(
                    f"'{reader.source.text(child)}' for the pointer '{name}'", line, "give it a place in an array"
                )
            places[name] = place
            continue
        names.append(name)
        reads.append(partial(reader.expressions.read, child, scope))
    before, values = reader.effects.in_order(reads, line)
    known = places | dict(zip(names, values, strict=True))
    return before, {
        f.name: known[f.name] if f.name in known else default_of(reader, struct, f.name, line) for f in struct.fields
    }


def assign_record(
    reader: "StatementReader", left: SyntaxNode, right: SyntaxNode, scope: Scope
) -> list[Statement] | None:
    """`a[i] = s` for structs, field by field; None where the left side is no struct.

    Fields are read before any is written, as the whole struct would be.
    """
    before, target = reader.effects.gathered(lambda: record_of(reader.expressions, left, scope))
    if target is None:
        return None
    line = reader.source.line(left)
    _check_place(reader, target, line)
    struct = reader.expressions.structs.by_name[target.struct]
    first, values = _initial(reader, struct, right, scope, line)
    return [*before, *first, *set_fields(reader, target, values, line)]


def set_fields(
    reader: "StatementReader", target: Record, bindings: Mapping[str, Binding], line: int
) -> list[Statement]:
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
            kept = reader.names.unique(f"{name}_new")
            struct = reader.expressions.structs.by_name[target.struct]
            declared = struct.field(name)
            assert declared is not None
            reader.types[kept] = declared.type
            out.append(Declare(declared.type, kept, value, line))
            new[name] = Variable(kept)
    for name, place in fields.items():
        assert isinstance(place, Variable | Element)
        out.append(Assign(place, new[name], line))
    return out


def returned_record(reader: "StatementReader", target: Record, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """`return s` where the fields of what is returned have places."""
    line, struct = reader.source.line(node), reader.expressions.structs.by_name[target.struct]
    before, values = _initial(reader, struct, node, scope, line)
    ordered = {name: values[name] for name in target.fields}
    return [*before, *set_fields(reader, target, ordered, line), Return(None, line)]


def deduced_return(
    reader: "StatementReader", made: Callable[[Struct], Record], node: SyntaxNode, scope: Scope
) -> list[Statement]:
    """The first `return` of a function that does not say what it returns; `made` gives places for the fields of a struct."""
    line = reader.source.line(node)
    before, value = reader.effects.gathered(lambda: reader.expressions.bound(node, scope))
    if isinstance(value, Record):
        reader.returned = made(reader.expressions.structs.by_name[value.struct])
        return [*before, *set_fields(reader, reader.returned, value.fields, line), Return(None, line)]
    if not isinstance(value, Expression):
        raise refuse(f"the pointer '{reader.source.text(node)}' is returned", line, "return a value")
    return [*before, Return(value, line)]


def _needs(value: Expression, place: Binding) -> bool:
    """Whether a value may change when a place does."""
    if isinstance(place, Variable):
        return any(part == place for part in walk(value))
    return isinstance(place, Element) and any(
        isinstance(part, Element) and part.array == place.array for part in walk(value)
    )


def _check_place(reader: "StatementReader", target: Record, line: int) -> None:
    """Refuse `a[a[i].next] = s`: writing one field would move the place of the others.

    Raises:
        CannotTransform: It is such a place.
    """
    places = [place for place in target.fields.values() if isinstance(place, Element)]
    arrays = {place.array for place in places}
    inside = [part for place in places for subscript in place.subscripts for part in walk(subscript)]
    if any(isinstance(part, Element) and part.array in arrays for part in inside):
        raise refuse("the place of a struct depends on its own fields", line, "keep the index in a local variable")
