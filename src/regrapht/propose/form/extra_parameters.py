"""Parameters of the entry beyond the task's, a stream or one with a default: nobody gives them, so they become locals of that value."""

from regrapht.propose.form.program import Edit, Program, is_host
from regrapht.source.syntax import text_of, walk

_STREAM = "cudaStream_t"


def without_extra_parameters(program: Program) -> str | None:
    """The text whose entry has as many parameters as the task; None where it has, or where one beyond has no value of its own."""
    meant = [one for one in program.entries if is_host(one) and not one.is_template]
    wanted = len(program.task.parameters)
    if len(meant) != 1 or not 0 < wanted < len(meant[0].parameters):
        return None
    listed = next((node for node in walk(meant[0].node) if node.type == "parameter_list"), None)
    given = [] if listed is None else [node for node in listed.named_children if "parameter_declaration" in node.type]
    beyond, lines = given[wanted:], ""
    for node in beyond:
        of_type, named, value = (node.child_by_field_name(part) for part in ("type", "declarator", "default_value"))
        if of_type is None or named is None or (value is None and text_of(of_type) != _STREAM):
            return None
        lines += f"\n    {text_of(of_type)} {text_of(named)} = {text_of(value) if value is not None else '0'};"
    if not beyond:
        return None
    opening = meant[0].body.start_byte + 1
    return program.edited([Edit(given[wanted - 1].end_byte, beyond[-1].end_byte, ""), Edit(opening, opening, lines)])
