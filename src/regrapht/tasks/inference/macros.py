"""Macros that `expand` leaves as they are: one that reads or writes an array by itself hides accesses, and is refused by name."""

import re
from typing import TYPE_CHECKING

from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.bounds import Unbounded
from regrapht.tasks.inference.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node


def refuse_macros(at: Activation) -> None:
    """Refuse a function that uses a macro whose text names one of the function's pointers.

    Raises:
        Unbounded: It does.
    """
    names = {node: text_of(node) for node in walk(at.function.body) if node.type == "identifier"}
    pointers = set(at.arrays) | {name for node, name in names.items() if _is_declared_as_pointer(node)}
    hidden = _macros(at.function.node)
    for node, name in names.items():
        if found := sorted(hidden.get(name, frozenset()) & pointers):
            raise Unbounded(f"the macro {name!r}, which uses {found[0]!r} by itself,", line_of(node))


def _macros(node: "Node") -> dict[str, frozenset[str]]:
    """Macro of the file -> the names in its text that are not its own parameters."""
    root = node
    while root.parent is not None:
        root = root.parent
    found: dict[str, frozenset[str]] = {}
    for part in walk(root):
        name, text = part.child_by_field_name("name"), part.child_by_field_name("value")
        if part.type in ("preproc_def", "preproc_function_def") and name is not None and text is not None:
            listed = part.child_by_field_name("parameters")
            own = {text_of(child) for child in listed.named_children} if listed is not None else set()
            found[text_of(name)] = frozenset(re.findall(r"[A-Za-z_]\w*", text_of(text))) - own
    return found


def _is_declared_as_pointer(node: "Node") -> bool:
    return node.parent is not None and node.parent.type == "pointer_declarator"
