"""Syntax trees of C++ and CUDA text by tree-sitter, which is imported when the first text is parsed."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node


def parse(source: str, *, cuda: bool = False) -> "Node":
    """The root node of the text's syntax tree. Never fails: what does not parse is under nodes of type ERROR.

    Args:
        source: C++ text; in UTF-8, node positions count bytes.
        cuda: Read CUDA's qualifiers and launches too.
    """
    from tree_sitter import Parser

    return Parser(_language(cuda)).parse(source.encode("utf-8", "replace")).root_node


def walk(node: "Node") -> Iterator["Node"]:
    """The node and all that is under it, in the order of the text; any depth."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children))


def text_of(node: "Node") -> str:
    """The node's own text."""
    return (node.text or b"").decode("utf-8", "replace")


def line_of(node: "Node") -> int:
    """The line, from 1, that the node starts on."""
    return node.start_point[0] + 1


def first_error_line(root: "Node") -> int | None:
    """The first line, from 1, that does not parse; None when all of the text does."""
    if not root.has_error:
        return None
    lines = (line_of(node) for node in walk(root) if node.is_error or node.is_missing)
    return min(lines, default=line_of(root))  # some errors leave no node behind


@cache
def _language(cuda: bool) -> Any:
    import tree_sitter
    import tree_sitter_cpp
    import tree_sitter_cuda

    return tree_sitter.Language((tree_sitter_cuda if cuda else tree_sitter_cpp).language())
