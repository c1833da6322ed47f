"""What a function of a project works on, as flat parameters: vectors, fields, rows and globals by their paths."""

import re
from dataclasses import dataclass, field
from typing import Any

from regrapht.tasks.project.clang_unit import Cursor

_SEQUENCES = re.compile(r"^(?:std::)?(?:__\w+::)?(?:__cxx11::)?(vector|span|array|unique_ptr|valarray)<(.*)>$")


BODY_REMEDY = (
    "name the build folder whose compile_commands.json lists that file by --project BUILD, or move the body to a header"
)


class Refused(Exception):
    """A construct that has no flat form, and where it stands."""

    def __init__(self, why: str, cursor: Cursor, remedy: str | None = None) -> None:
        super().__init__(why)
        self.why, self.line, self.remedy = why, int(cursor.location.line), remedy


class NoBody(Refused):
    """A call of a function whose body was not found."""

    def __init__(self, name: str, cursor: Cursor) -> None:
        super().__init__(f"calls '{name}', whose body is in another file", cursor, BODY_REMEDY)
        self.name = name


@dataclass(frozen=True, slots=True)
class Path:
    """A way from a parameter, `this` or a global to one of its parts."""

    key: tuple[str, ...]
    """The root's identity, then fields."""
    type: Any
    """Canonical, without reference."""
    expression: str
    """As the user's function writes it."""
    hidden: str | None = None
    by_pointer: bool = False
    by_value: bool = False
    """Whether it is a number that the function has for itself."""
    by_element: bool = False
    """Whether `expression` is the first element, and not the sequence."""
    read_by: str | None = None
    """As the user's function can read it where it is hidden otherwise: by a public method that returns it."""
    counted_by: str | None = None
    """As the user's function can ask for the length of a vector that is not public."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.rpartition("@")[2] for one in self.key)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a type is laid out: a number, a sequence of them, or an object with fields."""

    kind: str
    """`scalar`, `sequence`, `rows` or `object`."""
    element: str = ""
    """C++ type of a number; a struct's name, which the flat file may have another one for."""
    inner: tuple[str, ...] = ()
    """Extents behind the first, which the type fixes."""
    container: str = ""
    """`vector`, `span`, `array`, `pointer` ..."""
    is_const: bool = False
    record: Any = None
    """The declaration of an element that is a struct, or of the object."""
    cast: bool = False
    """Whether elements are enumerators, which the flat function has as whole numbers."""


@dataclass(slots=True)
class Place:
    """One flat parameter."""

    path: Path
    shape: Shape
    name: str
    written: bool = False
    sized: bool = False
    """Whether its length is asked for."""
    columns: bool = False
    """Whether the length of its rows is a parameter."""
    accessed: bool = False
    """Whether an element is used, and not the length alone."""
    own: bool = False
    """Whether the function changes a number that it has for itself."""
    measured: bool = False
    """Whether the code asks for the length of its rows."""

    @property
    def is_array(self) -> bool:
        return self.shape.kind != "scalar"


def bare(kind: Any) -> Any:
    """A type without alias and reference."""
    kind = kind.get_canonical()
    if kind.kind.name in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
        kind = kind.get_pointee().get_canonical()
    return kind


def is_span(kind: Any) -> bool:
    """Whether values of the type are views of memory that another object has: `std::span`."""
    return bool(re.match(r"(?:const )?std::(?:__\w+::)?span<", kind.get_canonical().spelling))


def pointee(kind: Any) -> str:
    """The kind of what a pointer points to; nothing for another type."""
    return str(kind.get_pointee().kind.name) if kind.kind.name == "POINTER" else ""


def plain_name(kind: Any) -> str:
    """A number's C++ type without qualifiers; `int` for what a task has no type for, as bool."""
    name = re.sub(r"\b(const|volatile)\b", "", kind.get_canonical().spelling).strip()
    return {"bool": "int", "signed char": "signed char"}.get(name, name)


def is_scalar(kind: Any) -> bool:
    """Whether values of the type are numbers, truth values or enumerators."""
    kind = kind.get_canonical()
    words = {
        "BOOL",
        "INT",
        "UINT",
        "LONG",
        "ULONG",
        "LONGLONG",
        "ULONGLONG",
        "SHORT",
        "USHORT",
        "CHAR_S",
        "SCHAR",
        "UCHAR",
        "CHAR_U",
    }
    return kind.kind.name in {*words, "FLOAT", "DOUBLE", "ENUM"}


def is_plain_struct(kind: Any) -> bool:
    """Whether a struct is made of numbers, arrays of constant length and such structs alone: an array of them can be one of a task."""
    kind = bare(kind)
    while kind.kind.name == "CONSTANTARRAY":
        kind = kind.element_type.get_canonical()
    if kind.kind.name != "RECORD":
        return is_scalar(kind)
    named = _SEQUENCES.match(kind.spelling.removeprefix("const "))
    if named is not None:
        return named.group(1) == "array" and is_plain_struct(kind.get_template_argument_type(0))
    return all(is_plain_struct(one.type) for one in kind.get_fields() if "REFERENCE" not in one.type.kind.name)


def whole_object_remedy(kind: Any) -> str:
    """What to do where an object is used as a whole."""
    kind = bare(kind)
    if kind.spelling.removeprefix("const ").startswith("std::basic_string"):
        return "take its characters by a pointer, char*, and their number"
    fields = list(kind.get_fields()) if kind.kind.name == "RECORD" else []
    if any(one.type.get_canonical().get_pointee().get_canonical().kind.name == "RECORD" for one in fields):
        return (
            "keep such objects in an array, and in each the number of another one (int next) in the place of a pointer"
        )
    return "use its fields, or pass what is used"


def shape_of(kind: Any) -> Shape | None:
    """The layout of a canonical type; None where it has none here."""
    if is_scalar(kind):
        name = "int" if kind.kind.name == "ENUM" else plain_name(kind)
        return Shape("scalar", element=name, is_const=kind.is_const_qualified())
    if kind.kind.name == "POINTER":
        return _pointed(kind.get_pointee().get_canonical(), "pointer")
    if kind.kind.name in ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"):
        return _pointed(kind.element_type.get_canonical(), "array")
    if kind.kind.name != "RECORD":
        return None
    named = _SEQUENCES.match(re.sub(r"^const ", "", kind.spelling))
    if named is None:
        return Shape(
            "object",
            element=kind.get_declaration().spelling,
            is_const=kind.is_const_qualified(),
            record=kind.get_declaration(),
        )
    inner = kind.get_template_argument_type(0).get_canonical()
    if named.group(1) == "unique_ptr":
        if inner.kind.name not in ("INCOMPLETEARRAY", "CONSTANTARRAY"):
            return None
        inner = inner.element_type.get_canonical()
    found = _pointed(inner, named.group(1))
    if found is None:
        return None
    const = found.is_const or (kind.is_const_qualified() and named.group(1) in ("vector", "array", "valarray"))
    return Shape(found.kind, found.element, found.inner, found.container, const, found.record, found.cast)


def _pointed(inner: Any, container: str) -> Shape | None:
    """A sequence of `inner`."""
    const = inner.is_const_qualified()
    if is_scalar(inner):
        if plain_name(inner) == "int" and inner.get_canonical().kind.name == "BOOL":
            return None
        if inner.kind.name == "ENUM":
            return Shape("sequence", plain_name(inner.get_declaration().enum_type), (), container, const, cast=True)
        return Shape("sequence", plain_name(inner), (), container, const)
    if inner.kind.name == "CONSTANTARRAY":
        deeper = _pointed(inner.element_type.get_canonical(), "array")
        if deeper is None or deeper.kind != "sequence":
            return None
        return Shape(
            "sequence",
            deeper.element,
            (str(inner.element_count), *deeper.inner),
            container,
            deeper.is_const,
            deeper.record,
            deeper.cast,
        )
    deeper = shape_of(inner) if inner.kind.name in ("POINTER", "RECORD") else None
    if deeper is None:
        return None
    if deeper.kind == "sequence" and deeper.container == "array" and inner.kind.name == "RECORD":
        count = inner.get_template_argument_type  # std::array<T, N> as an element: N is fixed
        size = inner.get_size() // max(inner.get_template_argument_type(0).get_size(), 1) if count else 0
        return Shape(
            "sequence",
            deeper.element,
            (str(size), *deeper.inner),
            container,
            const or deeper.is_const,
            deeper.record,
            deeper.cast,
        )
    if deeper.kind == "sequence" and not deeper.inner and deeper.container in ("pointer", "vector"):
        return Shape("rows", deeper.element, (), container, const or deeper.is_const, deeper.record)
    if deeper.kind == "object":
        return Shape("sequence", deeper.element, (), container, const, deeper.record)
    return None


@dataclass(slots=True)
class Names:
    """Names for flat parameters that the text does not use otherwise."""

    taken: set[str]
    given: dict[tuple[str, ...], str] = field(default_factory=dict)

    def of(self, path: Path, *, root_is_parameter: bool) -> str:
        """The name of the parameter at the end of a path."""
        if path.key in self.given:
            return self.given[path.key]
        parts = [part.strip("_") or part for part in path.names if part not in ("this", "")]
        if len(path.key) == 1 and (root_is_parameter or path.key[0].startswith(("global@", "returned@"))):
            name = path.names[0]
        else:
            name = self.fresh("_".join(parts) or "value")
        self.given[path.key] = name
        self.taken.add(name)
        return name

    def fresh(self, wanted: str) -> str:
        """`wanted`, or that with something behind it."""
        name, number = wanted, 1
        while name in self.taken:
            number += 1
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name
