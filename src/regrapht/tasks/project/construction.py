"""How an object of a function is made where it is declared: field by field, through lists, copies and constructors that only set fields."""

import re
from collections.abc import Iterator
from typing import Any

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import bracketed, through
from regrapht.tasks.project.paths import Paths, Scope
from regrapht.tasks.project.places import Path, Refused, bare
from regrapht.tasks.project.struct_values import is_implicit

Made = tuple[Cursor, "Cursor | Path | None", Scope]
"""A field; the expression that it is made of, the whole object that is copied, or None; what names in the expression stand for."""
_CASTS = ("CXX_FUNCTIONAL_CAST_EXPR", "UNEXPOSED_EXPR", "CXX_STATIC_CAST_EXPR")


def constructed(paths: Paths, kind: Any, value: Cursor | None, scope: Scope, at: Cursor) -> Iterator[Made]:
    """Every field of an object of type `kind` that is declared as `value`.

    Raises:
        Refused: It is made in another way.
    """
    fields = list(kind.get_fields())
    declared = kind.get_declaration()
    if any(one.kind.name == "CXX_BASE_SPECIFIER" for one in declared.get_children()):
        raise Refused(f"returns '{kind.spelling}', which has a base class", at, "return a struct without one")
    node = _inside(value) if value is not None else None
    if node is None:
        yield from ((one, _default(one), scope) for one in fields)
    elif node.kind.name == "INIT_LIST_EXPR":
        listed = list(node.get_children())
        for number, one in enumerate(fields):
            yield one, listed[number] if number < len(listed) else _default(one), scope
    elif (whole := paths.path(node, scope)) is not None and bare(whole.type).spelling.removeprefix(
        "const "
    ) == kind.spelling:
        yield from ((one, whole, scope) for one in fields)
    elif node.kind.name == "CALL_EXPR" and node.referenced is not None and node.referenced.kind.name == "CONSTRUCTOR":
        yield from _by_constructor(paths, fields, node, scope, kind, at)
    else:
        raise _unknown(kind, at)


def _by_constructor(
    paths: Paths, fields: list[Cursor], call: Cursor, scope: Scope, kind: Any, at: Cursor
) -> Iterator[Made]:
    given = [one for one in call.get_arguments() or () if paths.unit.source(one)]
    constructor = call.referenced
    own = paths.unit.is_own(constructor) and not is_implicit(constructor)
    body = constructor.get_definition() if own else None
    if body is None or not any(one.kind.name == "COMPOUND_STMT" for one in body.get_children()):
        # the compiler's own: of nothing, or a copy
        if len(given) > 1:
            raise _unknown(kind, at)
        yield from constructed(paths, kind, given[0] if given else None, scope, at)
        return
    children = list(body.get_children())
    if list(children[-1].get_children()):
        raise Refused(
            f"makes '{kind.spelling}' by a constructor that does more than to set fields", at, "set them after"
        )
    inner = Scope(used=scope.used, inlined=True)
    for number, parameter in enumerate(body.get_arguments()):
        if number >= len(given):
            default = next((one for one in parameter.get_children() if one.kind.is_expression()), None)
            if default is None:
                raise _unknown(kind, at)
            inner.values[parameter.get_usr()] = bracketed(_of_this_kind(paths.text(default, scope), kind))
            continue
        known = paths.path(given[number], scope)
        inner.values[parameter.get_usr()] = known or bracketed(paths.text(given[number], scope))
    set_by = {
        one.referenced.get_usr(): children[number + 1]
        for number, one in enumerate(children[:-1])
        if one.kind.name == "MEMBER_REF" and children[number + 1].kind.is_expression()
    }
    for one in fields:
        if one.get_usr() in set_by:
            yield one, set_by[one.get_usr()], inner
        else:
            yield one, _default(one), scope


def _of_this_kind(text: str, kind: Any) -> str:
    """A default of a class template's constructor (`T value = T{}`), with the types that this object's class has for its parameters."""
    declared = kind.get_declaration()
    template = declared.specialized_template
    parameters = [one for one in template.get_children() if one.kind.name.startswith("TEMPLATE_")] if template else []
    for number, one in enumerate(parameters):
        if one.kind.name == "TEMPLATE_TYPE_PARAMETER":
            given = kind.get_template_argument_type(number).get_canonical().spelling
            text = re.sub(rf"\b{re.escape(one.spelling)}\b", given, text)
    return text


def _default(member: Cursor) -> Cursor | None:
    return next((one for one in reversed(list(member.get_children())) if one.kind.is_expression()), None)


def _inside(value: Cursor) -> Cursor:
    """What stands in casts and in copies that the compiler leaves out."""
    node = through(value)
    while node.kind.name in _CASTS:
        inner = [one for one in node.get_children() if one.kind.is_expression()]
        if len(inner) != 1:
            return node
        node = through(inner[0])
    return node


def _unknown(kind: Any, at: Cursor) -> Refused:
    return Refused(
        f"makes the '{kind.spelling}' that it returns in a way that is not followed", at,
        "declare it empty, and give its fields values and lengths after",
    )  # fmt: skip
