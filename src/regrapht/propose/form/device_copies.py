"""Copies of the entry's arrays to the device and back: the pointers are device pointers already, and reading them on the host is a crash.

Models write what they know from examples: `cudaMalloc`, copy in, launch, copy out, free. A local that holds nothing but such a copy is the
array itself; what allocates, copies and frees it is taken out.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of, names_in
from regrapht.records.task import ArgKind
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_COPIES = ("cudaMemcpy", "cudaMemcpyAsync")


@dataclass(slots=True)
class _Local:
    """One local pointer of the entry: what allocates and frees it, and the arrays that it is copied from and to."""

    calls: list["Node"] = field(default_factory=list)
    copies: list["Node"] = field(default_factory=list)
    arrays: set[str] = field(default_factory=set)


def without_copies_of_device_pointers(program: Program) -> str | None:
    """The text whose kernels get the entry's own arrays; None where it copies none of them, or one local stands for two."""
    if "cudaMemcpy" not in program.text or len(program.entries) != 1:
        return None
    entry = program.entries[0]
    arrays = {
        parameter.name
        for parameter, arg in zip(entry.parameters, program.task.parameters, strict=False)
        if arg.kind is ArgKind.ARRAY
    }
    locals_ = _locals(entry.body, arrays)
    edits: list[Edit] = []
    for name, local in locals_.items():
        if len(local.arrays) != 1 or not local.copies:
            continue
        (array,) = local.arrays
        statements = [_statement(call) for call in (*local.calls, *local.copies)]
        gone = [(one.start_byte, one.end_byte) for one in statements]
        edits += [Edit(start, end, ";") for start, end in gone]
        edits += _declaration(entry.body, name)
        taken = [*gone, *((edit.start, edit.end) for edit in edits)]
        edits += [
            Edit(node.start_byte, node.end_byte, array)
            for node in names_in(entry.body)
            if text_of(node) == name and not any(start <= node.start_byte < end for start, end in taken)
        ]
    return program.edited(edits) if edits else None


def _locals(body: "Node", arrays: set[str]) -> dict[str, _Local]:
    found: dict[str, _Local] = {}
    for called, call, arguments in calls_of(body):
        texts = [text_of(one) for one in arguments]
        if called in ("cudaMalloc", "cudaMallocAsync") and texts:
            name = re.sub(r"^\(\s*void\s*\*\s*\*\s*\)\s*|^\s*&|\(void\*\*\)", "", texts[0]).strip("&() ")
            found.setdefault(name, _Local()).calls.append(call)
        elif called in ("cudaFree", "cudaFreeAsync") and texts:
            found.setdefault(texts[0], _Local()).calls.append(call)
        elif called in _COPIES and len(texts) >= 4:
            inward, outward = texts[3] == "cudaMemcpyHostToDevice", texts[3] == "cudaMemcpyDeviceToHost"
            pairs = [(texts[0], texts[1])] * inward + [(texts[1], texts[0])] * outward
            for local, array in pairs:
                if array in arrays and local not in arrays:
                    one = found.setdefault(local, _Local())
                    one.copies.append(call)
                    one.arrays.add(array)
    allocated = {called for called, one in found.items() if len(one.calls) >= 1}
    return {name: one for name, one in found.items() if name in allocated and name.isidentifier()}


def _statement(call: "Node") -> "Node":
    """The statement that a call is all of; also inside of an error check such as `CHECK(cudaMalloc(...));`."""
    node = call
    while node.parent is not None and node.type != "expression_statement" and node.parent.type != "compound_statement":
        node = node.parent
    return node


def _declaration(body: "Node", name: str) -> list[Edit]:
    """The local's own declarator, taken out: `float *d_a, *d_b;` keeps the others."""
    for node in walk(body):
        if node.type != "declaration":
            continue
        declarators = node.children_by_field_name("declarator")
        own = [one for one in declarators if re.sub(r"\s*=.*|[*\s]", "", text_of(one), flags=re.DOTALL) == name]
        if not own:
            continue
        rest = [text_of(one) for one in declarators if one not in own]
        kept = f"{text_of(node.child_by_field_name('type'))} {', '.join(rest)};" if rest else ";"  # type: ignore[arg-type]
        return [Edit(node.start_byte, node.end_byte, kept)]
    return []
