"""The task format's kinds of init: how declared values are drawn. One function a kind, all of them over a numpy generator."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from regrapht.errors import TaskError
from regrapht.evaluate.inputs.element_arrays import Array, chunks, storage_dtype, stored
from regrapht.records.element import ScalarType, StructType
from regrapht.records.task import Arg, Init, Sizes

CHUNK_ELEMENTS = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What one array or scalar is drawn from."""

    init: Init
    scalar: ScalarType
    count: int
    sizes: Sizes
    rng: np.random.Generator
    folder: str | None
    """Where paths of `file` inits start."""

    def number(self, name: str, default: float | None = None) -> float:
        return self.init.number(name, self.sizes, default)


def draw_values(request: Draw) -> Array:
    """`request.count` values in storage type.

    Raises:
        TaskError: A parameter of the init makes no sense at these sizes, or its file cannot be read.
    """
    try:
        if request.init.kind not in _INDEPENDENT or request.count <= CHUNK_ELEMENTS:
            return _stored(_KINDS[request.init.kind](request), request.scalar)
        # A large array is drawn in its wide type a chunk at a time: the same values, with little memory beside the array.
        array = np.empty(request.count, storage_dtype(request.scalar))
        for part in chunks(request.count, CHUNK_ELEMENTS):
            one = replace(request, count=part.stop - part.start)
            array[part] = _stored(_KINDS[request.init.kind](one), request.scalar)
        return array
    except (ValueError, OverflowError) as error:
        raise TaskError(
            f"init {request.init.kind!r} at {dict(request.sizes)}: {error}", file="task.toml", key="args.init"
        ) from error


def default_init(scalar: ScalarType) -> Init:
    """How an input without an init is drawn: signed normals, or small whole numbers."""
    if scalar.is_float:
        return Init(kind="normal", parameters={"mean": 0.0, "std": 1.0})
    return Init(kind="integers", parameters={"low": 0, "high": 100})


def fits(arg: Arg, scalar: ScalarType) -> bool:
    """Whether an argument's init draws this field of it: a struct's whole numbers cannot take what is meant for its floats, or the other
    way round."""
    if not isinstance(arg.dtype, StructType):
        return True
    assert arg.init is not None
    return scalar.is_float == (arg.init.kind in ("normal", "uniform", "sorted"))


def limits(init: Init, sizes: Sizes) -> tuple[int, int]:
    """From where to below where an init of whole numbers draws."""
    if init.kind == "csr_col_idx":
        return 0, int(init.number("cols", sizes))
    return int(init.number("low", sizes, 0)), int(init.number("high", sizes, 1000 if init.kind == "sorted" else None))


def chosen_values(init: Init) -> tuple[float, ...]:
    """The list of a `choice`."""
    values = init.parameters.get("values")
    if not isinstance(values, tuple) or not values:
        raise ValueError("'choice' needs the list 'values'")
    return values


def _stored(values: Array, scalar: ScalarType) -> Array:
    return stored(values, scalar) if scalar.is_float else values.astype(storage_dtype(scalar))


def _normal(r: Draw) -> Array:
    return r.rng.normal(r.number("mean", 0.0), r.number("std", 1.0), r.count)


def _uniform(r: Draw) -> Array:
    return r.rng.uniform(r.number("low", 0.0), r.number("high", 1.0), r.count)


def _integers(r: Draw) -> Array:
    low, high = limits(r.init, r.sizes)
    return r.rng.integers(low, high, r.count, dtype=np.uint64 if high > 2**63 else np.int64)


def _zeros(r: Draw) -> Array:
    return np.zeros(r.count)


def _ones(r: Draw) -> Array:
    return np.ones(r.count)


def _arange(r: Draw) -> Array:
    return np.arange(r.count)


def _permutation(r: Draw) -> Array:
    return r.rng.permutation(r.count)


def _sorted(r: Draw) -> Array:
    if r.scalar.is_float:
        return np.sort(r.rng.uniform(r.number("low", 0.0), r.number("high", 1.0), r.count))
    low, high = limits(r.init, r.sizes)
    return np.sort(r.rng.integers(low, high, r.count))


def _choice(r: Draw) -> Array:
    return r.rng.choice(np.asarray(chosen_values(r.init)), r.count)


def _csr_row_ptr(r: Draw) -> Array:
    """Row starts of a matrix with `count - 1` rows and `nnz` entries: uneven rows, some empty, one long."""
    rows, total = r.count - 1, int(r.number("nnz"))
    if rows < 0 or total < 0 or (rows == 0 and total):
        raise ValueError(f"{rows} rows cannot hold {total} entries")
    if rows == 0:
        return np.zeros(1, np.int64)
    weights = r.rng.exponential(1.0, rows)
    weights[r.rng.random(rows) < 0.2] = 0.0
    longest = int(r.rng.integers(rows))
    weights[longest] = max(weights.sum() / 4, 1.0)
    lengths = r.rng.multinomial(total, weights / weights.sum())
    return np.concatenate([[0], np.cumsum(lengths)])


def _csr_col_idx(r: Draw) -> Array:
    _, columns = limits(r.init, r.sizes)
    if columns < 1 and r.count:
        raise ValueError("'cols' must be at least 1")
    return r.rng.integers(0, max(columns, 1), r.count)


def file_path(init: Init, folder: str | None) -> Path:
    """Where a `file` init's data lie; its path may be relative to the task's folder."""
    path = Path(str(init.parameters.get("path", "")))
    return path if path.is_absolute() or folder is None else Path(folder) / path


def _file(r: Draw) -> Array:
    """The first `count` elements of a .npy file; no pickles."""
    path = file_path(r.init, r.folder)
    if not path.is_file():
        raise ValueError(f"cannot read {path.name}: it is no regular file")
    try:
        # Mapped, so that a header that claims more than the file has takes no memory.
        values = np.load(path, mmap_mode="r", allow_pickle=False).reshape(-1)
    except (OSError, ValueError, EOFError, TypeError, AttributeError, OverflowError, MemoryError) as error:
        why = (str(error).strip().splitlines() or ["it is empty"])[0]
        raise ValueError(f"cannot read {path.name} as an array of plain numbers: {why:.200}") from error
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{path.name} holds {values.dtype}, which are no plain numbers")
    if values.size < r.count:
        raise ValueError(f"{path.name} holds {values.size} elements, {r.count} are needed")
    return values[: r.count]


_INDEPENDENT = frozenset({"normal", "uniform", "integers", "zeros", "ones", "choice", "csr_col_idx"})
"""Kinds whose values do not depend on each other or on their places."""
_KINDS: dict[str, Callable[[Draw], Array]] = {
    "normal": _normal,
    "uniform": _uniform,
    "integers": _integers,
    "zeros": _zeros,
    "ones": _ones,
    "arange": _arange,
    "permutation": _permutation,
    "sorted": _sorted,
    "choice": _choice,
    "csr_row_ptr": _csr_row_ptr,
    "csr_col_idx": _csr_col_idx,
    "file": _file,
}
