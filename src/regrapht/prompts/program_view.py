"""As much of a program as a change of its kernels needs: of a long file its kernels, the functions that launch them, the heads of the rest.

A short file is shown whole: below `SHORT_TOKENS` the outline saves nothing that its explanation does not cost (docs/small-models.md).
"""

import math
from dataclasses import dataclass

from regrapht.prompts.fences import fenced
from regrapht.source.functions import FunctionDefinition, read_unit

BYTES_PER_TOKEN = 3.5
SHORT_TOKENS = 700
"""About as long as a file with one kernel and its launcher gets."""


@dataclass(frozen=True, slots=True)
class ProgramView:
    """A program as a prompt shows it."""

    text: str
    """Markdown."""
    is_whole: bool


def program_view(source: str) -> ProgramView:
    """Kernels and the functions that launch them in full, of all else the heads; the whole file where it is short, or has no kernel."""
    whole = ProgramView(fenced(source, "cuda"), True)
    if count_tokens(source) <= SHORT_TOKENS:
        return whole
    unit = read_unit(source, cuda=True)
    shown = [one for one in unit.functions if "__global__" in one.qualifiers or b"<<<" in (one.body.text or b"")]
    rest = [one for one in unit.functions if one not in shown]
    if not shown or unit.error_line is not None:
        return whole
    heads = "\n".join([*(f"struct {name};" for name in unit.structs), *(f"{_head(source, one)};" for one in rest)])
    functions = "\n\n".join(_text(source, one) for one in shown)
    parts = ["The functions that run on the GPU or start them:", fenced(functions, "cuda")]
    if heads:
        parts += [
            "The rest of the file, by its first lines; it stays as it is, and may be used:",
            fenced(heads, "cuda"),
        ]
    view = ProgramView("\n\n".join(parts), False)
    return view if count_tokens(view.text) < count_tokens(whole.text) else whole


def count_tokens(text: str) -> int:
    """About how many tokens a text has: bytes / 3.5, on the high side for C++ and English with the usual tokenizers."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def _text(source: str, function: FunctionDefinition) -> str:
    return _cut(source, _start(function), function.node.end_byte)


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
