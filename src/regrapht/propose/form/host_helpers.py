"""Functions that device code calls and that are written as for the host: `float clamp01(float x)` without `__device__`."""

from regrapht.propose.form.program import Edit, Program, is_host
from regrapht.source.functions import FunctionDefinition


def with_helpers_for_the_device(program: Program) -> str | None:
    """The text whose helpers that device code reaches are `__host__ __device__`; None where all are marked, or none is called."""
    functions = program.unit.functions
    by_name: dict[str, list[FunctionDefinition]] = {}
    for function in functions:
        by_name.setdefault(function.name, []).append(function)
    waiting = [function for function in functions if not is_host(function)]
    marked: set[int] = set()
    while waiting:
        for name in waiting.pop().calls:
            for helper in by_name.get(name, ()):
                if is_host(helper) and helper.name != program.task.entry and helper.node.start_byte not in marked:
                    marked.add(helper.node.start_byte)
                    waiting.append(helper)
    return program.edited(Edit(start, start, "__host__ __device__ ") for start in marked) if marked else None
