"""Loops that walk through data: `i = next[i]`. Whether they end is for the data to say, and drawn ones may go round for ever."""

from typing import TYPE_CHECKING

from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.loops import LOOPS, stores_below

if TYPE_CHECKING:
    from tree_sitter import Node


def data_walk(body: "Node") -> tuple["Node", str] | None:
    """The first loop of a function's body whose condition has a variable that it sets to nothing but elements of arrays, with that
    variable; None where there is no such loop."""
    for loop in walk(body):
        condition = loop.child_by_field_name("condition") if loop.type in LOOPS else None
        if condition is None:
            continue
        for name in sorted({text_of(node) for node in walk(condition) if node.type == "identifier"}):
            stores = stores_below(loop, name)
            if stores and all(_is_element(store.child_by_field_name("right")) for store in stores):
                return loop, name
    return None


def _is_element(value: "Node | None") -> bool:
    while value is not None and value.type in ("parenthesized_expression", "cast_expression") and value.named_children:
        value = value.named_children[-1]
    return value is not None and value.type == "subscript_expression"
