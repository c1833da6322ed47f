"""The scalar types that the engine takes, under one spelling each that C++ and CUDA share."""

from collections.abc import Mapping

INTEGER_BYTES = {
    "bool": 1,
    "char": 1,
    "signed char": 1,
    "unsigned char": 1,
    "short": 2,
    "unsigned short": 2,
    "int": 4,
    "unsigned int": 4,
    "long long": 8,
    "unsigned long long": 8,
}
FLOAT_BYTES = {"float": 4, "double": 8}
_SPELLINGS = {
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long long",
    "uint64_t": "unsigned long long",
    "size_t": "unsigned long long",
    "ptrdiff_t": "long long",
    "ssize_t": "long long",
    "intptr_t": "long long",
    "uintptr_t": "unsigned long long",
}
_SILENT = {"const", "constexpr", "static", "register", "volatile", "inline"}


def canonical(text: str, aliases: Mapping[str, str]) -> str | None:
    """The engine's spelling of a C++ type (LP64: `long` has 8 bytes); None for a type that it does not take."""
    words = [word.removeprefix("std::") for word in text.split() if word not in _SILENT]
    if len(words) == 1 and words[0] in aliases:
        return canonical(aliases[words[0]], {name: to for name, to in aliases.items() if name != words[0]})
    if len(words) == 1 and words[0] in _SPELLINGS:
        return _SPELLINGS[words[0]]
    if words and set(words) <= {"unsigned", "signed", "long", "int"} and "long" in words:
        return "unsigned long long" if "unsigned" in words else "long long"
    if words and set(words) <= {"unsigned", "signed", "short", "int"} and "short" in words:
        return "unsigned short" if "unsigned" in words else "short"
    if words and set(words) <= {"unsigned", "signed", "int"}:
        return "unsigned int" if "unsigned" in words else "int"
    name = " ".join(sorted(words, key=lambda word: word == "char"))
    return name if name in INTEGER_BYTES or name in FLOAT_BYTES else None


def is_float(name: str) -> bool:
    return name in FLOAT_BYTES


def is_integer(name: str) -> bool:
    return name in INTEGER_BYTES


def is_unsigned(name: str) -> bool:
    return name.startswith("unsigned")


def size_bytes(name: str) -> int:
    return INTEGER_BYTES.get(name) or FLOAT_BYTES[name]


def in_range(value: int, name: str) -> bool:
    """Whether an integer type holds a value; plain `char` what it holds on every machine."""
    bits = 1 if name == "bool" else 8 * INTEGER_BYTES[name]
    low = 0 if is_unsigned(name) or name in ("bool", "char") else -(2 ** (bits - 1))
    return low <= value < (2**bits if is_unsigned(name) or name == "bool" else 2 ** (bits - 1))


def signed_index_type(name: str) -> str:
    """The signed type that generated code counts in for a loop or a size of type `name`."""
    return "long long" if size_bytes(name) == 8 or name == "unsigned int" else "int"


def promoted(left: str, right: str) -> str:
    """The type of an arithmetic expression over two operands, by C's usual conversions."""
    if is_float(left) or is_float(right):
        return "double" if "double" in (left, right) else "float"
    widest = max(4, size_bytes(left), size_bytes(right))
    unsigned = any(is_unsigned(name) and size_bytes(name) == widest for name in (left, right))
    return {(4, False): "int", (4, True): "unsigned int", (8, False): "long long", (8, True): "unsigned long long"}[
        widest, unsigned
    ]


def holds_all(target: str, value: str) -> bool:
    """Whether comparing integers of the two types is the same after the value is converted to the target's type."""
    if target == value:
        return True
    if is_unsigned(value) and not is_unsigned(target):
        return size_bytes(value) < size_bytes(target)
    if is_unsigned(target) and not is_unsigned(value) and size_bytes(target) < 4:
        return False
    return size_bytes(value) <= size_bytes(target)
