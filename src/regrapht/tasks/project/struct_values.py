"""Structs by value in a flat file: the name of a type there, and an object of the surroundings as one value of its struct."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.expressions import is_named, operands, span
from regrapht.tasks.project.functions import qualified
from regrapht.tasks.project.paths import Paths, Scope
from regrapht.tasks.project.places import Names, Path, Place, bare, is_scalar, plain_name, shape_of

_OUTER_TYPES = ("STRUCT_DECL", "CLASS_DECL")


def flat_type(kind: Any, unit: ClangUnit, declare: Callable[[Cursor], str]) -> str:
    """A type as the flat file spells it, where namespaces are gone and enumerations are numbers; its structs are declared."""
    canonical = kind.get_canonical()
    if canonical.kind.name == "ENUM":
        return "int"
    spelled = str(canonical.spelling)
    for inner in sorted(_own_parts(canonical, unit), key=lambda one: -len(one.spelling)):
        spelled = spelled.replace(_unqualified(inner), _flat_name(inner, unit, declare))
    return spelled


def records_of(kind: Any) -> Iterator[Cursor]:
    """The declarations of a type and of its template's arguments."""
    kind = kind.get_canonical()
    if kind.kind.name in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
        yield from records_of(kind.get_pointee())
    if kind.kind.name == "RECORD":
        yield kind.get_declaration()
        for number in range(max(kind.get_num_template_arguments(), 0)):
            yield from records_of(kind.get_template_argument_type(number))


def _flat_name(kind: Any, unit: ClangUnit, declare: Callable[[Cursor], str]) -> str:
    """The name of a struct or an enumeration of the project in the flat file, with the classes around it and its template's arguments."""
    declared = kind.get_declaration()
    if kind.kind.name == "ENUM":
        return plain_name(declared.enum_type)
    name, outer = declare(declared), declared.semantic_parent
    if outer is not None and outer.kind.name in _OUTER_TYPES:
        name = f"{_flat_name(outer.type.get_canonical(), unit, declare)}::{name}"
    count = max(kind.get_num_template_arguments(), 0)
    kinds = [declared.get_template_argument_kind(number).name for number in range(count)]
    if any(one not in ("TYPE", "INTEGRAL") for one in kinds):  # as a template for an argument
        return name + re.sub(r"\b\w+::", "", _unqualified(kind)[len(qualified(declared)) :])
    parts = [
        flat_type(kind.get_template_argument_type(number), unit, declare)
        if each == "TYPE" and kind.get_template_argument_type(number).get_canonical().kind.name != "ENUM"
        else _flat_name(kind.get_template_argument_type(number).get_canonical(), unit, declare)
        if each == "TYPE"
        else str(declared.get_template_argument_value(number))
        for number, each in enumerate(kinds)
    ]
    return f"{name}<{', '.join(parts)}>" if parts else name


def _own_parts(kind: Any, unit: ClangUnit) -> Iterator[Any]:
    """The types of the project that a type is spelled with: itself, what it points to, the arguments of a library's template."""
    kind = kind.get_canonical()
    if kind.kind.name in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
        yield from _own_parts(kind.get_pointee(), unit)
    elif kind.kind.name in ("RECORD", "ENUM") and unit.is_own(kind.get_declaration()):
        yield kind
    elif kind.kind.name == "RECORD":
        for number in range(max(kind.get_num_template_arguments(), 0)):
            yield from _own_parts(kind.get_template_argument_type(number), unit)


def _unqualified(kind: Any) -> str:
    return re.sub(r"^(?:(?:const|volatile) )+", "", str(kind.spelling))


def field_text(member: Cursor, source: str, unit: ClangUnit, declare: Callable[[Cursor], str]) -> str | None:
    """The declaration of a struct's field that is an array or an enumeration, with its extents as numbers and in as many bytes as it
    has; None for one that stays as it is written.

    Args:
        source: As it is written.
    """
    kind = member.type.get_canonical()
    if "type-parameter-" in kind.spelling:
        return None  # of a template: what its parameters are is not known where it is declared
    behind = re.search(rf"\b{re.escape(member.spelling)}\b(?:\s*\[[^\]]*\])*(?=\s*(?:$|[={{]))", source)
    if kind.kind.name == "ENUM":
        held = plain_name(kind.get_declaration().enum_type)
        return f"{held} {member.spelling}{source[behind.end() :]}" if behind and held != "int" else None
    extents = ""
    while kind.kind.name == "CONSTANTARRAY":
        extents += f"[{kind.element_count}]"
        kind = kind.element_type.get_canonical()
    is_array = extents or (shape_of(kind) is not None and shape_of(kind).container == "array")  # type: ignore[union-attr]
    if behind is None or not is_array:
        return None
    written = (
        plain_name(kind.get_declaration().enum_type) if kind.kind.name == "ENUM" else flat_type(kind, unit, declare)
    )
    return f"{written} {member.spelling}{extents}{source[behind.end() :]}"


def fields_of(kind: Any) -> list[Cursor] | None:
    """The fields of a struct that is made by listing them: numbers and such structs, all public; None for another type."""
    kind = bare(kind)
    if kind.kind.name != "RECORD":
        return None
    declared = kind.get_declaration()
    members = declared.specialized_template or declared
    if any(one.kind.name in ("CONSTRUCTOR", "CXX_BASE_SPECIFIER", "DESTRUCTOR") for one in members.get_children()):
        return None
    fields = list(kind.get_fields())
    for one in fields:
        numbers = is_scalar(one.type) or fields_of(one.type) is not None
        if one.access_specifier.name != "PUBLIC" or not numbers or one.is_bitfield():
            return None
    return fields or None


def substitutions(callee: Cursor) -> list[tuple[str, Any]]:
    """Name -> type or number of the template's parameters in an instance of a function, and of the classes around it.

    A method that is defined outside of its class has names of its own for them.
    """
    found: list[tuple[str, Any]] = []
    one = callee
    while one is not None and one.kind.name in (
        *_OUTER_TYPES,
        "CXX_METHOD",
        "FUNCTION_DECL",
        "VAR_DECL",
        "CONSTRUCTOR",
    ):
        template = one.specialized_template
        if template is not None:
            names = [each for each in template.get_children() if each.kind.name.startswith("TEMPLATE_")]
            outside = one == callee.semantic_parent and [
                each for each in _written_outside(callee) if each.kind.name.startswith("TEMPLATE_")
            ]
            found += _values_of(one, outside or names)
        one = one.semantic_parent
    return found


def _written_outside(method: Cursor) -> list[Cursor]:
    """What a method begins with where it is defined outside of its class template."""
    template = method.specialized_template
    written = template.get_definition() if template is not None else None
    if written is None or written.kind.name != "CXX_METHOD" or written.lexical_parent == written.semantic_parent:
        return []
    return list(written.get_children())


def _values_of(one: Cursor, names: list[Cursor]) -> Iterator[tuple[str, Any]]:
    kind = one.type if one.kind.name in _OUTER_TYPES else None
    for number, each in enumerate(names):
        if each.kind.name == "TEMPLATE_NON_TYPE_PARAMETER":
            if one.get_template_argument_kind(number).name == "INTEGRAL":
                yield str(each.spelling), str(one.get_template_argument_value(number))
        elif each.kind.name == "TEMPLATE_TYPE_PARAMETER":
            value = kind.get_template_argument_type(number) if kind else one.get_template_argument_type(number)
            if value is not None and value.kind.name != "INVALID" and "(lambda at " not in value.spelling:
                yield str(each.spelling), value


def with_name(text: str, name: str) -> str:
    """A struct's definition, under its name where that stands in a `typedef` behind it."""
    return re.sub(r"^(struct|class|union)(\s*)\{", rf"\1 {name}\2{{", text)


def with_types(text: str, written: list[tuple[str, str]]) -> str:
    """An instance's text, its template's parameters written out."""
    for name, value in written:
        text = re.sub(rf"(?<![.\w])(?<!->){re.escape(name)}\b", value, text)
    return text


def open_template(callee: Cursor, known: list[tuple[str, Any]]) -> str:
    """What the copy of a function begins with whose template has parameters that are not known, as the type of a lambda is not."""
    parameters = (callee.specialized_template or callee).get_children()
    names = [one.spelling for one in parameters if one.kind.name == "TEMPLATE_TYPE_PARAMETER"]
    left = [name for name in names if name not in {each for each, _ in known}]
    return f"template <{', '.join(f'class {name}' for name in left)}> " if left else ""


def written_out(callee: Cursor, unit: ClangUnit, declare: Callable[[Cursor], str]) -> list[tuple[str, str]]:
    """As `substitutions`, each value as the flat file spells it."""
    return [
        (name, value if isinstance(value, str) else flat_type(value, unit, declare))
        for name, value in substitutions(callee)
    ]


def is_implicit(method: Cursor) -> bool:
    """Whether the compiler wrote a method itself."""
    return bool(method.is_default_method() or method.location == method.semantic_parent.location)


@dataclass(slots=True)
class StructValues(Paths):
    """What a flat file has in the place of structs that are handed on as a whole."""

    names: Names
    written: set[tuple[int, int]] = field(default_factory=set)
    declare: Callable[[Cursor], str] = lambda cursor: str(cursor.spelling)
    """Has a declaration of the project known; gives its name."""
    add: Callable[[str, Cursor], None] = lambda text, cursor: None
    """Has a function of its own in the flat file."""
    setters: dict[str, str] = field(default_factory=dict)

    def of_template(self, meant: Cursor) -> tuple[tuple[str, str], ...]:
        return tuple(written_out(meant, self.unit, self.declare))

    @abstractmethod
    def place(self, path: Path, scope: Scope, cursor: Cursor) -> Place:
        """The flat parameter for a path."""

    @abstractmethod
    def scalar(self, cursor: Cursor, scope: Scope, path: Path) -> str:
        """A use of a number."""

    def by_value(self, meant: Cursor, given: list[Cursor], scope: Scope) -> bool:
        """Whether a call makes a struct, or takes one that has no name: its text stays a function then."""
        made = [meant.result_type, *(one.type for one in given if not is_named(one) and self.path(one, scope) is None)]
        return any(
            kind.get_canonical().kind.name == "RECORD" and self.unit.is_own(kind.get_canonical().get_declaration())
            for kind in made
        )

    def value(self, cursor: Cursor, scope: Scope, path: Path) -> str | None:
        """An object of the surroundings as one value of its struct; None where that is not made by listing its fields."""
        fields = fields_of(path.type)
        if fields is None or span(cursor) in self.written:
            return None
        parts = []
        for one in fields:
            inner = self.part(path, one)
            if is_scalar(one.type):
                text = self.scalar(cursor, scope, inner)
                parts.append(f"{text} != 0" if one.type.get_canonical().kind.name == "BOOL" else text)
            else:
                parts.append(str(self.value(cursor, scope, inner)))
        return f"{flat_type(path.type, self.unit, self.declare).removeprefix('const ')}{{{', '.join(parts)}}}"

    def stored(self, call: Cursor, scope: Scope) -> str | None:
        """`object = struct`, field by field, as a call of a function that does it; None for an assignment of her own."""
        if call.spelling != "operator=":
            return None
        parts = operands(call)
        path = self.path(parts[0], scope)
        fields = fields_of(path.type) if path is not None else None
        if path is None or fields is None or not is_implicit(call.referenced):
            return None
        targets: list[tuple[str, Place]] = []
        left = [(f".{one.spelling}", self.part(path, one), one) for one in fields]
        while left:
            name, inner, one = left.pop(0)
            deeper = None if is_scalar(one.type) else fields_of(one.type)
            left = [(f"{name}.{each.spelling}", self.part(inner, each), each) for each in deeper or ()] + left
            if deeper is None:
                place = self.place(inner, scope, call)
                place.written = place.accessed = True
                targets.append((name, place))
        kind = flat_type(path.type, self.unit, self.declare)
        kept = self.setters.get(kind) or self.names.fresh(f"set_{re.sub(r'[^A-Za-z0-9]+', '_', kind).strip('_')}")
        if kind not in self.setters:
            self.setters[kind] = kept
            heads = ", ".join(f"{place.shape.element}* to_{n}" for n, (_, place) in enumerate(targets))
            body = " ".join(f"to_{n}[0] = from{name};" for n, (name, _) in enumerate(targets))
            self.add(f"static void {kept}(const {kind}& from, {heads}) {{ {body} }}", call)
        return f"{kept}({self.text(parts[1], scope)}, {', '.join(place.name for _, place in targets)})"
