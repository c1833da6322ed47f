"""What `__launch_bounds__` says, as a statement of the kernel that it bounds: a launch of more threads than that is refused there.

The bounds may depend on the parameters of a template, so only the instance that runs knows them.
"""

import re
from typing import Any

from regrapht.emulate.syntax import declarators, function_declarator, identifier, without_comments


def bounds_statement(bounds: Any, kernel: Any, data: bytes) -> str | None:
    """The first statement of `kernel`, a function definition; None where a parameter has a name of the bounds' own.

    Args:
        bounds: The node of `__launch_bounds__(...)`, on this definition or on an earlier declaration.
        data: The source of both.
    """
    said = without_comments(data[bounds.start_byte : bounds.end_byte].decode())
    arguments = said.partition("(")[2].rpartition(")")[0].replace("\n", " ")
    if _parameters(kernel, data) & set(re.findall(r"[A-Za-z_]\w*", arguments)):
        return None
    return f" emulated::launch_bounds({arguments});"


def _parameters(kernel: Any, data: bytes) -> set[str]:
    declarator = function_declarator(kernel)
    listed = declarator.child_by_field_name("parameters").named_children if declarator is not None else []
    names = (identifier(declarator) for parameter in listed for declarator in declarators(parameter))
    return {data[name.start_byte : name.end_byte].decode() for name in names}
