"""From device code to C++: atomics as plain updates, CUDA's own calls under their C++ names, qualifiers and pragmas taken away."""

import re
from typing import TYPE_CHECKING

from regrapht.bench.harvest.cuda_names import (
    EXTREMES,
    OPERATORS,
    OWN,
    QUALIFIERS,
    RESTRICT,
    SAME_CALL,
    UPDATES,
    is_atomic,
    refusal,
)
from regrapht.bench.harvest.definitions import declared_names
from regrapht.bench.harvest.edits import Edits
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.source.syntax import line_of, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_PASSES = 30
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[^\n]*\n", re.MULTILINE)
_NODES = {
    "gnu_asm_expression": "inline_ptx",
    "new_expression": "device_allocation",
    "delete_expression": "device_allocation",
    "kernel_call_syntax": "dynamic_parallelism",
    "throw_statement": "device_only",
}
_PLACE = re.compile(r"\b(?:threadIdx|blockIdx|blockDim|gridDim)\b")


def refuse_cuda(text: str, *, defined: frozenset[str], allow_places: bool) -> None:
    """Drop what has no sequential meaning of its own.

    Args:
        text: A kernel, or a definition that it needs.
        defined: Names that the file defines: they mean what they say there.
        allow_places: Whether `threadIdx` and its like may occur.

    Raises:
        Dropped: `shared_memory`, `barrier`, `warp_intrinsic`, `atomic`, `atomic_result` and so on: the reasons of `cuda_names`.
    """
    if "__shared__" in text:
        raise Dropped("shared_memory", "threads exchange values through __shared__ memory")
    root = parse(text, cuda=True)
    own = declared_names(root) | defined
    for node in walk(root):
        if (reason := _NODES.get(node.type)) is not None:
            raise Dropped(reason, f"line {line_of(node)} of the kernel")
        if node.type not in ("identifier", "type_identifier", "namespace_identifier"):
            continue
        name = text_of(node)
        if name in own:
            continue
        if (reason := refusal(name)) is not None:
            raise Dropped(reason, name)
        if is_atomic(name):
            _require_update(node, name)
        if not allow_places and _PLACE.fullmatch(name):
            raise Dropped("place_in_helper", f"{name} is asked for outside the kernel")


def to_cpp(text: str) -> str:
    """The same code as C++, as far as `refuse_cuda` lets it through."""
    text = _PRAGMA.sub("", text)
    for _ in range(_MAX_PASSES):
        changed = _pass(text)
        if changed == text:
            return _without_qualifiers(text)
        text = changed
    raise Dropped("nested_too_deeply", "calls of CUDA inside calls of CUDA")


def own_functions(text: str) -> list[str]:
    """Definitions of CUDA's functions that the C++ calls and C++ lacks."""
    root = parse(text, cuda=True)
    own = declared_names(root)
    called = {
        text_of(node.children[0])
        for node in walk(root)
        if node.type == "call_expression" and node.children[0].type == "identifier"
    }
    return [definition for name, definition in OWN.items() if name in called and name not in own]


def _require_update(node: "Node", name: str) -> None:
    """An atomic is a plain update only where nobody asks what was there before, and its order does not matter."""
    if name not in UPDATES and name not in EXTREMES:
        raise Dropped("atomic", f"{name}: what it does depends on the order of threads")
    call = node.parent
    if call is None or call.type != "call_expression":
        return
    if call.parent is None or call.parent.type != "expression_statement":
        raise Dropped("atomic_result", f"{name}: its result depends on the order of threads")
    if len(_arguments(call)) != 2:
        raise Dropped("atomic", f"{name} with a scope")


def _pass(text: str) -> str:
    """One pass: each outermost call of CUDA rewritten; those inside come with the next."""
    root = parse(text, cuda=True)
    edits = Edits(text)
    for node in walk(root):
        if node.type != "call_expression":
            continue
        name, given = text_of(node.children[0]), _arguments(node)
        if name == "__ldg" and len(given) == 1:
            edits.replace(node, _pointed_to(given[0]))
        elif name in OPERATORS and len(given) == 2:
            edits.replace(node, f"(({text_of(given[0])}) {OPERATORS[name]} ({text_of(given[1])}))")
        elif name in SAME_CALL:
            edits.replace(node.children[0], SAME_CALL[name])
        elif name in UPDATES and len(given) == 2:
            edits.replace(node, f"{_pointed_to(given[0])} {UPDATES[name]} {text_of(given[1])}")
        elif name in EXTREMES and len(given) == 2:
            place, value = _pointed_to(given[0]), text_of(given[1])
            edits.replace(node, f"{place} = ({value}) {EXTREMES[name]} {place} ? ({value}) : {place}")
    return edits.apply()


def _arguments(call: "Node") -> "list[Node]":
    return [part for part in call.children[-1].named_children if part.type != "comment"]


def _pointed_to(pointer: "Node") -> str:
    """What a pointer points to: `x[i]` for `&x[i]`, and for `x + i`."""
    while pointer.type == "parenthesized_expression":
        pointer = pointer.named_children[0]
    if pointer.type == "pointer_expression" and pointer.children[0].type == "&":
        return text_of(pointer.children[1])
    if pointer.type == "identifier":
        return f"{text_of(pointer)}[0]"
    if (
        pointer.type == "binary_expression"
        and pointer.children[1].type == "+"
        and pointer.children[0].type == "identifier"
    ):
        return f"{text_of(pointer.children[0])}[{text_of(pointer.children[2])}]"
    return f"*({text_of(pointer)})"


def _without_qualifiers(text: str) -> str:
    """CUDA's qualifiers and attributes taken away."""
    text = re.sub(r"__launch_bounds__\s*\([^)]*\)\s*", "", text)
    text = re.sub(r"\b__align__\s*\(", "alignas(", text)
    words = "|".join(sorted(QUALIFIERS | RESTRICT, key=len, reverse=True))
    return re.sub(rf"[ \t]*\b(?:{words})\b[ \t]?", " ", text)
