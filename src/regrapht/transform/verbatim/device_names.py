"""Whether the standard library's names in a piece of code have a form in device code.

Without one, nvcc warns of a function that it was told to make for both sides, and the program ends where the device comes to it. So what
is not known to have a form is refused, with its line.
"""

import re
from collections.abc import Collection

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.rendering import COMPLEX, CONTAINERS, STANDARD
from regrapht.transform.verbatim.scopes import Scopes, walk

_CONSTEXPR = frozenset({
    "tuple", "make_tuple", "tie", "get", "apply", "optional", "nullopt", "make_optional", "variant", "visit", "holds_alternative", "get_if",
    "string_view", "basic_string_view",
    "initializer_list", "integer_sequence", "index_sequence", "make_index_sequence", "tuple_size", "tuple_element",
    "move", "forward", "declval", "as_const", "ref", "cref", "invoke", "next", "prev", "advance", "distance", "begin", "end", "cbegin",
    "cend", "rbegin", "rend", "size", "data", "empty", "reverse_iterator", "minmax", "gcd", "lcm", "plus", "minus", "multiplies",
    "divides", "modulus", "negate", "equal_to", "not_equal_to", "less_equal", "greater_equal", "logical_and", "logical_or",
    "logical_not", "bit_and", "bit_or", "bit_xor", "bit_not", "byte", "to_integer", "hash", "nullptr_t", "in_place", "monostate",
    "size_t", "ptrdiff_t", "max_align_t", "intmax_t", "uintmax_t", "intptr_t", "uintptr_t",
})  # fmt: skip
"""What C++17 has constexpr, or as types alone, so that nvcc takes it in device code."""
_MATH = frozenset({
    "abs", "labs", "llabs", "fabs", "fmod", "remainder", "remquo", "fma", "fmax", "fmin", "fdim", "nan", "exp", "exp2", "expm1", "log",
    "log10", "log2", "log1p", "pow", "sqrt", "cbrt", "hypot", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "erf", "erfc", "tgamma", "lgamma", "ceil", "floor", "trunc", "round", "lround", "llround", "nearbyint",
    "rint", "lrint", "llrint", "frexp", "ldexp", "modf", "scalbn", "scalbln", "ilogb", "logb", "nextafter", "copysign", "isfinite", "isinf",
    "isnan", "isnormal", "signbit",
})  # fmt: skip
_TRAITS = re.compile(
    r"(u?int(_least|_fast)?\d+_t|is_\w+|(add|remove|make)_(const|cv|reference|lvalue_reference|rvalue_reference|pointer|signed|unsigned|"
    r"cvref|extent|volatile)(_t)?|(enable_if|conditional|decay|common_type|underlying_type|invoke_result|integral_constant|true_type|false_type|"
    r"bool_constant|conjunction|disjunction|negation|void|aligned_storage|tuple_element|tuple_size|iterator_traits)(_t|_v)?)$"
)
_HELD_ON_HOST = CONTAINERS - {"vector"}


def has_device_form(name: str) -> bool:
    """Whether what the standard library calls so can be used in a turn."""
    return (
        name == "snprintf"
        or name in STANDARD | CONTAINERS | COMPLEX | _CONSTEXPR | _MATH
        or _TRAITS.match(name) is not None
    )


def refuse_host_only(scopes: Scopes, code: SyntaxNode, own: Collection[str] = ()) -> None:
    """See that a statement, what it calls and the types that it names can be device code.

    Args:
        own: Outer names of which each turn has its own.

    Raises:
        CannotTransform: Something cannot; says what, with its line.
    """
    waiting, known = [code], set[str]()
    while waiting:
        node = waiting.pop()
        for each in walk(node):
            if (name := _standard_name(scopes, each)) is not None and not has_device_form(name):
                raise CannotTransform(f"'std::{name}' has no form in device code", line=scopes.line(each))
            if each.type == "assignment_expression" and scopes.text(each).startswith("std::tie"):
                why = "what is assigned to 'std::tie' has no form in device code"
                raise CannotTransform(why, line=scopes.line(each), remedy="declare both parts: auto [x, y] = ...")
            if each.type in ("identifier", "type_identifier", "field_identifier"):
                word = scopes.text(each)
                if word not in known:
                    known.add(word)
                    waiting += scopes.by_name.get(word, ())
                    waiting += [n for n in (scopes.classes.get(word), scopes.aliases.get(word)) if n is not None]
    _refuse_held(scopes, code, own)
    _refuse_inner_types(scopes, code)


def _refuse_inner_types(scopes: Scopes, code: SyntaxNode) -> None:
    """Raise where a statement names a type that its class has for itself: a kernel stands outside of that."""
    owner = scopes.owner(scopes.function_around(code))
    if owner is None:
        return
    inner = {name for name, node in scopes.classes.items() if _is_inside(node, owner) and not _is_inside(node, code)}
    for each in walk(code):
        if each.type == "type_identifier" and scopes.text(each) in inner and each.parent.type != "qualified_identifier":
            why = f"'{scopes.text(each)}' is a type inside of a class, and a kernel stands outside (declare it before the class)"
            raise CannotTransform(why, line=scopes.line(each))


def _is_inside(node: SyntaxNode, around: SyntaxNode) -> bool:
    return bool(around.start_byte < node.start_byte and node.end_byte <= around.end_byte)


def _refuse_held(scopes: Scopes, code: SyntaxNode, own: Collection[str]) -> None:
    """See that what the launcher holds can be handed to a kernel."""
    inner, used = scopes.locals_of(code), scopes.names(code)
    for name, declaration in scopes.visible(code).items():
        if name in inner or name in own or declaration.type != "declaration" or name not in used:
            continue
        kind = declaration.child_by_field_name("type")
        named = [each for each in _spelled_out(scopes, kind) if _standard_name(scopes, each) is not None]
        for each in named:
            word = _standard_name(scopes, each)
            if word in _HELD_ON_HOST or not has_device_form(str(word)):
                why = f"'{name}', a std::{word} from outside of the loop, has no form in device code"
                raise CannotTransform(why, line=scopes.line(code))
        if any(_holds_containers(scopes, each) for each in named):
            why = f"'{name}' holds containers from outside of the loop, and so lies on the host"
            raise CannotTransform(why, line=scopes.line(code))


def _spelled_out(scopes: Scopes, kind: SyntaxNode) -> list[SyntaxNode]:
    """The nodes of a type, and those of what names of types in it stand for."""
    found, known = list(walk(kind)), set[str]()
    for each in found:
        word = scopes.text(each) if each.type == "type_identifier" else ""
        if word in scopes.aliases and word not in known:
            known.add(word)
            found += walk(scopes.aliases[word])
    return found


def _holds_containers(scopes: Scopes, kind: SyntaxNode) -> bool:
    """Whether a type is a vector whose elements have vectors of their own."""
    if _standard_name(scopes, kind) != "vector":
        return False
    inside = scopes.text(kind).partition("<")[2]
    return "std::vector" in inside or any(
        re.search(rf"\b{name}\b", inside) and "std::vector" in scopes.text(node)
        for name, node in scopes.classes.items()
    )


def _standard_name(scopes: Scopes, node: SyntaxNode) -> str | None:
    """`sort` of `std::sort` and of `std::sort<T>`; None of all else."""
    if node.type != "qualified_identifier" or node.child_by_field_name("scope") is None:
        return None
    if scopes.text(node.child_by_field_name("scope")) != "std":
        return None
    found = re.match(r"\w+", scopes.text(node.child_by_field_name("name")))
    return found[0] if found is not None else None
