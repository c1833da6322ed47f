"""The file's text with parts of it replaced, and the standard library's names as the header's, for the device or the launcher."""

import re
from collections.abc import Mapping

from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.scopes import Scopes

STANDARD = frozenset({
    "array", "bitset", "pair",
    "make_pair", "numeric_limits", "less", "greater", "max", "min", "clamp", "swap", "exchange", "fill", "fill_n", "iota",
    "accumulate", "reduce", "inner_product", "partial_sum", "for_each", "replace", "replace_if", "swap_ranges",
    "copy", "copy_n", "transform", "count", "count_if", "find", "find_if", "any_of", "all_of", "none_of", "equal",
    "max_element", "min_element", "reverse", "unique", "lower_bound", "upper_bound", "binary_search", "sort", "stable_sort", "nth_element",
    "partial_sort", "memset", "memcpy", "memcmp", "isupper", "islower", "isalpha", "isdigit", "isalnum", "isspace", "toupper", "tolower",
})  # fmt: skip
"""What `runtime/standard.h` has."""
BUILTINS = frozenset({
    "ctz", "ctzll", "clz", "clzll", "ffs", "ffsll", "popcount", "popcountll", "parity", "parityll", "bswap32", "bswap64",
})  # fmt: skip
"""What it has in the place of `__builtin_ctz` and the like."""
_OF_C = STANDARD & frozenset({
    "memcmp", "isupper", "islower", "isalpha", "isdigit", "isalnum", "isspace", "toupper", "tolower",
})  # fmt: skip
"""Those that are called without `std::` too, and that device code has no function of: nvcc takes the call in a function for both sides, and
leaves it out."""
RANGES = STANDARD & frozenset({
    "iota", "accumulate", "reduce", "inner_product", "partial_sum", "for_each", "replace", "replace_if", "transform", "count", "count_if",
    "swap_ranges",
    "find", "find_if", "any_of", "all_of", "none_of", "equal", "max_element", "min_element", "reverse", "unique", "lower_bound",
    "upper_bound", "binary_search", "sort", "stable_sort", "nth_element", "partial_sort", "memcmp",
})  # fmt: skip
"""Those that go over a range, which outside of a loop is device memory."""
CONTAINERS = frozenset({"vector", "deque", "queue", "stack", "priority_queue"})
"""Containers that a turn may have: their memory is scratch of its own (`runtime/scratch.h`, `runtime/containers.h`)."""
COMPLEX = frozenset({"complex", "polar", "conj", "norm", "arg", "real", "imag"})
"""What `runtime/complex.h` has."""
_SHORT = {"_Float16": "__half", "__bf16": "__nv_bfloat16"}
"""What compilers of the host call what nvcc has under another name."""
_ON_HOST = frozenset({"fill", "fill_n", "copy", "memset", "memcpy"})
"""What the launcher calls on device memory."""
_VECTOR_PARAMETER = re.compile(r"\bconst\s+std::vector(<[^;{}&]*>)\s*&(?=\s*\w+\s*[,)])")
_ADAPTERS = re.compile(rf"\bstd::({'|'.join(sorted(CONTAINERS - {'vector'}))})\b(?=\s*<)")
_PRINTS = re.compile(r"(?<![\w:.>])(std::)?snprintf(?=\s*\()")
_UNQUALIFIED = re.compile(r"(?<![\w:.>])(memset|memcpy)(?=\s*\()")


class Rendering:
    """Pieces of one file's text.

    Args:
        replaced: Node ids with the text that stands for the node wherever it is rendered.
    """

    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes
        self.replaced: dict[int, str] = {}
        self.counted: dict[int, dict[int, str]] = {}
        """Functions that have a twin which only counts -> what differs in that, by node."""

    def piece(self, node: SyntaxNode, swaps: Mapping[int, str] | None = None) -> str:
        """The node's text, with what `replaced` and `swaps` say of nodes in it."""
        known = self.replaced if swaps is None else {**self.replaced, **swaps}
        return self._piece(node, known)

    def _piece(self, node: SyntaxNode, known: Mapping[int, str]) -> str:
        if node.id in known:
            return known[node.id]
        if not node.children:
            text = self.scopes.source.written[node.start_byte : node.end_byte].decode()
            return f"verbatim::{text}" if text in _OF_C and self._is_called(node, text) else text
        return self.between(node.start_byte, node.end_byte, node.children, known)

    def _is_called(self, name: SyntaxNode, text: str) -> bool:
        """Whether a name is that of a library's function in a call of it."""
        return name.parent.type == "call_expression" and name.type == "identifier" and text not in self.scopes.by_name

    def between(self, start: int, end: int, nodes: list[SyntaxNode], known: Mapping[int, str]) -> str:
        """The text from `start` to `end`, in which `nodes` lie in order."""
        out, at, data = [], start, self.scopes.source.written
        for child in nodes:
            out.append(data[at : child.start_byte].decode())
            out.append(self._piece(child, known))
            at = max(at, child.end_byte)
        out.append(data[at:end].decode())
        return "".join(out)


def device_text(text: str) -> str:
    """Text of what runs in a turn, with the header's names."""
    return member_text(text, shared=False)


def member_text(text: str, *, shared: bool) -> str:
    """Text of a type: its vectors are the launcher's where `shared`, else a turn's."""
    text = _VECTOR_PARAMETER.sub(r"const verbatim::sequence\1&", text)
    text = text.replace("std::vector", "verbatim::vector_of" if shared else "verbatim::local_vector")
    if not shared:
        text = _PRINTS.sub("verbatim::snprintf", _ADAPTERS.sub(r"verbatim::\1", text))
    return _standard(text)


def launcher_text(text: str) -> str:
    """Text of the launcher."""
    text = _UNQUALIFIED.sub(r"verbatim::host::\1", text.replace("std::vector", "verbatim::vector_of"))
    text = re.sub(r"\bstd::(\w+)\b", lambda m: f"verbatim::host::{m[1]}" if m[1] in _ON_HOST else m[0], text)
    return _standard(text)


def _standard(text: str) -> str:
    text = re.sub(r"\b(_Float16|__bf16)\b", lambda m: _SHORT[m[1]], text)
    text = re.sub(r"\bstd::(\w+)\b", lambda m: f"verbatim::{m[1]}" if m[1] in COMPLEX else m[0], text)
    text = re.sub(r"\b__builtin_(\w+)\b", lambda m: f"verbatim::{m[1]}" if m[1] in BUILTINS else m[0], text)
    return re.sub(r"\bstd::(\w+)\b", lambda m: f"verbatim::{m[1]}" if m[1] in STANDARD else m[0], text)
