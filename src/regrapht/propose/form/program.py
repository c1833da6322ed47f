"""The text that a mend looks at, with what it defines, and edits of it by byte ranges."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition, SourceUnit, read_unit
from regrapht.source.syntax import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_LAUNCH = re.compile(r"\b(\w+)\s*(?:<[\w\s,]*>)?\s*<<<")


@dataclass(frozen=True)
class Program:
    """CUDA text of a model for a task; read once, never changed: a mend answers with other text."""

    text: str
    task: Task

    @cached_property
    def root(self) -> "Node":
        return parse(self.text, cuda=True)

    @cached_property
    def unit(self) -> SourceUnit:
        return read_unit(self.text, cuda=True)

    @property
    def entries(self) -> tuple[FunctionDefinition, ...]:
        """The definitions of the task's entry."""
        return self.unit.named(self.task.entry)

    @property
    def kernels(self) -> tuple[FunctionDefinition, ...]:
        return tuple(function for function in self.unit.functions if "__global__" in function.qualifiers)

    @property
    def host_functions(self) -> tuple[FunctionDefinition, ...]:
        return tuple(function for function in self.unit.functions if is_host(function))

    @property
    def launched(self) -> set[str]:
        """Names of the kernels that the text launches."""
        return set(_LAUNCH.findall(self.text))

    def edited(self, edits: Iterable["Edit"]) -> str:
        """The text with ranges replaced; of ranges that overlap, the first counts."""
        data, parts, at = self.text.encode("utf-8", "replace"), [], 0
        for edit in sorted(edits):
            if edit.start < at:
                continue
            parts += [data[at : edit.start], edit.text.encode("utf-8", "replace")]
            at = edit.end
        return b"".join([*parts, data[at:]]).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Bytes `start` to `end` become `text`."""

    start: int
    end: int
    text: str


def is_host(function: FunctionDefinition) -> bool:
    """Whether the function runs on the host alone: neither a kernel nor marked for the device."""
    return not {"__global__", "__device__"} & function.qualifiers


def launches(function: FunctionDefinition) -> bool:
    """Whether the body launches a kernel."""
    return b"<<<" in (function.body.text or b"")


def head_start(function: FunctionDefinition) -> int:
    """The first byte of the definition with what stands before it: `template <...>`, `extern "C"`."""
    node = function.node
    while node.parent is not None and node.parent.type in ("template_declaration", "linkage_specification"):
        if node.parent.type == "linkage_specification" and not _is_whole(node.parent, node):
            break
        node = node.parent
    return node.start_byte


def _is_whole(linkage: "Node", node: "Node") -> bool:
    """Whether `extern "C"` stands before this one definition alone, without braces."""
    return linkage.child_by_field_name("body") == node


def first_function(program: Program) -> int:
    """The first byte of what holds the first function outside of namespaces with a name, and not before the last `#include`."""
    top = top_of_code(program)
    starts = [start for one in program.unit.functions if (start := _at_file_scope(one.node)) is not None]
    return max(min(starts, default=top), top)


def _at_file_scope(node: "Node") -> int | None:
    """The first byte of what holds the node at file scope, a type whose method it is, say; None in a namespace with a name."""
    while node.parent is not None and node.parent.type != "translation_unit":
        node = node.parent
        if node.type == "namespace_definition" and node.child_by_field_name("name") is not None:
            return None
    return node.start_byte


def names_in(node: "Node") -> Iterator["Node"]:
    """Every identifier under a node."""
    return (one for one in walk(node) if one.type in ("identifier", "type_identifier", "field_identifier"))


def top_of_code(program: Program) -> int:
    """The byte after the last `#include` at file scope; 0 without any."""
    includes = [node.end_byte for node in program.root.children if node.type == "preproc_include"]
    return max(includes, default=0)


def calls_of(node: "Node") -> Iterator[tuple[str, "Node", tuple["Node", ...]]]:
    """Each call under a node: the text of what is called, the call, its arguments."""
    for call in walk(node):
        if call.type == "call_expression":
            function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
            if function is not None:
                yield text_of(function), call, tuple(listed.named_children) if listed is not None else ()
