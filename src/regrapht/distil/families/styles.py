"""Styles in which a nest of loops reads otherwise than one thread's code: what a model has to undo where it copies a turn of the loops.

An early `continue` is a thread's `return`; a pointer to a row makes the row the thread's; a pointer that walks along is an index.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from regrapht.distil.families.pen import FALLING, Drawn, Pen, file_text
from regrapht.records.task import Arg, ArgKind, Role, Sizes

LEAVES, BY_ROWS, WALKS = 0.25, 0.35, 0.35
"""Share of the functions in each style, of those that can be written so; a function with pointers to rows has none that walk."""
_LINES = ["line", "row_of", "at_row", "strip", "base_of"]


@dataclass(slots=True, kw_only=True)
class Styled:
    """One nest, as its file has it and as a thread does it."""

    inner: list[str]
    """The innermost loop's body."""
    thread: list[str]
    """One turn of all loops."""
    between: list[str] = field(default_factory=list)
    """Ahead of the innermost loop."""
    steps: str = ""
    """What the innermost loop's head does after each turn besides counting."""
    row_is_the_threads: bool = False
    """Whether a thread is a turn of the outer loops alone: the innermost one does not only count, or has lines ahead of it."""


def written(
    pen: Pen,
    family: str,
    loops: Sequence[tuple[str, str]],
    body: Sequence[str],
    *,
    most: int,
    about: str = "",
    before: Sequence[str] = (),
    headers: Sequence[str] = (),
    helper: Sequence[str] = (),
    reduction: str = "",
    checks: tuple[Sizes, ...] = (),
    require: tuple[str, ...] = (),
    bench: int = 0,
    start: str = "0",
) -> Drawn:
    """A function of nested loops over its output's elements, each of which one thread can make alone.

    Args:
        loops: Variable and end of each, the outermost first.
        body: One turn, in C that device code takes too.
        before: Lines ahead of the loops.
        start: Where all of the loops begin.
    """
    pen.shuffle_arguments()
    entry = pen.entry()
    if before or start != "0":
        nest = Styled(inner=list(body), thread=[] if before else list(body))
    else:
        nest = styled(pen, loops, body)
    if nest.steps and pen.turning in FALLING:
        pen.turning = "up"  # as the pointer goes through all rows
    lines = [pen.host(line) for line in nest.inner]
    for variable, end in reversed(loops):
        innermost = variable == loops[-1][0]
        lines = pen.outer_loop(variable, end, lines, start=start, also=nest.steps if innermost else "")
        lines = [*nest.between, *lines] if innermost else lines
    if pen.maybe(0.15):
        lines = [
            f"// {pen.pick('one turn an element', 'every element on its own', 'see the notes', 'plain loops', 'hot path')}",
            *lines,
        ]
    text = file_text(pen, "void", entry, [*before, *lines], headers=headers, helper=helper)
    task = pen.task(
        family, text, entry, most=most, about=about, reduction=reduction, checks=checks, require=require, bench=bench
    )
    threads = loops[:-1] if nest.row_is_the_threads else loops
    if pen.turning == "while" and len(threads) != _most_dimensions(pen):
        threads = []  # the skeleton has a thread an element, since it reads no `while`
    return Drawn(task=task, family=family, outer=tuple(variable for variable, _ in threads), body=tuple(nest.thread))


def _most_dimensions(pen: Pen) -> int:
    """Of the outputs, those of a fixed length aside."""
    outputs = [one for one in pen.args if one.role is not Role.IN and one.kind is ArgKind.ARRAY]
    return max(sum(not extent.text.isdigit() for extent in one.shape) for one in outputs)


def styled(pen: Pen, loops: Sequence[tuple[str, str]], body: Sequence[str]) -> Styled:
    """The nest in styles that are drawn."""
    nest = Styled(inner=list(body), thread=list(body))
    if pen.maybe(LEAVES):
        _leave_early(pen, loops, nest)
    if len(loops) > 1 and pen.maybe(BY_ROWS):
        _by_rows(pen, loops, nest)
    elif pen.maybe(WALKS):
        _walk(pen, loops, nest)
    return nest


def _leave_early(pen: Pen, loops: Sequence[tuple[str, str]], nest: Styled) -> None:
    """A turn that ends at once where an input says so."""
    store = re.fullmatch(r"(\w+)(\[[^\[\]]+\]) = .*;", nest.inner[-1])
    known = {*pen.sizes, *(variable for variable, _ in loops)}
    reads = [
        (one, found.group(0))
        for one in pen.args
        if one.kind is ArgKind.ARRAY and one.role is Role.IN
        for found in re.finditer(rf"\b{one.name}\[([^\[\]]+)\]", " ".join(nest.inner))
        if set(re.findall(r"[A-Za-z_]\w*", found.group(1))) <= known
    ]
    if store is None or not reads or _array(pen, store[1]).role is not Role.OUT:
        return
    if not set(re.findall(r"[A-Za-z_]\w*", store[2])) <= known:
        return
    array, read = pen.pick(*reads)
    bound = pen.value(0.5, 1.5) if array.dtype.is_float and array.dtype.c_name == pen.real else "50"
    head = [f"if ({read} {pen.pick('>', '>=')} {bound}) {{", f"    {store[1]}{store[2]} = 0;"]
    nest.inner = [*head, "    continue;", "}", *nest.inner]
    nest.thread = [*head, "    return;", "}", *nest.thread]


def _by_rows(pen: Pen, loops: Sequence[tuple[str, str]], nest: Styled) -> None:
    """A pointer to the row of one array, made between the loops."""
    (row, _), (column, columns) = loops[-2:]
    start = f"{row} * {columns}" if len(loops) == 2 else None
    arrays = _flat_arrays(pen, loops, nest.inner) if start else []
    if not arrays:
        return
    array, flat = pen.pick(*arrays)
    name = pen.name(_LINES)
    line = f"{'const ' if array.role is Role.IN else ''}{array.dtype.c_name}* {name} = {array.name} + {start};"
    nest.between.append(line)
    nest.row_is_the_threads = True
    nest.inner = _put_for(array, flat, f"{name}[{column}]", nest.inner)
    nest.thread = [line, *pen.loop(column, columns, nest.inner)]


def _walk(pen: Pen, loops: Sequence[tuple[str, str]], nest: Styled) -> None:
    """Pointers that go on by one with each turn. A thread has no turns before it: it keeps its index, or sets out from its row's start."""
    arrays = _flat_arrays(pen, loops, nest.inner)
    if not arrays or (len(loops) == 1 and any("for (" in line for line in nest.inner)):
        return  # the skeleton would name its threads after the inner loop
    indexed, chosen = list(nest.inner), arrays if pen.maybe(0.6) else [pen.pick(*arrays)]
    for array, flat in chosen:
        nest.inner = _put_for(array, flat, f"*{array.name}", nest.inner)
        nest.steps += f", ++{array.name}"
    if len(loops) == 1:
        return
    (variable, end), flat = loops[-1], chosen[0][1]
    nest.row_is_the_threads = True
    if pen.maybe(0.5):
        nest.thread = pen.loop(variable, end, indexed)
    else:
        start = flat.removesuffix(f" + {variable}")
        set_out = [f"{array.name} += {start};" for array, _ in chosen]
        nest.thread = [*set_out, *pen.loop(variable, end, nest.inner, also=nest.steps)]


def _put_for(array: Arg, flat: str, put: str, lines: Sequence[str]) -> list[str]:
    """The lines with an array's element at that index written otherwise."""
    pattern = re.compile(rf"\b{array.name}\[{re.escape(flat)}\]")
    return [pattern.sub(put, one) for one in lines]


def _flat_arrays(pen: Pen, loops: Sequence[tuple[str, str]], lines: Sequence[str]) -> list[tuple[Arg, str]]:
    """Arrays that are used at the place alone that the loops have come to, in their order, with that index."""
    flat = loops[0][0]
    for variable, end in loops[1:]:
        flat = f"{flat} * {end} + {variable}" if " " not in flat else f"({flat}) * {end} + {variable}"
    text = " ".join(lines)
    found = []
    for one in pen.args:
        uses = re.findall(rf"\b{one.name}\b(\[[^\[\]]+\])?", text) if one.kind is ArgKind.ARRAY else []
        if uses and all(use == f"[{flat}]" for use in uses):
            found.append((one, flat))
    return found


def _array(pen: Pen, name: str) -> Arg:
    return next(one for one in pen.args if one.name == name)
