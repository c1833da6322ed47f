"""A `task.toml` that is filled in as far as the code shows, for a function whose task cannot be inferred whole."""

import json
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import TaskError
from regrapht.records.element import ElementType, StructType, member_keys
from regrapht.records.user_code import NO_FLAGS, BuildFlags
from regrapht.source.functions import Parameter
from regrapht.tasks.function_text import FunctionText, read_function
from regrapht.tasks.inference.accesses.accesses import Reading, read_accesses
from regrapht.tasks.inference.element_types import element_type
from regrapht.tasks.inference.shapes.array_shapes import array_shape
from regrapht.tasks.inference.values.bounds import Unbounded
from regrapht.tasks.write import HOME_FILE

_ROW = (17, 33, 65, 9, 31, 23)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPlace:
    """A `?` of a draft."""

    argument: str
    key: str
    """Of the argument, in the task format: `shape`."""
    why: str
    """Why the code does not say."""

    def __str__(self) -> str:
        return f"the {self.key} of `{self.argument}`: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTask:
    """The text of a `task.toml` with open places, each a `?` that does not load, and what they are."""

    entry: str
    toml_text: str
    left_open: tuple[OpenPlace, ...]


def draft_task(path: Path, *, entry: str | None = None, flags: BuildFlags = NO_FLAGS) -> DraftTask | None:
    """What can be said of the task of a function; None where a draft would not help: a parameter has to change first.

    Arrays whose length the code does not show get the shape `["?"]`. Every integer is called a size.

    Raises:
        TaskError: As `infer_task`, where the file has no function to start at.
    """
    return draft_function(read_function(path, entry=entry, flags=flags))


def draft_function(found: FunctionText) -> DraftTask | None:
    """As `draft_task`, of a function that was read."""
    unit, function = found.unit, found.function
    types = {p.name: element_type(p, unit) for p in function.parameters}
    flat = all(p.pointer_depth <= 1 and len(p.array_extents) <= 1 and not p.is_reference for p in function.parameters)
    known = {name: kind for name, kind in types.items() if kind is not None}
    if not flat or len(known) != len(function.parameters):
        return None
    integers = frozenset(p.name for p in function.parameters if not p.pointer_depth and not known[p.name].is_float)
    reading: Reading | None = None
    why = ""
    try:
        reading = read_accesses(function, unit, integers=integers)
    except Unbounded as error:
        why = _why(error, found)
    parts = [_head(found)]
    left_open: list[OpenPlace] = []
    for parameter in function.parameters:
        shape, reason = _shape(parameter, reading, why, found) if parameter.pointer_depth else (None, "")
        if parameter.pointer_depth and shape is None:
            left_open.append(OpenPlace(argument=parameter.name, key="shape", why=reason))
        parts.append(_argument(parameter, known[parameter.name], shape, reason))
    row = ", ".join(f"{name} = {_ROW[place % len(_ROW)]}" for place, name in enumerate(sorted(integers)))
    parts.append(f"[sizes]\ncheck = [{{ {row} }}]" if row else "[sizes]\ncheck = [{}]")
    if not left_open:
        return None
    return DraftTask(entry=function.name, toml_text="\n\n".join(parts) + "\n", left_open=tuple(left_open))


def refused_with_draft(error: TaskError, drafted: DraftTask, target: Path) -> TaskError:
    """The refusal, with the file that was written and the places in it that are to be filled in."""
    places = "; ".join(map(str, drafted.left_open))
    remedy = f"wrote {target} with the rest: fill in each `?`, then regrapht optimize {target.parent}"
    return TaskError(f"cannot be inferred whole; left open: {places}", file=error.file, key=error.key, remedy=remedy)


def _why(error: Unbounded, found: FunctionText) -> str:
    file, line = found.where(error.line)
    place = f"line {line}" if file == str(found.path) else f"{file}:{line}"
    return f"{place}: the code does not show the range of {error.what.rstrip(',')}"


def _head(found: FunctionText) -> str:
    function = found.function
    name = "".join(c if c.isalnum() and c.isascii() else "_" for c in function.name.lower())[:64]
    kept = f'\nhome = "{HOME_FILE}"' if found.home is not None else ""
    spoken = f'\nlanguage = "{found.language}"' if found.language != "c++17" else ""
    head = f'schema = 1\nid = "{name}"\nentry = "{function.name}"\n\n[reference]\nfile = {json.dumps(found.name)}'
    return head + spoken + kept


def _shape(
    parameter: Parameter, reading: Reading | None, why: str, found: FunctionText
) -> tuple[list[str] | None, str]:
    if reading is None:
        return None, why
    accesses = [access for access in reading.accesses if access.array == parameter.name]
    if not accesses:
        return None, "the code never uses it"
    try:
        return [str(extent) for extent in array_shape(accesses, reading.symbols).extents], ""
    except Unbounded as error:
        return None, _why(error, found)


def _argument(parameter: Parameter, dtype: ElementType, shape: list[str] | None, reason: str) -> str:
    lines = ["[[args]]", f'name = "{parameter.name}"']
    if not parameter.pointer_depth:
        kind = "scalar" if dtype.is_float else "size"
        lines += [f'kind = "{kind}"', f'dtype = "{dtype.name}"', *(["value = 0.5"] if dtype.is_float else [])]
        return "\n".join(lines)
    fields = dtype.fields if isinstance(dtype, StructType) else ()
    inner = ", ".join(f'{key} = "{scalar.name}"' for key, scalar in member_keys(fields))
    lines += ['kind = "array"', f"dtype = {{ {inner} }}" if fields else f'dtype = "{dtype.name}"']
    if shape is None:
        lines += [f"# {reason}", 'shape = ["?"]']
    else:
        lines.append(f"shape = {json.dumps(shape)}")
    lines.append(f'role = "{"in" if parameter.is_const else "inout"}"')
    return "\n".join(lines)
