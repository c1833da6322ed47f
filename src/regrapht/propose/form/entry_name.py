"""An entry that has another name: that of an exemplar in the prompt, `solve`, `launch_...`."""

from regrapht.propose.form.entry_signature import declared_names
from regrapht.propose.form.program import Edit, Program, launches, names_in
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of


def with_the_entrys_name(program: Program) -> str | None:
    """The text with its one host function that launches a kernel, and that nothing calls, under the entry's name.

    None where the entry is there, where it is not clear which function is meant, or where it is another task's: an exemplar given back.
    """
    if program.entries:
        return None
    wanted = len(program.task.parameters)
    called = {name for one in program.unit.functions for name in one.calls if name != one.name}
    meant = [
        function
        for function in program.host_functions
        if launches(function)
        and not function.is_template
        and function.name not in called
        and len(function.parameters) == wanted
        and _is_for(function, program.task)
    ]
    if len(meant) != 1:
        return None
    old = meant[0].name
    return program.edited(
        Edit(node.start_byte, node.end_byte, program.task.entry)
        for node in names_in(program.root)
        if text_of(node) == old
    )


def _is_for(function: FunctionDefinition, task: Task) -> bool:
    """Whether half of the parameters have the task's names, or all of them its types."""
    known = {parameter.name for parameter in function.parameters} & {arg.name for arg in task.parameters}
    return 2 * len(known) >= len(task.parameters) or declared_names(function, task) is not None
