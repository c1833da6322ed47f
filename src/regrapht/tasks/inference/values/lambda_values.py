"""Lambdas bound to a local: what a name was declared with, and the value of a call, in which names mean what they mean where it stands."""

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.inference.values.machine_integers import Values
from regrapht.tasks.inference.values.returned import returned
from regrapht.tasks.inference.values.scope import Activation, find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node


def bound_lambda(name: "Node", at: Activation) -> "tuple[Node, Activation] | None":
    """The lambda that a name was declared with, and what it stands in; None for other names."""
    around: Activation | None = at if name.type == "identifier" else None
    while around is not None:
        declared = find_declaration(name, text_of(name), around.function)
        if declared is not None:
            value = declared.value
            return (value, around) if value is not None and value.type == "lambda_expression" else None
        around = around.outer
    return None


def as_function(value: "Node", body: "Node") -> FunctionDefinition:
    """A lambda as a function with its parameters."""
    heading = value.child_by_field_name("declarator")
    listed = heading.child_by_field_name("parameters") if heading is not None else None
    text = text_of(listed) if listed is not None else "()"
    (read,) = read_unit(f"void given{text} {{}}").functions
    made = value.parent.child_by_field_name("declarator") if value.parent is not None else None
    name = text_of(made) if made is not None else "a lambda"
    return replace(read, name=name, line=line_of(value), node=value, body=body)


def value_of_call(values: Values, call: "Node", name: "Node", given: "list[Node]", at: Activation) -> Polynomial | None:
    """What a call of a named lambda gives; None where the name is none.

    Raises:
        Unbounded: It does more than to declare locals, test and return, or calls itself, or has no range.
    """
    found = bound_lambda(name, at)
    body = found[0].child_by_field_name("body") if found is not None else None
    if found is None or body is None or any(text_of(part) == text_of(name) for part in walk(body)):
        return None
    value, around = found
    function = as_function(value, body)
    return returned(values, call, function, given, at, captured=_captured(values, function, around), outer=around)


def _captured(values: Values, function: FunctionDefinition, around: Activation) -> dict[str, Polynomial]:
    """The integers that a lambda sees and nobody changes, as they are known where it stands."""
    own = {parameter.name for parameter in function.parameters}
    found: dict[str, Polynomial] = {}
    for node in walk(function.body):
        name = text_of(node)
        if node.type != "identifier" or name in own or name in found or find_declaration(node, name, function):
            continue
        outside = find_declaration(node, name, around.function)
        if (outside is not None and outside.is_loop) or not stores_to(name, around.function):
            with suppress(Unbounded):  # a float, or an integer that the result may not use
                found[name] = values.value(node, around)
    return found
