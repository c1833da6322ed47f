"""What a name means where it stands in a function: which declaration it is seen from, if any."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import declarators, declared_name, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARATIONS = ("declaration", "for_range_loop", "parameter_declaration", "optional_parameter_declaration")


def declared_names(node: "Node") -> set[str]:
    """Names that a declaration, a parameter or a loop over a range gives a meaning."""
    found = {text_of(name) for name in map(declared_name, declarators(node)) if name.type == "identifier"}
    for one in node.children_by_field_name("declarator"):
        for binding in (
            walk(one) if one.type != "init_declarator" else walk(one.child_by_field_name("declarator") or one)
        ):
            if binding.type == "structured_binding_declarator":
                found |= {text_of(name) for name in binding.named_children if name.type == "identifier"}
    return found


def declaration_of(name: str, at: "Node", function: FunctionDefinition) -> "Node | None":
    """The innermost declaration of `name` that is seen from a node of the function's body; None where there is none in the function."""
    for node in _seen_from(at, function):
        if name in declared_names(node):
            return node
    return None


def seen_from(at: "Node", function: FunctionDefinition) -> set[str]:
    """All names of the function that are seen from a node of its body."""
    return {name for node in _seen_from(at, function) for name in declared_names(node)}


def _seen_from(at: "Node", function: FunctionDefinition) -> Iterator["Node"]:
    """Declarations that hold at a node, the nearest first."""
    inner, node = at, at.parent
    while node is not None:
        if node.type in _DECLARATIONS and inner != node.child_by_field_name("right"):
            yield node
        before = [child for child in node.children if child.end_byte <= inner.start_byte]
        for child in reversed(before):
            for one in walk(child) if child.type in ("condition_clause", "parameter_list") else (child,):
                if one.type in _DECLARATIONS[:1] + _DECLARATIONS[2:]:
                    yield one
            if child.type in ("function_declarator", "abstract_function_declarator", "lambda_declarator"):
                yield from (one for one in walk(child) if one.type in _DECLARATIONS[2:])
            if child.type == "init_statement":
                yield from (one for one in child.children if one.type == "declaration")
        if node.type == "for_range_loop" and inner == node.child_by_field_name("body"):
            yield node
        if node == function.node:
            yield from (
                one for one in walk(node) if one.type in _DECLARATIONS[2:] and one.end_byte <= function.body.start_byte
            )
            return
        inner, node = node, node.parent


def unbound(names: set[str], function: FunctionDefinition) -> dict[str, "Node"]:
    """Of the names, those that the body uses where no declaration of the function is seen, each with its first such use."""
    found: dict[str, Node] = {}
    names = names - {parameter.name for parameter in function.parameters}  # seen from everywhere
    for node in walk(function.body) if names else ():
        if node.type != "identifier" or (name := text_of(node)) not in names or name in found:
            continue
        if node.parent is not None and node.parent.type == "qualified_identifier":
            continue
        if declaration_of(name, node, function) is None:
            found[name] = node
    return found


def statement_around(node: "Node", block: "Node") -> "Node":
    """The statement of a block in which a node stands."""
    while node.parent is not None and node.parent != block:
        node = node.parent
    return node


def blocks_around(node: "Node", function: FunctionDefinition) -> list["Node"]:
    """The blocks of the function in which a node stands, the outermost first: the body itself, then those in braces within it."""
    found = []
    inside: Node | None = node
    while inside is not None and inside != function.node:
        if inside.type == "compound_statement":
            found.append(inside)
        if inside.type == "lambda_expression":
            found.clear()
        inside = inside.parent
    return found[::-1]
