"""As much of a program as a change of its kernels needs: of a long file its kernels, the functions that launch them, the heads of the rest.

A short file is shown whole: below `SHORT_TOKENS` the outline saves nothing that its explanation does not cost (docs/small-models.md).
What the parser does not understand, such as an attribute that it does not know, is shown as it stands; the rest is still cut where braces,
which are counted without the parser, say that it is where it seems to be.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from regrapht.prompts.fences import fenced
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import parse
from regrapht.source.tokens import pieces

if TYPE_CHECKING:
    from tree_sitter import Node

BYTES_PER_TOKEN = 3.5
SHORT_TOKENS = 700
"""About as long as a file with one kernel and its launcher gets."""


_AROUND = ("namespace_definition", "linkage_specification")
_CLEAR = (
    "function_definition",
    "template_declaration",
    "declaration",
    "using_declaration",
    "alias_declaration",
    "type_definition",
    "static_assert_declaration",
    "struct_specifier",
    "class_specifier",
    "enum_specifier",
    "union_specifier",
    "comment",
    *_AROUND,
)
"""What stands at file scope as a parser sees it; besides these what begins with `preproc_`."""


@dataclass(frozen=True, slots=True)
class ProgramView:
    """A program as a prompt shows it."""

    text: str
    """Markdown."""
    is_whole: bool


def program_view(
    source: str, *, faulty: Collection[str] = (), launchers: bool = True, short_tokens: int = SHORT_TOKENS
) -> ProgramView:
    """Kernels and the functions that launch them in full, of all else the heads; the whole file where it is short, or has no kernel.

    Args:
        faulty: Names of the functions that alone are to be shown in full, where it is known which those are.
        launchers: Whether those that launch these are shown in full too.
        short_tokens: A file up to this length is shown whole.
    """
    whole = ProgramView(fenced(source, "cuda"), True)
    if count_tokens(source) <= short_tokens:
        return whole
    unit = read_unit(source, cuda=True)
    root = parse(source, cuda=True)
    unclear = list(_unclear(source, root)) if unit.error_line is not None else []
    clear = [one for one in unit.functions if not any(a <= one.node.start_byte < b for a, b in unclear)]
    shown = [one for one in clear if _is_shown(one, faulty, launchers=launchers)]
    rest = [one for one in clear if one not in shown]
    spans = [*unclear, *((one.node.start_byte, one.node.end_byte) for one in clear)]
    if unclear and not _stand_clear(source, [(start, end, _namespaces(root, start)) for start, end in spans]):
        return whole
    if not shown and not unclear:
        return whole
    heads = "\n".join([*(f"struct {name};" for name in unit.structs), *(f"{_head(source, one)};" for one in rest)])
    pieces_shown = sorted([*unclear, *((_start(one), one.node.end_byte) for one in shown)])
    functions = "\n\n".join(_cut(source, *span) for span in pieces_shown)
    which = "The functions to look at:" if faulty else "The functions that run on the GPU or start them:"
    parts = [which, fenced(functions, "cuda")]
    if heads:
        parts += [
            "The rest of the file, by its first lines; it stays as it is, and may be used:",
            fenced(heads, "cuda"),
        ]
    view = ProgramView("\n\n".join(parts), False)
    return view if count_tokens(view.text) < count_tokens(whole.text) else whole


def _is_shown(function: FunctionDefinition, faulty: Collection[str], *, launchers: bool) -> bool:
    body = function.body.text or b""
    if faulty:
        starts = (re.search(rb"\b%b\b[^;]*?<<<" % name.encode(), body) for name in faulty)
        return function.name in faulty or (launchers and any(starts))
    return "__global__" in function.qualifiers or b"<<<" in body


def count_tokens(text: str) -> int:
    """About how many tokens a text has: bytes / 3.5, on the high side for C++ and English with the usual tokenizers."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def _unclear(source: str, node: "Node") -> Iterator[tuple[int, int]]:
    """Bytes of what stands at file scope, or in a namespace, that the parser finds a fault in, up to where a definition ends."""
    start = end = -1
    for child in node.children:
        body = child.child_by_field_name("body")
        if start < 0 and body is not None and body.type == "declaration_list" and child.type in _AROUND:
            yield from _unclear(source, body) if child.has_error else ()
        elif start >= 0 or child.has_error or not _is_clear(child):
            start, end = (child.start_byte if start < 0 else start), child.end_byte
            if _cut(source, start, end).endswith(("}", ";")) and not _ends_type(child):
                yield start, end
                start = -1
    if start >= 0:
        yield start, end


def _is_clear(node: "Node") -> bool:
    has_type = node.type != "function_definition" or node.child_by_field_name("type") is not None
    return not node.is_named or node.type.startswith("preproc_") or (node.type in _CLEAR and has_type)


def _ends_type(node: "Node") -> bool:
    """Whether the semicolon of a type is still to come."""
    return node.next_sibling is not None and node.next_sibling.type == ";"


def _stand_clear(source: str, spans: list[tuple[int, int, int]]) -> bool:
    """Whether each of the spans stands in so many braces as it is said to, and closes what it opens and ends with."""
    parts = pieces(source)
    ends = list(accumulate(len(part.encode("utf-8", "replace")) for part in parts))
    depths = list(accumulate((part == "{") - (part == "}") for part in parts))
    for start, end, around in spans:
        before = depths[bisect_right(ends, start) - 1] if bisect_right(ends, start) else 0
        inside = depths[bisect_right(ends, start) : bisect_right(ends, end)]
        is_ended = _cut(source, start, end).endswith(("}", ";"))
        if before != around or not inside or inside[-1] != before or min(inside) < before or not is_ended:
            return False
    return True


def _namespaces(root: "Node", at: int) -> int:
    """How many pairs of braces of namespaces a byte stands in."""
    node, found = root.descendant_for_byte_range(at, at + 1), 0
    while node is not None:
        found += node.type == "declaration_list" and node.start_byte < at
        node = node.parent
    return found


def _head(source: str, function: FunctionDefinition) -> str:
    return " ".join(_cut(source, _start(function), function.body.start_byte).split())


def _cut(source: str, start: int, end: int) -> str:
    return source.encode("utf-8", "replace")[start:end].decode("utf-8", "replace")


def _start(function: FunctionDefinition) -> int:
    """With what stands before it: `template <...>`, `extern "C"`."""
    node = function.node
    while node.parent is not None and node.parent.type in ("template_declaration", "linkage_specification"):
        if node.parent.child_by_field_name("body") not in (None, node):
            break
        node = node.parent
    return node.start_byte
