"""Whether every way through a block makes one of several stores: `if (bad) { y[i] = 0; continue; } ... y[i] = x;`."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.loops import LOOPS

if TYPE_CHECKING:
    from tree_sitter import Node

_LEAVING = ("continue_statement", "break_statement", "return_statement", "goto_statement")
_SKIPPING = (*LOOPS, "if_statement", "switch_statement", "conditional_expression", "lambda_expression")


def stores_on_every_path(block: "Node", stores: Collection[int]) -> bool:
    """Whether a run of `block` reaches one of the nodes with these ids, whatever its tests say, before it ends or leaves."""
    statements = block.named_children if block.type == "compound_statement" else [block]
    return _all_store([child for child in statements if child.type != "comment"], stores)


def _all_store(statements: "Sequence[Node]", stores: Collection[int]) -> bool:
    for statement in statements:
        if statement.type == "if_statement":
            branches = _branches(statement)
            done = [branch is not None and stores_on_every_path(branch, stores) for branch in branches]
            if all(done):
                return True
            if any(
                branch is not None and not stored and _may_leave(branch)
                for branch, stored in zip(branches, done, strict=True)
            ):
                return False
        elif statement.type == "compound_statement":
            if stores_on_every_path(statement, stores):
                return True
            if _may_leave(statement):
                return False
        elif statement.type in _SKIPPING or statement.type in _LEAVING:
            if _may_leave(statement):
                return False
        elif any(part.id in stores and _always_runs(part, statement) for part in walk(statement)):
            return True
    return False


def _branches(statement: "Node") -> "list[Node | None]":
    taken, other = statement.child_by_field_name("consequence"), statement.child_by_field_name("alternative")
    if other is not None and other.type == "else_clause":
        other = other.named_children[-1]
    return [taken, other]


def _may_leave(block: "Node") -> bool:
    return any(part.type in _LEAVING for part in walk(block))


def _always_runs(part: "Node", statement: "Node") -> bool:
    outer = part.parent
    while outer is not None and part.id != statement.id:
        late = outer.type == "binary_expression" and text_of(outer.children[1]) in ("&&", "||")
        if outer.type in _SKIPPING or late:
            return False
        part, outer = outer, outer.parent
    return True
