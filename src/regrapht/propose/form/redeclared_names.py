"""`float* row = row + k;` where `row` is a parameter, or is declared above in the same block: the second declaration is an assignment."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.scopes import declared_names
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node


def with_names_declared_once(program: Program) -> str | None:
    """The text with an assignment for each declaration of one value whose name the same block declares before; None without any."""
    edits: list[Edit] = []
    for function in program.unit.functions:
        for block in walk(function.body):
            if block.type == "compound_statement":
                edits += _again(block, _parameters(function) if block == function.body else {})
    return program.edited(edits) if edits else None


def _parameters(function: FunctionDefinition) -> dict[str, bool]:
    """Name of each parameter -> whether it can be given another value."""
    return {one.name: bool(one.pointer_depth) or not one.is_const for one in function.parameters}


def _again(block: "Node", known: dict[str, bool]) -> Iterator[Edit]:
    """What becomes of the declarations of a block that give a name a second time, where the first may change."""
    known = dict(known)
    for node in block.named_children:
        if node.type != "declaration":
            continue
        declarators = node.children_by_field_name("declarator")
        one = declarators[0] if declarators else node
        name, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
        plain = len(declarators) == 1 and one.type == "init_declarator" and name is not None and value is not None
        while name is not None and name.type == "pointer_declarator":
            name = name.child_by_field_name("declarator")
        if plain and name is not None and known.get(text_of(name)) and value.type != "initializer_list":  # type: ignore[union-attr]
            yield Edit(node.start_byte, node.end_byte, f"{text_of(name)} = {text_of(value)};")  # type: ignore[arg-type]
            continue
        const = any(text_of(child) in ("const", "constexpr") for child in node.children)
        pointer = any(child.type == "pointer_declarator" for child in walk(one))
        known.update(dict.fromkeys(declared_names(node), pointer or not const))
