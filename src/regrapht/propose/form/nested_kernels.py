"""A kernel written inside of the entry, where C++ allows no function."""

from regrapht.propose.form.program import Edit, Program, head_start
from regrapht.source.syntax import text_of, walk


def with_kernels_at_file_scope(program: Program) -> str | None:
    """The text with such kernels and device functions before the function that holds them; None where none does."""
    edits = []
    for outer in program.unit.functions:
        for node in walk(outer.body):
            if node.type == "function_definition" and text_of(node).startswith(("__global__", "__device__")):
                edits.append(Edit(node.start_byte, node.end_byte, ""))
                edits.append(Edit(head_start(outer), head_start(outer), f"{text_of(node)}\n\n"))
    return program.edited(edits) if edits else None
