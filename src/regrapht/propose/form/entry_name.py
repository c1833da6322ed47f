"""An entry that has another name: that of an exemplar in the prompt, `solve`, `launch_...`."""

from regrapht.propose.form.program import Edit, Program, launches, names_in
from regrapht.source.syntax import text_of


def with_the_entrys_name(program: Program) -> str | None:
    """The text with its one host function that launches a kernel, and that nothing calls, under the entry's name.

    None where the entry is there, or where it is not clear which function is meant.
    """
    if program.entries:
        return None
    wanted = len(program.task.parameters)
    called = {name for function in program.unit.functions for name in function.calls}
    meant = [
        function
        for function in program.host_functions
        if launches(function)
        and not function.is_template
        and function.name not in called
        and len(function.parameters) == wanted
    ]
    if len(meant) != 1:
        return None
    old = meant[0].name
    return program.edited(
        Edit(node.start_byte, node.end_byte, program.task.entry)
        for node in names_in(program.root)
        if text_of(node) == old
    )
