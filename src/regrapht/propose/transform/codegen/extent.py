"""All elements that an array has by the task's shape, where that shape agrees with the dimensions that were recovered."""

import re
from typing import Any

from regrapht.propose.transform.codegen.geometry import Geometry
from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.polyhedral.polynomial import Polynomial


def extent_of(geometry: Geometry, array: str) -> Any:
    """The rectangle of an array's elements as a set; None where the task's shape does not say it."""
    text, sizes = geometry.counts.get(array), geometry.nest.shapes.get(array)
    if text is None or sizes is None or not re.fullmatch(r"[\w\s*]+", text):
        return None
    outermost = _quotient(text, sizes)
    affine = geometry.nest.group[0].affine
    if outermost is None or affine is None:
        return None
    texts = [affine.text(size) for size in (outermost, *sizes)]
    if None in texts:
        return None
    dims = [f"x{k}" for k in range(len(texts))]
    bounds = " and ".join(f"0 <= {dim} < {size}" for dim, size in zip(dims, texts, strict=True))
    return isl().Set(f"[{geometry.parameters()}] -> {{ {array}[{', '.join(dims)}] : {bounds} }}")


def _quotient(text: str, sizes: list[Polynomial]) -> Polynomial | None:
    """The product of names and numbers in `text` divided by the inner sizes."""
    number, names = 1, []
    for factor in (part.strip() for part in text.split("*")):
        if factor.isdigit():
            number *= int(factor)
        else:
            names.append(factor)
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
