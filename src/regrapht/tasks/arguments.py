"""The `[[args]]` of `task.toml`: each parameter's kind, element type, shape, role, values and comparison."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from regrapht.records.element import MOST_NUMBERS, SCALAR_TYPES, ElementType, ScalarType, StructType, places
from regrapht.records.expression import Number
from regrapht.records.task import Arg, ArgKind, Compare, Init, Role
from regrapht.tasks.initial_values import default_init, read_init
from regrapht.tasks.signature import Interface
from regrapht.tasks.toml_table import Table, TaskFolder
from regrapht.wording import did_you_mean

_KEYS = (
    *("name", "kind", "dtype", "shape", "role", "init", "value", "domain"),
    *("compare", "rtol", "atol", "reduction_length", "valid_length"),
)
_ALLOWED = {
    ArgKind.SIZE: {"name", "kind", "dtype"},
    ArgKind.SCALAR: {"name", "kind", "dtype", "init", "value", "domain"},
    ArgKind.ARRAY: set(_KEYS) - {"value"},
}
_DECLARATOR = re.compile(r"[A-Za-z_]\w*(?:\[[1-9]\d{0,3}\])*")
"""A field's name in a struct, with its extents where it is an array."""
_OF_OUTPUTS = ("compare", "rtol", "atol", "reduction_length", "valid_length")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What reading one argument needs to know of the rest of the task."""

    entry: str
    sizes: tuple[str, ...]
    folder: TaskFolder
    interface: Interface


def open_args(top: Table) -> list[Table]:
    """The tables of `[[args]]`, each called by its argument's name in messages.

    Raises:
        TaskError: There are none, one has no name or no C++ name, two have the same, or a key is unknown.
    """
    top.value("args")
    found: list[Table] = []
    names: list[str] = []
    for position, content in enumerate(top.typed("args", list), start=1):
        if not isinstance(content, dict):
            top.fail("args", f"entry {position} is no table", "write [[args]] once for each parameter")
        name = content.get("name")
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            top.fail(f"args[{position}].name", f"{name!r} is no name of a parameter", 'write name = "..."')
        if name in names:
            top.fail(f"args.{name}", "two arguments of one name", "give each parameter once")
        names.append(name)
        found.append(Table(content, file=top.file, path=f"args.{name}", known=_KEYS))
    return found


def read_arg(table: Table, around: Surroundings) -> Arg:
    """One argument.

    Raises:
        TaskError: A key that its kind does not have, a missing one, or values that contradict each other.
    """
    name = table.text("name")
    kind = ArgKind(table.word("kind", [kind.value for kind in ArgKind]))
    for key in _KEYS:
        if key in table and key not in _ALLOWED[kind]:
            table.fail(key, f"a {kind} has no {key!r}", "remove it, or change the kind")
    dtype = _read_dtype(table, name, kind, around)
    if kind is ArgKind.SIZE:
        return Arg(name=name, kind=kind, dtype=dtype)
    init = _read_init(table, kind, dtype, around)
    if kind is ArgKind.SCALAR:
        value = _read_value(table, dtype)
        return Arg(name=name, kind=kind, dtype=dtype, init=init, value=value, domain=_read_domain(table, dtype, init))
    shape = table.typed("shape", list)
    if not shape:
        table.fail("shape", "an array needs a shape", 'write shape = ["n"], one expression for each dimension')
    role = Role(table.word("role", [role.value for role in Role]))
    _check_role(table, role)
    if init is None and role is not Role.OUT:
        init = default_init(dtype)
    return Arg(
        name=name,
        kind=kind,
        dtype=dtype,
        shape=tuple(table.parse_expression("shape", extent, around.sizes) for extent in shape),
        role=role,
        init=init,
        domain=_read_domain(table, dtype, init if role is not Role.OUT else None),
        compare=_read_compare(table, dtype),
        rtol=_not_negative(table, "rtol"),
        atol=_not_negative(table, "atol"),
        reduction_length=table.expression("reduction_length", around.sizes),
        valid_length=table.typed("valid_length", str),
    )


def check_valid_lengths(top: Table, args: Sequence[Arg]) -> None:
    """Refuse a `valid_length` that names no integer output of length 1."""
    counters = [
        arg.name
        for arg in args
        if arg.is_output and not arg.dtype.is_float and [extent.text.strip() for extent in arg.shape] == ["1"]
    ]
    for arg in args:
        if arg.valid_length is not None and (arg.valid_length not in counters or arg.valid_length == arg.name):
            message = f"{arg.valid_length!r} is no integer output of shape [1]"
            remedy = did_you_mean(arg.valid_length, counters) if counters else "add an output with shape = [1]"
            top.fail(f"args.{arg.name}.valid_length", message, remedy)


def _read_dtype(table: Table, name: str, kind: ArgKind, around: Surroundings) -> ElementType:
    written = table.value("dtype")
    if isinstance(written, dict):
        if kind is not ArgKind.ARRAY:
            table.fail("dtype", f"a {kind} is no struct", "hand a struct over in an array")
        fields = tuple(_numbers(table, "dtype", written))
        if not fields:
            table.fail("dtype", "a struct needs at least one field", 'write dtype = {x = "float32"}')
        return StructType(c_name=around.interface.struct_name(name, entry=around.entry), fields=fields)
    dtype = _scalar(table, "dtype", written)
    if kind is ArgKind.SIZE and dtype.is_float:
        table.fail("dtype", f"a size is an integer, not {dtype.name}", 'write dtype = "int32", or kind = "scalar"')
    return dtype


def _numbers(table: Table, key: str, written: dict[str, Any]) -> Iterator[tuple[str, ScalarType]]:
    """The numbers of a struct by their paths; a table inside is a struct inside, `f[19]` an array."""
    for field, text in written.items():
        if not _DECLARATOR.fullmatch(field):
            table.fail(key, f"{field!r:.60} is no name of a field", 'write x = "float64", or "f[19]" for an array')
        if isinstance(text, dict):
            inner = [(f".{path}", scalar) for path, scalar in _numbers(table, f"{key}.{field}", text)]
        else:
            inner = [("", _scalar(table, f"{key}.{field}", text))]
        if len(inner) * prod(int(one) for one in re.findall(r"\d+(?=\])", field)) > MOST_NUMBERS:
            table.fail(key, f"a struct has {MOST_NUMBERS} numbers at most", "keep the array outside of the struct")
        yield from ((place + path, scalar) for place in places(field) for path, scalar in inner)


def _scalar(table: Table, key: str, written: Any) -> ScalarType:
    if not isinstance(written, str) or written not in SCALAR_TYPES:
        table.fail(key, f"unknown type {written!r:.60}", did_you_mean(str(written), list(SCALAR_TYPES)))
    return SCALAR_TYPES[written]


def _read_init(table: Table, kind: ArgKind, dtype: ElementType, around: Surroundings) -> Init | None:
    if "init" not in table:
        return None
    return read_init(table, dtype, around.sizes, around.folder, is_array=kind is ArgKind.ARRAY)


def _read_value(table: Table, dtype: ElementType) -> Number | None:
    if ("value" in table) == ("init" in table):
        table.fail("value", "a scalar needs either a value or an init", "write value = 1.5")
    if "value" not in table:
        return None
    if dtype.is_float:
        return table.typed("value", float)
    value = table.typed("value", int)
    if not fits(value, dtype):
        table.fail("value", f"{value} does not fit in {dtype.name}", "use a wider dtype")
    return value


def fits(value: int, dtype: ElementType) -> bool:
    """Whether an integer type can hold `value`."""
    bits = 8 * dtype.size_bytes
    if isinstance(dtype, ScalarType) and dtype.kind == "uint":
        return 0 <= value < 2**bits
    return -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


def _check_role(table: Table, role: Role) -> None:
    if role is Role.OUT and "init" in table:
        table.fail(
            "init", "an array of role 'out' starts with arbitrary contents", 'remove init, or write role = "inout"'
        )
    for key in _OF_OUTPUTS:
        if role is Role.IN and key in table:
            table.fail(key, "only outputs are compared", "remove it, or change the role")


def _read_domain(table: Table, dtype: ElementType, init: Init | None) -> tuple[float, float] | None:
    bounds = table.typed("domain", list)
    if bounds is None:
        return None
    if init is None:
        table.fail("domain", "says which inputs make sense, and this is none", "remove it")
    numbers = [bound for bound in bounds if isinstance(bound, int | float) and not isinstance(bound, bool)]
    if len(bounds) != 2 or len(numbers) != 2:
        table.fail("domain", f"expected two numbers, found {bounds!r:.60}", "write domain = [low, high]")
    low, high = float(numbers[0]), float(numbers[1])
    if not low < high:
        table.fail("domain", f"{low} is not below {high}", "write domain = [low, high] with low below high")
    if not dtype.is_float:
        table.fail("domain", f"only floats are widened, not {dtype.name}", "remove it")
    return low, high


def _read_compare(table: Table, dtype: ElementType) -> Compare | None:
    if "compare" not in table:
        return None
    compare = Compare(table.word("compare", [compare.value for compare in Compare]))
    if compare is Compare.FLOAT and not dtype.is_float:
        table.fail(
            "compare", f"{dtype.name} has no tolerance", 'write compare = "exact", or "rounded" where it is from floats'
        )
    if compare is Compare.ROUNDED and (isinstance(dtype, StructType) or dtype.is_float):
        table.fail("compare", f"{dtype.name} is no integer that is rounded from a float", 'write compare = "float"')
    if compare is not Compare.FLOAT and ("rtol" in table or "atol" in table):
        table.fail("compare", f"{compare.value!r} takes no rtol or atol", "remove them")
    return compare


def _not_negative(table: Table, key: str) -> float | None:
    number = table.typed(key, float)
    if number is not None and number < 0:
        table.fail(key, f"{number} is negative", "write 0 or more")
    return number
