"""Programs of a task that add floats by atomics, in another order each time on a GPU, where the task wants the same bytes in each run."""

from collections.abc import Iterator

from regrapht.evaluate.admission.findings import Rule, TaskFinding, error
from regrapht.records.task import Task
from regrapht.source.float_atomics import float_atomics


def unordered_sums(task: Task) -> Iterator[TaskFinding]:
    """An error for each program in CUDA that comes with the task, its reference and its baselines, and has such a sum."""
    sources = [task.reference.source, *(baseline.source for baseline in task.baselines)]
    for source in (one for one in sources if one.suffix == ".cu"):
        if (message := unordered_sum(task, source.name, source.text)) is not None:
            yield error(Rule.UNORDERED_SUM, message)


def unordered_sum(task: Task, name: str, source: str) -> str | None:
    """What to tell of a program with such a sum; None where there is none, or the task allows it."""
    lines = float_atomics(source) if task.tolerance.deterministic else ()
    if not lines:
        return None
    return (
        f"{name} adds floats by atomics (line {lines[0]}), in another order and with other last bits in each run: say deterministic = "
        "false in [tolerance], or add them up in a fixed order"
    )
