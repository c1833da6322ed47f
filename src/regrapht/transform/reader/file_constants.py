"""Constants, enumerators, tables and macros for values of a file: what their names mean, and how generated code defines them."""

import ast
import re
from dataclasses import dataclass, field

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import literal_type
from regrapht.transform.ir.expressions import Call, Cast, Number, integer, number, walk
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.statements import Constant
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.enumerations import read_enumeration
from regrapht.transform.reader.local_arrays import array_parts, array_type, depth_of, unwrapped
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SyntaxNode


@dataclass(slots=True)
class FileConstants:
    """The constants of a file; their names go to `scope`."""

    context: Context
    """Of the file, where nothing may be changed."""
    scope: Scope
    constants: list[Constant] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    _enumerated: set[str] = field(default_factory=set)

    def read(self) -> None:
        """Note them all, and what their names mean."""
        for node in self._top_level(self.context.source.root):
            if node.type == "preproc_def":
                self._macro(node)
            elif node.type == "declaration":
                self._constant(node)
            elif node.type == "enum_specifier":
                self._enumerators(node)
            elif node.type == "type_definition" and node.child_by_field_name("type").type == "enum_specifier":
                alias = self.context.source.text(node.child_by_field_name("declarator"))
                self._enumerators(node.child_by_field_name("type"), alias)

    def _top_level(self, node: SyntaxNode) -> list[SyntaxNode]:
        inside = (
            "linkage_specification",
            "namespace_definition",
            "declaration_list",
            "preproc_ifdef",
            "preproc_if",
            "translation_unit",
        )
        return [n for c in node.named_children for n in ([c] if c.type not in inside else self._top_level(c))]

    def _macro(self, node: SyntaxNode) -> None:
        value, name = node.child_by_field_name("value"), self.context.source.text(node.child_by_field_name("name"))
        if value is None:
            return
        body = self.context.source.text(value).split("//")[0].strip()
        try:
            read = self.context.read_text(body, self.context.source.line(node), self.scope)
        except (CannotTransform, StopIteration):
            return  # not an expression; an error only if the function uses it, and then named there
        if isinstance(read, Number) or integer(read) is not None:
            literal = literal_type(read.text) if isinstance(read, Number) and read.text not in self.types else "int"
            self.types[name] = self.types.get(getattr(read, "text", ""), literal)
            self.constants.append(Constant(name=name, text=f"#define {name} {body}", type=self.types[name]))
            read = Number(name, integer(read))
        self.scope.names[name] = read

    def _enumerators(self, node: SyntaxNode, alias: str = "") -> None:
        """The names of an `enum`, and its own, or `alias`, as a name of the type under it."""
        found = read_enumeration(self.context, node, self.scope)
        if found is None:
            return  # an error only if the function uses it, and then named there
        for own in {found.name, alias} - {""}:
            self.context.aliases[own] = found.type
            if f"enum {own}" in self._enumerated:
                del self.context.aliases[own]
            self._enumerated.add(f"enum {own}")
        for one, value in found.values.items():
            name = self._fresh(f"{found.name}_{one}") if found.is_scoped else one
            self.types[name] = found.type
            self.constants.append(
                Constant(name=name, text=f"constexpr {found.type} {name} = {value};", type=found.type)
            )
            for written in [f"{found.name}::{one}", *([] if found.is_scoped else [one])]:
                self._name(written, Number(name, value))

    def _name(self, written: str, value: Number) -> None:
        """Have an enumerator known; of two with one name, in two namespaces, neither."""
        if written in self._enumerated:
            self.scope.names.pop(written, None)
            return
        self._enumerated.add(written)
        self.scope.names[written] = value

    def _fresh(self, name: str) -> str:
        taken = {self.context.source.text(node) for node in self.context.source.walk() if "identifier" in node.type}
        while name in taken or any(name == one.name for one in self.constants):
            name += "_"
        return name

    def _constant(self, node: SyntaxNode) -> None:
        words = {
            self.context.source.text(c)
            for c in node.children
            if c.type in ("type_qualifier", "storage_class_specifier")
        }
        written = self.context.source.text(node.child_by_field_name("type"))
        type_name = canonical(written, self.context.aliases)
        if words & {"const", "constexpr"} and array_parts(written, self.context.aliases) is not None:
            self._array_table(node)
        if not words & {"const", "constexpr"} or type_name is None:
            return
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type != "init_declarator":
                continue
            value, target = (declarator.child_by_field_name(name) for name in ("value", "declarator"))
            if target.type == "identifier":
                self._scalar_constant(self.context.source.text(target), type_name, value)
            elif target.type == "array_declarator":
                self._table(target, type_name, value)

    def _array_table(self, node: SyntaxNode) -> None:
        """A constant `std::array` of the file as a table."""
        try:
            of = array_type(
                self.context,
                self.context.source.text(node.child_by_field_name("type")),
                self.scope,
                self.context.source.line(node),
            )
        except CannotTransform:
            return  # an error only if the function uses it, and then named there
        for declarator in node.children_by_field_name("declarator") if of is not None else ():
            value, target = (declarator.child_by_field_name(name) for name in ("value", "declarator"))
            if declarator.type != "init_declarator" or value.type != "initializer_list" or of is None:
                continue
            name, values = self.context.source.text(target), unwrapped(value, len(of[1]))
            if depth_of(values) > len(of[1]):
                continue
            self._add_table(name, of[0], of[1], self.context.source.text(values))
            self.scope.names[name] = Pointer(name, len(of[1]), length=number(of[1][0]))

    def _scalar_constant(self, name: str, type_name: str, value: SyntaxNode) -> None:
        text = re.sub(r"\bstd::", "", self.context.source.text(value))
        try:
            read = self.context.read(value, self.scope)
        except CannotTransform:
            return  # an error only if the function uses it, and then named there
        whole = integer(read)
        self.types[name] = type_name
        if any(isinstance(part, Call) for part in walk(read)):
            self.scope.names[name] = Cast(
                type_name, read
            )  # no constant expression in CUDA: written out where it is used
            return
        self.constants.append(Constant(name=name, text=f"constexpr {type_name} {name} = {text};", type=type_name))
        self.scope.names[name] = Number(name, whole)

    def _table(self, target: SyntaxNode, type_name: str, value: SyntaxNode) -> None:
        lengths: list[int] = []
        while target.type == "array_declarator":
            size = target.child_by_field_name("size")
            length = integer(self.context.read(size, self.scope)) if size else self._given_length(value)
            if length is None:
                return
            lengths.insert(0, length)
            target = target.child_by_field_name("declarator")
        self._add_table(self.context.source.text(target), type_name, tuple(lengths), self.context.source.text(value))

    def _given_length(self, value: SyntaxNode) -> int | None:
        """How many elements an initialiser gives; None where that is not seen."""
        if value.type == "initializer_list":
            return len(value.named_children)
        if value.type != "string_literal" or not self.context.source.text(value).startswith('"'):
            return None
        return (
            len(ast.literal_eval("b" + self.context.source.text(value))) + 1
        )  # escapes are Python's too, and a zero ends it

    def _add_table(self, name: str, type_name: str, lengths: tuple[int, ...], values: str) -> None:
        inside = "".join(f"[{length}]" for length in lengths)
        text = f"__constant__ const {type_name} {name}{inside} = {values};"
        self.types[name] = type_name
        self.context.lengths[name] = lengths
        self.constants.append(Constant(name=name, text=text, type=type_name, lengths=lengths))
        self.scope.names[name] = Pointer(name, len(lengths))
