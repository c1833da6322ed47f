"""The `[sizes]` of `task.toml`: rows that give every size a value, and what hidden rows must satisfy."""

from collections.abc import Mapping, Sequence

from regrapht.records.requirement import Requirement
from regrapht.records.task import Arg, ArgKind, Sizes
from regrapht.tasks.arguments import fits
from regrapht.tasks.initial_values import check_init_values
from regrapht.tasks.toml_table import Table
from regrapht.wording import did_you_mean

MOST_ROWS = 256
"""Each is judged with every family of values, for every candidate."""


MOST_CHECKED = 2**30
"""Bytes of all arrays at a check shape: each is drawn with every family of values, for every candidate."""
MOST_BYTES = 2**40
"""Of all arrays at any shape: no machine that this is for has more."""


def read_rows(table: Table, key: str, sizes: Sequence[str]) -> tuple[Sizes, ...]:
    """The rows of `check` or `bench`; `check` must have at least one.

    Raises:
        TaskError: A row misses a size, names an unknown one, or holds something else than a whole number of at least 0.
    """
    example = f"write {key} = [ {{ {', '.join(f'{name} = 64' for name in sizes)} }} ]"
    if key == "check":
        table.value(key)
    rows = table.typed(key, list, default=[])
    if key == "check" and not rows:
        table.fail(key, "has no row", example)
    if len(rows) > MOST_ROWS:
        table.fail(key, f"has {len(rows)} rows, at most {MOST_ROWS} are judged", "keep those that differ in kind")
    for position, row in enumerate(rows, start=1):
        place = f"{key}[{position}]"
        if not isinstance(row, dict):
            table.fail(place, f"expected a table, found {row!r:.60}", example)
        for name, value in row.items():
            if name not in sizes:
                remedy = did_you_mean(name, sizes) if sizes else "no argument has kind = 'size'"
                table.fail(f"{place}.{name}", "no argument of kind 'size' is called so", remedy)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                table.fail(f"{place}.{name}", f"{value!r:.60} is no size", "write a whole number of at least 0")
        if missing := [name for name in sizes if name not in row]:
            table.fail(place, f"{', '.join(missing)} missing", f"add {missing[0]} = ...")
    return tuple(dict(row) for row in rows)


def read_require(table: Table, sizes: Sequence[str]) -> tuple[str, ...]:
    """The comparisons of `require`, checked."""
    texts = table.texts("require")
    for text in texts:
        try:
            unknown = sorted(Requirement(text).names - set(sizes))
        except ValueError as error:
            table.fail("require", str(error), 'write comparisons such as "K <= N"')
        if unknown:
            table.fail("require", f"{text!r} uses {unknown[0]!r}, which is no size", did_you_mean(unknown[0], sizes))
    return texts


def check_rows(
    table: Table, key: str, rows: Sequence[Sizes], *, args: Mapping[str, tuple[Arg, Table]], require: Sequence[str]
) -> None:
    """Refuse rows that break `require`, overflow a size's type, or give an array a shape that is none."""
    for position, row in enumerate(rows, start=1):
        place = f"{key}[{position}]"
        for name, value in row.items():
            if not fits(value, args[name][0].dtype):
                table.fail(
                    f"{place}.{name}", f"{value} does not fit in {args[name][0].dtype.name}", "use a wider dtype"
                )
        for text in require:
            if not _holds(table, place, text, row):
                table.fail(place, f"{dict(row)} breaks the requirement {text!r}", "correct the row or the requirement")
        for arg, own in args.values():
            try:
                arg.dimensions(row)
            except ValueError as error:
                own.fail("shape", str(error), f"correct the shape, or the row {table.place(place)}")
            if arg.init is not None:
                check_init_values(own, arg.init, row)
        size = sum(arg.size_bytes(row) for arg, _ in args.values() if arg.kind is ArgKind.ARRAY)
        most = MOST_CHECKED if key == "check" else MOST_BYTES
        if size > most:
            told = f"the arrays take {size / 2**30:.4g} GiB there, at most {most // 2**30} GiB are judged"
            table.fail(place, told, "write smaller sizes" + ("; large ones are for bench" if key == "check" else ""))


def _holds(table: Table, place: str, text: str, row: Sizes) -> bool:
    try:
        return Requirement(text).holds(row)
    except ValueError as error:
        table.fail(place, str(error), "correct the requirement")
