"""A kernel and a host function that both have the entry's name: the kernel gets another."""

from regrapht.propose.form.program import Edit, Program, calls_of, is_host
from regrapht.source.syntax import text_of, walk


def with_a_name_for_the_kernel(program: Program) -> str | None:
    """The text with the kernel renamed, where it is defined and launched; None where the name is not that of one kernel and one entry."""
    kernels = [one for one in program.entries if "__global__" in one.qualifiers]
    if len(kernels) != 1 or len(program.entries) != 2 or not any(map(is_host, program.entries)):
        return None
    old, new = program.task.entry, f"{program.task.entry}_kernel"
    while new in program.text:
        new += "_"
    edits = [
        Edit(name.start_byte, name.end_byte, new)
        for node in walk(kernels[0].node)
        if node.type == "function_declarator" and (name := node.child_by_field_name("declarator")) is not None
        if text_of(name) == old
    ]
    for called, call, _ in calls_of(program.root):
        function = call.child_by_field_name("function")
        if called == old and function is not None and any(one.type == "kernel_call_syntax" for one in call.children):
            edits.append(Edit(function.start_byte, function.end_byte, new))
    return program.edited(edits)
