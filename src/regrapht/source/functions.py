"""The functions, structs and type names that a C++ or CUDA file defines, read from its syntax tree."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.syntax import first_error_line, line_of, parse, text_of, type_name, walk

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a function, as declared."""

    name: str
    """Empty for a parameter without a name."""
    type_text: str
    """The element's type as written, without `const`, pointer and array: `float`, `std::size_t`, `Particle`."""
    is_const: bool
    """Whether what it names or points to is const."""
    pointer_depth: int
    """0 for a value, 1 for a pointer or an array, 2 for a pointer to pointers."""
    is_reference: bool
    array_extents: tuple[str, ...]
    """The text in each pair of brackets; empty text for `[]`."""
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDefinition:
    """One function that the file defines."""

    name: str
    return_type: str
    """The return type as written, with a `*` for each pointer; without qualifiers."""
    parameters: tuple[Parameter, ...]
    qualifiers: frozenset[str]
    """`static`, `inline`, `__global__`, `__device__`, `__host__` ... as written before the type."""
    is_template: bool
    line: int
    node: "Node"
    body: "Node"

    @property
    def runs_on_device(self) -> bool:
        """True for a kernel, and for a function that only device code can call."""
        device, host = "__device__" in self.qualifiers, "__host__" in self.qualifiers
        return "__global__" in self.qualifiers or (device and not host)

    @property
    def calls(self) -> frozenset[str]:
        """Names of what the body calls or launches."""
        called = (node.child_by_field_name("function") for node in walk(self.body) if node.type == "call_expression")
        return frozenset(text_of(name).split("<")[0].rpartition("::")[2] for name in called if name is not None)


_UNREAD = "?"
"""The type of a member that is not read here: the struct is none of a task's, unless a compiler says how it lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUnit:
    """What one file defines."""

    functions: tuple[FunctionDefinition, ...]
    structs: Mapping[str, tuple[tuple[str, str], ...]]
    """Struct's name -> (field's name, its type's text with extents) in order."""
    aliases: Mapping[str, str]
    """Names that the file gives to types and whole numbers: `typedef`, `using`, macros that stand for one word, constants."""
    error_line: int | None
    """First line that does not parse; None when the whole file does."""

    def named(self, name: str) -> tuple[FunctionDefinition, ...]:
        """The definitions of the function `name`; several when it is overloaded."""
        return tuple(function for function in self.functions if function.name == name)


def read_unit(
    source: str,
    *,
    cuda: bool = False,
    defines: Sequence[str] = (),
    structs: Sequence[tuple[str, tuple[tuple[str, str], ...]]] = (),
) -> SourceUnit:
    """Read what `source` defines; member functions of classes are left out.

    Args:
        source: The file's text.
        cuda: Whether it is CUDA.
        defines: `NAME=VALUE` as given to the compiler, read as names of types too.
        structs: Those that a compiler has read, which are not read again here.
    """
    root = parse(source, cuda=cuda)
    aliases: dict[str, str] = dict(define.split("=", 1) for define in defines if "=" in define)
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for node in walk(root):
        if node.type == "alias_declaration":
            aliases[_field_text(node, "name")] = _field_text(node, "type")
        elif node.type == "preproc_def" and (value := _field_text(node, "value").strip()):
            aliases[_field_text(node, "name")] = value
        elif node.type in ("declaration", "enumerator"):
            aliases |= _named_number(node)
        elif node.type == "type_definition":
            _read_typedef(node, aliases, found)
        elif node.type == "struct_specifier" and node.child_by_field_name("body"):
            found[type_name(node)] = _struct_fields(node)
    found |= _instances(root, found) | dict(structs)
    for name, _ in structs:
        aliases.pop(name, None)
    return SourceUnit(
        functions=tuple(_functions(root)), structs=found, aliases=aliases, error_line=first_error_line(root)
    )


def _functions(root: "Node") -> Iterator[FunctionDefinition]:
    for node in walk(root):
        if node.type != "function_definition" or _inside_class(node):
            continue
        declarator, stars = node.child_by_field_name("declarator"), ""
        while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
            stars += "*" if declarator.type == "pointer_declarator" else "&"
            declarator = declarator.child_by_field_name("declarator") or declarator.named_children[-1]
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        body = node.child_by_field_name("body")
        if declarator is None or name is None or body is None or declarator.type != "function_declarator":
            continue
        listed = declarator.child_by_field_name("parameters")
        children = listed.named_children if listed is not None else []
        read = [_parameter(child) for child in children if child.type.endswith("parameter_declaration")]
        void = len(read) == 1 and not read[0].name and read[0].type_text == "void" and not read[0].pointer_depth
        yield FunctionDefinition(
            name=text_of(name).rpartition("::")[2],
            return_type=_field_text(node, "type") + stars,
            parameters=() if void else tuple(read),
            qualifiers=frozenset(_words_before(node, declarator)),
            is_template=node.parent is not None and node.parent.type == "template_declaration",
            line=line_of(node),
            node=node,
            body=body,
        )


def _inside_class(node: "Node") -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in ("class_specifier", "struct_specifier", "function_definition"):
            return True
        parent = parent.parent
    return False


def _words_before(node: "Node", declarator: "Node") -> list[str]:
    before = [child for child in node.children if child.end_byte <= declarator.start_byte]
    return [text_of(child) for child in before if child != node.child_by_field_name("type")]


def _parameter(node: "Node") -> Parameter:
    declarator = node.child_by_field_name("declarator")
    depth, reference, name = 0, False, ""
    extents: list[str] = []
    while declarator is not None:
        kind = declarator.type
        if kind in ("identifier", "field_identifier"):
            name = text_of(declarator)
            break
        depth += "pointer_declarator" in kind
        reference = reference or "reference_declarator" in kind
        if kind in ("array_declarator", "abstract_array_declarator"):
            extents.insert(0, _field_text(declarator, "size"))
        inner = declarator.child_by_field_name("declarator")
        declarators = [c for c in declarator.named_children if "declarator" in c.type or c.type == "identifier"]
        declarator = inner or (declarators[-1] if declarators else None)
    return Parameter(
        name=name,
        type_text=_field_text(node, "type"),
        is_const=any(text_of(child) in ("const", "constexpr") for child in node.children),
        pointer_depth=depth + bool(extents),
        is_reference=reference,
        array_extents=tuple(extents),
        line=line_of(node),
    )


def _read_typedef(node: "Node", aliases: dict[str, str], structs: dict[str, tuple[tuple[str, str], ...]]) -> None:
    named = node.child_by_field_name("declarator")
    meant = node.child_by_field_name("type")
    if named is None or meant is None or named.type != "type_identifier":
        return
    if meant.type == "struct_specifier" and meant.child_by_field_name("body") is not None:
        structs[text_of(named)] = _struct_fields(meant)
    else:
        aliases[text_of(named)] = text_of(meant)


def _instances(
    root: "Node", structs: Mapping[str, tuple[tuple[str, str], ...]]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """The fields of each instance of a struct template that the file names: `Vec2<double>`."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    templates: dict[str, list[str]] = {}
    for node in walk(root):
        if node.type == "struct_specifier" and node.parent is not None and node.parent.type == "template_declaration":
            listed = node.parent.child_by_field_name("parameters")
            templates[type_name(node)] = [text_of(one).split()[-1] for one in listed.named_children] if listed else []
    for node in walk(root) if templates else ():
        arguments = node.child_by_field_name("arguments") if node.type == "template_type" else None
        name = _field_text(node, "name")
        given = [text_of(one) for one in arguments.named_children] if arguments is not None else []
        if len(given) != len(templates.get(name, ())) or not given:
            continue
        meant = dict(zip(templates[name], given, strict=True))
        fields = [(field, re.split(r"(\w+)", kind)) for field, kind in structs.get(name, ())]
        whole = " ".join(text_of(node).split())
        found[whole] = tuple((field, "".join(meant.get(word, word) for word in words)) for field, words in fields)
    return found


def _struct_fields(node: "Node") -> tuple[tuple[str, str], ...]:
    body = node.child_by_field_name("body")
    found = []
    if any(map(_lies_otherwise, [node, *(body.named_children if body is not None else ())])):
        return (("", _UNREAD),)
    for child in body.named_children if body is not None else []:
        if child.type != "field_declaration" or "static" in map(text_of, child.children):
            continue
        kind = child.child_by_field_name("type")
        for declarator in child.children_by_field_name("declarator"):
            text = text_of(declarator)
            bare = text.strip("*& ").split("[")[0]
            found.append((bare, (type_name(kind) if kind is not None else "") + text.replace(bare, "", 1)))
    return tuple(found)


def _lies_otherwise(node: "Node") -> bool:
    """Whether a struct, or one of its members, may not lie as C's do: a base, a virtual function, bit fields, an alignment of its own."""
    kinds = ("base_class_clause", "virtual", "bitfield_clause", "alignas_qualifier", "attribute_specifier")
    parts = [
        *node.children,
        *(inner for child in node.children if child.type == "type_qualifier" for inner in child.children),
    ]
    return any(one.type in kinds for one in parts)


def _named_number(node: "Node") -> dict[str, str]:
    """The whole number that a constant or an enumerator stands for, where it is written as one."""
    if node.type == "enumerator":
        name, value = _field_text(node, "name"), _field_text(node, "value")
    else:
        words = {text_of(child) for child in node.children if child.type == "type_qualifier"}
        declarator = node.child_by_field_name("declarator") if words & {"const", "constexpr"} else None
        if declarator is None or declarator.type != "init_declarator":
            return {}
        name, value = _field_text(declarator, "declarator"), _field_text(declarator, "value")
    return {name: value} if name.isidentifier() and value.isdigit() else {}


def _field_text(node: "Node", field: str) -> str:
    child = node.child_by_field_name(field)
    return text_of(child) if child is not None else ""
