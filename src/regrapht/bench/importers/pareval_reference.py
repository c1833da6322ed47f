"""The reference of an imported ParEval problem: its sequential code behind flat pointers.

The text goes into the user's own task folder: the structs and constants of the prompt, the sequential code, and a function of ours with the
entry's name. That one copies pointers into containers, calls, and copies back what may have changed; `direct_body` does without.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regrapht.bench.importers.cpp_interface import Container, Inexpressible, Signature, Value

_HEADERS = (
    *(
        "algorithm",
        "array",
        "climits",
        "cmath",
        "complex",
        "cstddef",
        "deque",
        "functional",
        "limits",
        "numeric",
        "queue",
        "stack",
    ),
    *("string", "utility", "vector"),
)
_FOR_DEVICES = re.compile(r"^#if defined\(USE_CUDA\).*?^#endif[^\n]*$", re.MULTILINE | re.DOTALL)
_CORRECT = re.compile(r"^[\w:]+\s+(?:NO_INLINE\s+)?(correct\w+)\s*\(", re.MULTILINE)
_FLAT_TYPES = {"bool": "unsigned char", "size_t": "unsigned long long"}
DTYPES = {
    "double": "float64",
    "float": "float32",
    "int": "int32",
    "unsigned char": "uint8",
    "unsigned long long": "uint64",
    "long long": "int64",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatArray:
    """One pointer of the flat interface."""

    name: str
    type: str
    """As C++ spells it."""
    shape: tuple[str, ...]
    container: Container
    field: str | None
    """Of a container of structs: which field this is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """A problem's interface as flat pointers and numbers."""

    signature: Signature
    sizes: tuple[str, ...]
    """That the signature does not have: they come first."""
    arrays: tuple[FlatArray, ...]
    returns: str
    lengths: dict[str, str]
    """Container -> its number of elements, as C++ writes it."""
    written_whole: frozenset[str]
    """Containers whose contents before the call do not matter: they start as zeros, as the source's drivers have it."""

    def of(self, container: Container) -> list[FlatArray]:
        """The pointers that one container became."""
        return [array for array in self.arrays if array.container == container]


def flatten(
    signature: Signature,
    *,
    sizes: tuple[str, ...],
    extent: Mapping[str, list[str]],
    letters: int | None,
    out: Sequence[str],
) -> Flat:
    """Flat pointers for the containers of a signature.

    Args:
        extent: Container -> its extents; others have the first of `sizes`, arrays their own length.
        letters: Letters in each string.
        out: Containers that are written whole; arrays of a fixed length, the counters of a histogram, always are.

    Raises:
        Inexpressible: A container holds what no array can.
    """
    arrays: list[FlatArray] = []
    lengths: dict[str, str] = {}
    whole = set(out)
    for parameter in signature.parameters:
        if isinstance(parameter, Value):
            continue
        shape = tuple(
            extent.get(parameter.name, [str(parameter.length or sizes[0])] if parameter.length or sizes else [])
        )
        if not shape:
            raise Inexpressible(f"nothing says how long {parameter.name!r} is")
        lengths[parameter.name] = " * ".join(f"(size_t){part}" for part in shape)
        if parameter.length is not None and not parameter.is_const:
            whole.add(parameter.name)
        arrays += _arrays(parameter, shape, letters)
    returns = {"bool": "int", "size_t": "long long"}.get(signature.returns, signature.returns)
    return Flat(
        signature=signature,
        sizes=sizes,
        arrays=tuple(arrays),
        returns=returns,
        lengths=lengths,
        written_whole=frozenset(whole),
    )


def _arrays(container: Container, shape: tuple[str, ...], letters: int | None) -> list[FlatArray]:
    if container.element == "std::string":
        if letters is None:
            raise Inexpressible(f"{container.name!r} holds strings of any length")
        return [
            FlatArray(
                name=container.name, type="unsigned char", shape=(*shape, str(letters)), container=container, field=None
            )
        ]
    if container.components:
        kind = container.fields[0][1] if container.fields else container.element
        kind = _FLAT_TYPES.get(kind, kind)
        parts = (str(container.components),) if container.components > 1 else ()
        return [FlatArray(name=container.name, type=kind, shape=(*shape, *parts), container=container, field=None)]
    kept = [(name, "int" if kind == "size_t" else kind) for name, kind in container.fields if kind != "std::string"]
    if unknown := [kind for _, kind in kept if kind not in DTYPES]:
        raise Inexpressible(f"{container.name!r} holds structs with a field of the type {unknown[0]!r}")
    if not container.is_const and len(kept) < len(container.fields):
        raise Inexpressible(f"{container.name!r} holds strings that change")
    return [
        FlatArray(name=f"{container.name}_{name}", type=kind, shape=shape, container=container, field=name)
        for name, kind in kept
    ]


def sequential_code(text: str) -> tuple[str, str]:
    """A baseline.hpp without what is for devices, and the name of its sequential function.

    Raises:
        Inexpressible: It defines no function, or several, whose name begins with `correct`.
    """
    code = _FOR_DEVICES.sub("", text).replace("#pragma once", "").strip()
    names = sorted(set(_CORRECT.findall(code)))
    if len(names) != 1:
        raise Inexpressible(f"its baseline.hpp defines {len(names)} functions called correct..., not one")
    return code, names[0]


def reference_text(preamble: str, *functions: str) -> str:
    """The whole file: headers, what stands above the prompt's signature, and functions."""
    headers = "\n".join(f"#include <{header}>" for header in _HEADERS)
    parts = [headers, "#define NO_INLINE", preamble.strip(), *functions]
    return "\n\n".join(part for part in parts if part) + "\n"


def copying_function(flat: Flat, called: str, before: str) -> str:
    """The entry: pointers copied into containers, the sequential function called, what may have changed copied back.

    Args:
        before: Code of ours that runs on the containers before the call.
    """
    signature = flat.signature
    lines: list[str] = []
    for parameter in signature.parameters:
        if isinstance(parameter, Container):
            lines += _filled(parameter, flat)
    lines += [f"{before}"] if before else []
    arguments = ", ".join(p.name if isinstance(p, Value) else f"{p.name}_v" for p in signature.parameters)
    call = f"{called}({arguments});"
    lines.append(call if flat.returns == "void" else f"const {flat.returns} result_v = {call}")
    for parameter in signature.parameters:
        if isinstance(parameter, Container) and not parameter.is_const:
            lines += _copied_back(parameter, flat)
    if flat.returns != "void":
        lines.append("return result_v;")
    body = "\n".join(f"    {line}" for line in lines)
    return f"{flat.returns} {signature.name}({parameter_list(flat)}) {{\n{body}\n}}"


def parameter_list(flat: Flat) -> str:
    """The parameters of the flat function: the added sizes, then what the signature has, in its order."""
    texts = [f"int {name}" for name in flat.sizes]
    for parameter in flat.signature.parameters:
        if isinstance(parameter, Value):
            texts.append(f"{'int' if parameter.type == 'size_t' else parameter.type} {parameter.name}")
        else:
            const = "const " if parameter.is_const else ""
            texts += [f"{const}{array.type}* {array.name}" for array in flat.of(parameter)]
    return ", ".join(texts)


def _filled(container: Container, flat: Flat) -> list[str]:
    """A container with the contents of its pointers, or with zeros where it is written whole."""
    name = container.name
    made = (
        f"std::vector<{container.element}> {name}_v({flat.lengths[name]});"
        if container.length is None
        else f"std::array<{container.element}, {container.length}> {name}_v{{}};"
    )
    if name in flat.written_whole:
        return [made]
    return [made, f"for (size_t at_v = 0; at_v < {name}_v.size(); ++at_v) {_element_in(container, flat)}"]


def _element_in(container: Container, flat: Flat) -> str:
    name, arrays = container.name, flat.of(container)
    if container.element == "std::string":
        width = arrays[0].shape[-1]
        return f"{name}_v[at_v].assign({name} + {width} * at_v, {name} + {width} * (at_v + 1));"
    if not container.fields:
        return f"{name}_v[at_v] = {container.element}({name}[at_v]);"
    if container.components:
        parts = ", ".join(f"{name}[{container.components} * at_v + {i}]" for i in range(container.components))
        return f"{name}_v[at_v] = {container.element}{{{parts}}};"
    sets = " ".join(f"{name}_v[at_v].{array.field} = {array.name}[at_v];" for array in arrays)
    return f"{{ {sets} }}"


def _copied_back(container: Container, flat: Flat) -> list[str]:
    name, arrays = container.name, flat.of(container)
    if not container.fields:
        sets = f"{name}[at_v] = {name}_v[at_v];"
    elif container.element.startswith("std::complex"):
        sets = f"{{ {name}[2 * at_v] = {name}_v[at_v].real(); {name}[2 * at_v + 1] = {name}_v[at_v].imag(); }}"
    elif container.components:
        count = container.components
        sets = " ".join(
            f"{name}[{count} * at_v + {i}] = {name}_v[at_v].{field};" for i, (field, _) in enumerate(container.fields)
        )
        sets = f"{{ {sets} }}"
    else:
        sets = f"{{ {' '.join(f'{array.name}[at_v] = {name}_v[at_v].{array.field};' for array in arrays)} }}"
    return [f"for (size_t at_v = 0; at_v < {name}_v.size(); ++at_v) {sets}"]
