"""Every function of a file: whether a task can be made of it, and else why not."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.infer import infer_task


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFunction:
    """One function of a file."""

    name: str
    """As `--entry` takes it."""
    line: int
    signature: str | None
    """The flat one that a candidate defines; None where there is no task."""
    why_not: str | None


def list_functions(path: Path, flags: BuildFlags) -> tuple[ListedFunction, ...]:
    """The functions that the file defines, in its order; a template once for each way in which the file uses it.

    Raises:
        TaskError: The file does not compile.
        PrerequisiteMissing: Clang's library is not here.
    """
    from regrapht.tasks.project.build_flags import flags_of
    from regrapht.tasks.project.clang_unit import unit_of
    from regrapht.tasks.project.functions import functions, instances, reaches_loop

    unit = unit_of(path, flags_of(path, flags))
    found = functions(unit)
    names = [one.name for one in found]
    listed = []
    for one in found:
        if one.cursor.spelling == "main":
            continue
        entry = one.name if names.count(one.name) == 1 else f"{one.name}:{one.line}"
        if not reaches_loop(unit, one.cursor):
            listed.append(ListedFunction(name=entry, line=one.line, signature=None, why_not="has no loop"))
            continue
        for each in instances(unit, one) or (entry,):
            signature = why = None
            try:
                signature = infer_task(path, entry=each, flags=flags).task.signature
            except TaskError as error:
                why = str(error)
            listed.append(ListedFunction(name=each, line=one.line, signature=signature, why_not=why))
    return tuple(listed)
