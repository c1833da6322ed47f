"""The host side of a kernel that came alone, or that stands in the entry's place: launcher, grid and count of threads are ours to write."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from regrapht.propose.form.program import Edit, Program, launches, names_in
from regrapht.propose.form.reference_arrays import memory_names
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of

AXES = "xyz"
_BLOCKS = {("x",): (256,), ("x", "y"): (32, 8), ("x", "y", "z"): (32, 4, 2)}
"""Axes that a kernel uses -> threads of a block, where the kernel says nothing of it."""
_CAST = r"(?:\(\s*[\w:][\w: ]*\)\s*)?"
_BLOCK_NUMBER, _THREAD_NUMBER = rf"{_CAST}blockIdx\.(?P<axis>[xyz])", rf"{_CAST}threadIdx\.(?P<axis>[xyz])"
_SAME = r"(?P=axis)"
_SIZE = rf"{_CAST}(?:blockDim\.AXIS|(?P<size>\w+))"
"""Threads of a block, as the sum multiplies with them: of the launch, or a number or constant of the program."""
_SUMS = (
    rf"{_BLOCK_NUMBER}\s*\*\s*{_SIZE}\s*\+\s*{_CAST}threadIdx\.{_SAME}",
    rf"{_CAST}blockDim\.(?P<axis>[xyz])\s*\*\s*{_CAST}blockIdx\.{_SAME}\s*\+\s*{_CAST}threadIdx\.{_SAME}",
    rf"{_THREAD_NUMBER}\s*\+\s*{_CAST}blockIdx\.{_SAME}\s*\*\s*{_SIZE}",
    rf"{_THREAD_NUMBER}\s*\+\s*{_CAST}blockDim\.{_SAME}\s*\*\s*{_CAST}blockIdx\.{_SAME}",
)
_INDICES = [re.compile(rf"\b(?P<name>\w+)\s*=\s*{_CAST}{one.replace('AXIS', _SAME)}\s*;") for one in _SUMS]
_BLOCK_INDEX = re.compile(r"\b(\w+)\s*=\s*blockIdx\.([xyz])\s*;")
_SQUARE = re.compile(r"__shared__[^;\[]*\[\s*(\w+)\s*\]\s*\[\s*(\w+)(?:\s*\+\s*1)?\s*\]")
_ROW = re.compile(r"__shared__[^;\[]*\[\s*(\w+)\s*\]\s*;")


def with_a_launcher(program: Program) -> str | None:
    """The text with an entry that launches the kernel; None where a host function is there, or the kernel's extent cannot be read.

    The number of threads is what the kernel itself compares its indices with; without such a comparison, a thread an output element.
    """
    kernels, task = program.kernels, program.task
    if any(function for function in program.host_functions if launches(function) or function.name == task.entry):
        return None
    entries = [kernel for kernel in kernels if kernel.name == task.entry]
    kernel = entries[0] if len(entries) == 1 else kernels[0] if len(kernels) == 1 and not program.entries else None
    if kernel is None or kernel.is_template:
        return None
    arguments = _arguments(kernel, task)
    grid = _grid(kernel, task)
    if arguments is None or grid is None:
        return None
    name = f"{kernel.name}_kernel" if kernel.name == task.entry else kernel.name
    edits = _renamed(program, kernel.name, name) if name != kernel.name else []
    own = {word: _free(word, task) for word in ("grid", "block", *(f"threads_{axis}" for axis in AXES))}
    text = grid.written(dict(zip([one.name for one in kernel.parameters], arguments, strict=True)), own)
    launch = f"{name}<<<{own['grid']}, {own['block']}>>>({', '.join(arguments)})"
    launcher = f"\n\n{task.signature} {{\n{text}    {launch};\n}}\n"
    end = len(program.text.encode("utf-8", "replace"))
    return program.edited([*edits, *_linkage(kernel), Edit(end, end, launcher)])


def _free(word: str, task: Task) -> str:
    """A name for a local of the entry that none of its parameters has."""
    taken = {arg.name for arg in task.parameters}
    while word in taken:
        word += "_of_launch"
    return word


def _renamed(program: Program, old: str, new: str) -> list[Edit]:
    return [Edit(node.start_byte, node.end_byte, new) for node in names_in(program.root) if text_of(node) == old]


def _linkage(kernel: FunctionDefinition) -> list[Edit]:
    """A kernel needs no `extern "C"`, and the entry's own name may come with it."""
    node = kernel.node.parent
    if node is None or node.type != "linkage_specification" or node.child_by_field_name("body") != kernel.node:
        return []
    return [Edit(node.start_byte, kernel.node.start_byte, "")]


def _arguments(kernel: FunctionDefinition, task: Task) -> list[str] | None:
    """What the entry hands to the kernel: its own parameters by name, else by place; None where they are other ones.

    By name also the reference's arrays: `scratch_arrays` gives the entry their memory.
    """
    own = [parameter.name for parameter in kernel.parameters]
    args = {arg.name: arg for arg in task.parameters}
    arrays = memory_names(task)
    if all(_alike(p.pointer_depth, args[p.name]) if p.name in args else p.name in arrays for p in kernel.parameters):
        return own
    if len(own) != len(args) or not all(map(_alike, [p.pointer_depth for p in kernel.parameters], args.values())):
        return None
    return list(args)


def _alike(pointer_depth: int, arg: Arg) -> bool:
    return pointer_depth == (1 if arg.kind is ArgKind.ARRAY else 0)


@dataclass(frozen=True, slots=True)
class _Grid:
    """One launch: on each axis the extent, in the kernel's own names, and the threads of a block; one block a turn where `by_block`."""

    extents: tuple[str, ...]
    blocks: tuple[str, ...]
    by_block: tuple[bool, ...]

    def written(self, names: Mapping[str, str], own: Mapping[str, str]) -> str:
        """The statements that make grid and block, by their names in `own`, and return where there is nothing to do."""
        lines, counts = "", []
        for axis, extent, block, whole in zip(AXES, self.extents, self.blocks, self.by_block, strict=False):
            text = re.sub(r"\b[A-Za-z_]\w*\b", lambda found: names.get(found[0], found[0]), extent)
            count = own[f"threads_{axis}"]
            lines += f"    const long long {count} = {text};\n    if ({count} <= 0) return;\n"
            rest = str(int(block) - 1) if block.isdigit() else f"{block} - 1"
            counts.append(count if whole else f"({count} + {rest}) / {block}")
        return (
            f"{lines}    dim3 {own['block']}({', '.join(self.blocks)});\n    dim3 {own['grid']}({', '.join(counts)});\n"
        )


def _grid(kernel: FunctionDefinition, task: Task) -> _Grid | None:
    body = text_of(kernel.body)
    numbers = list(_numbers(body))
    indices = {one.axis: one.name for one in numbers}
    alone = {found[2]: found[1] for found in _BLOCK_INDEX.finditer(body) if found[2] not in indices}
    used = indices | alone
    axes = tuple(axis for axis in AXES if axis in used)
    if axes != tuple(AXES[: len(axes)]) or not axes:
        return None
    extents = [_extent(body, used[axis]) for axis in axes]
    if extents == [None]:
        extents = [_output_elements(kernel, task)]
    found = [extent for extent in extents if extent is not None]
    if len(found) != len(axes):
        return None
    by_block = tuple(axis in alone for axis in axes)
    sizes = {one.axis: one.size for one in numbers if one.size is not None}
    usual = _block(body, axes, by_block)
    blocks = tuple(sizes.get(axis, block) for axis, block in zip(axes, usual, strict=True))
    return _Grid(tuple(found), blocks, by_block)


@dataclass(frozen=True, slots=True)
class _Number:
    """A variable that holds the thread's number on an axis; and the threads of a block, where the kernel names them itself."""

    name: str
    axis: str
    size: str | None


def _numbers(body: str) -> Iterator[_Number]:
    for pattern in _INDICES:
        for found in pattern.finditer(body):
            yield _Number(found["name"], found["axis"], found.groupdict().get("size"))


def _extent(body: str, index: str) -> str | None:
    """What the kernel compares an index with: `if (i < n`, `if (i >= n`, `for (j = i; j < n`."""
    name = re.escape(index)
    loop = re.search(rf"for\s*\(\s*(?:\w+\s+)*(\w+)\s*=\s*{name}\s*;\s*\1\s*<\s*([^;]+);", body)
    if loop:
        return _simple(loop[2])
    guards = [
        operand
        for found in re.finditer(rf"(?<![\w.]){name}\s*(<|>=)\s*(?!=)(?=([^;{{}}]*))", body)
        if not _is_lower_end(found[1], _condition(body, found.start()))
        and (operand := _simple(_operand(found[2]))) is not None
    ]
    ends = [one for one in guards if not one.isdigit()]  # `x >= 1` beside `x < n` is the other end
    return next(iter(ends or guards), None) or _extent_of_neighbours(body, name)


def _extent_of_neighbours(body: str, name: str) -> str | None:
    """What `if (i >= 1 && i + 1 < n)` compares an index with that has no plain end: a rim on both sides."""
    for found in re.finditer(rf"(?<![\w.]){name}\s*\+\s*(\w+)\s*<\s*(?!=)(?=([^;{{}}]*))", body):
        if re.search(rf"(?<![\w.]){name}\s*>=", _condition(body, found.start())):
            end = _simple(_operand(found[2]))
            return f"{end} - {found[1]}" if end is not None else None
    return None


def _condition(body: str, at: int) -> str:
    """The condition of the `if` that the place stands in; empty outside of one."""
    start = body.rfind("if", 0, at)
    opening = body.find("(", start) if start >= 0 else -1
    if not 0 <= opening < at:
        return ""
    depth = 0
    for end in range(opening, len(body)):
        depth += (body[end] == "(") - (body[end] == ")")
        if depth == 0:
            return body[opening : end + 1] if end > at else ""
    return ""


def _is_lower_end(comparison: str, condition: str) -> bool:
    """Whether a comparison in a condition bounds from below: `i >= r && i < n - r`, or `i < r || i >= n - r` of those that return."""
    inside, outside = "&&" in condition, "||" in condition
    return inside != outside and (comparison == ">=") == inside


def _operand(text: str) -> str:
    """The text up to the end of a comparison's right side: an unmatched parenthesis, `&&`, `||`, `?`."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth < 0 or text.startswith(("&&", "||"), at) or character in "?,":
            return text[:at]
    return text


def _simple(text: str) -> str | None:
    """An extent that the host can compute: names, numbers, `+ - * /` and parentheses."""
    text = text.strip()
    return text if text and re.fullmatch(r"[\w\s+\-*/()]+", text) and text.count("(") == text.count(")") else None


def _output_elements(kernel: FunctionDefinition, task: Task) -> str | None:
    """Elements of the first output, in the kernel's own names for the sizes."""
    own = [parameter.name for parameter in kernel.parameters]
    args = [arg.name for arg in task.parameters]
    names = {arg: arg for arg in own} if set(own) <= set(args) else dict(zip(args, own, strict=False))
    product = " * ".join(f"({one.c_text})" for one in task.outputs[0].shape)
    mentioned = set(re.findall(r"[A-Za-z_]\w*", product))
    if not mentioned <= names.keys():
        return None
    return re.sub(r"[A-Za-z_]\w*", lambda found: names[found[0]], product)


def extents_of_indices(kernel: FunctionDefinition) -> dict[str, str | None]:
    """The kernel's names for its thread's number on an axis -> what it compares each with, where that is told."""
    body = text_of(kernel.body)
    return {one.name: _extent(body, one.name) for one in _numbers(body)}


def axes_with_an_extent(kernel: FunctionDefinition) -> list[str]:
    """The axes on which the kernel compares its thread's number with something."""
    body = text_of(kernel.body)
    return [one.axis for one in _numbers(body) if _extent(body, one.name) is not None]


def _block(body: str, axes: Sequence[str], by_block: tuple[bool, ...]) -> tuple[str, ...]:
    """Threads of a block: as the kernel's shared arrays have them, else the usual number."""
    square, row = _SQUARE.search(body), _ROW.search(body)
    if len(axes) == 2 and square and square[1] == square[2]:
        return (square[1], square[1])
    if len(axes) == 1 and row and not square:
        return (row[1],)
    usual = tuple(map(str, _BLOCKS[tuple(axes)]))
    return usual if not all(by_block) else ("256", *["1"] * (len(axes) - 1))
