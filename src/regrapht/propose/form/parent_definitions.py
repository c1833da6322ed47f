"""Definitions of the program that a model was shown, which its reply uses and leaves out: kernels that stay, constants, types."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, first_function, head_start, top_of_code
from regrapht.propose.form.reference_helpers import TYPES, at_file_scope, missing_names, names_defined_by

if TYPE_CHECKING:
    pass


def with_the_parents_definitions(program: Program, parent: str) -> str | None:
    """The program with what it names of the parent and does not define; None where nothing is missing.

    Constants and types go behind its includes, functions before its own, which may use constants of its own.
    """
    offered: dict[str, list[str]] = {}
    definitions = list(_definitions(Program(parent, program.task)))
    for name, text, _ in definitions:
        offered.setdefault(name, []).append(text)
    wanted = missing_names(program, offered)
    if not wanted:
        return None
    edits: dict[int, str] = {}
    for at, of_functions in ((top_of_code(program), False), (first_function(program), True)):
        pieces = dict.fromkeys(
            text for name, text, is_function in definitions if name in wanted and is_function is of_functions
        )
        if pieces:  # both go to one place where functions follow the includes: what functions use is first there
            edits[at] = edits.get(at, "\n\n") + "\n\n".join(pieces) + "\n\n"
    return program.edited(Edit(at, at, text) for at, text in edits.items())


def _definitions(program: Program) -> Iterator[tuple[str, str, bool]]:
    """Name, text, whether it is a function, of what the program defines at file scope, in its order; a namespace is one piece."""
    data = program.text.encode("utf-8", "replace")
    heads = {head_start(function): function for function in program.unit.functions}
    for node in at_file_scope(program.root):
        text = data[node.start_byte : node.end_byte].decode("utf-8", "replace").strip()
        if (function := heads.get(node.start_byte)) is not None:
            yield function.name, text, True
        else:
            whole = f"{text};" if node.type in TYPES and not text.endswith(";") else text
            yield from ((name, whole, False) for name in names_defined_by(node))
