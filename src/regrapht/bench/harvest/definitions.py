"""What a file and its headers define, by name: the stock that dependency completion takes from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.syntax import parse, text_of, walk
from regrapht.source.tokens import TokenKind, tokens

if TYPE_CHECKING:
    from tree_sitter import Node

_CONTAINERS = (
    *("translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "linkage_specification"),
    *("declaration_list", "namespace_definition"),
)
_MEMBER = (".", "->", "::")
_NAMES = ("identifier", "type_identifier", "namespace_identifier")
_TYPES = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One definition at file level."""

    names: tuple[str, ...]
    """Several for an enum, or for several variables at once."""
    text: str
    uses: frozenset[str]
    """Names that it needs itself."""
    unlikely: bool
    """Inside an `#if` or `#ifdef` whose other branch is compiled when nothing is defined."""
    is_function: bool = False
    refused: str = ""
    """The reason to drop a kernel that needs it."""


def definitions(texts: Sequence[str]) -> dict[str, list[Definition]]:
    """Name -> its definitions: the overloads of a function, else one. Texts that come first win."""
    found: dict[str, list[Definition]] = {}
    for text in texts:
        for definition in _scan(parse(text, cuda=True), unlikely=False):
            for name in definition.names:
                found.setdefault(name, []).append(definition)
    return {name: _chosen(several) for name, several in found.items()}


def names_used(node: "Node") -> frozenset[str]:
    """The names in a piece of code that it does not declare itself; members and labels are left out."""
    declared = declared_names(node)
    used: set[str] = set()
    for part in walk(node):
        if part.type in _NAMES and not _is_of_std(part):
            used.add(text_of(part))
        elif part.type == "preproc_arg":
            used |= _token_names(text_of(part))
    return frozenset(name for name in used - declared if name)


def _is_of_std(name: "Node") -> bool:
    """Whether a name is looked up in `std`, and so defined by the C++ library."""
    outer = name.parent
    while outer is not None and (outer.type == "qualified_identifier" or outer.type.startswith("template_")):
        scope = outer.child_by_field_name("scope")
        if scope is not None and scope.id != name.id and text_of(scope) == "std":
            return True
        name, outer = outer, outer.parent
        if name.type == "template_argument_list":
            return False
    return False


def declared_names(node: "Node") -> set[str]:
    """The names of parameters, variables, types and template parameters that the code declares, at any depth."""
    found: set[str] = set()
    for part in walk(node):
        if part.type == "template_declaration" or part.type.startswith("optional_type_parameter"):
            continue
        if part.type == "type_parameter_declaration" and part.named_children:
            found.add(text_of(part.named_children[0]))
        if part.type in _TYPES and part.child_by_field_name("body") is not None:
            found |= {text_of(name) for name in [part.child_by_field_name("name")] if name is not None}
        if part.type == "enumerator":
            found.add(text_of(part.named_children[0]))
        if part.type == "type_definition":
            found |= {text_of(name) for name in part.children_by_field_name("declarator")}
        if part.type == "alias_declaration":
            found |= {text_of(name) for name in [part.child_by_field_name("name")] if name is not None}
        for declarator in part.children_by_field_name("declarator"):
            name = _declared(declarator)
            if name:
                found.add(name)
    return found


def _scan(node: "Node", *, unlikely: bool) -> Iterator[Definition]:
    for child in node.children:
        if child.type in _CONTAINERS:
            inside = (
                unlikely
                or child.type == "preproc_if"
                or (child.type == "preproc_ifdef" and text_of(child.children[0]) == "#ifdef")
            )
            yield from _scan(child, unlikely=inside and child.type != "preproc_else")
        elif (definition := _definition(child, unlikely)) is not None:
            yield definition


def _definition(node: "Node", unlikely: bool) -> Definition | None:
    inner = node
    if node.type == "template_declaration":
        inner = node.named_children[-1]
    match inner.type:
        case "preproc_def" | "preproc_function_def":
            return _macro(inner, unlikely)
        case "function_definition":
            name = _declared(inner.child_by_field_name("declarator"))
            plain = name and "::" not in name and "__global__" not in {text_of(part) for part in inner.children}
            if not plain:
                return None
            uses = names_used(node) - {name}
            return Definition(names=(name,), text=text_of(node), uses=uses, unlikely=unlikely, is_function=True)
        case "type_definition":
            names = tuple(text_of(part) for part in inner.children_by_field_name("declarator"))
        case "alias_declaration":
            names = (text_of(inner.named_children[0]),)
        case "declaration":
            return _variable(inner, unlikely)
        case kind if kind in _TYPES and inner.child_by_field_name("body") is not None:
            named = inner.child_by_field_name("name")
            names = (text_of(named),) if named is not None else ()
            names += tuple(text_of(part.named_children[0]) for part in walk(inner) if part.type == "enumerator")
        case _:
            return None
    text = text_of(node).rstrip().rstrip(";") + ";"
    return Definition(names=names, text=text, uses=names_used(node) - set(names), unlikely=unlikely) if names else None


def _macro(node: "Node", unlikely: bool) -> Definition | None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return None
    listed = node.child_by_field_name("parameters")
    parameters = {text_of(part) for part in listed.named_children} if listed is not None else set()
    uses = _token_names(text_of(value)) - parameters if value is not None else set()
    return Definition(
        names=(text_of(name),), text=text_of(node).rstrip(), uses=frozenset(uses - {text_of(name)}), unlikely=unlikely
    )


def _variable(node: "Node", unlikely: bool) -> Definition | None:
    declarators = node.children_by_field_name("declarator")
    names = tuple(name for part in declarators if (name := _declared(part)))
    words = {text_of(part) for part in node.children}
    if not names or any(part.type == "function_declarator" for part in declarators):
        return None
    starts = all(part.type == "init_declarator" for part in declarators)
    if "__device__" in words or "__managed__" in words or "__shared__" in words:
        refused = "" if starts and words & {"const", "constexpr"} else "device_variable"
    elif "__constant__" in words:
        refused = "" if starts else "constant_memory"
    else:
        refused = "" if words & {"const", "constexpr"} else "host_variable"
    return Definition(
        names=names, text=text_of(node), uses=names_used(node) - set(names), unlikely=unlikely, refused=refused
    )


def _chosen(several: list[Definition]) -> list[Definition]:
    likely = [one for one in several if not one.unlikely] or several[:1]
    functions = [one for one in likely if one.is_function]
    return list({one.text: one for one in functions}.values()) if functions else likely[:1]


def _declared(node: "Node | None") -> str:
    while node is not None and node.type not in (
        "identifier",
        "qualified_identifier",
        "field_identifier",
        "type_identifier",
    ):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in ("reference_declarator", "attributed_declarator", "parenthesized_declarator"):
            inner = next(
                (part for part in node.named_children if "declarator" in part.type or part.type == "identifier"), None
            )
        node = inner
    return text_of(node) if node is not None else ""


def _token_names(text: str) -> set[str]:
    """The names in unparsed text, without what follows a dot or an arrow."""
    found, before = set(), ""
    for token in tokens(text):
        if token.kind is TokenKind.NAME and before not in _MEMBER and not _KEYWORD.fullmatch(token.text):
            found.add(token.text)
        before = token.text
    return found


_KEYWORD = re.compile(
    "if|else|for|while|do|return|switch|case|break|continue|default|sizeof|int|long|short|char|float|double|unsigned|signed|void|bool"
    "|const|static|inline|struct|typedef|auto|do|goto|volatile|unroll|pragma|template|typename|class|extern|register"
)
