"""A piece of C++ with tree-sitter's syntax tree of it."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.scope import refuse

SyntaxNode = Any
"""`tree_sitter.Node`: every field of it may be absent, which its grammar and not its types tells."""
_NAMELESS_ENUM = re.compile(rb"\benum\s*(:\s*([A-Za-z_][\w:\s]*?)\s*)\{")


@cache
def _language() -> Any:
    import tree_sitter
    import tree_sitter_cpp

    return tree_sitter.Language(tree_sitter_cpp.language())


class SourceText:
    """Text, tree and line numbers. `first_line` is where the text begins in its file; a macro's text stands `within` that of the file."""

    def __init__(self, text: str, first_line: int = 1, within: "SourceText | None" = None) -> None:
        self.data, self.first_line = text.encode(), first_line
        self._less: set[int] = set()
        self._bases: dict[int, str] = {}
        self._take_bases()
        self.root = self._tree()
        self.types: set[str] = self._declared(_names_of_types) | (within.types if within else set())
        self.variables: set[str] = self._declared(_names_of_variables) | (within.variables if within else set())
        self.templates: set[str] = self._declared(_names_of_templates) | (within.templates if within else set())
        while misread := [n for n in self.walk() if self._is_no_cast(n) or self._is_no_template(n)]:
            for node in misread:
                self._mend(node)
            self.root = self._tree()
        if self.root.has_error:
            bad = next((n for n in self.walk() if n.type == "ERROR" or n.is_missing), self.root)
            raise refuse("this does not parse as C++", self.line(bad))

    def _tree(self) -> SyntaxNode:
        """The tree, with `>` read for each `<` that was taken for the beginning of a template's arguments: it binds as strongly."""
        import tree_sitter

        data = bytearray(self.data)
        for place in self._less:
            data[place] = ord(">")
        return tree_sitter.Parser(_language()).parse(bytes(data)).root_node

    def _take_bases(self) -> None:
        """Note the types under nameless enumerations, as in `enum : uint8_t { ... }`, and blank them: tree-sitter asks for a name there."""
        data = bytearray(self.data)
        for found in _NAMELESS_ENUM.finditer(self.data):
            self._bases[found.start()] = found[2].decode()
            data[found.start(1) : found.end(1)] = re.sub(rb"\S", b" ", found[1])
        self.data = bytes(data)

    def base_of_enum(self, node: SyntaxNode) -> str:
        """The type that an `enum` names for its values; empty where it names none."""
        base = node.child_by_field_name("base")
        return self._bases.get(node.start_byte, "") if base is None else self.text(base)

    def _declared(self, names_of: Callable[[SyntaxNode], list[SyntaxNode]]) -> set[str]:
        return {self.text(name) for node in self.walk() for name in names_of(node)}

    def _is_no_cast(self, node: SyntaxNode) -> bool:
        """Whether a cast is none: without knowing the types, `(h) - (w) * 2` reads as the cast of -w to a type h, times 2."""
        if node.type != "cast_expression":
            return False
        name, value = (self.text(node.child_by_field_name(field)) for field in ("type", "value"))
        return name.isidentifier() and name not in self.types and canonical(name, {}) is None and value[0] in "+-*&"

    def _is_no_template(self, node: SyntaxNode) -> bool:
        """Whether a template is none: `x < w && y > (h)` reads as the call of x<w && y> with h."""
        if node.type not in ("template_function", "template_type") or node.parent.type == "qualified_identifier":
            return False
        return self.text(node.child_by_field_name("name")) in self.variables - self.types - self.templates

    def _mend(self, node: SyntaxNode) -> None:
        """Have a misread part read otherwise from now on; every place in the text stays where it was."""
        if node.type != "cast_expression":
            self._less.add(node.child_by_field_name("arguments").start_byte)
            return
        data = bytearray(self.data)
        for bracket in (child for child in node.children if child.type in ("(", ")")):
            data[bracket.start_byte : bracket.end_byte] = b" "
        self.data = bytes(data)

    def walk(self, node: SyntaxNode | None = None) -> Iterator[SyntaxNode]:
        """The node (the root by default) and all below it."""
        node = node or self.root
        yield node
        for child in node.children:
            yield from self.walk(child)

    def first(self, kind: str) -> SyntaxNode:
        return next(node for node in self.walk() if node.type == kind)

    def text(self, node: SyntaxNode) -> str:
        return self.data[node.start_byte : node.end_byte].decode()

    def line(self, node: SyntaxNode) -> int:
        return node.start_point[0] + self.first_line


def _names_of_types(node: SyntaxNode) -> list[SyntaxNode]:
    """The names of types that a node declares."""
    match node.type:
        case "type_definition":
            return [name for name in node.children_by_field_name("declarator") if name.type == "type_identifier"]
        case "alias_declaration" | "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier":
            name = node.child_by_field_name("name")
            return [] if name is None else [name]
        case "type_parameter_declaration":
            return [child for child in node.named_children if child.type == "type_identifier"]
    return []


def _names_of_templates(node: SyntaxNode) -> list[SyntaxNode]:
    """The names of function templates that a node declares."""
    if node.type != "function_declarator":
        return []
    outside = node.parent
    while outside is not None and outside.type.endswith(("declarator", "declaration", "definition")):
        if outside.type == "template_declaration":
            return [name for name in node.children_by_field_name("declarator") if name.type == "identifier"]
        outside = outside.parent
    return []


def _names_of_variables(node: SyntaxNode) -> list[SyntaxNode]:
    """The names of variables and functions that a node declares."""
    declaring = ("declaration", "parameter_declaration", "optional_parameter_declaration")
    if node.type not in declaring and not node.type.endswith("declarator"):
        return []
    return [name for name in node.children_by_field_name("declarator") if name.type == "identifier"]
