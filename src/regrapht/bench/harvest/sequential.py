"""The sequential version of a kernel without barriers, by rule: loops over what its threads stand for, around its body.

The loops are those over elements that the kernel's own test names (`if (i < n)`). What a kernel does through shared memory, barriers,
warps, or atomics whose order matters has no such version: a model may write one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regrapht.bench.harvest.cuda_names import HEADERS
from regrapht.bench.harvest.definitions import declared_names
from regrapht.bench.harvest.edits import Edits
from regrapht.bench.harvest.element_loops import loops_around_elements
from regrapht.bench.harvest.loop_bounds import read_bounds
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.harvest.plain_cpp import own_functions, refuse_cuda, to_cpp
from regrapht.bench.harvest.pointer_roles import array_uses
from regrapht.bench.harvest.thread_indices import (
    Axis,
    Mode,
    join_assignments,
    plain_locals,
    read_axes,
    split_declarations,
    stores_of,
)
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import parse, text_of, walk

SHORT_TYPES = {"uint": "unsigned int", "ushort": "unsigned short", "ulong": "unsigned long", "uchar": "unsigned char"}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """One dimension of a launch that reaches every element."""

    axis: str
    mode: Mode
    limit: str
    """Elements or blocks, as C++ over the parameters; empty for STRIDED."""
    exact: bool
    """Whether no further thread may run: the kernel has no test that would stop it."""
    block: str | None
    threads: bool
    grid: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequential:
    """A kernel's sequential version, and how to launch the kernel so that it computes the same."""

    entry: str
    reference: str
    """The file's text."""
    launch: tuple[Extent, ...]


def make_sequential(kernel: str, needed: str, *, entry: str, constants: frozenset[str]) -> Sequential:
    """The sequential version of a kernel's text.

    Args:
        kernel: The definition.
        needed: The definitions that it needs.
        entry: What the function is to be called.
        constants: Names of macros and constants among `needed`.

    Raises:
        Dropped: The kernel has none by rule; the reason says why.
    """
    defined = frozenset(declared_names(parse(needed, cuda=True))) | constants
    kernel = _with_macros(kernel, needed)
    refuse_cuda(kernel, defined=defined, allow_places=True)
    refuse_cuda(needed, defined=defined, allow_places=False)
    kernel = join_assignments(split_declarations(_COMMENT.sub("", kernel)))
    text, axes = read_axes(kernel)
    function = _only_function(text)
    if returned := {text_of(node) for node in walk(function.body) if node.type == "goto_statement"}:
        raise Dropped("goto", sorted(returned)[0])
    text, variables = _loop_variables(text, axes)
    function = _only_function(text)
    parameters = frozenset(p.name for p in function.parameters if not stores_of(function.body, p.name))
    names = [variables[axis.axis][0] for axis in axes if axis.mode is not Mode.STRIDED]
    bounds = read_bounds(function.body, names, parameters | constants)
    limits = {name: bounds[name].limit for name in names if name in bounds}
    counts = _counted(axes, variables, limits, function)
    body = loops_around_elements(function, bounds, {**limits, **counts}, axes, variables)
    code = to_cpp(needed) + "\n" + _function(kernel, needed, entry, tuple(counts.values()), to_cpp(body))
    includes = "".join(f"#include <{name}>\n" for name in HEADERS)
    includes += "".join(f"#include <{name}>\n" for name in ("algorithm", "limits") if "std::" in code)
    own = "".join(line + "\n" for line in own_functions(code))
    return Sequential(
        entry=entry,
        reference=f"{includes}\n{own}{code.strip()}\n",
        launch=tuple(_extent(axis, variables, limits, counts) for axis in axes),
    )


def _counted(
    axes: Sequence[Axis],
    variables: Mapping[str, tuple[str, str]],
    limits: Mapping[str, str],
    function: FunctionDefinition,
) -> dict[str, str]:
    """Loops that no test ends: the launch says how far they go, and so does one more parameter for each."""
    taken = {parameter.name for parameter in function.parameters} | declared_names(function.body)
    counts: dict[str, str] = {}
    for axis in axes:
        name = variables[axis.axis][0] if axis.mode is not Mode.STRIDED else ""
        if not name or name in limits:
            continue
        if axis.block is not None and axis.mode is Mode.ELEMENTS:
            raise Dropped("no_bound", f"no test says how far {name.rstrip('_')} goes, and blocks have a fixed extent")
        count = f"count_{axis.axis}"
        if count in taken:
            raise Dropped("no_bound", f"no test says how far {name.rstrip('_')} goes")
        counts[name] = count
    return counts


def _only_function(text: str) -> FunctionDefinition:
    functions = read_unit(text, cuda=True).functions
    if len(functions) != 1:
        raise Dropped("does_not_parse", "the rewritten kernel does not parse")
    return functions[0]


def _with_macros(kernel: str, needed: str) -> str:
    """The kernel with macros that stand for a place in the launch written out."""
    for node in walk(parse(needed, cuda=True)):
        value = node.child_by_field_name("value") if node.type == "preproc_def" else None
        name = node.child_by_field_name("name")
        if value is not None and name is not None and re.search(r"\b(?:thread|block)(?:Idx|Dim)\b", text_of(value)):
            kernel = re.sub(rf"\b{re.escape(text_of(name))}\b", f"({text_of(value).strip()})", kernel)
    return kernel


def _loop_variables(text: str, axes: Sequence[Axis]) -> tuple[str, dict[str, tuple[str, str]]]:
    """A name and a type for each loop: those of `int i = blockIdx.x * blockDim.x + threadIdx.x` where there is such a line."""
    chosen: dict[str, tuple[str, str]] = {}
    for axis in axes:
        if axis.mode is Mode.STRIDED:
            continue
        body = _only_function(text).body
        copies = [
            found
            for found in plain_locals(body)
            if text_of(found[3]).strip("() ") == axis.variable
            and found[0].parent is not None
            and found[0].parent.id == body.id
        ]
        if copies:
            declaration, _, name, _ = copies[0]
            kind = declaration.child_by_field_name("type")
            spelled = text_of(kind) if kind is not None and text_of(kind) != "auto" else "int"
            edits = Edits(text)
            edits.remove(declaration)
            text = edits.apply()
            text = re.sub(rf"\b{axis.variable}\b", name, text)
            chosen[axis.axis] = (name, SHORT_TYPES.get(spelled, spelled))
        else:
            name = _free_name(axis, text)
            text = re.sub(rf"\b{axis.variable}\b", name, text)
            chosen[axis.axis] = (name, "int")
    return text, chosen


def _free_name(axis: Axis, text: str) -> str:
    """A name for a loop's variable that the kernel does not use."""
    usual = ("block", "block_" + axis.axis) if axis.mode is Mode.BLOCKS else ("element", axis.axis)
    return next((name for name in usual if not re.search(rf"\b{name}\b", text)), axis.variable)


def _function(kernel: str, needed: str, entry: str, counts: Sequence[str], body: str) -> str:
    """The function: the kernel's parameters, const where it only reads, then the counts that only a launch knows."""
    unit = read_unit(f"{needed}\n{kernel}", cuda=True)
    function = unit.functions[-1]
    uses = array_uses(function, unit)
    listed = []
    for parameter in function.parameters:
        kind = SHORT_TYPES.get(parameter.type_text, parameter.type_text)
        const = "const " if parameter.pointer_depth and not uses[parameter.name].written else ""
        listed.append(f"{const}{kind}{'*' if parameter.pointer_depth else ''} {parameter.name}")
    listed += [f"int {count}" for count in counts]
    return f"void {entry}({', '.join(listed)}) {body}\n"


def _extent(
    axis: Axis, variables: Mapping[str, tuple[str, str]], limits: Mapping[str, str], counts: Mapping[str, str]
) -> Extent:
    name = "" if axis.mode is Mode.STRIDED else variables[axis.axis][0]
    return Extent(
        axis=axis.axis,
        mode=axis.mode,
        limit=limits.get(name) or counts.get(name, ""),
        exact=name in counts,
        block=axis.block,
        threads=axis.threads,
        grid=axis.grid,
    )
