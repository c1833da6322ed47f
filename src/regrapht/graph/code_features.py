"""What a program's syntax says of it, as numbers: loops, access patterns, reductions, shared memory, intrinsics.

Read off the syntax tree, so that names, comments and layout do not matter. The numbers say what the code looks like, not what it does:
an index is `indirect` where another array is read inside it, and `reduction` counts updates of scalars inside loops.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from regrapht.source.syntax import LOOPS, parse

if TYPE_CHECKING:
    from tree_sitter import Node

FEATURES = (
    *("loops", "depth", "whiles", "branches", "functions", "kernels", "launches", "barriers", "shuffles", "atomics"),
    *(
        "shared",
        "constant",
        "restrict",
        "unrolled",
        "templates",
        "grid_y",
        "grid_z",
        "grid_stride",
        "vectors",
        "halves",
    ),
    *("doubles", "async_copies", "matrix_units", "groups", "streams", "bit_tricks", "read_only_loads", "intrinsics"),
    *("subscripts", "products_in_index", "offsets_in_index", "indirect", "scatter", "struct_fields", "reduction"),
    *("transcendental", "divisions", "conditionals", "early_returns", "several_loops"),
)
_PLACE = {name: place for place, name in enumerate(FEATURES)}
_MATHS = {"exp", "log", "sin", "cos", "tan", "sqrt", "pow", "tanh", "erf", "rsqrt", "cbrt", "atan", "acos", "asin"}
_WORDS = {
    "__shared__": "shared",
    "__constant__": "constant",
    "__restrict__": "restrict",
    "__syncthreads": "barriers",
    "__syncwarp": "barriers",
    "__ldg": "read_only_loads",
    "__ldcs": "read_only_loads",
    "__stcs": "read_only_loads",
    "half": "halves",
    "__half": "halves",
    "__half2": "halves",
    "half2": "halves",
    "__nv_bfloat16": "halves",
    "double": "doubles",
    "__popc": "bit_tricks",
    "__ffs": "bit_tricks",
    "__clz": "bit_tricks",
    "__ballot_sync": "bit_tricks",
    "__brev": "bit_tricks",
    "cooperative_groups": "groups",
    "this_thread_block": "groups",
    "tiled_partition": "groups",
    "cudaStream_t": "streams",
    "cudaStreamCreate": "streams",
    "cudaGraph_t": "streams",
    "wmma": "matrix_units",
    "__pipeline_memcpy_async": "async_copies",
    "memcpy_async": "async_copies",
    "pipeline": "async_copies",
    "barrier": "async_copies",
}
_VECTORS = {f"{kind}{width}" for kind in ("float", "int", "uint", "double", "short", "char", "uchar") for width in "24"}


@lru_cache(maxsize=4096)
def code_features(source: str) -> np.ndarray:
    """One number a name of `FEATURES`: log2(1 + count), or the value itself where it is no count. Never fails, any text."""
    counts = np.zeros(len(FEATURES))
    _visit(parse(source, cuda=True), counts)
    for text, name in (("cp.async", "async_copies"), ("mma.sync", "matrix_units"), ("wgmma", "matrix_units")):
        counts[_PLACE[name]] += source.count(text)
    found: np.ndarray = np.log2(1 + counts)
    found.setflags(write=False)
    return found


def _visit(root: "Node", counts: np.ndarray) -> None:
    """Count over the whole tree, with the depth of loops and whether an index is around."""
    stack = [(root, 0, False)]
    while stack:
        node, depth, in_index = stack.pop()
        kind = node.type
        if kind in LOOPS:
            depth += 1
            _loop(node, kind, depth, counts)
        elif kind == "subscript_expression":
            _subscript(node, depth, in_index, counts)
        elif kind in _KINDS:
            _KINDS[kind](node, depth, in_index, counts)
        inside = in_index or kind in ("subscript_argument_list", "subscript_index")
        stack.extend((child, depth, inside) for child in node.children)


def _add(counts: np.ndarray, name: str, amount: float = 1) -> None:
    counts[_PLACE[name]] += amount


def _loop(node: "Node", kind: str, depth: int, counts: np.ndarray) -> None:
    _add(counts, "loops" if kind in ("for_statement", "for_range_loop") else "whiles")
    counts[_PLACE["depth"]] = max(counts[_PLACE["depth"]], depth)
    if depth == 1:
        _add(counts, "several_loops")
    update = node.child_by_field_name("update")
    if update is not None and (b"gridDim" in (update.text or b"") or b"stride" in (update.text or b"").lower()):
        _add(counts, "grid_stride")


def _subscript(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    _add(counts, "subscripts")
    if in_index:
        _add(counts, "indirect")


def _binary(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    operator = node.child_by_field_name("operator")
    kind = operator.type if operator is not None else ""
    if in_index:
        if kind == "*":
            _add(counts, "products_in_index")
        elif kind in ("+", "-"):
            right = node.child_by_field_name("right")
            if right is not None and right.type == "number_literal":
                _add(counts, "offsets_in_index")
    elif kind == "/":
        _add(counts, "divisions")
    elif kind in ("<<", ">>", "&", "|", "^"):
        _add(counts, "bit_tricks", 0.25)


def _assignment(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is None or operator is None or not depth:
        return
    updates = operator.type != "="
    if left.type == "identifier" and updates:
        _add(counts, "reduction")
    elif left.type == "subscript_expression" and (left.text or b"").count(b"[") > 1:
        _add(counts, "scatter")


def _word(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    text = (node.text or b"").decode("utf-8", "replace")
    if (name := _WORDS.get(text)) is not None:
        _add(counts, name)
    elif text in _VECTORS:
        _add(counts, "vectors")
    elif text.startswith("__shfl"):
        _add(counts, "shuffles")
    elif text.startswith("atomic"):
        _add(counts, "atomics")
    elif text.startswith("__") and text[2:3].islower() and not text.endswith("__"):
        _add(counts, "intrinsics")
    elif text.rstrip("f") in _MATHS or text.removeprefix("std::") in _MATHS:
        _add(counts, "transcendental")


def _field(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    text = node.text or b""
    if text in (b"threadIdx.y", b"blockIdx.y"):
        _add(counts, "grid_y")
    elif text in (b"threadIdx.z", b"blockIdx.z"):
        _add(counts, "grid_z")
    elif not text.endswith((b".x", b".y", b".z", b".w")):
        _add(counts, "struct_fields")


def _counted(name: str):  # type: ignore[no-untyped-def]
    return lambda node, depth, in_index, counts: _add(counts, name)


def _pragma(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    if b"unroll" in (node.text or b""):
        _add(counts, "unrolled")


def _return(node: "Node", depth: int, in_index: bool, counts: np.ndarray) -> None:
    if node.parent is not None and node.parent.type == "if_statement":
        _add(counts, "early_returns")


_KINDS = {
    "binary_expression": _binary,
    "assignment_expression": _assignment,
    "identifier": _word,
    "type_identifier": _word,
    "primitive_type": _word,
    "namespace_identifier": _word,
    "__shared__": _word,
    "__constant__": _word,
    "__restrict__": _word,
    "__global__": _counted("kernels"),
    "kernel_call_syntax": _counted("launches"),
    "<<<": _counted("launches"),
    "field_expression": _field,
    "if_statement": _counted("branches"),
    "conditional_expression": _counted("conditionals"),
    "function_definition": _counted("functions"),
    "template_declaration": _counted("templates"),
    "preproc_call": _pragma,
    "return_statement": _return,
}
