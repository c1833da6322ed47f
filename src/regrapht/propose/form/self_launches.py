"""A kernel that ends by launching itself, with the host's grid and block: `k<<<grid, block>>>(n, in, out);`, which no kernel has."""

from regrapht.propose.form.program import Edit, Program
from regrapht.propose.form.reference_locals import declared_in, file_names
from regrapht.propose.form.scratch import launches_of
from regrapht.source.syntax import text_of, walk


def without_launches_of_itself(program: Program) -> str | None:
    """The text without them; None where no kernel launches itself in a shape whose names it does not have."""
    edits = []
    for kernel in program.kernels:
        known = declared_in(kernel) | file_names(program)
        for launch in launches_of(kernel.name, program):
            statement = launch.call.parent
            shapes = [node for node in launch.call.children if node.type == "kernel_call_syntax"]
            names = {text_of(one) for shape in shapes for one in walk(shape) if one.type == "identifier"}
            is_alone = statement is not None and statement.type == "expression_statement"
            if launch.within.node == kernel.node and statement is not None and is_alone and names - known:
                edits.append(Edit(statement.start_byte, statement.end_byte, ";"))
    return program.edited(edits) if edits else None
