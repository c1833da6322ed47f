"""What a name means at a place in the code: a parameter, a loop variable, a local or a constant of the file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition, SourceUnit
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.values.loops import changed_names

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """One function with what its parameters stand for: the entry itself, or a helper or kernel that it calls."""

    function: FunctionDefinition
    unit: SourceUnit
    arrays: Mapping[str, str]
    """Pointer parameter -> the entry's array that it points into."""
    offsets: Mapping[str, Polynomial] = field(default_factory=dict)
    """Pointer parameter -> the element that it points to, where that is not the first."""
    values: Mapping[str, Polynomial]
    """Integer parameter -> its value in the entry's terms."""
    prefix: str
    """Tells the locals of two activations apart."""
    always_runs: bool = True
    """False when a condition decides whether it is called."""
    outer: "Activation | None" = None
    """Of a lambda, what it stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Where a local name gets its value."""

    node: "Node"
    """The `for_statement` of a loop variable, else the declarator."""
    value: "Node | None"
    is_loop: bool


def find_declaration(use: "Node", name: str, function: FunctionDefinition) -> Declaration | None:
    """The declaration that `name` refers to at `use`; None for what the function does not declare itself."""
    inside, node = use, use.parent
    while node is not None and inside.id != function.body.id:
        if node.type == "lambda_expression" and _takes(node, name):
            return None
        if node.type == "for_statement" and _contains(node, "initializer", inside) is False:
            started = node.child_by_field_name("initializer")
            value = _started_value(started, name) if started is not None else None
            if value is not None:
                return Declaration(node=node, value=value, is_loop=True)
        if node.type == "declaration":  # `float *p = a, *q = p + n;`
            declarator = _declarator(node, name)
            if declarator is not None and declarator.end_byte <= inside.start_byte:
                return Declaration(node=declarator, value=declarator.child_by_field_name("value"), is_loop=False)
        if node.type == "compound_statement":
            for sibling in reversed([child for child in node.named_children if child.end_byte <= inside.start_byte]):
                declarator = _declarator(sibling, name) if sibling.type == "declaration" else None
                if declarator is not None:
                    return Declaration(node=declarator, value=declarator.child_by_field_name("value"), is_loop=False)
        inside, node = node, node.parent
    return None


def _takes(value: "Node", name: str) -> bool:
    """Whether a lambda has a parameter of this name."""
    heading = value.child_by_field_name("declarator")
    return heading is not None and any(part.type == "identifier" and text_of(part) == name for part in walk(heading))


def stores_to(name: str, function: FunctionDefinition) -> "list[Node]":
    """`stores_below` for the whole function."""
    return list(_stores_by_name(function.body).get(name, ()))


@lru_cache(maxsize=32)
def _stores_by_name(body: "Node") -> "dict[str, list[Node]]":
    """One walk for all names: each access of a function asks for several."""
    found: dict[str, list[Node]] = {}
    for part in walk(body):
        for name in changed_names(part):
            found.setdefault(name, []).append(part)
    return found


def changed_by_calls(at: Activation) -> dict[str, str]:
    """Variable -> the helper of the file that takes it by reference and may change it."""
    found = {}
    for node in walk(at.function.body):
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        listed = node.child_by_field_name("arguments")
        if called is None or listed is None:
            continue
        helper = text_of(called).split("<")[0].rpartition("::")[2]
        for function in at.unit.named(helper):
            for parameter, part in zip(function.parameters, listed.named_children, strict=False):
                if part.type == "identifier" and parameter.is_reference and not parameter.is_const:
                    found[text_of(part)] = helper
    return found


def file_constant(name: str, unit: SourceUnit, node: "Node") -> "Node | str | None":
    """The text of a macro, or the value node of a constant at file level, called `name`."""
    if name in unit.aliases:
        return unit.aliases[name]
    root = node
    while root.parent is not None:
        root = root.parent
    for child in walk(root):
        if child.type == "enumerator" and text_of(child.named_children[0]) == name:
            return _enumerator(child)
        if child.type == "declaration" and child.parent is not None and child.parent.type != "compound_statement":
            words = {text_of(part) for part in child.children}
            declarator = _declarator(child, name)
            if declarator is not None and words & {"const", "constexpr"}:
                return declarator.child_by_field_name("value")
    return None


def array_declarator(use: "Node", at: Activation) -> "Node | None":
    """The `name[size]` that declares the array called so at `use`, in the function or in the file; None for what is none."""
    name = text_of(use)
    declared = find_declaration(use, name, at.function)
    if declared is not None:
        found: Node | None = declared.node
    else:
        root = use
        while root.parent is not None:
            root = root.parent
        outside = [part for part in walk(root) if part.type == "declaration" and not _is_inside(part)]
        found = next((made for part in outside if (made := _declarator(part, name)) is not None), None)
    if found is not None and found.type == "init_declarator":
        found = found.child_by_field_name("declarator")
    return found if found is not None and found.type == "array_declarator" else None


def _is_inside(declaration: "Node") -> bool:
    outer = declaration.parent
    while outer is not None and outer.type != "compound_statement":
        outer = outer.parent
    return outer is not None


def _enumerator(node: "Node") -> "Node | str | None":
    """The value of an enumerator: what it is set to, or one more than the one before it."""
    value = node.child_by_field_name("value")
    if value is not None:
        return value
    before, count = node.prev_named_sibling, 0
    while before is not None:
        if before.type == "enumerator":
            count += 1
            if (set_to := before.child_by_field_name("value")) is not None:
                text = text_of(set_to)
                return str(int(text) + count) if text.isdigit() else None
        before = before.prev_named_sibling
    return str(count)


def _contains(node: "Node", field: str, inside: "Node") -> bool:
    part = node.child_by_field_name(field)
    return part is not None and part.start_byte <= inside.start_byte and inside.end_byte <= part.end_byte


def _started_value(started: "Node", name: str) -> "Node | None":
    if started.type == "declaration":
        declarator = _declarator(started, name)
        return declarator.child_by_field_name("value") if declarator is not None else None
    for node in walk(started):
        if node.type == "assignment_expression":
            left = node.child_by_field_name("left")
            if left is not None and text_of(left) == name:
                return node.child_by_field_name("right")
    return None


def _declarator(declaration: "Node", name: str) -> "Node | None":
    for declarator in declaration.children_by_field_name("declarator"):
        inner: Node | None = declarator
        while inner is not None and inner.type != "identifier":
            inner = inner.child_by_field_name("declarator") or (
                inner.named_children[-1] if inner.named_children else None
            )
        if inner is not None and text_of(inner) == name:
            return declarator
    return None
