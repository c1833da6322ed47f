"""A piece of C++ with tree-sitter's syntax tree of it."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from regrapht.propose.transform.frontend.scope import refuse

SyntaxNode = Any
"""`tree_sitter.Node`: every field of it may be absent, which its grammar and not its types tells."""


@cache
def _language() -> Any:
    import tree_sitter
    import tree_sitter_cpp

    return tree_sitter.Language(tree_sitter_cpp.language())


class SourceText:
    """Text, tree and line numbers. `first_line` is where the text begins in its file."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        import tree_sitter

        self.data, self.first_line = text.encode(), first_line
        self.root = tree_sitter.Parser(_language()).parse(self.data).root_node
        if self.root.has_error:
            bad = next((n for n in self.walk() if n.type == "ERROR" or n.is_missing), self.root)
            raise refuse("this does not parse as C++", self.line(bad))

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
