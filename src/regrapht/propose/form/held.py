"""What a reference's entry keeps from one stage to the next beside its arrays: numbers, and arrays of a constant length.

double total = 0.0;       memory of one element, `double& total = *total_at;` in each kernel that uses it
float basis[8][8];        memory of 64, `auto basis = (float (*)[8])basis_at;`
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.scratch_arrays import is_constant
from regrapht.source.syntax import declarators, declared_name, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = re.compile(
    r"(?:unsigned |signed )?(?:int|long|long long|short|char|float|double|bool)|unsigned|(?:std::)?(?:size_t|u?int\d+_t)"
)
_LITERAL = re.compile(r"-?[\d.]+(?:[eE][-+]?\d+)?[fFuUlL]*|true|false")
_ARRAY = re.compile(r"(?:std::)?array ?< ?(?P<element>[\w: ]+?) ?, ?(?P<length>[^<>]+?) ?>")
_ZERO = re.compile(r"\{\s*(?:0(?:\.0*f?)?)?\s*\}")


@dataclass(frozen=True, slots=True)
class Held:
    """One such variable."""

    name: str
    element: str
    extents: tuple[str, ...]
    """Of an array; none of a number."""
    value: str | None
    """What it begins as, as written."""

    @property
    def memory(self) -> str:
        """What the device memory is called."""
        return f"{self.name}_at"

    @property
    def count(self) -> str:
        """Elements."""
        return " * ".join(self.extents) or "1"

    @property
    def fill(self) -> str | None:
        """The number that all elements begin as; None where there is none, or it is computed."""
        if self.value is None:
            return None
        if self.extents:
            return "0"
        return self.value if _LITERAL.fullmatch(self.value) else None

    @property
    def line(self) -> str:
        """Its declaration in a kernel that has the memory."""
        if not self.extents:
            return f"{self.element}& {self.name} = *{self.memory};"
        rows = "".join(f"[{one}]" for one in self.extents[1:])
        if not rows:
            return f"{self.element}* {self.name} = {self.memory};"
        return f"auto {self.name} = ({self.element} (*){rows}){self.memory};"

    @property
    def assignment(self) -> str | None:
        """What is left of the declaration for the thread that comes to it; None where the memory begins with the value."""
        return f"{self.name} = {self.value};" if self.value is not None and self.fill is None else None


def held_in(declaration: "Node") -> list[Held] | None:
    """The variables that a declaration makes, as what can be held; None where one cannot."""
    kind = declaration.child_by_field_name("type")
    element = " ".join(text_of(kind).split()) if kind is not None else ""
    array = _ARRAY.fullmatch(element)
    if array is not None:
        element = array["element"]
    if not _NUMBER.fullmatch(element):
        return None
    found = list(_each(declaration, element, (array["length"],) if array is not None else ()))
    return None if None in found else [one for one in found if one is not None]


def _each(declaration: "Node", element: str, length: tuple[str, ...]) -> Iterator[Held | None]:
    for one in declarators(declaration):
        value = one.child_by_field_name("value")
        of = one.child_by_field_name("declarator") if one.type == "init_declarator" else one
        text = text_of(value) if value is not None else None
        if of is None or of.type not in ("identifier", "array_declarator"):
            yield None
            continue
        extents = (*re.findall(r"\[\s*([^\]]+?)\s*\]", text_of(of)), *length)
        fits = all(map(is_constant, extents)) and (not extents or text is None or _ZERO.fullmatch(text) is not None)
        yield Held(text_of(declared_name(of)), element, extents, text) if fits else None
