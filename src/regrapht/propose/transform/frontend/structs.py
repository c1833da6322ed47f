"""Plain structs: a local one is a local for each field, an array of them an array for each field that shares no memory with the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.transform.frontend.expressions import Element, Expression, Number, Variable, walk
from regrapht.propose.transform.frontend.scalar_types import canonical
from regrapht.propose.transform.frontend.scope import Binding, Pointer, Record, Scope, refuse
from regrapht.propose.transform.frontend.statements import Assign, Declare, Statement
from regrapht.propose.transform.frontend.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.propose.transform.frontend.expression_reader import ExpressionReader
    from regrapht.propose.transform.frontend.statement_reader import StatementReader

ZERO = Number("0", 0)


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct of scalars and of arrays of constant length."""

    name: str
    fields: tuple[Field, ...]

    @property
    def text(self) -> str:
        """Its definition, for generated code."""
        inside = [f"{f.type} {f.name}{''.join(f'[{n}]' for n in f.lengths)};" for f in self.fields]
        return "\n".join([f"struct {self.name} {{", *inside, "};"])

    def field(self, name: str) -> Field | None:
        return next((one for one in self.fields if one.name == name), None)


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

    def named(self, text: str) -> Struct | None:
        """The struct that a type's text names; None for another type."""
        words = [word for word in text.split() if word not in ("struct", "const", "constexpr", "static")]
        return self.by_name.get(words[0]) if len(words) == 1 else None

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


def read_structs(source: SourceText, aliases: Mapping[str, str], taken: set[str]) -> Structs:
    """The structs that a file defines, as far as they are plain."""
    found: dict[str, Struct] = {}
    for node in source.walk():
        if node.type != "struct_specifier" or node.child_by_field_name("body") is None:
            continue
        outside, name = node.parent, node.child_by_field_name("name")
        names = [source.text(name)] if name is not None else []
        if outside is not None and outside.type == "type_definition":
            names.append(source.text(outside.child_by_field_name("declarator")))
        fields = _fields(source, node.child_by_field_name("body"), aliases)
        for one in names if fields is not None else ():
            found[one] = Struct(one, fields or ())
    return Structs(found, taken, {}, {})


def _fields(source: SourceText, body: SyntaxNode, aliases: Mapping[str, str]) -> tuple[Field, ...] | None:
    """The fields of a struct; None where one is no scalar and no array of constant length."""
    found: list[Field] = []
    for node in body.named_children:
        if node.type == "comment":
            continue
        type_name = canonical(source.text(node.child_by_field_name("type")), aliases) if _is_field(node) else None
        if type_name is None:
            return None
        for declarator in node.children_by_field_name("declarator"):
            lengths: list[int] = []
            while declarator.type == "array_declarator":
                size = source.text(declarator.child_by_field_name("size"))
                if not size.isdigit():
                    return None
                lengths.insert(0, int(size))
                declarator = declarator.child_by_field_name("declarator")
            if declarator.type != "field_identifier":
                return None
            found.append(Field(source.text(declarator), type_name, tuple(lengths)))
    return tuple(found) or None


def _is_field(node: SyntaxNode) -> bool:
    return node.type == "field_declaration" and node.child_by_field_name("default_value") is None


# ---- values


def record_of(reader: "ExpressionReader", node: SyntaxNode, scope: Scope) -> Record | None:
    """The fields of the struct that an expression names: a local, an element of an array, or what a pointer points to."""
    if node.type == "parenthesized_expression":
        return record_of(reader, node.named_children[0], scope)
    if node.type == "identifier":
        found = scope.find(reader.source.text(node))
        return found if isinstance(found, Record) else None
    place: Pointer | None = None
    if node.type == "subscript_expression":
        place = reader.pointer(node, scope)
    elif node.type == "pointer_expression" and reader.source.text(node).startswith("*"):
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
    if reader.source.text(node.child_by_field_name("operator")) == "->":
        place = reader.pointer(argument, scope)
        record = None if place is None else element_record(reader, place.subscripted(ZERO))
    else:
        record = record_of(reader, argument, scope)
    return None if record is None else record.fields.get(field)


# ---- declarations and assignments


def declare_record(
    reader: "StatementReader", written: str, struct: Struct, value: SyntaxNode | None, scope: Scope, line: int
) -> list[Statement]:
    """A local struct as a local for each field."""
    before, values = _initial(reader, struct, value, scope, line)
    fields: dict[str, Binding] = {}
    declared: list[Statement] = []
    for field in struct.fields:
        name = reader.names.unique(f"{written}_{field.name}")
        reader.types[name] = field.type
        if field.lengths:
            fields[field.name] = Pointer(name, len(field.lengths))
            declared.append(Declare(field.type, name, None, line, field.lengths))
            continue
        reader.mutable.add(name)
        fields[field.name] = Variable(name)
        declared.append(Declare(field.type, name, values.get(field.name), line))
    scope.names[written] = Record(struct.name, fields)
    return [*before, *declared]


def _initial(
    reader: "StatementReader", struct: Struct, value: SyntaxNode | None, scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Expression]]:
    """The values of a new struct's fields, and what must run before."""
    if value is None:
        return [], {}
    if value.type == "compound_literal_expression":
        value = value.child_by_field_name("value")
    if value.type == "initializer_list":
        return _listed(reader, struct, value, scope, line)
    before, record = reader.effects.gathered(lambda: record_of(reader.expressions, value, scope))
    if record is None or record.struct != struct.name:
        raise refuse(f"'{reader.source.text(value)}' for a '{struct.name}'", line, "set its fields one by one")
    values: dict[str, Expression] = {
        name: part for name, part in record.fields.items() if isinstance(part, Variable | Element)
    }
    if len(values) != len(record.fields):
        raise refuse(f"a '{struct.name}' with an array inside is copied", line, "set its fields one by one")
    return before, values


def _listed(
    reader: "StatementReader", struct: Struct, value: SyntaxNode, scope: Scope, line: int
) -> tuple[list[Statement], dict[str, Expression]]:
    given = [child for child in value.named_children if child.type != "comment"]
    if any(field.lengths for field in struct.fields) or len(given) > len(struct.fields):
        raise refuse(f"values for a '{struct.name}'", line, "set its fields one by one")
    values: dict[str, Expression] = {field.name: ZERO for field in struct.fields}
    before: list[Statement] = []
    for field, child in zip(struct.fields, given, strict=False):
        name = field.name
        if child.type == "initializer_pair":
            name = reader.source.text(child.child_by_field_name("designator")).removeprefix(".")
            child = child.child_by_field_name("value")
        if name not in values:
            raise refuse(f"'{name}' is no field of '{struct.name}'", line)
        first, values[name] = reader.value(child, scope)
        before += first
    return before, values


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
    out: list[Statement] = [*before, *first]
    fields = [field for field in struct.fields if field.name in values]
    copies: dict[str, Expression] = {}
    listed = right.type in ("initializer_list", "compound_literal_expression")
    for field in fields:
        value = values[field.name]
        if listed and not isinstance(value, Number):
            name = reader.names.unique(f"{field.name}_new")
            reader.types[name] = field.type
            out.append(Declare(field.type, name, value, line))
            value = Variable(name)
        copies[field.name] = value
    for field in fields:
        place = target.fields[field.name]
        assert isinstance(place, Variable | Element)
        out.append(Assign(place, copies[field.name], line))
    return out


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
