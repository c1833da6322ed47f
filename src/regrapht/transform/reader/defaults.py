"""Default arguments of helpers: what a call leaves out is what the declaration says."""

from typing import TYPE_CHECKING

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import Expression
from regrapht.transform.ir.scope import Scope, refuse

if TYPE_CHECKING:
    from regrapht.transform.reader.expression_reader import ExpressionReader

Defaults = tuple[Expression | None, ...]
"""For each parameter of a helper what it is by default; None where a call must give it."""


def default_arguments(reader: "ExpressionReader", name: str, scope: Scope) -> Defaults:
    """The defaults of a helper's parameters, from its definition and from declarations before it. Empty where it has none.

    A default that is no expression over the file's constants is None: an error only if a call needs it.
    """
    found: dict[int, Expression] = {}
    count = 0
    for node in reader.source.walk():
        declared = node.child_by_field_name("declarator") if node.type == "function_declarator" else None
        if declared is None or reader.source.text(declared) != name:
            continue
        parameters = [n for n in node.child_by_field_name("parameters").named_children if n.type != "comment"]
        for place, parameter in enumerate(parameters):
            value = parameter.child_by_field_name("default_value")
            count = max(count, place + 1)
            if value is None:
                continue
            try:
                found[place] = reader.read(value, scope)
            except CannotTransform:
                continue
    return tuple(found.get(place) for place in range(count)) if found else ()


def with_defaults(name: str, given: tuple[Expression, ...], defaults: Defaults, line: int) -> tuple[Expression, ...]:
    """The arguments of a call with those that it leaves out.

    Raises:
        CannotTransform: What it leaves out has no default that is known.
    """
    rest = defaults[len(given) :]
    if any(one is None for one in rest):
        raise refuse(f"call of '{name}' with {len(given)} arguments", line, "give all of them")
    return (*given, *(one for one in rest if one is not None))
