"""What is ours to write of a first program: includes, helpers, a kernel's head with its thread's element and guard, launcher and entry.

A small model then has one hole to fill, and fills it with the reference's own code, little changed. So a thread has what one turn of the
reference's outer loops has, under their names, where these loops are all that the entry does, or walk over its arrays; else an element of
the largest output, with the names of the loops that count its dimensions.
"""

from regrapht.propose.form import mend
from regrapht.propose.form.program import Program
from regrapht.propose.form.reference_containers import container_advice
from regrapht.propose.form.reference_helpers import helpers_of
from regrapht.propose.form.reference_locals import locals_of
from regrapht.propose.form.reference_loops import names_of_indices, turns_of_threads
from regrapht.propose.form.reference_values import values_of_the_entry
from regrapht.propose.form.scratch_arrays import with_all_arrays
from regrapht.propose.form.stage_skeleton import stage_skeleton
from regrapht.propose.form.thread_indices import Index, free_name, of_the_thread
from regrapht.propose.form.walking_pointers import walk_of
from regrapht.records.task import Arg, Residency, Task

HOLE = "// Write here what this thread computes."
_INDICES = {1: ("i",), 2: ("x", "y"), 3: ("x", "y", "z")}
"""Dimensions of an output -> the names of a thread's indices, innermost dimension first, where the reference has none for them."""


def skeleton(task: Task) -> str | None:
    """A whole file but for the hole in its kernel; None where no output has elements for threads, or data lie on the host."""
    output = _shared_out(task)
    if output is None or task.contract.residency is not Residency.DEVICE:
        return None
    # As in the signature, so that a kernel in the task's own names finds its launcher.
    head = task.signature.removeprefix(f'extern "C" void {task.entry}')
    taken = {arg.name for arg in task.parameters}
    taken |= locals_of(task).keys()
    walk = walk_of(task)
    if walk is not None and any(loop.name in taken for loop in walk.loops):
        walk = None
    walked = [Index(loop.name, loop.bound) for loop in reversed(walk.loops)] if walk is not None else []
    helpers = "".join(f"{text}\n\n" for text in dict.fromkeys(helpers_of(task).values()))
    if not walked and not turns_of_threads(task) and (staged := stage_skeleton(task, HOLE)) is not None:
        return _whole(f"{helpers}{staged}", task)
    indices = walked or _threads(task, output, taken)
    lines, outside = of_the_thread(indices, taken)
    stub = "\n".join(
        [
            f"__global__ void {task.entry}_kernel{head} {{",
            *(f"    {text}" for text, _ in locals_of(task).values()),
            *(f"    {text}" for text in values_of_the_entry(task)),
            *lines,
            f"    if ({' || '.join(outside)}) return;",
            *(f"    {line}" for line in (walk.lines if walk is not None else ())),
            *(f"    // {line}" for line in container_advice(task)),
            f"    {HOLE}",
            "}",
        ]
    )
    stub = with_all_arrays(stub, task, before=HOLE)
    return _whole(f"{helpers}{stub}\n", task)


def _whole(text: str, task: Task) -> str | None:
    """The text as a file that builds; None where no entry came of it."""
    whole = mend(f"#include <cuda_runtime.h>\n\n{text}", task).text
    return whole if Program(whole, task).entries else None


def _shared_out(task: Task) -> Arg | None:
    """The output with the most dimensions whose elements threads can share out: up to three dimensions, not all of them constant."""
    fits = [arg for arg in task.outputs if 1 <= len(_extents(arg)) <= 3]
    return max(fits, key=lambda arg: len(_extents(arg))) if fits else None


def _extents(output: Arg) -> list[str]:
    """Elements in each dimension that threads share out, innermost first: a dimension of a fixed length belongs to one thread."""
    return [one.c_text for one in reversed(output.shape) if not one.text.isdigit()]


def _threads(task: Task, output: Arg, taken: set[str]) -> list[Index]:
    """A thread's indices, innermost first."""
    if turns := turns_of_threads(task)[::-1]:
        return [Index(loop.name, loop.bound, loop.first, loop.step) for loop in turns]
    extents = _extents(output)
    found = names_of_indices(task, output, extents)
    names: list[str] = []
    for name, usual in zip(found, _INDICES[len(extents)], strict=True):
        names.append(free_name(name or usual, {*taken, *names, *(one for one in found if one and one != name)}))
    return [Index(name, extent) for name, extent in zip(names, extents, strict=True)]
