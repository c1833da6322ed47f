"""Reading the C++ interface of a problem: the signature that a prompt ends with, its containers, and the structs above it."""

import re
from dataclasses import dataclass

_SCALARS = ("double", "float", "int", "bool", "size_t")
_SIGNATURE = re.compile(r"(?P<returns>[\w:]+)\s+(?P<name>\w+)\s*\((?P<parameters>.*)\)\s*\{\s*")
_VECTOR = re.compile(r"std::vector<(?P<element>.+)>\s*(?P<const>const)?\s*&\s*(?P<name>\w+)")
_ARRAY = re.compile(r"std::array<(?P<element>[^,]+),\s*(?P<length>\d+)>\s*(?P<const>const)?\s*&\s*(?P<name>\w+)")
_VALUE = re.compile(r"(?P<type>double|float|int|size_t)\s+(?P<name>\w+)")
_STRUCT = re.compile(r"\bstruct\s+(?P<name>\w+)\s*\{(?P<body>[^{}]*)\}\s*;")


class Inexpressible(Exception):
    """The task format has no word for something; the message says for what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A number handed over by value."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A `std::vector` or `std::array` handed over by reference."""

    name: str
    element: str
    is_const: bool
    length: int | None
    """Of a `std::array`; None for a vector."""
    fields: tuple[tuple[str, str], ...]
    """(name, type) of the element's fields; empty for numbers."""

    @property
    def components(self) -> int:
        """Numbers an element, where all are of one type and it lies flat: two for a complex number; 0 for other structs."""
        if not self.fields:
            return 1
        types = {type for _, type in self.fields}
        return len(self.fields) if types in ({"double"}, {"float"}) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A function's name, what it returns, and its parameters in order."""

    name: str
    returns: str
    parameters: tuple[Value | Container, ...]


def read_signature(line: str, above: str) -> Signature:
    """The function that the text `line` opens; `above` holds the structs that it may use.

    Raises:
        Inexpressible: It is no such line, or takes or returns what a task cannot.
    """
    found = _SIGNATURE.fullmatch(line.strip())
    if found is None:
        raise Inexpressible(f"its prompt ends with no signature: {line.strip()[:80]!r}")
    if found["returns"] not in ("void", *_SCALARS):
        raise Inexpressible(f"it returns {found['returns']!r}")
    structs = {one["name"]: _fields(one["body"]) for one in _STRUCT.finditer(above)}
    parameters = tuple(_parameter(text, structs) for text in _split(found["parameters"]))
    return Signature(name=found["name"], returns=found["returns"], parameters=parameters)


def _split(text: str) -> list[str]:
    """At commas that stand inside no angle brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "<") - (character == ">")
        if character == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def _parameter(text: str, structs: dict[str, tuple[tuple[str, str], ...]]) -> Value | Container:
    if (value := _VALUE.fullmatch(text)) is not None:
        return Value(name=value["name"], type=value["type"])
    found = _VECTOR.fullmatch(text) or _ARRAY.fullmatch(text)
    if found is None:
        raise Inexpressible(f"its parameter {text!r} is not a number, vector or array")
    element = found["element"].strip()
    if element in ("std::complex<double>", "std::complex<float>"):
        part = element.removesuffix(">").partition("<")[2]
        fields: tuple[tuple[str, str], ...] = (("re", part), ("im", part))
    elif element in _SCALARS or element == "std::string":
        fields = ()
    elif element in structs:
        fields = structs[element]
    else:
        raise Inexpressible(f"its parameter {text!r} holds elements of the type {element!r}")
    length = int(found["length"]) if "length" in found.re.groupindex else None
    return Container(
        name=found["name"], element=element, is_const=found["const"] is not None, length=length, fields=fields
    )


def _fields(body: str) -> tuple[tuple[str, str], ...]:
    fields = []
    for statement in body.split(";"):
        kind, _, names = statement.strip().partition(" ")
        fields += [(name.strip(), kind) for name in names.split(",") if name.strip()]
    return tuple(fields)
