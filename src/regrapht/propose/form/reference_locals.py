"""The reference's names for what its parameters come to, `const int width = 16 * across;`, and its constants, which a model uses as if they
were there."""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.records.task import ArgKind, Task
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import declarators, declared_name, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = re.compile(
    r"(?:unsigned |signed )?(?:int|long|long long|short|char|float|double|bool|size_t|u?int\d+_t|unsigned|auto)"
)
_VALUE = re.compile(r"[\w\s+\-*/%()<>.&|^~]+")


def with_the_references_locals(program: Program) -> str | None:
    """The text with such a name defined in each function that uses it without a meaning for it and has what it comes from; else None."""
    offered = locals_of(program.task)
    if not offered:
        return None
    shared = file_names(program) | helpers_of(program.task).keys()
    edits = []
    for function in program.unit.functions:
        known = shared | {one.name for one in function.parameters if not one.pointer_depth}
        declared = known | declared_in(function)
        used = {text_of(node) for node in walk(function.body) if node.type == "identifier"}
        wanted = _with_what_they_need(used & offered.keys() - declared, offered)
        texts = []
        for name, (text, needs) in offered.items():
            if name in wanted and name not in declared and needs <= known:
                texts.append(f"\n    {text}")
                known.add(name)
        if texts:
            at = function.body.start_byte + 1
            edits.append(Edit(at, at, "".join(texts)))
    return program.edited(edits) if edits else None


def locals_of(task: Task) -> dict[str, tuple[str, frozenset[str]]]:
    """Name -> its declaration and the names that this needs, in the reference's order.

    Numbers that the entry declares outside of loops, from sizes, scalars and such numbers alone, and never changes; those from nothing else
    than written numbers must be constants.
    """
    entries = read_unit(task.reference.source.text).named(task.entry)
    if len(entries) != 1:
        return {}
    body = entries[0].body
    known = {arg.name for arg in task.parameters if arg.kind is not ArgKind.ARRAY} | helpers_of(task).keys()
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for node in body.named_children:
        for name, text, needs in _numbers(node) if node.type == "declaration" else ():
            if needs <= known and (needs or _is_constant(node)) and not _changes(body, name):
                found[name] = (text, needs)
                known.add(name)
    return found


def _is_constant(declaration: "Node") -> bool:
    return any(text_of(child) in ("const", "constexpr") for child in declaration.children)


def _numbers(declaration: "Node") -> list[tuple[str, str, frozenset[str]]]:
    type_node = declaration.child_by_field_name("type")
    type_text = text_of(type_node).removeprefix("std::") if type_node is not None else ""
    if not _NUMBER.fullmatch(" ".join(type_text.split())):
        return []
    found = []
    for one in declaration.children_by_field_name("declarator"):
        name, value = one.child_by_field_name("declarator"), one.child_by_field_name("value")
        if one.type != "init_declarator" or name is None or name.type != "identifier" or value is None:
            continue
        if not _VALUE.fullmatch(text_of(value)) or any(node.type == "call_expression" for node in walk(value)):
            continue
        needs = frozenset(text_of(node) for node in walk(value) if node.type == "identifier")
        found.append((text_of(name), f"const {text_of(type_node)} {text_of(one)};", needs))  # type: ignore[arg-type]
    return found


def _changes(body: "Node", name: str) -> bool:
    """Whether the function gives the name another value, another meaning, or its address away."""
    count = 0
    for node in walk(body):
        if node.type == "assignment_expression" and text_of(node.child_by_field_name("left")) == name:  # type: ignore[arg-type]
            return True
        if node.type == "update_expression" and text_of(node).strip("+- ") == name:
            return True
        if node.type == "pointer_expression" and text_of(node).replace(" ", "") == f"&{name}":
            return True
        count += node.type == "init_declarator" and text_of(node.child_by_field_name("declarator")) == name  # type: ignore[arg-type]
    return count != 1


def _with_what_they_need(names: set[str], offered: dict[str, tuple[str, frozenset[str]]]) -> set[str]:
    found, waiting = set(names), list(names)
    while waiting:
        for need in offered[waiting.pop()][1] & offered.keys() - found:
            found.add(need)
            waiting.append(need)
    return found


def file_names(program: Program) -> set[str]:
    """Names of constants, macros and variables at file scope, those of an enumeration included."""
    found: set[str] = {function.name for function in program.unit.functions}
    for node in program.root.children:
        for one in walk(node) if node.type not in ("function_definition", "linkage_specification") else ():
            if one.type in ("preproc_def", "preproc_function_def", "enumerator"):
                name = one.child_by_field_name("name")
                found |= {text_of(name)} if name is not None else set()
            elif one.type == "declaration":
                found |= _names_declared(one)
    return found


def declared_in(function: FunctionDefinition) -> set[str]:
    found = {one.name for one in function.parameters}
    for node in walk(function.node):
        if node.type in ("declaration", "for_range_loop", "parameter_declaration", "structured_binding_declarator"):
            found |= _names_declared(node)
    return found


def _names_declared(declaration: "Node") -> set[str]:
    names = map(declared_name, declarators(declaration))
    return {text_of(name) for name in names if name.type == "identifier"}
