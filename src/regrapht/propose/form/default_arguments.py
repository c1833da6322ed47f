"""Default arguments of a kernel's parameters that others without follow: C++ has none such, and a launch gives all of them."""

from regrapht.propose.form.program import Edit, Program
from regrapht.source.syntax import walk


def without_defaults_in_the_middle(program: Program) -> str | None:
    """The text without them; None where each kernel's defaults are its last parameters."""
    edits = []
    for kernel in program.kernels:
        head = next((node for node in walk(kernel.node) if node.type == "parameter_list"), None)
        given = [] if head is None else [node for node in head.named_children if "parameter_declaration" in node.type]
        optional = [node.type == "optional_parameter_declaration" for node in given]
        if optional != sorted(optional):
            for node in given:
                value = node.child_by_field_name("default_value")
                named = node.child_by_field_name("declarator")
                if value is not None and named is not None:
                    edits.append(Edit(named.end_byte, value.end_byte, ""))
    return program.edited(edits) if edits else None
