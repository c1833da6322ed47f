"""Functions that are handed a lambda: their text in the place of the call, so that every loop has its body in sight."""

import re

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import copied, is_lambda
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import Refused
from regrapht.tasks.project.rendering import Renderer
from regrapht.tasks.project.struct_values import flat_type


def in_place(
    renderer: Renderer, call: Cursor, body: Cursor, inner: Scope, kept: list[tuple[Cursor, Cursor]], scope: Scope
) -> str | None:
    """The block that stands for a call as a statement; None for one that is handed no lambda, returns a value
    or leaves early.

    Args:
        body: Of the function that is called.
        inner: What its parameters stand for that are objects of the surroundings.
        kept: Its other parameters, each with what it is given.

    Raises:
        Refused: No block can stand there.
    """
    if not any(is_lambda(argument) for _, argument in kept):
        return None
    if call.type.get_canonical().kind.name != "VOID" or _leaves(body):
        return None
    behind = renderer.unit.bytes_of(str(renderer.unit.path))[call.extent.end.offset :][:80]
    if re.match(rb"\s*;\s*else\b", behind):
        raise Refused(f"calls '{call.spelling}' with a lambda before an 'else'", call, "write braces around the call")
    inner.used, inner.inlined = scope.used, True
    declared = []
    for parameter, argument in kept:
        text = renderer.text(copied(argument) if is_lambda(argument) else argument, scope)
        if is_lambda(argument) and copied(argument).kind.name == "DECL_REF_EXPR":
            inner.values[parameter.get_usr()] = text
            continue
        name = renderer.names.fresh(parameter.spelling)
        inner.values[parameter.get_usr()] = name
        declared.append(f"{_type(renderer, parameter, argument)} {name} = {text};")
    renderer.mark(body)
    return f"{{ {' '.join(declared)} {renderer.text(body, inner)} }}"


def _type(renderer: Renderer, parameter: Cursor, argument: Cursor) -> str:
    kind = parameter.type.get_canonical()
    if is_lambda(argument):
        return "auto"
    if kind.kind.name == "LVALUEREFERENCE" and not kind.get_pointee().is_const_qualified():
        return "auto&"
    value = kind.get_pointee() if kind.kind.name in ("LVALUEREFERENCE", "RVALUEREFERENCE") else kind
    return flat_type(value, renderer.unit, renderer.declare).removeprefix("const ") if value.get_size() > 0 else "auto"


def _leaves(node: Cursor) -> bool:
    """Whether a function is left before its end; lambdas in it have returns of their own."""
    return any(
        one.kind.name == "RETURN_STMT" or (one.kind.name != "LAMBDA_EXPR" and _leaves(one))
        for one in node.get_children()
    )
