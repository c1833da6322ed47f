"""What functions were called with in a real run, and the tasks that come of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.records.expression import Expression
from regrapht.records.requirement import Requirement
from regrapht.records.task import Arg, ArgKind, Compare, Init, Role, Rounding, Sizes, Task
from regrapht.records.user_code import FlatPlace, Home
from regrapht.report.delivery.interface import count_of
from regrapht.report.delivery.sources import apart
from regrapht.session.port.counted import counts_by_floats

_MOST_CHOICES = 6
_AROUND = 0.25
"""How far a number that never changed is varied when inputs are drawn, so that a program that has it built in is wrong."""
_SHARED = "&"
"""Between the names of two arrays: whether they share memory."""
CHECKED_ELEMENTS = 60_000
"""A captured shape with more is not one of those that every candidate is checked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedArray:
    """An array in one call, before it."""

    count: int
    low: float | int | None = None
    high: float | int | None = None
    finite: bool = True
    ascending: bool = False
    saved: int | None = None
    """The number of its file, where it was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedCall:
    """The arguments of one call."""

    call: int
    numbers: Mapping[str, float | int]
    arrays: Mapping[str, CapturedArray]


def recording(slug: str, home: Home, task: Task | None) -> str:
    """Statements for the beginning of the function that record its arguments; arrays only where a task says how long they are."""
    wanted = " && ".join([*([home.only_in] if home.only_in else []), "regrapht_record_one.wanted()"])
    lines = [f'static regrapht_record::Function regrapht_record_one("{slug}");', f"if ({wanted}) {{"]
    seen = [place for place in home.places if place.hidden is None and not place.made]
    values = {place.name: place.expression for place in seen if place.form == "value"}
    for name, expression in values.items():
        lines.append(f'regrapht_record_one.number("{name}", {expression});')
    pointers = {place.name: place for place in seen if place.form == "pointer"}
    args = {arg.name: arg for arg in task.args} if task is not None else {}
    for name, place in pointers.items():
        count = _count(place, args.get(name), values)
        if count is not None:
            lines.append(f'regrapht_record_one.array("{name}", {place.expression}, {count});')
    lengths = {name: f"({text})" for name, text in values.items()}
    lines += [
        f'regrapht_record_one.number("{_SHARED.join(pair)}", !{condition});'
        for pair, condition in (apart(task, lengths) if task is not None else {}).items()
        if not {place.name for place in home.places if place.hidden or place.made} & {*pair, *_lengths(args, pair)}
    ]
    return " { " + " ".join([*lines, "regrapht_record_one.done(); }"]) + " } "


def _lengths(args: Mapping[str, Arg], names: tuple[str, str]) -> set[str]:
    """The names that the lengths of two arrays are made of."""
    return {name for one in names if one in args for extent in args[one].shape for name in extent.names}


def _count(place: FlatPlace, arg: Arg | None, values: Mapping[str, str]) -> str | None:
    """How many elements of an array can be read: what the object holds, else what the task says."""
    if place.length is not None:
        return f"regrapht_length({place.length})"
    if arg is None or not arg.shape:
        return None
    if not all(name in values for extent in arg.shape for name in extent.names):
        return None
    return count_of(arg, {name: f"({text})" for name, text in values.items()})


def sharing(calls: Sequence[CapturedCall]) -> tuple[str, str] | None:
    """Two arrays, one of them written, that shared memory in a call."""
    named = (name for call in calls for name, value in call.numbers.items() if _SHARED in name and value)
    first = next(named, "").split(_SHARED)
    return (first[0], first[1]) if len(first) == 2 else None


def read_calls(file: Path) -> tuple[CapturedCall, ...]:
    """The calls of one function, in order; none where it was not called."""
    if not file.is_file():
        return ()
    calls = []
    for line in file.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        arrays = {name: CapturedArray(**one) for name, one in told["arrays"].items()}
        numbers = {name: value for name, value in told["numbers"].items() if value is not None}
        calls.append(CapturedCall(call=told["call"], numbers=numbers, arrays=arrays))
    return tuple(calls)


def equal_numbers(home: Home, calls: Sequence[CapturedCall]) -> tuple[tuple[str, str], ...]:
    """(name, name of the one in its place): whole numbers of one field's name that were equal in every call.

    Only where the last part of the name is the same, as `h_nx` and `hu_nx`: that a grid is square by chance says nothing.
    """
    first: dict[str, str] = {}
    pairs = []
    for place in home.places:
        values = [call.numbers.get(place.name) for call in calls]
        if place.form != "value" or place.hidden or not values or not all(isinstance(one, int) for one in values):
            continue
        field = place.name.rpartition("_")[2]
        kept = first.setdefault(field, place.name)
        if kept != place.name and "_" in place.name and values == [call.numbers.get(kept) for call in calls]:
            pairs.append((place.name, kept))
    return tuple(pairs)


def is_refuted(task: Task, calls: Sequence[CapturedCall]) -> bool:
    """Whether a call had an array that is shorter, or subscripts that are larger, than was guessed of them."""
    for call in calls:
        if not all(name in call.numbers for name in task.size_names):
            continue
        row = {name: int(call.numbers[name]) for name in task.size_names}
        for arg in task.args:
            array = call.arrays.get(arg.name)
            if arg.kind is not ArgKind.ARRAY or array is None:
                continue
            if array.count < arg.element_count(row) or (array.high is not None and _is_above(arg, array.high, row)):
                return True
    return False


def _is_above(arg: Arg, high: float, row: Sizes) -> bool:
    """Whether an array's largest value is above what the sizes make of its range."""
    if arg.init is None:
        return False
    if arg.init.kind == "csr_row_ptr":
        return high > arg.init.number("nnz", row)
    limit = arg.init.parameters.get("high")
    return arg.init.kind == "integers" and isinstance(limit, Expression) and high >= arg.init.number("high", row)


def with_captured(task: Task, calls: Sequence[CapturedCall]) -> Task:
    """The task with the ranges and the shapes of the real run in the place of guessed ones.

    Products and sums are rounded one by one, as in the application, with whose output the ported one's is compared.
    Counts that comparisons of floats end may be off by one in very few elements.
    No size is above the largest of the run: larger ones may be more than the function was made for, as a local array of a fixed length.
    """
    counts = counts_by_floats(task)
    args = tuple(_row_starts(arg, task, calls) or _ranged(arg, calls) for arg in task.args)
    args = tuple(replace(arg, compare=Compare.ROUNDED) if arg.name in counts else arg for arg in args)
    task = replace(task, args=args, contract=replace(task.contract, rounding=Rounding.SEPARATE))
    rows = [row for row in captured_rows(task, calls) if is_possible(task, row)]
    if not rows:
        return task
    most = {name: max(row[name] for row in rows) for name in task.size_names}
    smaller = [{name: min(value, most[name]) for name, value in row.items()} for row in task.check_sizes]
    by_size = sorted(rows, key=lambda row: elements(task, row))
    fitting = [row for row in by_size if elements(task, row) <= CHECKED_ELEMENTS][-1:]
    checked: list[Sizes] = []
    for row in (*smaller, *(fitting or by_size[:1])):
        if row not in checked and is_possible(task, row):
            checked.append(row)
    limits = tuple(f"{name} <= {value}" for name, value in most.items())
    return replace(task, check_sizes=tuple(checked), bench_sizes=(by_size[-1],), require=(*task.require, *limits))


def captured_rows(task: Task, calls: Sequence[CapturedCall]) -> list[Sizes]:
    """The sizes of the calls, each combination once."""
    rows: list[Sizes] = []
    for call in calls:
        if all(name in call.numbers for name in task.size_names):
            row = {name: int(call.numbers[name]) for name in task.size_names}
            if row not in rows:
                rows.append(row)
    return rows


def as_captured(task: Task, call: CapturedCall, folder: Path, slug: str) -> Task | None:
    """The task with the arguments of one call as its only case; None where some were not kept."""
    args = []
    for arg in task.args:
        if arg.kind is ArgKind.SCALAR:
            if arg.name not in call.numbers:
                return None
            arg = replace(arg, value=call.numbers[arg.name], init=None)
        elif arg.is_input:
            array = call.arrays.get(arg.name)
            if array is None or array.saved is None:
                return None
            path = str(folder / f"{slug}.{arg.name}.{array.saved}.npy")
            arg = replace(arg, init=Init(kind="file", parameters={"path": path}))
        args.append(arg)
    rows = captured_rows(task, [call])
    if not rows:
        return None
    changed = replace(
        task, args=tuple(args), check_sizes=(rows[0],), bench_sizes=(rows[0],), hidden_sizes=False, require=()
    )
    held = all(call.arrays[arg.name].count >= arg.element_count(rows[0]) for arg in changed.args if arg.is_input)
    return changed if held else None


def _ranged(arg: Arg, calls: Sequence[CapturedCall]) -> Arg:
    if arg.kind is ArgKind.SCALAR:
        values = [call.numbers[arg.name] for call in calls if arg.name in call.numbers]
        init = _of_numbers(arg, values) if values else None
        return replace(arg, init=init, value=None) if init is not None else arg
    if arg.kind is ArgKind.SIZE or arg.role is Role.OUT or arg.init is None:
        return arg
    seen = [call.arrays[arg.name] for call in calls if arg.name in call.arrays]
    known = [one for one in seen if one.low is not None and one.high is not None and one.finite]
    if not known or len(known) != len(seen):
        return arg
    low, high = min(one.low for one in known), max(one.high for one in known)  # type: ignore[type-var]
    if arg.dtype.is_float:
        own = arg.init.kind in ("normal", "uniform")
        return replace(arg, init=_uniform(low, high)) if own and low < high else arg  # type: ignore[operator]
    plain = arg.init.kind == "integers" and not any(
        isinstance(value, Expression) for value in arg.init.parameters.values()
    )
    return (
        replace(arg, init=Init(kind="integers", parameters={"low": low, "high": high + 1}))  # type: ignore[operator]
        if plain
        else arg
    )


def _row_starts(arg: Arg, task: Task, calls: Sequence[CapturedCall]) -> Arg | None:
    """An argument that went up from 0 to one of the sizes in every call: row starts, which mean nothing in another order."""
    if arg.kind is not ArgKind.ARRAY or arg.dtype.is_float or arg.init is None or arg.init.kind != "integers":
        return None
    seen = [(call.arrays[arg.name], call.numbers) for call in calls if arg.name in call.arrays]
    if not seen or not all(one.ascending and one.low == 0 and one.count > 1 and one.high for one, _ in seen):
        return None
    entries = next((name for name in task.size_names if all(n.get(name) == one.high for one, n in seen)), None)
    if entries is None:
        return None
    return replace(arg, init=Init(kind="csr_row_ptr", parameters={"nnz": Expression(entries)}))


def _of_numbers(arg: Arg, values: Sequence[float | int]) -> Init | None:
    low, high = min(values), max(values)
    if arg.dtype.is_float:
        if low < high:
            return _uniform(low, high)
        return _uniform(*sorted((low * (1 - _AROUND), low * (1 + _AROUND)))) if low else None
    if arg.init is not None and arg.init.kind == "choice":
        known = arg.init.parameters.get("values")
        listed = tuple(sorted({*(known if isinstance(known, tuple) else ()), *values}))
        return Init(kind="choice", parameters={"values": listed}) if len(listed) <= _MOST_CHOICES else arg.init
    return Init(kind="integers", parameters={"low": int(low), "high": int(high) + 2})


def _uniform(low: float | int | None, high: float | int | None) -> Init:
    assert low is not None and high is not None, "asked for where both are known"
    return Init(kind="uniform", parameters={"low": float(low), "high": float(high)})


def is_possible(task: Task, row: Sizes) -> bool:
    """Whether a row of sizes is one that the task allows."""
    try:
        return all(Requirement(text).holds(row) for text in task.require) and elements(task, row) > 0
    except ValueError:
        return False


def elements(task: Task, row: Sizes) -> int:
    """How many elements all arrays have together."""
    return sum(arg.element_count(row) for arg in task.args if arg.kind is ArgKind.ARRAY)
