"""`const T*` where `T*` is wanted: a kernel that takes an input as writable, a local pointer into it without `const`.

The pointer is cast. What is written through it is as it was, and the judge's to find.
"""

from regrapht.propose.form.pointers import handed
from regrapht.propose.form.program import Edit, Program
from regrapht.source.syntax import text_of


def with_const_cast_away(program: Program) -> str | None:
    """The text with `const_cast` where a pointer to const becomes one to the same type without; None where none does."""
    edits = []
    for one in handed(program):
        if one.given.is_const and not one.wanted.is_const and one.given.type_text == one.wanted.type_text:
            cast = f"const_cast<{one.wanted.type_text}*>({text_of(one.value)})"
            edits.append(Edit(one.value.start_byte, one.value.end_byte, cast))
    return program.edited(edits) if edits else None
