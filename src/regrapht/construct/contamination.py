"""Keeping the tasks that methods are evaluated on out of what methods learn from."""

from collections.abc import Iterable
from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory
from regrapht.errors import UserFixable
from regrapht.graph.query import NEAR_DUPLICATE
from regrapht.source.program_hash import program_hash
from regrapht.source.shingles import shingles, similarity
from regrapht.tasks.load import TASK_FILE, load_task


def refuse_contamination(items: Iterable[CorpusTrajectory], held_out: Path) -> None:
    """Refuse a corpus that holds a task of the folder `held_out`, or nearly one, or a program that lies in that folder.

    Tasks are compared by id and by the likeness of their sequential programs (runs of tokens); programs by their tokens.

    Raises:
        UserFixable: There is one; the message names both places.
        TaskError: A task in the folder is malformed, or there is none.
    """
    tasks = [load_task(file.parent) for file in sorted(held_out.rglob(TASK_FILE))]
    if not tasks:
        raise UserFixable(f"{held_out} holds no {TASK_FILE}: give the folder of the tasks to keep apart")
    known = {program_hash(_text(file)): file for file in sorted(held_out.rglob("*.cu")) if file.is_file()}
    signs = {task.id: shingles(task.reference.source.text) for task in tasks}
    alike: dict[str, str | None] = {}
    for item in items:
        task = item.task
        if task.id not in alike:
            mine = shingles(task.reference.source.text)
            near = (other for other, theirs in signs.items() if similarity(mine, theirs) >= NEAR_DUPLICATE)
            alike[task.id] = task.id if task.id in signs else next(near, None)
        if (other := alike[task.id]) is not None:
            raise UserFixable(
                f"{item.folder.parent}: the task is, or nearly is, the task {other} in {held_out}, which is to be kept apart; "
                "take one of them out"
            )
        for file, step in zip(item.files, item.trajectory.steps, strict=True):
            if (place := known.get(program_hash(step.code))) is not None:
                raise UserFixable(f"{item.folder / file}: this is the program {place}, which is to be kept apart")


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")
