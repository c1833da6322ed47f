"""How C and C++ spell the twelve scalar types of a task."""

import re
from collections.abc import Mapping, Sequence
from math import prod

from regrapht.records.element import MOST_NUMBERS, SCALAR_TYPES, ScalarType, places

# Sizes are those of 64-bit Linux, where `long` has 8 bytes and plain `char` is signed.
_SPELLINGS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "__half": "float16",
    "_Float16": "float16",
    "nv_bfloat16": "bfloat16",
    "__nv_bfloat16": "bfloat16",
    "__bf16": "bfloat16",
    "size_t": "uint64",
    "ssize_t": "int64",
    "ptrdiff_t": "int64",
    "intptr_t": "int64",
    "uintptr_t": "uint64",
    **{name + "_t": name for name in SCALAR_TYPES if "int" in name},
}
TRUTHS = ("bool", "_Bool")
_INTEGER_WORDS = {"signed", "unsigned", "char", "short", "int", "long"}
_OF_LIBRARIES = re.compile(
    r"bool|char|\w+_t|dim3|(?:u?(?:char|short|int|long|longlong)|float|double|(?:__)?half|__nv_bfloat16\d?_?)[1-4]?"
)
_ARRAY = re.compile(r"\s*(?:const\s+)?(?:std\s*::\s*)?array\s*<(.*),\s*(\w+)\s*>\s*")
_MAX_ALIASES = 20  # a chain of aliases longer than this is a circle


def scalar_type(spelling: str, *, aliases: Mapping[str, str] | None = None) -> ScalarType | None:
    """The scalar type that `spelling` names, without qualifiers and pointers; None when it is none of the twelve.

    Args:
        spelling: `float`, `unsigned long int`, `std::size_t`, `real` ...
        aliases: Names that the code gives to other types (`typedef`, `using`, macros).
    """
    name = resolve_alias(spelling, aliases or {})
    if name in _SPELLINGS:
        return SCALAR_TYPES[_SPELLINGS[name]]
    words = name.split()
    if not words or not set(words) <= _INTEGER_WORDS:
        return None
    size = 8 if "long" in words else 2 if "short" in words else 1 if "char" in words else 4
    return SCALAR_TYPES[("uint" if "unsigned" in words else "int") + str(8 * size)]


def passed_type(spelling: str, *, aliases: Mapping[str, str] | None = None) -> ScalarType | None:
    """As `scalar_type`, of what a function takes, points to or returns: a truth is 0 or 1 in a byte."""
    is_truth = resolve_alias(spelling, aliases or {}) in TRUTHS
    return SCALAR_TYPES["uint8"] if is_truth else scalar_type(spelling, aliases=aliases)


def struct_numbers(
    name: str, structs: Mapping[str, Sequence[tuple[str, str]]], aliases: Mapping[str, str]
) -> list[tuple[str, ScalarType | None]]:
    """The numbers of a struct of the file by their paths in order (`mass`, `position.x`, `f[0]`); None as the type of what is neither a
    number nor a struct or an array of constant length of some.

    Args:
        structs: Struct's name -> (field's name, its type's text).
        aliases: Names that the code gives to other types.
    """
    found: list[tuple[str, ScalarType | None]] = []
    others = {other: fields for other, fields in structs.items() if other != name}
    for field, text in structs.get(name, ()):
        element, extents = array_of(text, aliases)
        if extents is None:
            return [(field, None)]
        within = struct_numbers(resolve_alias(element, aliases), others, aliases)
        one = [(f".{path}", scalar) for path, scalar in within] or [("", scalar_type(element, aliases=aliases))]
        if prod(extents) * len(one) > MOST_NUMBERS:
            return [(field, None)]
        whole = field + "".join(f"[{extent}]" for extent in extents)
        found += [(place + path, scalar) for place in places(whole) for path, scalar in one]
    return found


def array_of(text: str, aliases: Mapping[str, str]) -> tuple[str, list[int] | None]:
    """The element type and the extents of a field's type, `double[3]` or `std::array<double, 3>`; None for extents that are no numbers."""
    base, *inner = text.split("[")
    written = [one.strip(" ]") for one in inner]
    base = aliases.get(base.strip(), base)
    while (of := _ARRAY.fullmatch(base)) is not None:
        base = of.group(1)
        written.append(of.group(2))
    meant = [resolve_alias(one, aliases) for one in written]
    extents = [int(one) for one in meant if one.isdigit() and int(one) > 0]
    return base, extents if len(extents) == len(written) else None


def is_known_type(name: str) -> bool:
    """Whether a word is a type of C++ or CUDA, or formed like those of their libraries: `double2`, `clock_t`."""
    return scalar_type(name) is not None or _OF_LIBRARIES.fullmatch(name) is not None


def resolve_alias(spelling: str, aliases: Mapping[str, str]) -> str:
    """The type's name with aliases followed, `std::`, `const`, `volatile`, `struct` and repeated blanks removed."""
    name = _bare(spelling)
    for _ in range(_MAX_ALIASES):
        if name not in aliases:
            break
        name = _bare(aliases[name])
    return name


def struct_name(spelling: str, aliases: Mapping[str, str]) -> str:
    """The name of a struct: the one that aliases lead to, or the alias itself where that is more than a word, as `Vec2<double>` is."""
    name = resolve_alias(spelling, aliases)
    return name if name.isidentifier() else _bare(spelling)


def _bare(spelling: str) -> str:
    words = spelling.replace("std::", " ").split()
    return " ".join(word for word in words if word not in ("const", "volatile", "struct"))
