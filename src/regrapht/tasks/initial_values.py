"""How an argument's values are drawn: which kinds of init there are, what each needs, and which element types it can fill."""

from collections.abc import Mapping
from typing import Any

from regrapht.records.element import ElementType, ScalarType
from regrapht.records.expression import Expression
from regrapht.records.task import INIT_KINDS, Init, Sizes
from regrapht.tasks.toml_table import Table, TaskFolder
from regrapht.wording import did_you_mean

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "normal": ("mean", "std"),
    "uniform": ("low", "high"),
    "integers": ("low", "high"),
    "sorted": ("low", "high"),
    "choice": ("values",),
    "csr_row_ptr": ("nnz",),
    "csr_col_idx": ("cols",),
    "file": ("path",),
}
_DEFAULTS: Mapping[str, Mapping[str, float | int | None]] = {
    "normal": {"mean": 0.0, "std": 1.0},
    "uniform": {"low": 0.0, "high": 1.0},
    "integers": {"low": 0},
    "sorted": {"low": None, "high": None},  # which range, the dtype decides
}
_INTEGER_ONLY = {"permutation", "csr_row_ptr", "csr_col_idx"}
_FLOAT_ONLY = {"normal", "uniform"}
_OF_SCALARS = {"normal", "uniform", "integers", "choice"}


def read_init(table: Table, dtype: ElementType, sizes: tuple[str, ...], folder: TaskFolder, *, is_array: bool) -> Init:
    """The `init` of the argument that `table` describes.

    Raises:
        TaskError: An unknown kind, a missing, unknown or ill-typed parameter, or a kind that cannot fill `dtype`.
    """
    content = table.value("init")
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        table.fail("init", f"expected a table with a kind, found {content!r:.60}", 'write init = { kind = "zeros" }')
    kind = content["kind"]
    if kind not in INIT_KINDS:
        table.fail("init.kind", f"unknown kind of init {kind!r}", did_you_mean(kind, INIT_KINDS))
    init = Table(content, file=table.file, path=table.place("init"), known=("kind", *PARAMETERS.get(kind, ())))
    _check_fit(init, kind, dtype, is_array=is_array)
    return Init(kind=kind, parameters=_parameters(init, kind, sizes, folder))


def check_init_values(table: Table, init: Init, sizes: Sizes) -> None:
    """Refuse an init whose parameters make no sense at one row of sizes, such as low above high."""
    try:
        numbers = {
            name: init.number(name, sizes) for name in PARAMETERS.get(init.kind, ()) if name not in ("values", "path")
        }
    except ValueError as error:
        table.fail("init", str(error), "correct the expression")
    low, high = numbers.get("low"), numbers.get("high")
    if low is not None and high is not None and not (low < high or (init.kind == "uniform" and low == high)):
        table.fail("init", f"low = {low} is not below high = {high} at {dict(sizes)}", "low must be below high")
    if numbers.get("nnz", 0) < 0 or numbers.get("cols", 1) < 1:
        table.fail("init", f"no values at {dict(sizes)}", "nnz is at least 0 and cols at least 1")


def _check_fit(init: Table, kind: str, dtype: ElementType, *, is_array: bool) -> None:
    if not is_array and kind not in _OF_SCALARS:
        init.fail("kind", f"{kind!r} fills arrays, not a scalar", f"use one of {', '.join(sorted(_OF_SCALARS))}")
    if kind in _FLOAT_ONLY and not dtype.is_float:
        init.fail("kind", f"{kind!r} draws floats, but the dtype is {dtype.name}", 'use kind = "integers"')
    if kind in _INTEGER_ONLY and (not isinstance(dtype, ScalarType) or dtype.is_float):
        init.fail("kind", f"{kind!r} draws integers, but the dtype is {dtype.name}", "use an integer dtype")


def _parameters(init: Table, kind: str, sizes: tuple[str, ...], folder: TaskFolder) -> dict[str, object]:
    read: dict[str, object] = {}
    for name in PARAMETERS.get(kind, ()):
        if name not in init and name in _DEFAULTS.get(kind, {}):
            read[name] = _DEFAULTS[kind][name]
        elif kind == "normal":
            read[name] = init.typed(name, float)
        elif name == "values":
            read[name] = _choices(init)
        elif name == "path":
            read[name] = init.text(name)
            if folder.find(init, name, init.text(name)).suffix != ".npy":
                init.fail(name, f"{init.text(name)!r} is no .npy file", "save the data with numpy.save")
        else:
            read[name] = _number(init, name, sizes)
    if kind == "normal" and float(str(read["std"])) < 0:
        init.fail("std", f"{read['std']} is negative", "write 0 or more")
    return {name: value for name, value in read.items() if value is not None}


def default_init(dtype: ElementType) -> Init:
    """How an input is drawn whose init is not said: signed normals, or small whole numbers."""
    if dtype.is_float:
        return Init(kind="normal", parameters=dict(_DEFAULTS["normal"]))
    return Init(kind="integers", parameters={"low": 0, "high": 100})


def _number(init: Table, name: str, sizes: tuple[str, ...]) -> float | int | Expression:
    value = init.value(name)
    if isinstance(value, str):
        return init.parse_expression(name, value, sizes)
    return init.typed(name, float)


def _choices(init: Table) -> tuple[Any, ...]:
    init.value("values")
    values = init.typed("values", list)
    if not values or any(isinstance(value, bool) or not isinstance(value, int | float) for value in values):
        init.fail("values", "expected a list of at least one number", "write values = [1, 2, 4]")
    return tuple(values)
