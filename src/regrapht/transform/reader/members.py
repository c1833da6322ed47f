"""The structs and classes of a file: their fields, with what these begin with, and their functions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from regrapht.source.c_types import array_of
from regrapht.source.syntax import type_name
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.statements import Field, Struct
from regrapht.transform.reader.callees import Callee, function_declarator
from regrapht.transform.reader.scope import Binding, Record, Scope
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

_WITHOUT_MEANING = ("comment", "access_specifier", "static_assert_declaration", "friend_declaration")


@dataclass(frozen=True, slots=True)
class Method:
    """A function of a struct: its own name, its definition, and the declarator with its parameters."""

    name: str
    node: SyntaxNode
    declarator: SyntaxNode


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
    of_buffer: dict[str, Struct] = field(default_factory=dict)
    """Vectors of structs, which are a buffer for each field."""
    buffers: dict[tuple[str, str], str] = field(default_factory=dict)
    """Vector and field -> the buffer."""
    methods: dict[str, dict[str, tuple[Callee, ...]]] = field(default_factory=dict)
    """The functions of each struct by their names; constructors have the struct's."""
    defaults: dict[tuple[str, str], SyntaxNode] = field(default_factory=dict)
    """What fields begin with where the struct says it, by struct and field."""
    source: SourceText | None = None
    """The file, and what is known of its names."""
    scope: Scope | None = None

    def forget(self, names: Collection[str]) -> None:
        """Leave structs out, and those that have one of them for a member."""
        self.by_name = {
            name: one
            for name, one in self.by_name.items()
            if name not in names and not any(inner in names for _, inner in one.inner)
        }

    def functions(self, struct: str, name: str) -> tuple[Callee, ...]:
        """The functions of this name that belong to a struct's objects."""
        return self.methods.get(struct, {}).get(name, ())

    def named(self, text: str, aliases: Mapping[str, str] | None = None) -> Struct | None:
        """The struct that a type's text names, itself or by one of `aliases`; None for another type."""
        words = [word for word in text.split() if word not in ("struct", "const", "constexpr", "static")]
        if len(words) != 1:
            return None
        return self.by_name.get(words[0]) or self.by_name.get((aliases or {}).get(words[0], ""))

    def of(self, array: str) -> Struct | None:
        """The struct that the elements of an array are; None for an array of numbers."""
        return self.of_array.get(array) or self.of_buffer.get(array)

    def member(self, record: Record, name: str) -> Binding | None:
        """What a member of a struct stands for: a field, or a struct of those that are in it; None where it has none."""
        struct = self.by_name.get(record.struct)
        inner = struct.member(name) if struct is not None else None
        if inner is None:
            return record.fields.get(name)
        begin = f"{name}."
        return Record(inner, {one[len(begin) :]: part for one, part in record.fields.items() if one.startswith(begin)})

    def members(self, record: Record) -> dict[str, Binding]:
        """What each member of a struct stands for, by name."""
        names = dict.fromkeys(one.partition(".")[0] for one in record.fields)
        found = {name: self.member(record, name) for name in names}
        return {name: one for name, one in found.items() if one is not None}

    def begins_with(self, struct: Struct, path: str) -> SyntaxNode | None:
        """What a field begins with where a struct says it: its own, or the one that the field's member is."""
        if (struct.name, path) in self.defaults:
            return self.defaults[struct.name, path]
        first, _, rest = path.partition(".")
        inner = self.by_name.get(struct.member(first) or "")
        return self.begins_with(inner, rest) if inner is not None and rest else None

    def field_array(self, array: str, own: Field, types: dict[str, str]) -> str:
        """The array that stands for one field of an array of structs."""
        if (array, own.name) in self.buffers:
            return self.buffers[array, own.name]
        for name, place in self.arrays.items():
            if place == (array, own.name):
                return name
        name = f"{array}_{own.name}".replace(".", "_")
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.arrays[name] = (array, own.name)
        types[name] = own.type
        return name


def read_structs(source: SourceText, aliases: Mapping[str, str], taken: set[str]) -> Structs:
    """The structs that a file defines, in functions too, as far as they are plain: of numbers, arrays of constant length, pointers to
    numbers, and structs of numbers. A name that stands for two, each in a function of its own, is none."""
    found: dict[str, Struct] = {}
    twice: set[str] = set()
    for node in sorted((one for one in source.walk() if is_struct(one)), key=lambda one: one.end_byte):
        outside = node.parent
        names = [type_name(node)]
        if outside is not None and outside.type == "type_definition":
            names.append(source.text(outside.child_by_field_name("declarator")))
        is_plain = not any(child.type == "base_class_clause" for child in node.children) and not _is_template(node)
        made = _struct(source, node.child_by_field_name("body"), aliases, found) if is_plain else None
        if made is None:
            continue
        for one in names:
            if one in found:
                twice.add(one)
            found[one] = Struct(one, made.fields, made.inner)
    known = Structs(found, taken, {}, {})
    known.forget(twice)
    return known


def is_struct(node: SyntaxNode) -> bool:
    """Whether a node defines a struct or a class."""
    return node.type in ("struct_specifier", "class_specifier") and node.child_by_field_name("body") is not None


def has_virtual_functions(source: SourceText, name: str) -> bool:
    """Whether a struct of the file has virtual functions, or a base that may have some."""
    nodes = [node for node in source.walk() if is_struct(node)]
    own = [n for n in nodes if n.child_by_field_name("name") and source.text(n.child_by_field_name("name")) == name]
    kinds = ("virtual", "base_class_clause")
    return any(part.type in kinds for node in own for part in source.walk(node))


def struct_around(source: SourceText, node: SyntaxNode) -> SyntaxNode | None:
    """The struct whose function a definition inside of it is; None for one outside."""
    outside = node.parent
    while outside is not None and outside.type in ("field_declaration_list", "template_declaration"):
        outside = outside.parent
    return outside if outside is not None and is_struct(outside) else None


def is_static(source: SourceText, node: SyntaxNode) -> bool:
    """Whether a function of a struct belongs to no object."""
    return any(child.type == "storage_class_specifier" and source.text(child) == "static" for child in node.children)


def methods_in(
    source: SourceText, definitions: Mapping[str, list[SyntaxNode]], found: Structs
) -> dict[str, list[Method]]:
    """The functions of each plain struct that belong to its objects, and its constructors, under the struct's own name.

    `definitions` are the functions outside of structs, of which `S::f` is one of S.
    """
    out: dict[str, list[Method]] = {name: [] for name in found.by_name}
    for node in source.walk():
        around = struct_around(source, node) if node.type == "function_definition" else None
        name = None if around is None or is_static(source, node) else around.child_by_field_name("name")
        if name is not None and source.text(name) in out:
            _add(source, node, out[source.text(name)])
    for qualified, nodes in definitions.items():
        struct, _, own = qualified.rpartition("::")
        if own and struct in out:
            for node in nodes:
                _add(source, node, out[struct])
    return out


def defaults_in(source: SourceText, found: Structs) -> dict[tuple[str, str], SyntaxNode]:
    """What the fields of structs begin with, by struct and field, where the struct says it."""
    out: dict[tuple[str, str], SyntaxNode] = {}
    for node in source.walk():
        name = node.child_by_field_name("name") if is_struct(node) else None
        if name is None or source.text(name) not in found.by_name:
            continue
        for child in node.child_by_field_name("body").named_children:
            out |= {(source.text(name), field): value for field, value in _defaults(source, child)}
    return out


def _add(source: SourceText, node: SyntaxNode, out: list[Method]) -> None:
    declarator = function_declarator(node)
    if declarator is not None:
        name = "".join(source.text(declarator.child_by_field_name("declarator")).split()).rpartition("::")[2]
        out.append(Method(name, node, declarator))


def _is_template(node: SyntaxNode) -> bool:
    return node.parent is not None and node.parent.type == "template_declaration"


def _struct(
    source: SourceText, body: SyntaxNode, aliases: Mapping[str, str], known: Mapping[str, Struct]
) -> Struct | None:
    """A struct, still without a name; None where a member is of a kind that a plain struct does not have."""
    found: list[Field] = []
    inner: list[tuple[str, str]] = []
    for node in body.named_children:
        words = {source.text(child) for child in node.children if not child.is_named or child.type == "virtual"}
        if "virtual" in words or source.text(node).startswith("virtual"):
            return None
        if node.type in _WITHOUT_MEANING or _is_function(node):
            continue
        if is_static(source, node):
            if "constexpr" in map(source.text, node.children):
                continue
            return None
        if not _is_field(node):
            return None
        kind, declarators = node.child_by_field_name("type"), node.children_by_field_name("declarator")
        written, inner_lengths = array_of(type_name(kind), aliases)
        if not declarators and is_struct(kind):
            continue
        if inner_lengths is None:
            return None
        scalar, held = canonical(written, aliases), known.get(aliases.get(written, written).removeprefix("struct "))
        for declarator in declarators:
            if scalar is not None:
                one = _field(source, declarator, scalar)
                if one is None or (one.is_pointer and inner_lengths):
                    return None
                found.append(replace(one, lengths=(*one.lengths, *inner_lengths)))
                continue
            name = source.text(declarator)
            if (
                held is None
                or declarator.type != "field_identifier"
                or inner_lengths
                or any(f.lengths or f.is_pointer for f in held.fields)
            ):
                return None
            found += [replace(one, name=f"{name}.{one.name}") for one in held.fields]
            inner += [(name, held.name), *((f"{name}.{path}", struct) for path, struct in held.inner)]
    return Struct("", tuple(found), tuple(inner)) if found else None


def _field(source: SourceText, declarator: SyntaxNode, type_name: str) -> Field | None:
    if declarator.type == "pointer_declarator" and declarator.named_children[-1].type == "field_identifier":
        return Field(source.text(declarator.named_children[-1]), type_name, is_pointer=True)
    lengths: list[int] = []
    while declarator.type == "array_declarator":
        size = source.text(declarator.child_by_field_name("size"))
        if not size.isdigit():
            return None
        lengths.insert(0, int(size))
        declarator = declarator.child_by_field_name("declarator")
    return Field(source.text(declarator), type_name, tuple(lengths)) if declarator.type == "field_identifier" else None


def _is_function(node: SyntaxNode) -> bool:
    """Whether a member is a function, or the declaration of one."""
    if node.type in ("function_definition", "template_declaration", "declaration"):
        return True
    declarators = node.children_by_field_name("declarator") if node.type == "field_declaration" else []
    while declarators and declarators[0].type in ("reference_declarator", "pointer_declarator"):
        declarators = [n for n in declarators[0].named_children if n.type.endswith(("declarator", "identifier"))]
    return bool(declarators) and declarators[0].type == "function_declarator"


def _is_field(node: SyntaxNode) -> bool:
    return bool(node.type == "field_declaration")


def _defaults(source: SourceText, node: SyntaxNode) -> list[tuple[str, SyntaxNode]]:
    """The fields of one declaration that have a value, with it: `float x = 0, y{1};`."""
    out: list[tuple[str, SyntaxNode]] = []
    name = ""
    for position, child in enumerate(node.children if node.type == "field_declaration" else ()):
        field = node.field_name_for_child(position)
        if field == "declarator":
            name = source.text(child)
        elif field == "default_value":
            out.append((name, child))
    return out
