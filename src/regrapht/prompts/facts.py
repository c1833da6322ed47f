"""What is known of a task's sizes, values and memory, and what a good program may rely on."""

import math

from regrapht.prompts.inline import inline
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init, Residency, Sizes, Task

_LISTED = 3
"""Shapes that are named: more say nothing new."""
ALIGNMENT_BYTES = 256
"""Of every array's first element, in both judges."""


def facts(task: Task) -> list[str]:
    """One sentence each; never a hidden size or a seed."""
    found = [f"Always: {', '.join(f'`{inline(one)}`' for one in task.require)}."] if task.require else []
    if task.bench_sizes:
        shapes = "; ".join(_shape(sizes) for sizes in task.bench_sizes[:_LISTED])
        found.append(
            f"It is timed at {shapes}. Smaller sizes, 1 among them, must be right, and their speed does not count."
        )
    found += [text for arg in task.parameters if (text := _values(arg))]
    if task.contract.residency is Residency.DEVICE:
        found.append(
            f"Each array begins at a multiple of {ALIGNMENT_BYTES} bytes in device memory. Arrays do not overlap."
        )
    return found


def _shape(sizes: Sizes) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())


def _values(arg: Arg) -> str:
    """What is in an input or a scalar, where that is more than any value of its type."""
    if arg.kind is ArgKind.SIZE or (arg.kind is ArgKind.ARRAY and not arg.is_input):
        return ""
    if arg.value is not None:
        return f"`{arg.name}` is a value such as {arg.value}."
    init, what = arg.init, f"`{arg.name}`"
    if init is None:
        return ""
    if arg.domain is not None and init.kind in ("normal", "uniform"):
        low, high = arg.domain
        bounds = [f"at least {low:g}"] * math.isfinite(low) + [f"at most {high:g}"] * math.isfinite(high)
        return f"{what} is {' and '.join(bounds)}." if bounds else ""
    return f"{what} {text}." if (text := _of_init(init)) else ""


def _of_init(init: Init) -> str:
    low, high = (_bound(init, name) for name in ("low", "high"))
    match init.kind:
        case "uniform":
            return f"lies between {low or '0'} and {high or '1'}"
        case "integers":
            return f"lies from {low or '0'} to below {high}" if high else ""
        case "sorted":
            return "is in ascending order"
        case "permutation":
            return "holds each number from 0 on once, in some order"
        case "arange":
            return "counts up"
        case "csr_row_ptr":
            return "holds where each row begins, in ascending order from 0"
        case "choice":
            values = init.parameters.get("values")
            short = isinstance(values, tuple | list) and len(values) <= 8
            return f"holds only {', '.join(map(str, values))}" if short and isinstance(values, tuple | list) else ""
    return ""


def _bound(init: Init, name: str) -> str:
    value = init.parameters.get(name)
    if isinstance(value, Expression):
        return f"`{value.c_text}`"
    return f"{value:g}" if isinstance(value, float) else "" if value is None else str(value)
