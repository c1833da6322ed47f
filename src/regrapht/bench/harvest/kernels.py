"""Kernel extraction: each `__global__` function by itself, templates with their types put in; of near copies the first is kept."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.bench.harvest.cuda_files import CudaFile
from regrapht.bench.harvest.edits import Edits
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.source.c_types import scalar_type
from regrapht.source.functions import FunctionDefinition, SourceUnit, read_unit
from regrapht.source.shingles import shingles, similarity
from regrapht.source.syntax import first_error_line, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_KERNEL_LINES = 300
ALIKE = 0.5
"""The Jaccard index of 7-token shingles from which two programs count as one, as between corpus and suites."""
TEMPLATE_TYPE = "float"
"""What the type parameters of a template stand for."""
_STEM = re.compile(r"(?i)^(?:cuda|gpu|dev|kernel|k|d|g)_+(?=[a-z])|_*(?:kernel|cuda|gpu|dev|global|device)$")
_TAKEN = re.compile(
    r"main|abort|abs|calloc|copy|div|exit|exp|free|index|init|log|malloc|memcpy|memset|pow|read|remove|rename|select|sin|sqrt|time|write"
    r"|[jy][01]|gamma|signal|wait|sleep|link"
)
"""Names that the C library has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """One kernel, still without what it needs of its file."""

    name: str
    line: int
    text: str
    """The definition, templates resolved."""

    @property
    def entry(self) -> str:
        """What the task's function is called: the kernel's name without the words that only say that it is a kernel."""
        stem = _STEM.sub("", _STEM.sub("", self.name))
        plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{2,}", stem) and not _TAKEN.fullmatch(stem)
        return stem if plain and stem != self.name else f"{self.name}_all"


def kernels_of(file: CudaFile) -> "Iterator[tuple[FunctionDefinition, SourceUnit]]":
    """Every `__global__` definition of the file, in its order."""
    unit = read_unit(file.text, cuda=True)
    for function in unit.functions:
        if "__global__" in function.qualifiers:
            yield function, unit


def extract(function: FunctionDefinition, unit: SourceUnit) -> Kernel:
    """One kernel by itself.

    Raises:
        Dropped: `does_not_parse`, `too_long`, `empty`, `template_arguments`, `no_pointer`, `parameter_type`, `overloaded`.
    """
    node = function.node
    if (broken := first_error_line(node)) is not None:
        raise Dropped("does_not_parse", f"line {broken}")
    if (lines := text_of(node).count("\n") + 1) > MAX_KERNEL_LINES:
        raise Dropped("too_long", f"{lines} lines; the limit is {MAX_KERNEL_LINES}")
    if not function.body.named_children:
        raise Dropped("empty", "the kernel does nothing")
    if len([other for other in unit.named(function.name) if "__global__" in other.qualifiers]) > 1:
        raise Dropped("overloaded", f"the file defines {function.name} more than once")
    types = _template_types(function) if function.is_template else frozenset()
    _check_parameters(function, unit, types)
    edits = Edits(text_of(node))
    _put_types_in(node, types, edits)
    return Kernel(name=function.name, line=function.line, text=edits.apply())


def _template_types(function: FunctionDefinition) -> frozenset[str]:
    """The names of a template's type parameters; any other kind of parameter has no value here."""
    outer = function.node.parent
    listed = outer.child_by_field_name("parameters") if outer is not None else None
    found = set()
    for parameter in listed.named_children if listed is not None else ():
        if parameter.type != "type_parameter_declaration":
            raise Dropped("template_arguments", f"{text_of(parameter)!r} is known only where the kernel is launched")
        found.add(text_of(parameter.named_children[0]))
    return frozenset(found)


def _check_parameters(function: FunctionDefinition, unit: SourceUnit, types: frozenset[str]) -> None:
    for parameter in function.parameters:
        spelled = TEMPLATE_TYPE if parameter.type_text in types else parameter.type_text
        kind = scalar_type(spelled, aliases={**_SHORT, **unit.aliases})
        flat = parameter.pointer_depth <= 1 and len(parameter.array_extents) <= 1 and not parameter.is_reference
        if kind is None or not flat or not parameter.name or kind.name in ("float16", "bfloat16"):
            raise Dropped(
                "parameter_type", f"{parameter.name or 'a parameter'} is not a number or flat pointer to numbers"
            )
    if not any(parameter.pointer_depth for parameter in function.parameters):
        raise Dropped("no_pointer", "the kernel has no array to write to")


_SHORT = {"uint": "unsigned int", "ushort": "unsigned short", "ulong": "unsigned long", "uchar": "unsigned char"}


def _put_types_in(node: "Node", types: frozenset[str], edits: Edits) -> None:
    first = node.start_byte
    for part in walk(node):
        if part.type in ("type_identifier", "identifier") and text_of(part) in types:
            edits.replace_span(part.start_byte - first, part.end_byte - first, TEMPLATE_TYPE)


class KernelIndex:
    """The kernels seen so far, by the runs of tokens that they hold."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._runs: list[frozenset[str]] = []
        self._holders: dict[str, list[int]] = {}

    def add(self, name: str, text: str) -> None:
        """Take a kernel in.

        Raises:
            Dropped: `near_duplicate`: one that came before is nearly the same.
        """
        runs = shingles(text)
        shared = Counter(holder for run in runs for holder in self._holders.get(run, ()))
        for holder, _ in shared.most_common():
            if (index := similarity(runs, self._runs[holder])) >= ALIKE:
                raise Dropped("near_duplicate", f"{index:.2f} like {self._names[holder]}")
        for run in runs:
            self._holders.setdefault(run, []).append(len(self._names))
        self._names.append(name)
        self._runs.append(runs)
