"""Expressions of tree-sitter's C++ syntax tree to those of the IR."""

import re
import textwrap
from collections.abc import Callable

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import FALSE, TRUE, ZERO, Binary, Cast, Conditional, Expression, Number, Unary
from regrapht.transform.ir.names import refuse
from regrapht.transform.reader.bound_values import computed, element, indexed, operators
from regrapht.transform.reader.byte_counts import size_of
from regrapht.transform.reader.call_expressions import read_call
from regrapht.transform.reader.callees import parts_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.limits import macro
from regrapht.transform.reader.pointers import begins_with_pointer
from regrapht.transform.reader.ranges import extreme_value
from regrapht.transform.reader.scope import Pointer, Record, Scope, Spent
from regrapht.transform.reader.side_effects import assigned, both, conditional, increment
from regrapht.transform.reader.struct_values import field_value
from regrapht.transform.reader.syntax import SyntaxNode

_OF_PLACES = ("-", "==", "!=", "<", "<=", ">", ">=")


def read_condition(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    """An expression of which only the truth counts: a pointer is true, because it is never null."""
    is_pointer = node.type == "identifier" and isinstance(scope.find(context.source.text(node)), Pointer)
    return TRUE if is_pointer and context.pointer(node, scope) is not None else context.read(node, scope)


def read_expression(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    """The expression at `node`.

    Raises:
        CannotTransform: It has a side effect, or is of a kind that the engine does not take.
    """
    read = _READERS.get(node.type)
    if read is None:
        raise _not_taken(context, node)
    return read(context, node, scope)


def _not_taken(context: Context, node: SyntaxNode) -> CannotTransform:
    """What refuses an expression for its kind, in one line."""
    text = textwrap.shorten(context.source.text(node), 80, placeholder=" ...")
    return refuse(f"expression '{text}' ({node.type.replace('_', ' ')})", context.source.line(node))


def _number(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    text = context.source.text(node)
    if text[0] in "+-":  # tree-sitter takes a sign before a literal as part of it
        return Unary(text[0], _literal(text[1:].strip())) if text[0] == "-" else _literal(text[1:].strip())
    return _literal(text)


def _literal(text: str) -> Number:
    digits = text.replace("'", "")
    whole = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)", digits)
    return Number(digits, int(whole[1], 0) if whole and not re.fullmatch(r"0\d+", whole[1]) else None)


def _truth(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    return Number(context.source.text(node), int(node.type == "true"))


def _character(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    text = context.source.text(node)
    return Number(text, ord(text[1]) if len(text) == 3 else None)


def _identifier(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    name, line = context.source.text(node), context.source.line(node)
    found = scope.find(name)
    if isinstance(found, Pointer):
        raise refuse(f"the pointer '{name}' is used as a value", line, "index it instead")
    if isinstance(found, Record):
        raise refuse(f"the struct '{name}' is used as a value", line, "use its fields")
    if isinstance(found, Spent):
        raise refuse(f"'{name}' is read after the loop that counts it", line, "keep the value in a variable of its own")
    if found is None:
        if (known := macro(name)) is not None:
            return known
        raise refuse(f"'{name}' is no parameter, local or constant of this file", line, "pass it as a parameter")
    return found


def _qualified(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    """A constant of an enumeration, such as `Mode::FAST`."""
    parts = re.sub(r"\s+", "", context.source.text(node)).split("::")
    found = scope.find("::".join(parts[-2:]))
    if not isinstance(found, Expression):
        what = f"'{context.source.text(node)}' is no constant of an enumeration of this file"
        raise refuse(what, context.source.line(node), "give it a name of its own")
    return found


def _field(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    found = field_value(context, node, scope)
    if found is None or isinstance(found, Pointer | Spent | Record):
        what = f"'{context.source.text(node)}' is no scalar field of a plain struct"
        raise refuse(what, context.source.line(node), "structs of numbers and of arrays of constant length are taken")
    return found


def _parenthesised(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    return context.read(node.named_children[0], scope)


def _binary(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    written = context.source.text(node.child_by_field_name("operator"))
    operator = {"and": "&&", "or": "||"}.get(written, written)
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    if operator in _OF_PLACES and all(begins_with_pointer(context, side, scope) for side in sides):
        return _places(context, operator, sides, scope, node)
    if operator in ("==", "!=") and (same := _same_place(context, sides, scope)) is not None:
        return TRUE if same == (operator == "==") else FALSE
    if operators(context, operator):
        value = computed(context, node, scope)
        if not isinstance(value, Expression):
            raise refuse(f"the struct '{context.source.text(node)}' is used as a value", context.source.line(node))
        return value
    if operator not in ("&&", "||"):
        return Binary(operator, context.read(sides[0], scope), context.read(sides[1], scope))
    left = read_condition(context, sides[0], scope)
    if left in (TRUE, FALSE):
        return read_condition(context, sides[1], scope) if (left == TRUE) == (operator == "&&") else left
    if not context.takes_effects:
        return Binary(operator, left, read_condition(context, sides[1], scope))
    return both(context, operator, left, lambda: read_condition(context, sides[1], scope), node)


def _places(context: Context, operator: str, sides: list[SyntaxNode], scope: Scope, node: SyntaxNode) -> Expression:
    """A comparison of two places in one array, or the distance between them."""
    line, (first, second) = context.source.line(node), (context.pointer(side, scope) for side in sides)
    if first is None or second is None:
        raise refuse(f"'{context.source.text(node)}'", line, "index the arrays")
    if (first.array, first.prefix) != (second.array, second.prefix):
        if operator in ("==", "!="):
            return FALSE if operator == "==" else TRUE
        raise refuse(f"'{context.source.text(node)}' of two arrays", line, "index the arrays")
    one, other = first.offset or ZERO, second.offset or ZERO
    if operator in ("==", "!=") and one == other:
        return TRUE if operator == "==" else FALSE
    return one if operator == "-" and other == ZERO else Binary(operator, one, other)


def _same_place(context: Context, sides: list[SyntaxNode], scope: Scope) -> bool | None:
    """Whether two names point to the same array; None where they are no such pointers."""
    named = [side for side in sides if side.type == "identifier"]
    if len(named) == 1 and any(side.type == "null" for side in sides):
        return False if context.pointer(named[0], scope) is not None else None
    if len(named) < 2:
        return None
    first, second = (context.pointer(side, scope) for side in sides)
    if first is None or second is None or first.offset is not None or second.offset is not None:
        return None
    return first == second


def _increment(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    if not context.takes_effects:
        raise refuse(f"'{context.source.text(node)}' inside an expression", context.source.line(node))
    value = increment(context, node, scope)
    if isinstance(value, Pointer):
        raise refuse(f"the pointer '{context.source.text(node)}' is used as a value", context.source.line(node))
    return value


def _assignment(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    if not context.takes_effects:
        raise refuse(f"'{context.source.text(node)}' inside an expression", context.source.line(node))
    return assigned(context, node, scope)


def _unary(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    operator = context.source.text(node.child_by_field_name("operator"))
    if operator in ("!", "not"):
        value = read_condition(context, node.child_by_field_name("argument"), scope)
        return FALSE if value == TRUE else TRUE if value == FALSE else Unary("!", value)
    return Unary({"not": "!"}.get(operator, operator), context.read(node.child_by_field_name("argument"), scope))


def _dereference(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    if context.takes_effects and context.source.text(node)[0] == "*":
        found = extreme_value(context, node, scope)
        if found is not None:
            return found
    place = (
        context.pointer(node.child_by_field_name("argument"), scope) if context.source.text(node)[0] == "*" else None
    )
    if place is None:
        raise refuse(f"'{context.source.text(node)}' is no place in an array", context.source.line(node))
    return element(context, place.subscripted(ZERO), node)


def _subscript(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    place = context.pointer(node, scope)
    if place is None and (value := indexed(context, node, scope)) is not None:
        return value
    if place is None:
        raise refuse(f"'{context.source.text(node)}' is no array of plain numbers", context.source.line(node))
    return element(context, place, node)


def _conditional(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
    condition = context.read(parts[0], scope)
    if not context.takes_effects:
        return Conditional(condition, context.read(parts[1], scope), context.read(parts[2], scope))
    reads = (lambda: context.read(parts[1], scope)), (lambda: context.read(parts[2], scope))
    return conditional(context, condition, reads, node)


def _cast(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    written, line = context.source.text(node.child_by_field_name("type")), context.source.line(node)
    if scope.find(written) is not None:
        raise refuse(f"'{written}' is a type and a variable of this file", line, "give the variable another name")
    to = context.type_name(written, line, "a cast")
    return Cast(to, context.read(node.child_by_field_name("value"), scope))


def _size_of(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    size = size_of(context, node, scope)
    if size is None:
        raise refuse(f"'{context.source.text(node)}'", context.source.line(node), "write the number of bytes")
    return Number(f"{size}ull", size)


def _given(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    """What a variable is declared with, as in `int i{n}`, `int i = {n}`, `int i(n)` and `int i{}`."""
    values = parts_of(node)
    if len(values) > 1:
        raise _not_taken(context, node)
    return context.read(values[0], scope) if values else ZERO


def _listed(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    """`float{x}` and `T{}`."""
    written, line = context.source.text(node.child_by_field_name("type")), context.source.line(node)
    if context.structs.named(written, context.aliases) is not None:
        raise refuse(f"the struct '{context.source.text(node)}' is used as a value", line, "use its fields")
    given = parts_of(node.child_by_field_name("value"))
    if len(given) > 1:
        raise refuse(f"'{context.source.text(node)}'", line, "one value makes a number")
    value = context.read(given[0], scope) if given else ZERO
    return Cast(context.type_name(written, line, f"'{context.source.text(node)}'"), value)


_READERS: dict[str, Callable[[Context, SyntaxNode, Scope], Expression]] = {
    "number_literal": _number,
    "char_literal": _character,
    "true": _truth,
    "false": _truth,
    "identifier": _identifier,
    "qualified_identifier": _qualified,
    "parenthesized_expression": _parenthesised,
    "field_expression": _field,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "pointer_expression": _dereference,
    "subscript_expression": _subscript,
    "conditional_expression": _conditional,
    "cast_expression": _cast,
    "sizeof_expression": _size_of,
    "call_expression": read_call,
    "compound_literal_expression": _listed,
    "initializer_list": _given,
    "argument_list": _given,
    "update_expression": _increment,
    "assignment_expression": _assignment,
}
