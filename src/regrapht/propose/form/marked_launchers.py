"""A function that is marked as a kernel and launches one: it is meant for the host, where alone a launch without linked device code is."""

import re

from regrapht.propose.form.program import Edit, Program, launches
from regrapht.propose.form.repeated_definitions import without_repeated_definitions

_MARK = re.compile(rb"__global__\s+")
_OF_A_THREAD = re.compile(rb"\b(?:threadIdx|blockIdx)\b")


def with_launchers_unmarked(program: Program) -> str | None:
    """The text without `__global__` before such functions, where nothing launches them and they look at no thread; None without any.

    One that is there again without the mark goes.
    """
    data = program.text.encode("utf-8", "replace")
    edits = []
    for kernel in program.kernels:
        if not launches(kernel) or kernel.name in program.launched or _OF_A_THREAD.search(kernel.body.text or b""):
            continue
        head = _MARK.search(data, kernel.node.start_byte, kernel.body.start_byte)
        if head is not None:
            edits.append(Edit(head.start(), head.end(), ""))
    if not edits:
        return None
    unmarked = program.edited(edits)
    return without_repeated_definitions(Program(unmarked, program.task)) or unmarked
