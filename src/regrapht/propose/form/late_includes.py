"""`#include` below the first function, where a reply gave its kernel first and the rest of the file after: headers come first."""

from regrapht.propose.form.program import Edit, Program, head_start
from regrapht.source.syntax import text_of


def with_includes_first(program: Program) -> str | None:
    """The text with all includes at its top, in their order; None where one is there, or none is below a function."""
    includes = [node for node in program.root.children if node.type == "preproc_include"]
    functions = program.unit.functions
    if not functions or not includes or includes[0].start_byte < min(map(head_start, functions)):
        return None
    texts = dict.fromkeys(text_of(node).strip() for node in includes)
    edits = [Edit(node.start_byte, node.end_byte, "") for node in includes]
    return program.edited([Edit(0, 0, "".join(f"{text}\n" for text in texts)), *edits])
