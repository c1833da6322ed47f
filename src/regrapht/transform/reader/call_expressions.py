"""Calls for their value: casts, the file's own functions, and those of the standard library that are known."""

import re
from functools import reduce

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import ZERO, Binary, Call, Cast, Conditional, Expression
from regrapht.transform.ir.math_functions import counted_bits, helper_name, is_math
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.reader.callees import parameters_of
from regrapht.transform.reader.context import Context, Defaults
from regrapht.transform.reader.inlining import inlined_value
from regrapht.transform.reader.library_calls import library_refusal
from regrapht.transform.reader.limits import limit
from regrapht.transform.reader.overloads import callees_of
from regrapht.transform.reader.ranges import range_value
from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.syntax import SyntaxNode
from regrapht.transform.reader.vectors import method_value

_CASTS = {"static_cast"}


def read_call(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    function, line = node.child_by_field_name("function"), context.source.line(node)
    arguments = node.child_by_field_name("arguments").named_children
    name = context.source.text(function)
    if function.type == "parenthesized_expression" and canonical(name[1:-1].strip(), context.aliases):
        name = name[1:-1].strip()  # `(real)(x)`, which looks like a call while nothing says what is a type
    template = re.fullmatch(r"(?:std::)?(\w+)\s*<(.*)>", name, re.S)
    if function.type == "field_expression" and (held := method_value(context, node, scope)) is not None:
        return held
    if template and template[1] in _CASTS:
        return Cast(context.type_name(template[2], line, "a cast"), context.read(arguments[0], scope))
    if function.type == "primitive_type" or (canonical(name, context.aliases) and len(arguments) <= 1):
        given = context.read(arguments[0], scope) if arguments else ZERO
        return Cast(context.type_name(name, line, "a cast"), given)
    if name.startswith("std::numeric_limits"):
        return _limit(context, name, line)
    if context.takes_effects and callees_of(context, node, scope):
        value = inlined_value(context, node, scope)
        if not isinstance(value, Expression):
            raise refuse(f"the struct '{context.source.text(node)}' is used as a value", line, "use its fields")
        return value
    if context.takes_effects:
        from regrapht.transform.reader.algorithms import algorithm_value

        for known in (range_value, algorithm_value):
            if (found := known(context, node, scope)) is not None:
                return found
    if name.removeprefix("std::") in ("max", "min") and [one.type for one in arguments] == ["initializer_list"]:
        listed = [context.read(one, scope) for one in arguments[0].named_children]
        return reduce(lambda one, other: Call(name.removeprefix("std::"), (one, other)), listed)
    is_own = function.type == "field_expression" or name.removeprefix("::") in context.helpers
    if not is_own and (refusal := library_refusal(context.source, node)) is not None:
        raise refusal
    values = tuple(context.read(argument, scope) for argument in arguments)
    name = (template[1] if template else name).removeprefix("std::").removeprefix("::")
    if not context.source.text(function).startswith("std::") and name.rpartition("::")[2] in context.helpers:
        name = name.rpartition("::")[2]
    if name in context.helpers:
        return Call(helper_name(name), with_defaults(name, values, context.helpers[name], line))
    if template and name in ("max", "min"):
        to = context.type_name(template[2], line, "a call")
        values = tuple(Cast(to, value) for value in values)
    if is_math(name):
        return Call(name, values)
    if (counted := counted_bits(name, values)) is not None:
        return counted
    if name == "clamp" and len(values) == 3:
        value, low, high = values
        return Conditional(Binary("<", value, low), low, Conditional(Binary("<", high, value), high, value))
    what_helps = "define it in the same file as a function of scalars"
    if function.type == "field_expression":
        what_helps = (
            "functions of structs are taken where the struct is in the same file, without bases and virtual functions"
        )
    raise refuse(f"call of the unknown function '{name}'", line, what_helps)


def _limit(context: Context, name: str, line: int) -> Expression:
    parts = re.fullmatch(r"std::numeric_limits\s*<(.*)>::(\w+)", name)
    if parts is None:
        raise refuse(f"'{name}'", line)
    of, what = parts.groups()
    type_name = context.type_name(of, line, "a limit")
    found = limit(type_name, what)
    if found is None:
        raise refuse(f"'{name}'", line)
    return found


def default_arguments(context: Context, name: str, scope: Scope) -> Defaults:
    """The defaults of a helper's parameters, from its definition and from declarations before it. Empty where it has none.

    A default that is no expression over the file's constants is None: an error only if a call needs it.
    """
    found: dict[int, Expression] = {}
    count = 0
    for node in context.source.walk():
        declared = node.child_by_field_name("declarator") if node.type == "function_declarator" else None
        if declared is None or context.source.text(declared) != name:
            continue
        parameters = parameters_of(node)
        for place, parameter in enumerate(parameters):
            value = parameter.child_by_field_name("default_value")
            count = max(count, place + 1)
            if value is None:
                continue
            try:
                found[place] = context.read(value, scope)
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
