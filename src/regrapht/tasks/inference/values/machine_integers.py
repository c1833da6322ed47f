"""What C++'s integer types make of a value: unsigned arithmetic that wraps around, casts that cut, and operations on bits."""

from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from regrapht.records.element import SCALAR_TYPES, ScalarType
from regrapht.source.c_types import scalar_type
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of
from regrapht.tasks.inference.values.bounds import ZERO, Symbols, Unbounded
from regrapht.tasks.inference.values.index_syntax import field_of, shortened, whole_number
from regrapht.tasks.inference.values.scope import Activation, find_declaration

if TYPE_CHECKING:
    from tree_sitter import Node

_STRIDES = {4: 2**24, 8: 2**47}
"""What strides stay below, by the bytes of their type: a larger factor is meant to wrap, as in a hash."""
_LONGEST_TABLE = 2**24
"""Elements that an array chosen by bits of a value of which nothing else is known may have."""
_ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^")


class Values(Protocol):
    """What is needed of `IndexValues`."""

    symbols: Symbols

    def value(self, node: "Node", at: Activation) -> Polynomial: ...
    def range_of(
        self, node: "Node", at: Activation, *, high: Polynomial, low: Polynomial | None = ZERO
    ) -> Polynomial: ...
    def element_type(self, node: "Node", at: Activation) -> str | None: ...


def integer_type(values: Values, node: "Node", at: Activation) -> ScalarType | None:
    """The type of an integer expression, by C++'s conversions; None where it is not seen."""
    match node.type:
        case "number_literal":
            return _of_literal(text_of(node).replace("'", "").lower())
        case "parenthesized_expression":
            return integer_type(values, node.named_children[0], at)
        case "cast_expression":
            return scalar_type(text_of(field_of(node, "type")), aliases=at.unit.aliases)
        case "identifier":
            return _of_name(values, node, at)
        case "unary_expression" if text_of(node.children[0]) in "+-~":
            return _promoted(integer_type(values, field_of(node, "argument"), at))
        case "binary_expression":
            left, right = (integer_type(values, field_of(node, side), at) for side in ("left", "right"))
            operator = text_of(field_of(node, "operator"))
            if operator in ("<<", ">>"):
                return _promoted(left)
            return _common(left, right) if operator in _ARITHMETIC else None
        case "call_expression" if (cast := cast_type(node, at)) is not None:
            return cast
        case "subscript_expression":
            named = values.element_type(node, at)
            return None if named is None else scalar_type(named, aliases=at.unit.aliases)
    return None


def cast_type(call: "Node", at: Activation) -> ScalarType | None:
    """The type of `static_cast<T>(x)` and `T(x)`; None for other calls."""
    called, given = text_of(field_of(call, "function")), field_of(call, "arguments").named_children
    if len(given) != 1:
        return None
    inner = called.removeprefix("static_cast<").removesuffix(">") if called.startswith("static_cast<") else called
    return scalar_type(inner, aliases=at.unit.aliases)


def _of_literal(text: str) -> ScalarType | None:
    digits = text.rstrip("ulz")
    suffix = text[len(digits) :]
    if not (digits.isdigit() or digits.startswith("0x")):
        return None
    number, is_hexadecimal = whole_number(digits), digits.startswith("0x")
    for size in (4, 8):
        if size == 4 and ("l" in suffix or "z" in suffix):
            continue
        if "u" not in suffix and number < 2 ** (8 * size - 1):
            return SCALAR_TYPES[f"int{8 * size}"]
        if ("u" in suffix or is_hexadecimal) and number < 2 ** (8 * size):
            return SCALAR_TYPES[f"uint{8 * size}"]
    return None


def _of_name(values: Values, node: "Node", at: Activation) -> ScalarType | None:
    name = text_of(node)
    declared = find_declaration(node, name, at.function)
    if declared is None:
        own = next((one for one in at.function.parameters if one.name == name and not one.pointer_depth), None)
        return None if own is None else scalar_type(own.type_text, aliases=at.unit.aliases)
    around = declared.node.child_by_field_name("initializer") if declared.is_loop else declared.node.parent
    kind = around.child_by_field_name("type") if around is not None else None
    if kind is None:
        return None
    if text_of(kind) == "auto":
        return None if declared.value is None else integer_type(values, declared.value, at)
    return scalar_type(text_of(kind), aliases=at.unit.aliases)


def _promoted(of: ScalarType | None) -> ScalarType | None:
    return SCALAR_TYPES["int32"] if of is not None and not of.is_float and of.size_bytes < 4 else of


def _common(left: ScalarType | None, right: ScalarType | None) -> ScalarType | None:
    left, right = _promoted(left), _promoted(right)
    if left is None or right is None or left.is_float or right.is_float:
        return None
    return max(left, right, key=lambda one: (one.size_bytes, one.kind == "uint"))


def converted(values: Values, node: "Node", at: Activation, value: Polynomial, to: ScalarType | None) -> Polynomial:
    """A value as the type `to` holds it: itself where it fits or is taken to, such as a place in memory; else any number of the type."""
    if to is None or to.is_float:
        return value
    number, bits = value.as_constant, 8 * to.size_bytes
    if number is not None:
        cut = number % 2**bits
        return Polynomial.constant(cut - 2**bits if to.kind == "int" and cut >= 2 ** (bits - 1) else cut)
    if to.size_bytes >= 4 and (
        to.kind == "int" or all(abs(factor) < _STRIDES[to.size_bytes] for factor in value.terms.values())
    ):
        return value
    low, high = _ends(to)
    with suppress(Unbounded):
        above, below = high - values.symbols.upper(value), values.symbols.lower(value) - low
        if above.is_never_negative() and below.is_never_negative():
            return value
    return values.range_of(node, at, high=high, low=low)


def _ends(of: ScalarType) -> tuple[Polynomial, Polynomial]:
    """The least and the largest number of a type."""
    bits = 8 * of.size_bytes
    if of.kind == "uint":
        return ZERO, Polynomial.constant(2**bits - 1)
    return Polynomial.constant(-(2 ** (bits - 1))), Polynomial.constant(2 ** (bits - 1) - 1)


def shared_part(values: Values, node: "Node", at: Activation) -> Polynomial:
    """The left side of a `>>` or `%`: an unsigned value that may have wrapped, or of which nothing is known, is any of its type.

    Raises:
        Unbounded: Nothing is known, and its type is no help: it may be negative, or an array as long as the rest has would be too large.
    """
    of = field_of(node, "left")
    kind = integer_type(values, of, at)
    is_unsigned = kind is not None and kind.kind == "uint"
    try:
        value = values.value(of, at)
    except Unbounded:
        if kind is None or not is_unsigned or not _leaves_a_table(node, 8 * kind.size_bytes):
            raise
        return values.range_of(of, at, high=_ends(kind)[1])
    if kind is None or not is_unsigned or not values.symbols.of(value):
        return value
    with suppress(Unbounded):
        if values.symbols.lower(value).is_never_negative():
            return value
    if not _leaves_a_table(node, 8 * kind.size_bytes):
        return value
    return values.range_of(of, at, high=_ends(kind)[1])


def _leaves_a_table(node: "Node", bits: int) -> bool:
    """Whether a shift or a remainder leaves few enough values of so many bits."""
    right, operator = field_of(node, "right"), text_of(field_of(node, "operator"))
    number = whole_number(text_of(right).rstrip("uUlL")) if text_of(right).rstrip("uUlL").isdigit() else None
    return operator == "%" or (operator == ">>" and number is not None and 2**bits >> number <= _LONGEST_TABLE)


def masked(values: Values, node: "Node", at: Activation) -> Polynomial:
    """`x & 255`, or `x & ~1` of an x that is not negative."""
    for mask, other in (("right", "left"), ("left", "right")):
        side, given = field_of(node, mask), field_of(node, other)
        while side.type == "parenthesized_expression":
            side = side.named_children[0]
        if side.type == "unary_expression" and text_of(side.children[0]) == "~":
            value = values.value(given, at)
            if values.symbols.lower(value).is_never_negative():
                return values.range_of(node, at, high=values.symbols.upper(value))
        with suppress(Unbounded):
            number = values.value(side, at).as_constant
            if number is not None and number >= 0:
                return values.range_of(node, at, high=Polynomial.constant(number))
    raise Unbounded(f"{shortened(node)!r}", line_of(node))


def joined_bits(values: Values, node: "Node", at: Activation) -> Polynomial:
    """`x ^ 1` and `x | 1` of an x that is not negative: it stays in its group of two; `x ^ y` where numbers bound both.

    Raises:
        Unbounded: A side may be negative, or neither is a constant and a size bounds one.
    """
    sides = [values.value(field_of(node, side), at) for side in ("left", "right")]
    highs = [values.symbols.upper(side) for side in sides]
    if not all(values.symbols.lower(side).is_never_negative() for side in sides):
        raise Unbounded(f"{shortened(node)!r}, of which a side may be negative,", line_of(node))
    ends = [high.as_constant for high in highs]
    if ends[0] is not None and ends[1] is not None:
        return values.range_of(node, at, high=Polynomial.constant(2 ** max(ends[0], ends[1]).bit_length() - 1))
    constants = [side.as_constant for side in sides]
    for number, high in ((constants[1], highs[0]), (constants[0], highs[1])):
        if number is not None:
            group = 2 ** number.bit_length()
            groups = Polynomial.name(f"({high.as_operand} // {group})")
            most = groups * Polynomial.constant(group) + Polynomial.constant(group - 1)
            return values.range_of(node, at, high=most if number else high)
    raise Unbounded(f"the range of {shortened(node)!r}", line_of(node))
