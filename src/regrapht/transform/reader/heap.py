"""Memory from `malloc`, `calloc`, `new[]` and `std::make_unique`: buffers as those of vectors are, whatever frees them.

A buffer lives for the whole call. What it holds before the source writes it is nobody's business, but for `calloc`, `new T[n]()` and
`make_unique`, which set it to zero. A pointer to it is never null.
"""

import re
from dataclasses import dataclass

from regrapht.source.library_calls import MAKES_ARRAY, MEMORY_CALLS
from regrapht.transform.ir.expressions import ZERO, Expression, Variable, integer
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Allocate, Declare, Statement
from regrapht.transform.reader.byte_counts import element_count
from regrapht.transform.reader.callees import arguments_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.ranges import filled
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SyntaxNode

_OWNER = re.compile(r"(?:std\s*::\s*)?(?:unique|shared)_ptr\s*<\s*(.+?)\s*\[\s*\]\s*>", re.S)
_CASTS = re.compile(r"(?:static|reinterpret)_cast\s*<\s*(.+?)\s*\*\s*>", re.S)
_FREES = ("free", "std::free", "::free")


@dataclass(frozen=True, slots=True)
class _Memory:
    """One expression that makes memory."""

    type: str | None
    """The text of the elements' type, where the expression says it."""
    sizes: tuple[SyntaxNode, ...]
    """What multiplies to its size: in bytes where `in_bytes`, else in elements."""
    in_bytes: bool
    is_zero: bool


def owner_type(type_text: str) -> str | None:
    """The elements' type of `std::unique_ptr<T[]>`; None for other types."""
    found = _OWNER.fullmatch(type_text.removeprefix("const ").strip())
    return None if found is None else found[1]


def heap_local(
    context: Context, node: SyntaxNode, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement] | None:
    """The declaration of a pointer to new memory, or of a `std::unique_ptr`; None for others.

    Raises:
        CannotTransform: Its elements are no plain numbers, or its size is none of elements.
    """
    type_text = context.source.text(node.child_by_field_name("type"))
    owned = owner_type(type_text)
    if value is not None and owned is not None and value.type in ("argument_list", "initializer_list"):
        value = value.named_children[0] if value.named_children else None
    if owned is not None and value is None and declarator.type == "identifier":
        scope.names[context.source.text(declarator)] = unset(owned)
        return []
    memory = None if value is None else _memory(context, value)
    if memory is None or (
        declarator.type == "pointer_declarator" and declarator.named_children[-1].type != "identifier"
    ):
        return None
    if declarator.type == "identifier" and owned is None and type_text != "auto":
        return None
    target = declarator if declarator.type == "identifier" else declarator.named_children[-1]
    told = owned or (type_text if type_text != "auto" else None)
    return _made(context, context.source.text(target), told, memory, scope, context.source.line(node))


def heap_assignment(
    context: Context, name: str, bound: Pointer, value: SyntaxNode, scope: Scope
) -> list[Statement] | None:
    """`p = (float*)malloc(...)` for a pointer that was declared before; None for other values."""
    memory = _memory(context, value)
    if memory is None:
        return None
    inside = scope.inner()
    told = bound.unset or context.types.get(bound.array)
    out = _made(context, name, told, memory, inside, context.source.line(value))
    scope.rebind(name, inside.names[name])
    return out


def variable_array(
    context: Context, type_text: str, declarator: SyntaxNode, value: SyntaxNode | None, scope: Scope
) -> list[Statement] | None:
    """`float row[n]`, whose length is no constant; None for other declarations."""
    if declarator.type != "array_declarator" or value is not None:
        return None
    inner, size = (declarator.child_by_field_name(name) for name in ("declarator", "size"))
    if inner.type != "identifier" or size is None or integer(context.read(size, scope)) is not None:
        return None
    memory = _Memory(type_text, (size,), in_bytes=False, is_zero=False)
    return _made(context, context.source.text(inner), None, memory, scope, context.source.line(declarator))


def unset(type_text: str) -> Pointer:
    """A pointer that points nowhere yet."""
    return Pointer("", unset=type_text)


def is_free(context: Context, node: SyntaxNode, scope: Scope) -> bool:
    """Whether a call or `delete` gives memory back that the function made: it lives until the call ends."""
    if node.type == "delete_expression":
        given = node.named_children
    elif context.source.text(node.child_by_field_name("function")) in _FREES:
        given = node.child_by_field_name("arguments").named_children
    else:
        return False
    place = context.pointer(given[0], scope) if len(given) == 1 else None
    if place is None or place.array not in context.names.buffers:
        what = context.source.text(node)
        raise refuse(
            f"'{what}' frees what the function did not make", context.source.line(node), "leave it to the caller"
        )
    return True


def _memory(context: Context, node: SyntaxNode) -> _Memory | None:
    """What makes memory, and of which type; None for other expressions."""
    source = context.source
    if node.type == "parenthesized_expression":
        return _memory(context, node.named_children[0])
    if node.type == "cast_expression":
        inner, text = _memory(context, node.child_by_field_name("value")), source.text(node.child_by_field_name("type"))
        return inner and _Memory(text.removesuffix("*").strip(), inner.sizes, inner.in_bytes, inner.is_zero)
    if node.type == "new_expression":
        declarator = node.child_by_field_name("declarator")
        if declarator is None or declarator.child_by_field_name("length") is None or len(declarator.named_children) > 1:
            return None
        is_zero = node.child_by_field_name("arguments") is not None
        length = declarator.child_by_field_name("length")
        return _Memory(source.text(node.child_by_field_name("type")), (length,), False, is_zero)
    if node.type != "call_expression":
        return None
    name = source.text(node.child_by_field_name("function"))
    given = arguments_of(node)
    if (cast := _CASTS.fullmatch(name)) and len(given) == 1:
        inner = _memory(context, given[0])
        return inner and _Memory(cast[1], inner.sizes, inner.in_bytes, inner.is_zero)
    if (made := MAKES_ARRAY.fullmatch(name)) and len(given) == 1:
        return _Memory(made[2], tuple(given), False, not made[1])
    plain = name.removeprefix("std::").removeprefix("::")
    if plain in MEMORY_CALLS and len(given) == MEMORY_CALLS[plain] and not context.inlines(plain):
        return _Memory(None, tuple(given[-1:] if plain == "aligned_alloc" else given), True, plain == "calloc")
    return None


def _made(
    context: Context, written: str, told: str | None, memory: _Memory, scope: Scope, line: int
) -> list[Statement]:
    elements = told or memory.type
    if elements is None:
        raise refuse(f"memory for '{written}' without a type", line, "cast it to a pointer to its elements")
    type_name = context.type_name(elements, line, f"the elements of '{written}'")
    name = context.fresh(written, type_name)
    context.names.buffers[name] = None
    place = scope.names[written] = Pointer(name)
    length: Expression
    before: list[Statement] = []
    if memory.in_bytes:
        length = element_count(context, memory.sizes, place, scope)
    else:
        before, length = context.value(memory.sizes[0], scope)
    keeping, length = kept_length(context, name, length, line)
    context.names.buffers[name] = length
    filling: list[Statement] = [filled(context, place, length, ZERO, line)] if memory.is_zero else []
    return [*before, *keeping, Allocate(type_name, name, length, line), *filling]


def kept_length(context: Context, array: str, length: Expression, line: int) -> tuple[list[Statement], Expression]:
    """The length that new memory has for as long as it lives: a local of its own where names in it get other values."""
    if context.stays(length):
        return [], length
    name = context.fresh(f"{array}_length", "long long")
    return [Declare("long long", name, length, line)], Variable(name)
