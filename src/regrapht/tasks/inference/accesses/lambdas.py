"""Lambdas bound to a local: a call of one is an activation of its body, in which names mean what they mean where it stands."""

from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.accesses.places import is_pointer, pointer_value, points
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.lambda_values import as_function
from regrapht.tasks.inference.values.scope import Activation, find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node


def is_bound(value: "Node") -> bool:
    """Whether a lambda has a name, by which its calls are followed."""
    return value.parent is not None and value.parent.type == "init_declarator"


def called_lambda(
    value: "Node",
    around: Activation,
    given: "list[Node]",
    at: Activation,
    reader: IndexValues,
    prefix: str,
    *,
    always_runs: bool,
) -> Activation:
    """One call in `at` of a lambda that stands in `around`.

    Raises:
        Unbounded: It is given a pointer that is not followed, or calls itself.
    """
    body = value.child_by_field_name("body")
    assert body is not None
    function = as_function(value, body)
    arrays, offsets, values = _captured(function, around, reader)
    for parameter, part in zip(function.parameters, given, strict=False):
        if points(part, at):
            arrays[parameter.name], offsets[parameter.name] = pointer_value(part, at, reader)
        elif not parameter.pointer_depth:
            try:
                values[parameter.name] = reader.value(part, at)
            except Unbounded:
                continue
    if len(given) > len(function.parameters):
        raise Unbounded(f"the call of {function.name!r}", line_of(value))
    always = at.always_runs and always_runs
    return Activation(
        function=function,
        unit=at.unit,
        arrays=arrays,
        offsets=offsets,
        values=values,
        prefix=prefix,
        always_runs=always,
        outer=around,
    )


def _captured(
    function: FunctionDefinition, around: Activation, reader: IndexValues
) -> tuple[dict[str, str], dict[str, Polynomial], dict[str, Polynomial]]:
    """The pointers that a lambda sees, with their places, and the integers whose values are known where it stands."""
    arrays, offsets = dict[str, str](), dict[str, Polynomial]()
    values = dict[str, Polynomial]()
    own = {parameter.name for parameter in function.parameters}
    for node in walk(function.body):
        name = text_of(node)
        if node.type != "identifier" or name in own or name in arrays or name in values:
            continue
        inside = find_declaration(node, name, function)
        if inside is not None:
            continue
        outside = find_declaration(node, name, around.function)
        changes = (outside is None or not outside.is_loop) and bool(stores_to(name, around.function))
        if is_pointer(node, around):
            if changes:
                raise Unbounded(f"the pointer {name!r}, used in a lambda,", line_of(node))
            arrays[name], offsets[name] = pointer_value(node, around, reader)
            continue
        if changes:
            continue  # what it is when the lambda is called is not followed; it matters only if a subscript uses it
        try:
            values[name] = reader.value(node, around)
        except Unbounded:
            continue
    return arrays, offsets, values
