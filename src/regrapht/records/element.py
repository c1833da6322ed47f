"""Element types of a task's arguments: the twelve scalar types of the task format, and plain structs of them in C layout."""

from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StructType:
    """A plain struct of scalars in C layout: each field at the next multiple of its own size, the whole padded to the largest.

    `c_name` is the struct's name in the reference's source, which defines it.
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
    def alignment_bytes(self) -> int:
        return max(scalar.alignment_bytes for _, scalar in self.fields)

    @property
    def offsets_bytes(self) -> tuple[int, ...]:
        offsets, end = [], 0
        for _, scalar in self.fields:
            end = -(-end // scalar.alignment_bytes) * scalar.alignment_bytes
            offsets.append(end)
            end += scalar.size_bytes
        return tuple(offsets)

    @property
    def size_bytes(self) -> int:
        end = self.offsets_bytes[-1] + self.fields[-1][1].size_bytes
        return -(-end // self.alignment_bytes) * self.alignment_bytes

    @property
    def is_float(self) -> bool:
        """True when any field is a float: the element is then compared field by field."""
        return any(scalar.is_float for _, scalar in self.fields)


ElementType = ScalarType | StructType
