"""Element types of a task's arguments: the twelve scalar types of the task format, and plain structs of them in C layout."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
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


def struct_layout(leaves: Sequence[tuple[str, int, int]]) -> tuple[tuple[int, ...], int, int]:
    """Where a C++ compiler puts the members of a struct: their offsets, the struct's size and its alignment.

    Args:
        leaves: (path, size, alignment) of each number in order; `position.x` is the member `x` of the member `position`, whose
            members stand side by side.
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


def struct_members(leaves: Sequence[tuple[str, str]]) -> str:
    """The members of a struct as C declares them, from (path, C type) of each number; a member that is a struct has one without a name."""
    found = []
    for name, inner in _members(leaves):
        kind = inner[0][1] if inner[0][0] == "" else f"struct {{ {struct_members(inner)} }}"
        found.append(f"{kind} {name};")
    return " ".join(found)


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
    a struct itself have paths: `position.x`.
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
        return "{" + ", ".join(f"{name}: {scalar.name}" for name, scalar in self.fields) + "}"

    @property
    def c_definition(self) -> str:
        """The struct as C defines it."""
        members = struct_members([(name, scalar.c_name) for name, scalar in self.fields])
        return f"struct {self.c_name} {{ {members} }};"

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
