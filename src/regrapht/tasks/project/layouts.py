"""How the structs in arrays lie in memory, as the compiler has them: templates, bases and names of types are not read from text again."""

import re
from typing import Any

from regrapht.records.element import struct_layout
from regrapht.records.user_code import Members
from regrapht.source.c_types import struct_numbers
from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.places import Refused, plain_name, shape_of

_UNKNOWN = "?"
"""The type of a member that no struct of a task has."""
_ALLOCATED = 16
"""Every array is aligned to so many bytes."""
_LIES = "whose members do not lie as those of a plain struct do: by a base, a virtual function, alignas, bit fields or packing"


def layouts_of(name: str, kind: Any, at: Cursor) -> dict[str, Members]:
    """The members of a struct called `name`, and of the structs in it by names of their own.

    Raises:
        Refused: They do not lie as C's do, one behind the other.
    """
    found: dict[str, Members] = {}
    _read(name, kind.get_canonical(), at, found)
    return found


def _read(name: str, kind: Any, at: Cursor, found: dict[str, Members]) -> None:
    members: list[tuple[str, str]] = []
    bases = [_bare(one.type) for one in kind.get_bases()]
    for base in (one for one in bases if _has_fields(one)):
        _read(f"{name}:{base.spelling}", base, at, found)
        members += found[f"{name}:{base.spelling}"]
    own = [] if kind.get_declaration().kind.name == "UNION_DECL" else list(kind.get_fields())
    for one in own:
        members.append((str(one.spelling) or _UNKNOWN, _type(f"{name}.{one.spelling}", one.type, at, found)))
    found[name] = tuple(members) or ((_UNKNOWN, _UNKNOWN),)
    leaves = [(path, scalar) for path, scalar in struct_numbers(name, found, {})]
    known = [(path, scalar.size_bytes, scalar.alignment_bytes) for path, scalar in leaves if scalar is not None]
    if len(known) != len(leaves):
        return  # it is told what a struct of a task may have
    offsets, size, alignment = struct_layout(known)
    at_first: dict[str, int] = {}
    for (path, _, _), offset in zip(known, offsets, strict=True):
        at_first.setdefault(re.split(r"[.[]", path)[0], 8 * offset)
    moved = any(one.is_bitfield() or one.get_field_offsetof() != at_first[one.spelling] for one in own)
    strict = kind.get_align() > max(alignment, _ALLOCATED)
    if moved or size != kind.get_size() or strict or sum(map(_has_fields, bases)) > 1:
        raise Refused(f"has an array of '{kind.spelling}', {_LIES}", at, "keep what the loop needs in a plain struct")


def _type(name: str, kind: Any, at: Cursor, found: dict[str, Members]) -> str:
    """A member's type as C writes it, extents behind it."""
    kind, extents = _bare(kind), ""
    while True:
        shape = shape_of(kind) if kind.kind.name == "RECORD" else None
        if kind.kind.name == "CONSTANTARRAY":
            extents += f"[{kind.element_count}]"
            kind = _bare(kind.element_type)
        elif shape is not None and shape.container == "array":
            inner = _bare(kind.get_template_argument_type(0))
            extents += f"[{kind.get_size() // max(inner.get_size(), 1)}]"
            kind = inner
        else:
            break
    if kind.kind.name == "ENUM":
        return plain_name(kind.get_declaration().enum_type) + extents
    if kind.kind.name == "POINTER":
        to = _bare(kind.get_pointee())  # no struct of a task has one, and the message tells of what it points to
        return f"{to.get_declaration().spelling if to.kind.name == 'RECORD' else plain_name(to)} *" + extents
    if kind.kind.name != "RECORD":
        return (_UNKNOWN if kind.kind.name == "BOOL" else plain_name(kind)) + extents
    if kind.spelling.startswith("std::") and not kind.spelling.startswith("std::pair<"):
        return _UNKNOWN
    _read(name, kind, at, found)
    return name + extents


def _has_fields(kind: Any) -> bool:
    kind = _bare(kind)
    return any(True for _ in kind.get_fields()) or any(_has_fields(one.type) for one in kind.get_bases())


def _bare(kind: Any) -> Any:
    return kind.get_canonical()
