"""The text that turns a reference into an object the harness can call: as written, in a wider float, or carrying magnitudes.

A wider float is had by redefining the word: a prelude includes the standard headers, maps `sqrtf` to `sqrt` and so on, and then says
`#define float double`. Float literals are wrapped (`1.0f` becomes `((float)1.0f)`), so that `std::max(x, 0.0f)` still finds one type.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from regrapht.evaluate.build.compile import harness_source
from regrapht.evaluate.inputs.element_arrays import storage_dtype
from regrapht.records.element import ElementType, ScalarType, StructType, struct_layout
from regrapht.records.task import Arg, ArgKind, SourceFile, Task
from regrapht.source.chosen_arrays import with_chosen_pointers


class Variant(StrEnum):
    """How a reference is compiled."""

    AS_WRITTEN = "as_written"
    WIDE = "wide"
    """In float64; in long double where an array is float64 already."""
    CARRIED = "carried"
    """As WIDE, each number with the sum of the magnitudes behind it."""
    GUARDED = "guarded"
    """As written, with traps for undefined behaviour: whether an awkward case is one that the reference itself can take."""
    STRICT = "strict"
    """As GUARDED, with traps for signed overflow too."""
    FAST = "fast"
    """As written, optimised: the sequential baseline."""


_WIDE_VARIANTS = (Variant.WIDE, Variant.CARRIED)
_TRAPS = ("-O1", "-ffp-contract=off", "-fno-fast-math", "-fsanitize=undefined,float-cast-overflow")
_FLAGS = {
    Variant.FAST: ("-O3", "-march=native"),
    Variant.GUARDED: (
        *_TRAPS,
        *("-fsanitize-undefined-trap-on-error", "-fno-sanitize=signed-integer-overflow,vptr,alignment"),
    ),
    Variant.STRICT: (*_TRAPS, "-fsanitize-undefined-trap-on-error", "-fno-sanitize=vptr,alignment"),
}
_PLAIN_FLAGS = ("-O2", "-ffp-contract=off", "-fno-fast-math")
_LOOKS_AT_BITS = re.compile(
    r"\bmemcpy\b|\breinterpret_cast\b|\bbit_cast\b|\b__builtin_bit_cast\b|\bunion\b|\bfrexpf?\b|\bilogbf?\b|\bnextafterf?\b"
    r"|\(\s*(?:const\s+)?(?:u?int(?:8|16|32|64)?_t|unsigned|int|long)\b[\w\s]*\*\s*\)\s*&"
)
_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#[ \t]*(?:include|line|pragma|error)[^\n]*
      | (?<![\w.])(?P<number>0[xX][0-9a-fA-F.']+[pP][+-]?\d+[fF]?
      | (?:\d[\d']*\.[\d']*|\.\d[\d']*)(?:[eE][+-]?\d+)?[fF]?
      | \d[\d']*[eE][+-]?\d+[fF]? )(?![\w.])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One translation unit: the files that the compiler sees, what to compile, and its flags."""

    files: Mapping[str, bytes]
    main: str
    flags: tuple[str, ...]
    compiler_language: str
    """`c` or `c++`."""


def has_floats(task: Task) -> bool:
    """Whether a wider float can make any difference: some argument or the result is a float."""
    return any(arg.dtype.is_float for arg in task.parameters)


def can_widen(task: Task) -> bool:
    """Whether the reference may be compiled in a wider float at all: it has floats, and does not look at their bits."""
    half_values = any(arg.kind is not ArgKind.ARRAY and arg.dtype.name in ("float16", "bfloat16") for arg in task.args)
    return has_floats(task) and not half_values and not _LOOKS_AT_BITS.search(task.reference.source.text)


def is_double(task: Task) -> bool:
    """Whether the task computes in float64, so that only long double is wider."""
    return any(scalar.name == "float64" for arg in task.parameters for scalar in _scalars(arg.dtype))


def wide_scalar(task: Task) -> np.dtype:
    """The numpy type of the wider float."""
    return np.dtype(np.longdouble if is_double(task) else np.float64)


def layout(task: Task, element: ElementType, variant: Variant) -> np.dtype:
    """The numpy type of an array's elements as this variant sees them."""
    if variant not in _WIDE_VARIANTS:
        return storage_dtype(element)
    wide = wide_scalar(task)
    number = np.dtype([("value", wide), ("scale", wide)]) if variant is Variant.CARRIED else wide
    if isinstance(element, StructType):
        formats = [number if s.is_float else storage_dtype(s) for _, s in element.fields]
        alignments = [wide.alignment if s.is_float else s.alignment_bytes for _, s in element.fields]
        names = [name for name, _ in element.fields]
        leaves = [(name, one.itemsize, own) for name, one, own in zip(names, formats, alignments, strict=True)]
        offsets, size, _ = struct_layout(leaves)
        return np.dtype({"names": names, "formats": formats, "offsets": list(offsets), "itemsize": size})
    return number if element.is_float else storage_dtype(element)


def unit(task: Task, source: SourceFile, variant: Variant) -> Unit:
    """The translation unit of `source` (the reference, or its quicker equivalent) as `variant`."""
    wide = variant in _WIDE_VARIANTS
    name = "reference" + source.suffix
    text = _wrap_literals(source.text, every=is_double(task)) if wide else source.text
    language = "c" if source.suffix == ".c" and variant is not Variant.CARRIED and not wide else "c++"
    if language == "c++":
        text = with_chosen_pointers(text, "regrapht_as_pointer")
    parts = ['#include "adapter.h"']
    half = _uses_half(task, source)
    if wide:
        parts += [f"#include {header}" for header in _INCLUDE.findall(source.text) if "cuda" not in header]
        parts.append('#include "wide.h"')
    elif half:
        parts.append('#include "half_types.h"')
    parts += [f'#include "{name}"', _adapter(task, variant)]
    main = "unit.c" if language == "c" else "unit.cpp"
    headers = {header: harness_source(header) for header in ("adapter.h", "wide.h", "carried.h", "half_types.h")}
    shadows = dict.fromkeys(("cuda_fp16.h", "cuda_bf16.h", "cuda_runtime.h"), b"#pragma once\n")
    return Unit(
        files={**headers, **shadows, name: text.encode(), main: "\n".join(parts).encode()},
        main=main,
        flags=(*_reference_flags(task, language), *_variant_flags(task, variant, half=half)),
        compiler_language=language,
    )


def _reference_flags(task: Task, language: str) -> tuple[str, ...]:
    reference = task.reference
    standard = reference.language if reference.language.startswith("c++") == (language == "c++") else None
    return (
        *((f"-std={standard}",) if standard else ()),
        *reference.flags,
        *(f"-D{define}" for define in reference.defines),
        *(f"-I{folder}" for folder in reference.include),
    )


def _variant_flags(task: Task, variant: Variant, *, half: bool) -> tuple[str, ...]:
    flags = [*_FLAGS.get(variant, _PLAIN_FLAGS), "-w", "-fPIC", "-shared", "-fdiagnostics-color=never", "-I."]
    if variant in _WIDE_VARIANTS:
        double = is_double(task)
        flags += [f"-DREGRAPHT_WIDE={'long double' if double else 'double'}"]
        flags += [f"-DREGRAPHT_NARROW={'double' if double else 'float'}"]
        flags += ["-DREGRAPHT_WIDEN_DOUBLE"] if double else []
        flags += ["-DREGRAPHT_HALF"] if half else []
        flags += ["-DREGRAPHT_CARRIED"] if variant is Variant.CARRIED else []
    return tuple(flags)


def _adapter(task: Task, variant: Variant) -> str:
    arguments = ", ".join(_argument(task, i, arg, variant) for i, arg in enumerate(task.args))
    call = f"{task.entry}({arguments})"
    if task.returns is not None:
        call = f"*({task.returns.c_name}*)arguments[{len(task.args)}] = {call}"
    return f"REGRAPHT_LINKAGE void regrapht_call(void** arguments) {{\n    {call};\n}}\n"


def _argument(task: Task, index: int, arg: Arg, variant: Variant) -> str:
    address = f"arguments[{index}]"
    if arg.kind is ArgKind.ARRAY:
        return f"REGRAPHT_ARRAY({layout(task, arg.dtype, variant).itemsize}, {address})"
    assert isinstance(arg.dtype, ScalarType), "sizes and scalars have scalar types"
    # Values arrive in their own type, whatever `float` means by now.
    if arg.dtype.name in ("float32", "float64"):
        return f"({arg.dtype.c_name})*(const regrapht_{arg.dtype.name}*){address}"
    return f"*(const {arg.dtype.c_name}*){address}"


def _wrap_literals(text: str, *, every: bool) -> str:
    """Float literals as casts to the (redefined) type; all of them for double tasks, those with a suffix otherwise."""

    def wrap(match: re.Match[str]) -> str:
        number = match["number"]
        if number is None:
            return match[0]
        if number[-1] in "fF" and not number.lower().startswith("0x"):
            return f"((float){number})"
        return f"((double){number})" if every else number

    return _LITERAL.sub(wrap, text)


def _uses_half(task: Task, source: SourceFile) -> bool:
    names = {scalar.name for arg in task.parameters for scalar in _scalars(arg.dtype)}
    return bool(names & {"float16", "bfloat16"}) or "__half" in source.text or "__nv_bfloat16" in source.text


def _scalars(element: ElementType) -> tuple[ScalarType, ...]:
    return tuple(s for _, s in element.fields) if isinstance(element, StructType) else (element,)
