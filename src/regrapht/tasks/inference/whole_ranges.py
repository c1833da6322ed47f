"""How wide the numbers of a plain integer array may be: as its type, where nothing that is done with them can overflow or be cut short.

A guess from the text alone: every use of an element is followed, through the variables that take it, to where it ends. Samples that are
compared with constants, shifted and masked get all values of their type; what is added up, multiplied or compared with other data stays
small, of both signs; what shifts, divides, counts turns or is handed to a function that is not known here stays from 0 up.
"""

from enum import IntEnum
from typing import TYPE_CHECKING

from regrapht.records.element import ScalarType
from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.accesses.accesses import Reading
from regrapht.tasks.inference.accesses.modes import Mode

if TYPE_CHECKING:
    from tree_sitter import Node

_SMALL_END = 100
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_BITWISE = ("&", "|", "^", "&&", "||", ">>")
_SELECTING = frozenset({"min", "max", "abs", "labs", "llabs", "fmin", "fmax", "fminf", "fmaxf", "clamp"})
_THROUGH = ("parenthesized_expression", "cast_expression", "comma_expression")
_LITERALS = ("number_literal", "char_literal")


class Care(IntEnum):
    """What the uses of an array's elements can take, from everything down."""

    ANYTHING = 0
    SMALL = 1
    NOT_NEGATIVE = 2


def whole_range(array: str, dtype: ScalarType, reading: Reading) -> tuple[int, int]:
    """From where to below where the elements of an input of integers are drawn, that are no subscripts."""
    signed, bits = dtype.kind == "int", 8 * dtype.size_bytes
    care = care_of(array, reading)
    if not signed and bits == 8:
        return 0, 256
    if care is Care.NOT_NEGATIVE:
        return 0, _SMALL_END
    if bits == 8 or (care is Care.ANYTHING and bits == 16):
        return (-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else (0, 2**bits)
    if care is Care.SMALL:
        return (-_SMALL_END if signed else 0), _SMALL_END
    return (-(2 ** (bits - 2)), 2 ** (bits - 2)) if signed else (0, 2**bits)  # differences of signed ones fit


def care_of(array: str, reading: Reading) -> Care:
    """The strictest that any use of an element asks for."""
    accesses = [access for access in reading.accesses if access.array == array and access.mode is not Mode.WRITE]
    if any(access.mode is not Mode.READ for access in accesses):
        return Care.NOT_NEGATIVE
    waiting = [access.node for access in accesses]
    if not waiting:
        return Care.NOT_NEGATIVE
    followed: set[tuple[int, str]] = set()
    care = Care.ANYTHING
    while waiting:
        node = waiting.pop()
        use, variable = _end_of(node)
        care = max(care, use)
        body = _function_around(node)
        if variable and (body.start_byte, variable) not in followed:
            followed.add((body.start_byte, variable))
            waiting += [one for one in walk(body) if one.type == "identifier" and text_of(one) == variable]
    return care


def _function_around(node: "Node") -> "Node":
    """Of a helper or a kernel, where the element is used there."""
    while node.type != "function_definition" and node.parent is not None:
        node = node.parent
    return node


def _end_of(node: "Node") -> tuple[Care, str]:
    """What the use of a value asks for, and the variable that takes it, if one does."""
    care, inside, outer = Care.ANYTHING, node, node.parent
    while outer is not None:
        kind = outer.type
        if kind in _THROUGH:
            pass
        elif kind == "unary_expression":
            if text_of(outer.children[0]) == "!":
                return care, ""
        elif kind == "conditional_expression":
            if outer.child_by_field_name("condition") == inside:
                return care, ""
        elif kind == "binary_expression":
            needed, ends = _of_operator(outer, inside)
            care = max(care, needed)
            if ends:
                return care, ""
        elif kind == "argument_list" and outer.parent is not None and outer.parent.type == "call_expression":
            called = outer.parent.child_by_field_name("function")
            if called is None or text_of(called).rpartition("::")[2] not in _SELECTING:
                return Care.NOT_NEGATIVE, ""
            outer = outer.parent
        else:
            needed, variable = _of_statement(outer, inside)
            return max(care, needed), variable
        inside, outer = outer, outer.parent
    return care, ""


def _of_operator(outer: "Node", inside: "Node") -> tuple[Care, bool]:
    """What an operand of a binary operator must be, and whether its value ends there."""
    operator, is_right = text_of(outer.children[1]), outer.children[2] == inside
    other = outer.children[0] if is_right else outer.children[2]
    plain = _is_constant(other)
    if operator in _COMPARISONS:
        turns = outer.parent is not None and outer.parent.type == "for_statement"
        return (Care.ANYTHING if plain else Care.NOT_NEGATIVE if turns else Care.SMALL), True
    if operator in ("&&", "||"):
        return Care.ANYTHING, True
    if operator == "<<" or (is_right and operator in (">>", "/", "%")):
        return Care.NOT_NEGATIVE, False
    if operator in _BITWISE or operator in ("/", "%"):
        return Care.ANYTHING, False
    if operator in ("+", "-"):
        return (Care.ANYTHING if plain else Care.SMALL), False
    return Care.SMALL, False


def _of_statement(outer: "Node", inside: "Node") -> tuple[Care, str]:
    if outer.type == "init_declarator":
        return Care.ANYTHING, text_of(outer.child_by_field_name("declarator") or outer.children[0]).strip("& ")
    if outer.type == "assignment_expression":
        target, operator = outer.children[0], text_of(outer.children[1])
        if target == inside:  # the variable itself is set or changed
            kept = (
                operator == "="
                or operator in ("&=", "|=", "^=")
                or (operator in (">>=", "/=") and _is_constant(outer.children[2]))
            )
            return (Care.ANYTHING if kept else Care.SMALL), ""
        taken = text_of(target) if target.type == "identifier" else ""
        if operator in ("=", "&=", "|=", "^="):
            return Care.ANYTHING, taken
        return (Care.SMALL if operator in ("+=", "-=", "*=") else Care.NOT_NEGATIVE), taken
    if outer.type in ("expression_statement", "return_statement", "condition_clause", "if_statement"):
        return Care.ANYTHING, ""
    if outer.type == "update_expression":
        return Care.SMALL, ""
    return Care.NOT_NEGATIVE, ""


def _is_constant(node: "Node") -> bool:
    inner = node
    while inner.type in (*_THROUGH, "unary_expression") and inner.named_children:
        inner = inner.named_children[-1]
    return inner.type in _LITERALS
