"""The C++ type of an expression, as far as the generated code needs one."""

import re
from collections.abc import Mapping

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
)
from regrapht.transform.ir.scalar_types import is_float, promoted

TURNS = "turns_of"
"""The launcher's function that counts a loop's turns: of a first value, an end and a step."""
_NAMED = {
    "INFINITY": "float",
    "NAN": "float",
    "M_PI": "double",
    "INT_MAX": "int",
    "INT_MIN": "int",
    "LLONG_MAX": "long long",
    "LLONG_MIN": "long long",
    "UINT_MAX": "unsigned int",
    "ULLONG_MAX": "unsigned long long",
}
_COMPARISONS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}


def type_of(expression: Expression, types: Mapping[str, str], *, line: int | None = None) -> str:
    """The type of `expression`; `types` are those of variables, arrays (their elements) and helper functions.

    Raises:
        CannotTransform: A name has no known type.
    """
    match expression:
        case Number(text=text):
            return types.get(text) or literal_type(text)
        case Variable(name=name) | Element(array=name):
            if name not in types:
                raise CannotTransform(f"the type of '{name}' is not known", line=line)
            return types[name]
        case Cast(type=to):
            return to
        case Unary("!", _):
            return "bool"
        case Unary(_, operand):
            return promoted(type_of(operand, types, line=line), "int")
        case Binary(operator, left, right):
            if operator in _COMPARISONS:
                return "bool"
            a, b = type_of(left, types, line=line), type_of(right, types, line=line)
            return promoted(a, "int") if operator in ("<<", ">>") else promoted(a, b)
        case Conditional(_, then, otherwise):
            return promoted(type_of(then, types, line=line), type_of(otherwise, types, line=line))
        case Call(function, arguments):
            return _call_type(function, [type_of(argument, types, line=line) for argument in arguments], types)
    raise AssertionError(expression)


def literal_type(text: str) -> str:
    """The type of a literal or of a named constant of the standard headers."""
    if text in ("true", "false"):
        return "bool"
    if text in _NAMED or text.startswith(("FLT_", "DBL_")):
        return _NAMED.get(text) or ("float" if text.startswith("FLT_") else "double")
    if text.startswith("'"):
        return "char"
    low = text.lower()
    if not low.startswith("0x") and re.search(r"[.e]", low):
        return "float" if low.endswith("f") else "double"
    suffix = low[len(low.rstrip("ul")) :]
    digits = low.removesuffix(suffix) or "0"
    value = int(digits, 8 if re.fullmatch(r"0\d+", digits) else 0)
    wide = "l" in suffix or value > (0xFFFFFFFF if "u" in suffix or digits[0] == "0" else 0x7FFFFFFF)
    unsigned = "u" in suffix or (digits[0] == "0" and value > (0x7FFFFFFFFFFFFFFF if wide else 0x7FFFFFFF))
    return {
        (False, False): "int",
        (False, True): "unsigned int",
        (True, False): "long long",
        (True, True): "unsigned long long",
    }[wide, unsigned]


_ASKS = {"isfinite", "isinf", "isnan", "signbit"}
_ROUND_TO_LONG = {"llrint", "llround", "lrint", "lround"}


def _call_type(function: str, arguments: list[str], types: Mapping[str, str]) -> str:
    if function == TURNS:
        return "long long"
    if function in types:
        return types[function]
    if function.startswith("__"):
        return "int"  # what counts bits
    widest = arguments[0]
    for other in arguments[1:]:
        widest = promoted(widest, other)
    if function.removesuffix("f") in _ROUND_TO_LONG:
        return "long long"
    if function in _ASKS:
        return "int"
    if function == "ldexp":
        return arguments[0] if is_float(arguments[0]) else "double"
    if function in ("min", "max", "abs"):
        return widest
    if function.endswith("f") and function not in ("erf", "cdf"):
        return "float"
    return widest if is_float(widest) else "double"
