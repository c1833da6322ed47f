"""All elements that an array has by the task's shape or its own length, where that agrees with the dimensions that were recovered."""

import re
from typing import Any

from regrapht.source.polynomial import Terms
from regrapht.transform.codegen.geometry import Geometry
from regrapht.transform.ir.names import place_names
from regrapht.transform.polyhedral.affine import Affine
from regrapht.transform.polyhedral.isl_library import isl


def extent_of(geometry: Geometry, array: str) -> Any:
    """The rectangle of an array's elements as a set; None where neither the task's shape nor a buffer's length says it."""
    count, sizes = _count(geometry, array), geometry.nest.shapes.get(array)
    if count is None or sizes is None:
        return None
    outermost = _quotient(*count, sizes)
    affine = geometry.nest.group[0].affine
    if outermost is None or affine is None:
        return None
    texts = [affine.text(size) for size in (outermost, *sizes)]
    if None in texts:
        return None
    dims = place_names(len(texts))
    bounds = " and ".join(f"0 <= {dim} < {size}" for dim, size in zip(dims, texts, strict=True))
    return isl().Set(f"[{geometry.parameters()}] -> {{ {array}[{', '.join(dims)}] : {bounds} }}")


def _count(geometry: Geometry, array: str) -> tuple[int, list[str]] | None:
    """The number of elements as a number times isl's parameters; None where it is no such product."""
    if array in geometry.scop.buffers:  # its text may name constants of the file
        length = Affine(geometry.scop.symbols, ()).polynomial(geometry.scop.buffers[array].length)
        if length is None or len(length) != 1:
            return None
        ((atoms, coefficient),) = length.items()
        return coefficient, list(atoms)
    text = geometry.counts.get(array)
    if text is None or not re.fullmatch(r"[\w\s*]+", text):
        return None
    number, names = 1, []
    for factor in (part.strip() for part in text.split("*")):
        if factor.isdigit():
            number *= int(factor)
        else:
            names.append(factor)
    return number, names


def _quotient(number: int, names: list[str], sizes: list[Terms]) -> Terms | None:
    """The product of a number and names divided by the inner sizes."""
    names = list(names)
    for size in sizes:
        if len(size) != 1:
            return None
        ((atoms, coefficient),) = size.items()
        if number % coefficient or any(names.count(atom) < atoms.count(atom) for atom in atoms):
            return None
        number //= coefficient
        for atom in atoms:
            names.remove(atom)
    return {tuple(sorted(names)): number}
