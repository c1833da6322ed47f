"""An entry that launches with names nobody defined, `k<<<grid, block>>>(...)` without a grid: the launch is ours to write.

So is it where a kernel with an index more was put over the launcher that the skeleton had for fewer.
"""

import re
from typing import TYPE_CHECKING

from regrapht.propose.form.launcher import axes_with_an_extent, with_a_launcher
from regrapht.propose.form.program import Edit, Program, head_start
from regrapht.propose.form.reference_locals import declared_in, file_names, locals_of
from regrapht.source.functions import FunctionDefinition
from regrapht.source.header_names import PLAIN
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_LIMIT = re.compile(r"\w+_(?:MAX|MIN)|NULL|true|false")


def with_a_launch_of_ours(program: Program) -> str | None:
    """The text with the launcher that a lone kernel gets in the entry's place; None where the launch is whole, or the entry does more."""
    if len(program.entries) != 1 or len(program.kernels) != 1:
        return None
    entry = program.entries[0]
    if not (_has_too_few_axes(entry, program.kernels[0]) or _lacks_a_name(entry, program)):
        return None
    bare = program.edited([Edit(head_start(entry), entry.node.end_byte, "")])
    return with_a_launcher(Program(bare, program.task))


def _lacks_a_name(entry: FunctionDefinition, program: Program) -> bool:
    """Whether the entry does no more than launch, with a name in the launch's shape that nobody defines."""
    shapes = [node for node in walk(entry.body) if node.type == "kernel_call_syntax"]
    if len(shapes) != 1 or not _only_launches(entry):
        return False
    used = {
        text_of(node)
        for node in walk(entry.body)
        if node.type == "identifier" and _is_plain(node) and _feeds(node, shapes[0])
    }
    return not used <= declared_in(entry) | file_names(program) | locals_of(program.task).keys()


def _has_too_few_axes(entry: FunctionDefinition, kernel: FunctionDefinition) -> bool:
    """Whether the launcher is one of ours and counts threads on fewer axes than the kernel compares an index on."""
    text = text_of(entry.body)
    return "const long long threads_x = " in text and any(
        f"threads_{axis}" not in text for axis in axes_with_an_extent(kernel)
    )


def _is_plain(name: "Node") -> bool:
    """Whether a name is a variable's: of no namespace, not called, no type whose size is asked, nothing of CUDA or the standard headers."""
    parent, text = name.parent, text_of(name)
    if parent is None or parent.type in ("qualified_identifier", "call_expression", "template_function"):
        return False
    sized = parent.type == "sizeof_expression" or (
        parent.parent is not None and parent.parent.type == "sizeof_expression"
    )
    return not sized and text not in PLAIN and not text.lower().startswith("cuda") and not _LIMIT.fullmatch(text)


def _feeds(name: "Node", shape: "Node") -> bool:
    """Whether a name stands between `<<<` and `>>>`, or in a declaration of the entry, from which a grid is computed."""
    inside = shape.start_byte <= name.start_byte < shape.end_byte
    parent = name.parent
    while not inside and parent is not None and parent.type != "compound_statement":
        if parent.type == "declaration":
            return True
        parent = parent.parent
    return inside


def _only_launches(entry: FunctionDefinition) -> bool:
    """Whether the body holds declarations, one launch and calls of the runtime alone."""
    for node in entry.body.named_children:
        if node.type in ("declaration", "comment"):
            continue
        call = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        if call is None or call.type != "call_expression":
            return False
        launches = any(one.type == "kernel_call_syntax" for one in call.children)
        if not launches and not text_of(call).startswith(
            ("cudaDeviceSynchronize", "cudaGetLastError", "cudaPeekAtLastError")
        ):
            return False
    return True
