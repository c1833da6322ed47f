"""Traits that the syntax of a CUDA program shows by itself, whatever its values: what the host does, and which kinds of loops there are.

What needs values (how lanes meet memory) is in `access_traits`, where all names of traits are.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_UNROLLED_UP_TO = 64


def host_traits(body: "Node") -> Iterator[str]:
    """Launches, allocations and copies in the body of a host function, a name each time one is met."""
    for node in walk(body):
        if node.type == "kernel_call_syntax":
            yield "host_launches"
            if _inside_loop(node, body):
                yield "launches_in_loop"
        elif node.type == "call_expression":
            name = text_of(node.child_by_field_name("function") or node)
            if name.startswith("cudaMalloc"):
                yield "scratch_arrays"
            elif name.startswith("cudaMemcpy") and _inside_loop(node, body):
                yield "copies_in_loop"


def loop_traits(loop: "Node", *, is_unrolled: bool, is_nested: bool) -> Iterator[str]:
    """What one loop of device code is: how its counter steps, what its rounds share, how many there are, and what is around it."""
    text, step = text_of(loop), loop_step(loop)
    barrier, shuffle = "__syncthreads" in text, "__shfl" in text
    if any(mark in step for mark in ("/=", ">>=")) and (barrier or shuffle):
        yield "shuffle_loops" if shuffle else "tree_loops"
    elif any(mark in step for mark in ("*=", "<<=")) and (barrier or shuffle):
        yield "scan_loops"
    elif barrier:
        yield "tile_loops"
    if "gridDim" in step or "stride" in step.lower() or "step" in step.lower():
        yield "strides_of_grid"
    if is_unrolled:
        yield "unrolled_loops"
    elif _fixed_bound(loop):
        yield "fixed_loops"
    if is_nested:
        yield "nested_loops"
    if loop.type != "for_statement" and "/ 2" in text:
        yield "searches"


def loop_step(loop: "Node") -> str:
    """The text of a loop's update; empty without one."""
    update = loop.child_by_field_name("update")
    return text_of(update) if update is not None else ""


def _inside_loop(node: "Node", end: "Node") -> bool:
    """Whether there is a loop around a node, inside `end`."""
    above = node.parent
    while above is not None and above != end:
        if above.type in LOOPS:
            return True
        above = above.parent
    return False


def _fixed_bound(loop: "Node") -> bool:
    """Whether a loop counts to a number, or to a name in the style of constants."""
    condition = loop.child_by_field_name("condition")
    right = condition.child_by_field_name("right") if condition is not None else None
    if right is None:
        return False
    text = text_of(right)
    if right.type == "number_literal":
        return text.isdigit() and int(text) <= _UNROLLED_UP_TO
    return right.type == "identifier" and (text.isupper() or (text[:1] == "k" and text[1:2].isupper()))
