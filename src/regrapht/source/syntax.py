"""C++ and CUDA text with tree-sitter's syntax tree of it, repaired where the grammar misreads it.

All that reads code parses it here, so that one spelling is read alike. tree-sitter is imported when the first text is parsed.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from regrapht.source.c_types import is_known_type
from regrapht.source.tokens import even_layout, pieces

if TYPE_CHECKING:
    from tree_sitter import Node

SyntaxNode = Any
"""`tree_sitter.Node`, for those who know the grammar: every field of it may be absent, which its types say and the grammar tells better."""
LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
"""Types of the nodes that are loops."""
_NAMELESS_ENUM = re.compile(rb"\benum\s*(:\s*([A-Za-z_][\w:\s]*?)\s*)\{")
_ALIGNMENT = re.compile(rb"(?:__align__|alignas)\s*\([^()]*(?:\([^()]*\))?[^()]*\)")
_ENDS_IN_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*\Z", re.MULTILINE)
_MISREADABLE = """(cast_expression) @cast (template_function) @template (template_type) @template
(compound_statement (declaration declarator: (function_declarator) @function))
(case_statement (declaration declarator: (function_declarator) @function))"""
_CONTAINERS = re.compile(r"\b(vector|deque|list|basic_string|string)\b")


class SourceText:
    """A text, its syntax tree, and what of the tree was read anew. Never fails: what does not parse is under nodes of type ERROR.

    Places in the text stay where they are written, counted in bytes of UTF-8; so do its lines.

    Args:
        text: A file, or a piece of one.
        first_line: Where the text begins in its file.
        within: Of a piece, the file that it is from: what that declares is known here too.
        cuda: Read CUDA's qualifiers and launches.
    """

    def __init__(
        self, text: str, first_line: int = 1, within: "SourceText | None" = None, *, cuda: bool = False
    ) -> None:
        text = even_layout(text)
        ended = "\n" if _ENDS_IN_DIRECTIVE.search(text) else ""  # tree-sitter misses it there
        self.written = (text + ended).encode("utf-8", "replace")
        self.data = self.written
        """The text as it is read: without brackets and colons that tree-sitter takes for something else."""
        self.first_line, self._within, self._cuda = first_line, within, cuda
        self._less: set[int] = set()
        self._bases: dict[int, str] = {}
        self._take_bases()
        self.root: SyntaxNode = self._tree()
        self._first_root = self.root
        while misread := list(self._misread()):
            for node in misread:
                self._mend(node)
            self.root = self._tree()

    @property
    def error_line(self) -> int | None:
        """The first line that does not parse; None when all of the text does."""
        line = first_error_line(self.root)
        return None if line is None else line - 1 + self.first_line

    def edited(self, edits: Iterable[tuple[int, int, str]]) -> str:
        """The text with pieces replaced, each (begin, end, what stands there then); one that begins inside of another is left out."""
        out, at = [], 0
        for start, end, new in sorted(edits):
            if start >= at:
                out += [self.written[at:start].decode(), new]
                at = end
        return "".join([*out, self.written[at:].decode()])

    def _tree(self) -> "Node":
        """The tree, with `>` read for each `<` that was taken for the beginning of a template's arguments: it binds as strongly.

        In CUDA, alignments are read as blanks, since tree-sitter reports an error on them. Nodes have the text without either.
        """
        from tree_sitter import Parser

        read = bytearray(_ALIGNMENT.sub(_blanks, self.data) if self._cuda else self.data)
        for place in self._less:
            read[place] = ord(">")
        root = Parser(_language(self._cuda)).parse(read).root_node
        read[:] = self.data  # the tree keeps what it was made from, and takes the nodes' text from there
        return root

    def _take_bases(self) -> None:
        """Note the types under nameless enumerations, as in `enum : uint8_t { ... }`, and blank them: tree-sitter asks for a name there."""
        data = bytearray(self.data)
        for found in _NAMELESS_ENUM.finditer(self.data):
            self._bases[found.start()] = found[2].decode()
            data[found.start(1) : found.end(1)] = re.sub(rb"\S", b" ", found[1])
        self.data = bytes(data)

    def base_of_enum(self, node: "Node") -> str:
        """The type that an `enum` names for its values; empty where it names none."""
        base = node.child_by_field_name("base")
        return self._bases.get(node.start_byte, "") if base is None else self.text(base)

    @cached_property
    def _declared(self) -> "_Declared":
        """What the text declares, as it is first read, and what is declared around it."""
        found, macros = _Declared(set(), set(), set()), dict[str, str]()
        for node in walk(self._first_root):
            for names, of in zip(found, (_names_of_types, _names_of_values, _names_of_templates), strict=True):
                names.update(map(text_of, of(node)))
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if node.type == "preproc_def" and name is not None and value is not None:
                macros[text_of(name)] = text_of(value).strip()
        for macro, text in macros.items():
            (found.types if text in found.types or is_known_type(text) else found.values).add(macro)
        if self._within is not None:
            for names, around in zip(found, self._within._declared, strict=True):
                names |= around
        return found

    def _misread(self) -> "Iterator[Node]":
        from tree_sitter import QueryCursor

        found = QueryCursor(_query(self._cuda)).captures(self.root)
        yield from filter(self._is_no_cast, found.get("cast", ()))
        yield from filter(self._is_no_template, found.get("template", ()))
        yield from filter(self._is_no_function, found.get("function", ()))

    def _is_no_cast(self, node: "Node") -> bool:
        """Whether a cast is none: without knowing the types, `(h) - (w) * 2` reads as the cast of -w to a type h, times 2.

        A name that the text does not declare is a value, unless it is formed like the types of the libraries.
        """
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if kind is None or value is None or self.text(value)[:1] not in tuple("+-*&"):
            return False
        name = self.text(kind)
        if not name.isidentifier() or name in self._declared.types:
            return False
        return name in self._declared.values or not is_known_type(name)

    def _is_no_template(self, node: "Node") -> bool:
        """Whether a template is none: `x < w && y > (h)` reads as the call of x<w && y> with h."""
        name = node.child_by_field_name("name")
        if name is None or (node.parent is not None and node.parent.type == "qualified_identifier"):
            return False
        return self.text(name) in self._declared.values - self._declared.types - self._declared.templates

    def _is_no_function(self, node: "Node") -> bool:
        """Whether a function that a function declares is none: `T x(c[i])` reads as one that takes an array of i values of a type c.

        Where all parameters read as types alone, as in `T x(c)`, nothing is hidden, and it stays as it is.
        """
        inside, of = node.child_by_field_name("parameters"), node.parent and node.parent.child_by_field_name("type")
        if inside is None or of is None:
            return False
        listed = inside.named_children
        formed = [one.child_by_field_name("declarator") for one in listed if one.type == "parameter_declaration"]
        if len(formed) != len(listed) or not any(
            one is not None and one.type.startswith("abstract_") for one in formed
        ):
            return False
        if len(listed) > 1 and _CONTAINERS.search(self.text(of)):
            return False  # its elements in braces would be something else
        types = {self.text(one.child_by_field_name("type")) for one in listed}
        return types <= self._declared.values - self._declared.types

    def _mend(self, node: "Node") -> None:
        """Have a misread part read otherwise from now on; every place in the text stays where it was."""
        inside = node.child_by_field_name("parameters")
        if inside is not None:
            self._give_value(node, inside)
            return
        arguments = node.child_by_field_name("arguments")
        if arguments is not None:
            self._less.add(arguments.start_byte)
            return
        data = bytearray(self.data)
        for bracket in (child for child in node.children if child.type in ("(", ")")):
            data[bracket.start_byte : bracket.end_byte] = b" "
        self.data = bytes(data)

    def _give_value(self, function: "Node", listed: "Node") -> None:
        """Have `T x(a)` read as `T x{a}`, and where braces hold elements as `T x=a`."""
        data, of = bytearray(self.data), function.parent and function.parent.child_by_field_name("type")
        holds = of is not None and _CONTAINERS.search(self.text(of))
        data[listed.start_byte], data[listed.end_byte - 1] = b"= " if holds else b"{}"
        self.data = bytes(data)

    def walk(self, node: SyntaxNode = None) -> Iterator[SyntaxNode]:
        """The node (the root by default) and all below it."""
        return walk(node or self.root)

    def first(self, kind: str) -> SyntaxNode:
        """The first node of a kind.

        Raises:
            StopIteration: There is none.
        """
        return next(node for node in self.walk() if node.type == kind)

    def text(self, node: SyntaxNode) -> str:
        """The text of a node, as it is read."""
        return self.data[node.start_byte : node.end_byte].decode()

    def line(self, node: SyntaxNode) -> int:
        """The line of the file that a node starts on."""
        return int(node.start_point[0]) + self.first_line


class _Declared(NamedTuple):
    types: set[str]
    values: set[str]
    """Variables, functions and macros."""
    templates: set[str]


@lru_cache(maxsize=16)
def parse(source: str, *, cuda: bool = False) -> "Node":
    """The root node of the text's syntax tree, as `SourceText` reads it.

    Args:
        source: C++ text; in UTF-8, node positions count bytes.
        cuda: Read CUDA's qualifiers and launches too.
    """
    return SourceText(source, cuda=cuda).root


def walk(node: "Node") -> Iterator["Node"]:
    """The node and all that is under it, in the order of the text; any depth."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children))


def text_of(node: "Node") -> str:
    """The node's own text."""
    return bytes(node.text or b"").decode("utf-8", "replace")


def plain_text(node: "Node") -> str:
    """The node's text with one blank between its tokens, for comparing it with that of another."""
    return " ".join(piece for piece in pieces(text_of(node)) if not piece.isspace())


def type_name(node: "Node") -> str:
    """How a type is called where `node` names or defines it: a struct defined in its place has its own name, or without one its place."""
    if node.child_by_field_name("body") is None:
        return text_of(node)
    name = node.child_by_field_name("name")
    return text_of(name) if name is not None else f"struct@{node.start_byte}"


def line_of(node: "Node") -> int:
    """The line, from 1, that the node starts on."""
    return node.start_point[0] + 1


def first_error_line(root: "Node") -> int | None:
    """The first line, from 1, that does not parse; None when all of the text does."""
    if not root.has_error:
        return None
    lines = (line_of(node) for node in walk(root) if node.is_error or node.is_missing)
    return min(lines, default=line_of(root))  # some errors leave no node behind


def bare(node: "Node") -> "Node":
    """What an expression is without brackets, casts and pluses around it."""
    while True:
        is_plus = node.type == "unary_expression" and text_of(node.children[0]) == "+"
        is_cast = node.type == "call_expression" and text_of(node).startswith("static_cast")
        outer = node.child_by_field_name("arguments") if is_cast else node
        named = [child for child in outer.named_children if child.type != "comment"] if outer is not None else []
        if not named or not (is_plus or is_cast or node.type in ("parenthesized_expression", "cast_expression")):
            return node
        node = named[-1]


def declarators(node: "Node") -> list["Node"]:
    """The declarators of a declaration."""
    return node.children_by_field_name("declarator")


def function_declarator(node: "Node") -> "Node | None":
    """The declarator of a function's declaration or definition that has its parameters."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        of_reference = declarator.named_children[-1] if declarator.type == "reference_declarator" else None
        declarator = of_reference or declarator.child_by_field_name("declarator")
    return declarator


def declared_name(declarator: "Node") -> "Node":
    """The name inside nested array, pointer, reference and function declarators."""
    while declarator.type not in ("identifier", "field_identifier", "type_identifier"):
        inner = declarator.child_by_field_name("declarator") or next(
            (c for c in declarator.children if c.type.endswith(("identifier", "_declarator"))), None
        )
        if inner is None:
            break
        declarator = inner
    return declarator


def _names_of_types(node: "Node") -> list["Node"]:
    """The names of types that a node declares."""
    match node.type:
        case "type_definition":
            return [name for name in declarators(node) if name.type == "type_identifier"]
        case "alias_declaration" | "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier":
            name = node.child_by_field_name("name")
            return [] if name is None else [name]
        case "type_parameter_declaration":
            return [child for child in node.named_children if child.type == "type_identifier"]
    return []


def _names_of_templates(node: "Node") -> list["Node"]:
    """The names of function templates that a node declares."""
    if node.type != "function_declarator":
        return []
    outside = node.parent
    while outside is not None and outside.type.endswith(("declarator", "declaration", "definition")):
        if outside.type == "template_declaration":
            return [name for name in declarators(node) if name.type == "identifier"]
        outside = outside.parent
    return []


def _names_of_values(node: "Node") -> list["Node"]:
    """The names of variables and functions that a node declares."""
    declaring = ("declaration", "parameter_declaration", "optional_parameter_declaration")
    if node.type not in declaring and not node.type.endswith("declarator"):
        return []
    return [name for name in declarators(node) if name.type == "identifier"]


def _blanks(found: re.Match[bytes]) -> bytes:
    return b" " * len(found.group())


@cache
def _language(cuda: bool) -> Any:
    import tree_sitter
    import tree_sitter_cpp
    import tree_sitter_cuda

    return tree_sitter.Language((tree_sitter_cuda if cuda else tree_sitter_cpp).language())


@cache
def _query(cuda: bool) -> Any:
    import tree_sitter

    return tree_sitter.Query(_language(cuda), _MISREADABLE)
