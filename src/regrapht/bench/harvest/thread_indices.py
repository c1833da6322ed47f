"""How a kernel uses its thread's place, dimension by dimension, and which loop that makes of it.

In a kernel without barriers threads are independent, so that any launch that reaches every element computes the same. A loop that steps by
all threads, or by all threads of its block, is then a plain loop of one thread.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from regrapht.bench.harvest.definitions import declared_names
from regrapht.bench.harvest.edits import Edits
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.source.syntax import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

AXES = ("x", "y", "z")
PLACES = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_CONSTANT = re.compile(r"\d+|[A-Z][A-Z0-9_]*")
_PRODUCTS = ("__mul24", "__umul24")
_MAX_COPIES = 20


class Mode(StrEnum):
    """What becomes of one dimension of the launch."""

    ELEMENTS = "elements"
    """One thread an element: a loop over `blockIdx * blockDim + threadIdx`."""
    BLOCKS = "blocks"
    """One block an element: a loop over `blockIdx`; its threads, if it uses them, share the work of a loop."""
    STRIDED = "strided"
    """Loops that step by all threads: nothing is left of the dimension."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One dimension of the launch that the kernel uses."""

    axis: str
    mode: Mode
    variable: str
    """Stands in the text for what the loop counts; empty for STRIDED."""
    block: str | None
    """The extent of a block that the kernel counts on, as it writes it; None for any."""
    threads: bool
    """Whether the block may have more than one thread in this dimension."""
    grid: bool = True
    """Whether the grid may have more than one block in this dimension."""


def read_axes(kernel: str) -> tuple[str, tuple[Axis, ...]]:
    """The kernel's text with its places in the launch replaced by loop variables or constants, and the dimensions, x first.

    Raises:
        Dropped: `launch_unknown`: what it computes depends on how many threads a block has.
    """
    text = _without_copies(kernel)
    text, blocks = _with_global_indices(text)
    axes = []
    for axis in AXES:
        used = {place for place in PLACES if re.search(rf"\b{place}\s*\.\s*{axis}\b", text)}
        has = {name for name in ("global", "stride") if f"{name}_{axis}_" in text}
        if used or has:
            text, found = _decide(text, axis, used, has, blocks.get(axis))
            axes.append(found)
    if leftover := re.search(rf"\b(?:{'|'.join(PLACES)})\b", text):
        raise Dropped("launch_unknown", f"{leftover.group()} is used as a whole")
    return text, tuple(axes)


def canonical(node: "Node") -> str:
    """An expression as text in which order, parentheses, casts and blanks do not matter."""
    while node.type in ("parenthesized_expression", "cast_expression"):
        node = node.child_by_field_name("value") or node.named_children[0]
    if node.type == "binary_expression":
        operator = text_of(node.children[1])
        sides = [canonical(node.children[0]), canonical(node.children[2])]
        return f"{operator}({','.join(sorted(sides) if operator in '+*' else sides)})"
    if node.type == "call_expression" and text_of(node.children[0]) in _PRODUCTS:
        parts = [canonical(part) for part in node.children[1].named_children]
        return f"*({','.join(sorted(parts))})"
    if node.type == "call_expression" and text_of(node.children[0]).startswith("static_cast<"):
        return canonical(node.children[1].named_children[0])
    return "".join(text_of(node).split())


def stores_of(root: "Node", name: str) -> "list[Node]":
    """Everything that changes the plain variable `name`, or hands out its address."""
    found = []
    for part in walk(root):
        target = None
        if part.type == "assignment_expression":
            target = part.child_by_field_name("left")
        elif part.type == "update_expression" or (part.type == "pointer_expression" and part.children[0].type == "&"):
            target = part.child_by_field_name("argument")
        if target is not None and target.type == "identifier" and text_of(target) == name:
            found.append(part)
    return found


def plain_locals(root: "Node") -> "list[tuple[Node, Node, str, Node]]":
    """`T v = value;` with one variable that never changes, at any depth: declaration, declarator, name, value."""
    found = []
    for node in walk(root):
        declarators = node.children_by_field_name("declarator") if node.type == "declaration" else []
        if len(declarators) != 1 or declarators[0].type != "init_declarator":
            continue
        named, value = declarators[0].child_by_field_name("declarator"), declarators[0].child_by_field_name("value")
        if named is None or value is None or named.type != "identifier" or stores_of(root, text_of(named)):
            continue
        found.append((node, declarators[0], text_of(named), value))
    return found


def split_declarations(kernel: str) -> str:
    """`int i = a, j = b;` as two declarations, so that each can be looked at by itself."""
    root = parse(kernel, cuda=True)
    edits = Edits(kernel)
    for node in walk(root):
        declarators = node.children_by_field_name("declarator") if node.type == "declaration" else []
        alone = node.parent is not None and node.parent.type == "compound_statement"
        plain = all(_is_plain(declarator) for declarator in declarators)
        if len(declarators) > 1 and alone and plain:
            words = kernel.encode()[node.start_byte : declarators[0].start_byte].decode()
            edits.replace(node, " ".join(f"{words.rstrip()} {text_of(declarator)};" for declarator in declarators))
    return edits.apply()


def join_assignments(kernel: str) -> str:
    """`int i; ... i = a;` as `int i = a;` where that is the only time that `i` is set, and it is set in any case."""
    for _ in range(_MAX_COPIES):
        root = parse(kernel, cuda=True)
        found = _late_start(root)
        if found is None:
            return kernel
        declaration, statement, kind = found
        edits = Edits(kernel)
        edits.remove(declaration)
        edits.insert(statement.start_byte, f"{kind} ")
        kernel = edits.apply()
    return kernel


def _late_start(root: "Node") -> "tuple[Node, Node, str] | None":
    for node in walk(root):
        declarators = node.children_by_field_name("declarator") if node.type == "declaration" else []
        kind = node.child_by_field_name("type")
        if len(declarators) != 1 or declarators[0].type != "identifier" or kind is None or node.parent is None:
            continue
        name = text_of(declarators[0])
        stores = stores_of(root, name)
        if len(stores) != 1 or stores[0].type != "assignment_expression" or text_of(stores[0].children[1]) != "=":
            continue
        statement = stores[0].parent
        together = statement is not None and statement.parent is not None and statement.parent.id == node.parent.id
        if together and statement is not None and statement.type == "expression_statement" and _is_unique(root, name):
            return node, statement, text_of(kind)
    return None


def _is_plain(declarator: "Node") -> bool:
    inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    return inner is not None and inner.type == "identifier"


def _without_copies(kernel: str) -> str:
    """`int tx = threadIdx.x;` taken away, and `threadIdx.x` put where `tx` stood; strides as well."""
    shapes = re.compile(rf"(?:{'|'.join(PLACES)})\.[xyz]|\*\(blockDim\.([xyz]),gridDim\.\1\)")
    for _ in range(_MAX_COPIES):
        root = parse(kernel, cuda=True)
        copies = [
            found
            for found in plain_locals(root)
            if shapes.fullmatch(canonical(found[3])) and _is_unique(root, found[2])
        ]
        if not copies:
            return kernel
        declaration, _, name, value = copies[0]
        edits = Edits(kernel)
        edits.remove(declaration)
        inside = text_of(value) if value.type == "field_expression" else f"({text_of(value)})"
        for use in walk(root):
            if use.type == "identifier" and text_of(use) == name and use.start_byte > declaration.end_byte:
                edits.replace(use, inside)
        kernel = edits.apply()
    return kernel


def _is_unique(root: "Node", name: str) -> bool:
    """Whether only one declaration has this name, so that every use means it."""
    declared = 0
    for node in walk(root):
        for declarator in node.children_by_field_name("declarator"):
            inner = declarator.child_by_field_name("declarator") or declarator
            declared += inner.type == "identifier" and text_of(inner) == name and node.type != "init_declarator"
    return declared == 1


def _with_global_indices(kernel: str) -> tuple[str, dict[str, str]]:
    """`blockIdx.x * blockDim.x + threadIdx.x` as `global_x_`, `blockDim.x * gridDim.x` as `stride_x_`; and constant extents of blocks."""
    root = parse(kernel, cuda=True)
    edits, blocks = Edits(kernel), {}
    own = declared_names(root)
    for node in walk(root):
        if node.type not in ("binary_expression", "parenthesized_expression", "cast_expression"):
            continue
        form = canonical(node)
        for axis in AXES:
            extent = _extent_of(form, axis, own)
            if extent is not None:
                edits.replace(node, f"global_{axis}_")
                if extent != f"blockDim.{axis}":
                    blocks[axis] = extent
            elif form == f"*(blockDim.{axis},gridDim.{axis})":
                edits.replace(node, f"stride_{axis}_")
    return edits.apply(), blocks


def _extent_of(form: str, axis: str, own: set[str]) -> str | None:
    """What `blockIdx` is multiplied by in a global index; None for another expression."""
    match = re.fullmatch(rf"\+\(\*\((.+?),(.+?)\),threadIdx\.{axis}\)", form)
    if match is None or f"blockIdx.{axis}" not in match.groups():
        return None
    other = match[1] if match[2] == f"blockIdx.{axis}" else match[2]
    return other if other == f"blockDim.{axis}" or (_CONSTANT.fullmatch(other) and other not in own) else None


def _decide(text: str, axis: str, used: set[str], has: set[str], block: str | None) -> tuple[str, Axis]:
    name = f"global_{axis}_"
    if has and not used:
        if "stride" not in has:
            return text, Axis(axis=axis, mode=Mode.ELEMENTS, variable=name, block=block, threads=True)
        text = text.replace(name, "0").replace(f"stride_{axis}_", "1")
        return text, Axis(axis=axis, mode=Mode.STRIDED, variable="", block=block, threads=True)
    if has or ("threadIdx" in used) != ("blockDim" in used):
        raise Dropped("launch_unknown", f"what is computed depends on the block's extent in {axis}")
    threads = "threadIdx" in used
    if threads:
        text = _put(_put(text, f"threadIdx.{axis}", "0"), f"blockDim.{axis}", "1")
    if "gridDim" in used and "blockIdx" not in used:
        raise Dropped("launch_unknown", f"what is computed depends on the grid's extent in {axis}")
    if "gridDim" in used or "blockIdx" not in used:
        text = _put(_put(text, f"blockIdx.{axis}", "0"), f"gridDim.{axis}", "1")
        grid = "gridDim" in used
        return text, Axis(axis=axis, mode=Mode.STRIDED, variable="", block=block, threads=threads, grid=grid)
    name = f"block_{axis}_"
    return _put(text, f"blockIdx.{axis}", name), Axis(
        axis=axis, mode=Mode.BLOCKS, variable=name, block=block, threads=threads
    )


def _put(text: str, place: str, value: str) -> str:
    whole, axis = place.split(".")
    return re.sub(rf"\b{whole}\s*\.\s*{axis}\b", value, text)
