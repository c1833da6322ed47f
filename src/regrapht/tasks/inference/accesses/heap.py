"""Memory that a function makes for itself by `malloc`, `new T[n]` and their like. Its length bounds what index arrays hold."""

import re
from typing import TYPE_CHECKING

from regrapht.source.c_types import scalar_type
from regrapht.source.library_calls import MAKES_ARRAY
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import text_of
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.scope import Activation, find_declaration

if TYPE_CHECKING:
    from tree_sitter import Node


def heap_length(use: "Node", at: Activation, reader: IndexValues) -> Polynomial | None:
    """The elements of the memory that a local pointer is declared with; None for another pointer, or where its size is not followed."""
    declared = find_declaration(use, text_of(use), at.function)
    if declared is None or declared.value is None:
        return None
    kind = declared.node.parent.child_by_field_name("type") if declared.node.parent is not None else None
    try:
        return made_length(declared.value, text_of(kind) if kind is not None else "", at, reader)
    except Unbounded:
        return None


def bytes_of_elements(
    factors: "list[Node]", element_bytes: int | None, at: Activation, reader: IndexValues
) -> Polynomial | None:
    """How many elements a product of `factors` is in bytes; None where no `sizeof` says so. `element_bytes`: where that is known."""
    sizes = [factor for factor in factors if factor.type == "sizeof_expression"]
    count = Polynomial.constant(1)
    for factor in factors:
        if factor.type != "sizeof_expression":
            count = count * reader.value(factor, at)
    if not sizes:
        return count if element_bytes == 1 else None
    named = sizes[0].child_by_field_name("type")
    told = scalar_type(text_of(named), aliases=at.unit.aliases) if named is not None else None
    of_element = named is None and re.match(r"sizeof\s*(?:\*|\(\s*(?:\*|\w+\s*\[))", text_of(sizes[0])) is not None
    same = told is not None and element_bytes in (None, told.size_bytes)
    return count if len(sizes) == 1 and (of_element or same) else None


def product_factors(node: "Node") -> "list[Node]":
    """The factors of a product, brackets taken off."""
    if node.type == "parenthesized_expression":
        return product_factors(node.named_children[0])
    if node.type == "cast_expression" and node.named_children[-1].type == "parenthesized_expression":
        return product_factors(node.named_children[-1])
    if node.type == "binary_expression" and text_of(node.children[1]) == "*":
        return [*product_factors(node.children[0]), *product_factors(node.children[2])]
    return [node]


def element_bytes(name: "Node", at: Activation) -> int | None:
    """The bytes of an element of what a pointer of the function points to; None where its declaration does not say it."""
    declared = find_declaration(name, text_of(name), at.function)
    if declared is None:
        parameter = next((p for p in at.function.parameters if p.name == text_of(name) and p.pointer_depth), None)
        found = scalar_type(parameter.type_text, aliases=at.unit.aliases) if parameter is not None else None
        return found.size_bytes if found is not None else None
    kind = declared.node.parent.child_by_field_name("type") if declared.node.parent is not None else None
    text = re.sub(r"^.*<\s*|\s*(?:\[\s*\])?\s*>$", "", text_of(kind)) if kind is not None else ""
    found = scalar_type(text, aliases=at.unit.aliases) if text else None
    return found.size_bytes if found is not None else None


def made_length(value: "Node", kind: str, at: Activation, reader: IndexValues) -> Polynomial | None:
    """The elements of type `kind` of the memory that `value` makes; None where it makes none, or its size is not followed."""
    inner = value.child_by_field_name("value") if value.type == "cast_expression" else None
    if (
        value.type in ("parenthesized_expression", "argument_list", "initializer_list")
        and len(value.named_children) == 1
    ):
        inner = value.named_children[0]
    if inner is not None:
        return made_length(inner, kind, at, reader)
    if value.type == "new_expression":
        made = value.child_by_field_name("declarator")
        length = made.child_by_field_name("length") if made is not None else None
        return reader.value(length, at) if length is not None else None
    called, listed = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if value.type != "call_expression" or called is None or listed is None:
        return None
    name, given = text_of(called), [child for child in listed.named_children if child.type != "comment"]
    if re.match(r"(?:static|reinterpret)_cast\b", name) and len(given) == 1:
        return made_length(given[0], kind, at, reader)
    if MAKES_ARRAY.fullmatch(name) and len(given) == 1:
        return reader.value(given[0], at)
    if name.removeprefix("std::") in ("malloc", "calloc"):
        factors = [factor for one in given for factor in product_factors(one)]
        found = scalar_type(kind, aliases=at.unit.aliases)
        return bytes_of_elements(factors, found.size_bytes if found is not None else None, at, reader)
    return None
