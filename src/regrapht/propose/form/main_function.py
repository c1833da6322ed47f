"""`main`, which models add to show how the function is called: nobody runs it, and it often does not compile."""

from regrapht.propose.form.program import Edit, Program, head_start


def without_main(program: Program) -> str | None:
    """The text without its `main`; None where it has none."""
    if program.task.entry == "main":
        return None
    found = program.unit.named("main")
    return program.edited(Edit(head_start(one), one.node.end_byte, "") for one in found) if found else None
