"""Which tasks the transform engine takes. What it refuses is what a suite has for models and for later rules."""

from regrapht.errors import CannotTransform
from regrapht.records.task import Task


def why_outside(task: Task) -> str | None:
    """Why the transform engine writes no plain CUDA version of the task, with the reference's line; None where it writes one.

    Takes some 30 ms a task; nothing is built or run.
    """
    from regrapht.propose.transform_engine import TransformProposer

    try:
        plain = TransformProposer().plain(task)
    except CannotTransform as refusal:
        return str(refusal)
    return None if plain.source is not None else plain.reason
