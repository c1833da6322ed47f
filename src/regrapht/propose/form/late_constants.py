"""Macros and constants below the function that uses them: `#define BLOCK 256` at the end of the file."""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, head_start, names_in, top_of_code
from regrapht.propose.form.scopes import declaration_of
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import declarators, declared_name, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSTANT = re.compile(r"(?:static\s+|inline\s+)*(?:const|constexpr)\b")


def with_constants_first(program: Program) -> str | None:
    """The text with those constants and macros below the includes; None where none is used above where it is defined."""
    functions = program.unit.functions
    if not functions:
        return None
    first, top = min(map(head_start, functions)), top_of_code(program)
    moved = []
    for node in program.root.children:
        names = _names(node) if node.start_byte > first >= top else set()
        if names and any(_uses(function, names) for function in functions if head_start(function) < node.start_byte):
            moved.append(node)
    if not moved:
        return None
    text = "".join(f"\n{text_of(node).strip()}" for node in moved)
    return program.edited([Edit(top, top, f"{text}\n"), *(Edit(one.start_byte, one.end_byte, "") for one in moved)])


def _uses(function: FunctionDefinition, names: set[str]) -> bool:
    """Whether a function uses one of the names without having one of its own that is called so."""
    used = (one for one in names_in(function.body) if text_of(one) in names)  # `dim3 block(X, Y)` reads as one of types
    return any(declaration_of(text_of(one), one, function) is None for one in used)


def _names(node: "Node") -> set[str]:
    """What a macro without parameters, or constants of numbers alone, are called."""
    if node.type == "preproc_def":
        name = node.child_by_field_name("name")
        return {text_of(name)} if name is not None else set()
    if node.type != "declaration" or not _CONSTANT.match(text_of(node)):
        return set()
    names = {text_of(declared_name(one)) for one in declarators(node)}
    others = {text_of(one) for one in walk(node) if one.type == "identifier"} - names
    return set() if others else names
