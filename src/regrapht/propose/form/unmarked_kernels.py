"""A function that is launched and not marked as a kernel, as small models leave it when they write a program anew."""

from regrapht.propose.form.program import Edit, Program
from regrapht.source.syntax import text_of


def with_launched_functions_marked(program: Program) -> str | None:
    """The text with `__global__` before such functions; None where there is none."""
    edits, marked = [], {kernel.name for kernel in program.kernels}
    for function in program.host_functions:
        returned = function.node.child_by_field_name("type")
        is_void = returned is not None and text_of(returned) == "void"
        if function.name in program.launched - marked and function.name != program.task.entry and is_void:
            edits.append(Edit(function.node.start_byte, function.node.start_byte, "__global__ "))
    return program.edited(edits) if edits else None
