"""How a program's kernels are launched, read from its text: threads a block, and shared memory that a block declares.

What is not a plain number, after macros and constants are put in, is None: unknown, never guessed.
"""

import re
from dataclasses import dataclass

from regrapht.records.expression import Expression
from regrapht.source.listed import parts_of

_CONSTANT = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<macro>\w+)[ \t]+(?P<text>[^\n/]+)"
    r"|\b(?:const|constexpr)\b[^;{}()=\n]*\b(?P<name>\w+)[ \t]*=[ \t]*(?P<value>[^;\n]+);",
    re.MULTILINE,
)
_SHAPE = re.compile(r"\bdim3[ \t]+(?:const[ \t]+)?(?P<name>\w+)[ \t]*[({](?P<edges>[^;(){}]*)[)}][ \t]*;")
_KERNEL = re.compile(r"__global__\b[^;{]*?\b(?P<name>(?!__launch_bounds__)\w+)[ \t\n]*\((?P<parameters>[^{;]*)\{")
_SHARED = re.compile(
    r"(?P<external>extern[ \t]+)?__shared__[ \t]+(?:__align__\(\d+\)[ \t]+)?(?P<type>[\w ]+?)[ \t]+\w+"
    r"(?P<edges>(?:[ \t]*\[[^\]]*\])*)[ \t]*;"
)
_LAUNCH = re.compile(r"\b(?P<name>\w+)[ \t\n]*(?:<[^<>;]*>)?[ \t\n]*<<<(?P<arguments>[^;]*?)>>>", re.DOTALL)
_BYTES = {
    **dict.fromkeys(("char", "signed char", "unsigned char", "bool", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("short", "unsigned short", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("int", "unsigned", "unsigned int", "float", "int32_t", "uint32_t"), 4),
    **dict.fromkeys(("double", "long", "long long", "unsigned long", "unsigned long long", "int64_t", "uint64_t"), 8),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchShape:
    """One kernel's launch, as far as the text says it."""

    kernel: str
    threads: int | None
    """Of a block."""
    shared_bytes: int | None
    """Of a block, declared with its size; what a launch asks for besides is left out."""


def launch_shapes(source: str) -> tuple[LaunchShape, ...]:
    """The kernels of a program that it launches, in the order of the launches."""
    numbers = _constants(source)
    shapes = {match["name"]: match["edges"] for match in _SHAPE.finditer(source)}
    kernels = _kernel_texts(source)
    found: dict[tuple[str, int | None], LaunchShape] = {}
    for match in _LAUNCH.finditer(source):
        arguments = parts_of(match["arguments"])
        if len(arguments) >= 2 and match["name"] in kernels:
            threads = _threads(arguments[1], shapes, numbers)
            shape = LaunchShape(
                kernel=match["name"], threads=threads, shared_bytes=_shared_bytes(kernels[match["name"]], numbers)
            )
            found.setdefault((shape.kernel, shape.threads), shape)
    return tuple(found.values())


def _constants(source: str) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for match in _CONSTANT.finditer(source):
        value = _number(match["text"] or match["value"], numbers)
        if value is not None:
            numbers[match["macro"] or match["name"]] = value
    return numbers


def _kernel_texts(source: str) -> dict[str, str]:
    """The text from each kernel's head to the next one's."""
    heads = list(_KERNEL.finditer(source))
    ends = (*(head.start() for head in heads[1:]), len(source))
    return {head["name"]: source[head.end() : end] for head, end in zip(heads, ends, strict=False)}


def _shared_bytes(kernel: str, numbers: dict[str, int]) -> int | None:
    total = 0
    for match in _SHARED.finditer(kernel):
        if match["external"]:
            continue
        count: int | None = _BYTES.get(" ".join(match["type"].split()))
        for edge in re.findall(r"\[([^\]]*)\]", match["edges"]):
            length = _number(edge, numbers)
            count = None if count is None or length is None else count * length
        if count is None:
            return None
        total += count
    return total


def _threads(text: str, shapes: dict[str, str], numbers: dict[str, int]) -> int | None:
    text = text.strip()
    inside = re.fullmatch(r"dim3[ \t]*[({](.*)[)}]", text, re.DOTALL)
    edges = inside[1] if inside else shapes.get(text, text)
    threads: int | None = 1
    for edge in parts_of(edges):
        length = _number(edge, numbers)
        threads = None if threads is None or length is None else threads * length
    return threads


def _number(text: str, numbers: dict[str, int]) -> int | None:
    """The whole number that a text of literals and known constants comes to."""
    plain = re.sub(r"(?<=\d)[uUlL]+\b", "", text.strip()).replace("/", "//")
    try:
        value = Expression(plain).evaluate(numbers)
    except (ValueError, KeyError, ArithmeticError):
        return None
    return value if isinstance(value, int) else None
