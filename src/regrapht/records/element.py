"""Element types of a task's arguments: the twelve scalar types of the task format, and plain structs of them in C layout."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarType:
    """A machine type: its name in `task.toml`, in C++ and in CUDA, and its size."""

    name: str
    c_name: str
    """How reference and candidate spell it. `__half` and `__nv_bfloat16` need CUDA's headers."""
    size_bytes: int
    kind: str
    """`float`, `int` or `uint`."""

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def plain_name(self) -> str:
        """As `StructType` has it: the same as `c_name`."""
        return self.c_name

    @property
    def alignment_bytes(self) -> int:
        return self.size_bytes


def _scalar(name: str, c_name: str, size_bytes: int) -> ScalarType:
    kind = "float" if "float" in name else "uint" if name.startswith("u") else "int"
    return ScalarType(name=name, c_name=c_name, size_bytes=size_bytes, kind=kind)


SCALAR_TYPES: dict[str, ScalarType] = {
    t.name: t
    for t in (
        _scalar("float16", "__half", 2),
        _scalar("bfloat16", "__nv_bfloat16", 2),
        _scalar("float32", "float", 4),
        _scalar("float64", "double", 8),
        _scalar("int8", "signed char", 1),
        _scalar("uint8", "unsigned char", 1),
        _scalar("int16", "short", 2),
        _scalar("uint16", "unsigned short", 2),
        _scalar("int32", "int", 4),
        _scalar("uint32", "unsigned int", 4),
        _scalar("int64", "long long", 8),
        _scalar("uint64", "unsigned long long", 8),
    )
}


_EXTENT = re.compile(r"\[(\d+)\]")
MOST_NUMBERS = 256
"""So many numbers are in a struct at most: each is drawn and compared by itself."""


def places(declarator: str) -> list[str]:
    """The members that a declarator of C declares, as they lie: of `m[2][2]` the four from `m[0][0]` on, of `x` itself."""
    name, _, _ = declarator.partition("[")
    extents = [range(int(extent)) for extent in _EXTENT.findall(declarator)]
    return [name + "".join(f"[{at}]" for at in place) for place in product(*extents)]


def struct_layout(leaves: Sequence[tuple[str, int, int]]) -> tuple[tuple[int, ...], int, int]:
    """Where a C++ compiler puts the members of a struct: their offsets, the struct's size and its alignment.

    Args:
        leaves: (path, size, alignment) of each number in order; `position.x` is the member `x` of the member `position`, whose
            members stand side by side, and `f[2]` an element of the member `f`.
    """
    offsets: list[int] = []
    end, alignment = 0, 1
    for _, inner in _members(leaves):
        if inner[0][0] == "":
            [(_, size, own)] = inner
            within: tuple[int, ...] = (0,)
        else:
            within, size, own = struct_layout(inner)
        end = -(-end // own) * own
        offsets += [end + offset for offset in within]
        end += size
        alignment = max(alignment, own)
    return tuple(offsets), -(-end // alignment) * alignment, alignment


def declared(leaves: Sequence[tuple[Any, ...]]) -> list[tuple[str, list[Any]]]:
    """Each member of a struct as C declares it, an array once (`f[19]`), with the numbers of one element, whose paths begin behind it."""
    found = []
    for name, group in groupby(_members(leaves), key=lambda one: one[0].partition("[")[0]):
        members = list(group)
        last = _EXTENT.findall(members[-1][0])
        found.append((name + "".join(f"[{int(at) + 1}]" for at in last), members[0][1]))
    return found


def struct_members(leaves: Sequence[tuple[str, str]]) -> str:
    """The members of a struct as C declares them, from (path, C type) of each number; a member that is a struct has one without a name."""
    found = []
    for name, inner in declared(leaves):
        kind = inner[0][1] if inner[0][0] == "" else f"struct {{ {struct_members(inner)} }}"
        found.append(f"{kind} {name};")
    return " ".join(found)


def member_keys(leaves: Sequence[tuple[Any, ...]]) -> list[tuple[str, Any]]:
    """The members of a struct as keys of a TOML table, from (path, value) of each number: `position.x`, `"f[19]"`, `"corner[8]".x`."""
    found = []
    for name, inner in declared(leaves):
        key = f'"{name}"' if "[" in name else name
        parts = [("", inner[0][1])] if inner[0][0] == "" else [(f".{rest}", one) for rest, one in member_keys(inner)]
        found += [(key + rest, one) for rest, one in parts]
    return found


def _members(leaves: Sequence[tuple[Any, ...]]) -> list[tuple[str, list[Any]]]:
    """Each member of a struct with its numbers, whose paths begin behind it; a member that is a number has one with an empty path."""
    split = [(*leaf[0].partition("."), leaf[1:]) for leaf in leaves]
    return [
        (name, [(rest, *others) for _, _, rest, others in group])
        for name, group in groupby(split, key=lambda one: one[0])
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class StructType:
    """A plain struct in C layout: each member at the next multiple of its own alignment, the whole padded to the largest.

    `c_name` is the struct's name in the reference's source, which defines it. `fields` are its numbers in order; those of a member that is
    a struct itself have paths, `position.x`, and those of an array have their places, `f[2]`.
    """

    c_name: str
    fields: tuple[tuple[str, ScalarType], ...]

    def __post_init__(self) -> None:
        if not self.fields:
            raise ValueError("a struct needs at least one field")
        names = [name for name, _ in self.fields]
        if len(set(names)) != len(names):
            raise ValueError("a struct has two fields of one name")

    @property
    def name(self) -> str:
        members = [(key.replace('"', ""), scalar.name) for key, scalar in member_keys(self.fields)]
        return "{" + ", ".join(f"{key}: {kind}" for key, kind in members) + "}"

    @property
    def plain_name(self) -> str:
        """A name of one word, by which a file can define it anew: that of `Vec2<double>` is `Vec2_double`."""
        return re.sub(r"\W+", "_", self.c_name).strip("_")

    @property
    def c_definition(self) -> str:
        """The struct as C defines it, by its plain name."""
        members = struct_members([(name, scalar.c_name) for name, scalar in self.fields])
        return f"struct {self.plain_name} {{ {members} }};"

    @property
    def alignment_bytes(self) -> int:
        return max(scalar.alignment_bytes for _, scalar in self.fields)

    @property
    def offsets_bytes(self) -> tuple[int, ...]:
        return struct_layout(self._leaves())[0]

    @property
    def size_bytes(self) -> int:
        return struct_layout(self._leaves())[1]

    def _leaves(self) -> list[tuple[str, int, int]]:
        return [(name, scalar.size_bytes, scalar.alignment_bytes) for name, scalar in self.fields]

    @property
    def is_float(self) -> bool:
        """True when any field is a float: the element is then compared field by field."""
        return any(scalar.is_float for _, scalar in self.fields)


ElementType = ScalarType | StructType
