"""How many elements so many bytes are: `n * sizeof(float)`, or a local that was set to that."""

from collections.abc import Sequence
from dataclasses import replace

from regrapht.transform.ir.expressions import ONE, Binary, Expression
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical, size_bytes
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SourceText, SyntaxNode


def is_of_bytes(source: SourceText, value: SyntaxNode) -> bool:
    """Whether an expression has a `sizeof`."""
    return any(node.type == "sizeof_expression" for node in source.walk(value))


def element_count(context: Context, sizes: Sequence[SyntaxNode], place: Pointer, scope: Scope) -> Expression:
    """The number of elements behind `place` that the product of `sizes` is in bytes.

    Raises:
        CannotTransform: The bytes are no multiple of the size of an element, as far as their text shows.
    """
    size, others = size_bytes(context.types[place.array]), list[Expression]()
    told: list[int | None] = []
    for node in sizes:
        _factors(context, node, scope, others, told)
    if told != [size] and not (told == [] and size == 1):
        text = " * ".join(map(context.source.text, sizes))
        raise refuse(f"'{text}' bytes of '{place.array}'", context.source.line(sizes[0]), "write n * sizeof(element)")
    count: Expression = others[0] if others else ONE
    for other in others[1:]:
        count = Binary("*", count, other)
    return count


def _factors(
    context: Context, node: SyntaxNode, scope: Scope, others: list[Expression], told: list[int | None]
) -> None:
    """Add the factors of a product: those that are a size of a type to `told`, the others to `others`."""
    source = context.source
    if node.type == "sizeof_expression":
        told.append(size_of(context, node, scope))
        return
    if node.type == "binary_expression" and node.child_by_field_name("operator").type == "*":
        for side in ("left", "right"):
            _factors(context, node.child_by_field_name(side), scope, others, told)
        return
    inner = node.named_children[-1] if node.type in ("parenthesized_expression", "cast_expression") else None
    if inner is not None and is_of_bytes(source, inner):
        _factors(context, inner, scope, others, told)
        return
    kept = context.bytes.get(getattr(scope.find(source.text(node)), "name", "")) if node.type == "identifier" else None
    if kept is not None:
        inside = replace(context.without_effects(kept.source), types=context.types)
        _factors(inside, kept.value, kept.scope, others, told)
        return
    others.append(context.read(node, scope))


def size_of(context: Context, node: SyntaxNode, scope: Scope) -> int | None:
    """The bytes of `sizeof(type)`, `sizeof *array` or `sizeof(array[0])`; None for others."""
    source, named = context.source, node.child_by_field_name("type")
    if named is not None:
        known = canonical(source.text(named), context.aliases)
        return None if known is None else size_bytes(known)
    value = node.child_by_field_name("value")
    while value.type == "parenthesized_expression":
        value = value.named_children[0]
    if value.type not in ("pointer_expression", "subscript_expression"):
        name = source.text(value)
        known = canonical(name, context.aliases) if scope.find(name) is None else None
        return None if known is None else size_bytes(known)
    place = context.pointer(value.child_by_field_name("argument"), scope)
    if place is None or len(place.prefix) != place.rank - 1 or place.array not in context.types:
        return None
    return size_bytes(context.types[place.array])
