"""Local arrays: plain ones with their initial values, and `std::array`, whose name is a value. One that never changes is a table."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import prod

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Call,
    Element,
    Expression,
    Variable,
    integer,
    number,
    walk,
)
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Assign, Constant, Declare, For, Statement, Update
from regrapht.transform.reader.callees import parts_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.ranges import copied
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.side_effects import in_order
from regrapht.transform.reader.syntax import SyntaxNode

_ARRAY = re.compile(r"(?:std\s*::\s*)?array\s*<(.*),([^,]*)>", re.S)


def local_array(
    context: Context, node: SyntaxNode, local: Declare, value: SyntaxNode | None, scope: Scope
) -> list[Statement]:
    """A local array under its written name; a constant one with an initialiser becomes a table of the program."""
    local = replace(local, name=context.names.unique(written := local.name))
    context.types[local.name] = local.type
    context.lengths[local.name] = local.lengths
    words = {context.source.text(c) for c in node.children if c.type == "type_qualifier"}
    if value is None:
        scope.names[written] = Pointer(local.name, len(local.lengths))
        return [local]
    if value.type != "initializer_list":
        raise refuse(f"local array '{written}' set to '{context.source.text(value)}'", local.line, "fill it in a loop")
    if not words & {"const", "constexpr"} or not _all_constant(context, value, scope):
        return _filled_array(context, written, local, value, scope)
    scope.names[written] = Pointer(local.name, len(local.lengths))
    inside = "".join(f"[{length}]" for length in local.lengths)
    text = f"__constant__ const {local.type} {local.name}{inside} = {context.source.text(value)};"
    context.tables.append(Constant(name=local.name, text=text, type=local.type, lengths=local.lengths))
    return []


def _all_constant(context: Context, values: SyntaxNode, scope: Scope) -> bool:
    for value in values.named_children:
        if value.type == "initializer_list":
            if not _all_constant(context, value, scope):
                return False
        elif any(isinstance(part, Variable | Element | Call) for part in walk(context.read(value, scope))):
            return False
    return True


def _filled_array(context: Context, written: str, local: Declare, value: SyntaxNode, scope: Scope) -> list[Statement]:
    """A local array with its initialiser as statements.

    Raises:
        CannotTransform: A list of values has another nesting than the array.
    """
    given = _placed(value, len(local.lengths))
    if given is None:
        raise refuse(f"local array '{written}' with nested values", local.line, "fill it in a loop")
    reads = [partial(context.read, node, scope) for _, node in given]
    before, read = in_order(context, list(reads), local.line)
    scope.names[written] = Pointer(local.name, len(local.lengths))
    out: list[Statement] = [*before, local]
    flat = len(local.lengths) == 1
    if not flat and len(given) < prod(local.lengths):
        out.append(_zeros(context, local, ()))
    for (place, _), one in zip(given, read, strict=True):
        out.append(Assign(Element(local.name, tuple(map(number, place))), one, local.line))
    if flat and len(given) < local.lengths[0]:
        out.append(_zeros(context, local, (), first=len(given)))
    return out


def depth_of(value: SyntaxNode) -> int:
    """How deep lists of values are nested; 0 for what is none."""
    if value.type != "initializer_list":
        return 0
    return 1 + max((depth_of(child) for child in value.named_children), default=0)


def unwrapped(value: SyntaxNode, rank: int) -> SyntaxNode:
    """The list of values without the second pair of brackets that `{{1, 2, 3}}` may have for a `std::array`."""
    inside = parts_of(value)
    return inside[0] if len(inside) == 1 and depth_of(value) > rank else value


def _placed(value: SyntaxNode, rank: int) -> list[tuple[tuple[int, ...], SyntaxNode]] | None:
    """The values with their places; None where one stands at another depth than `rank`."""
    out: list[tuple[tuple[int, ...], SyntaxNode]] = []
    for position, child in enumerate(child for child in value.named_children if child.type != "comment"):
        if (child.type == "initializer_list") != (rank > 1):
            return None
        inner = [((), child)] if rank == 1 else _placed(child, rank - 1)
        if inner is None:
            return None
        out += [((position, *place), node) for place, node in inner]
    return out


def _zeros(context: Context, local: Declare, outer: tuple[Expression, ...], *, first: int = 0) -> For:
    """The loops that set the elements under `outer` to zero, from the place `first` on."""
    counter = context.fresh("rest", "int")
    target, length = Variable(counter), local.lengths[len(outer)]
    places = (*outer, target)
    last = len(places) == len(local.lengths)
    body: list[Statement] = [
        Assign(Element(local.name, places), ZERO, local.line) if last else _zeros(context, local, places)
    ]
    advance = Update(target, "+", ONE, local.line)
    below = Binary("<", target, number(length))
    return For(counter, "int", number(first), below, 1, advance, body, local.line)


def array_type(context: Context, type_text: str, scope: Scope, line: int) -> tuple[str, tuple[int, ...]] | None:
    """The type of the elements and the lengths of a `std::array`, of arrays too; None for other types.

    Raises:
        CannotTransform: A length is no known number, or the elements are no plain numbers.
    """
    found = array_parts(type_text, context.aliases)
    if found is None:
        return None
    length = integer(context.read_text(found[1], line, scope))
    if length is None:
        raise refuse(f"the length of '{type_text}'", line, "give it a constant length")
    inner = array_type(context, found[0], scope, line)
    if inner is not None:
        return inner[0], (length, *inner[1])
    return context.type_name(found[0], line, f"the elements of '{type_text}'"), (length,)


def array_parts(type_text: str, aliases: Mapping[str, str]) -> tuple[str, str] | None:
    """The texts of the elements' type and of the length; None for other types."""
    words = re.sub(r"^(?:(?:const|constexpr|static)\s+)+", "", type_text.strip())
    found = _ARRAY.fullmatch(aliases.get(words, words).strip())
    return None if found is None else (found[1].strip(), found[2].strip())


def array_local(
    context: Context, node: SyntaxNode, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement] | None:
    """The declaration of a `std::array`; None for other types.

    Raises:
        CannotTransform: It is set to something else than values or another array of its type.
    """
    source, line = context.source, context.source.line(node)
    of = array_type(context, source.text(node.child_by_field_name("type")), scope, line)
    if (
        of is not None and declarator.type == "function_declarator"
    ):  # `std::array<float, 3> a(b);` also declares a function
        value, declarator = (declarator.child_by_field_name(name) for name in ("parameters", "declarator"))
    if of is None or declarator.type != "identifier":
        return None
    written = source.text(declarator)
    local = Declare(of[0], written, None, line, of[1])
    other = None if value is None or value.type == "initializer_list" else _named_array(context, value, scope)
    if other is not None:
        return copy_of(context, other, written, local, scope)
    out = local_array(context, node, local, None if value is None else unwrapped(value, len(of[1])), scope)
    bound = scope.names[written]
    assert isinstance(bound, Pointer)
    scope.names[written] = replace(bound, length=number(of[1][0]))
    return out


def copy_of(context: Context, other: Pointer, written: str, local: Declare, scope: Scope) -> list[Statement]:
    """A new local array with the elements of another one.

    Raises:
        CannotTransform: The other one has another shape, or rows.
    """
    length = number(local.lengths[0])
    if len(local.lengths) != 1 or other.length != length:
        raise refuse(f"the array '{written}' is a copy", local.line, "copy its elements in loops")
    name = context.fresh(local.name, local.type)
    scope.names[written] = Pointer(name, 1, length=length)
    return [replace(local, name=name), copied(context, Pointer(other.array), Pointer(name), length, local.line)]


def _named_array(context: Context, value: SyntaxNode, scope: Scope) -> Pointer | None:
    if value.type in ("argument_list", "parameter_list") and len(value.named_children) == 1:
        value = value.named_children[0]
    found = scope.find(context.source.text(value))
    return found if isinstance(found, Pointer) and found.length is not None else None
