"""A desk from what the command line names."""

import os
from collections.abc import Sequence
from pathlib import Path

from regrapht.assemble import OpenedTask, open_evaluator, open_graph, open_store, open_task
from regrapht.bench.suite import open_suite, suite_names
from regrapht.errors import ConfigError
from regrapht.serve.desk import Desk


def open_desk(
    tasks: Sequence[Path], *, evaluator: str | None, workers: int | None, graph: Path | None, allow_root: bool
) -> Desk:
    """A desk that offers the tasks: task folders, bare files, folders of tasks, and suites that ship by their names.

    Raises:
        UserFixable: A path or name is wrong.
        EvaluatorUnavailable: Nothing on this machine can judge.
    """
    opened = [found for path in tasks for found in _tasks_at(path)]
    desk = Desk(
        evaluator=open_evaluator(evaluator, allow_root=allow_root),
        graph=open_graph(graph),
        store=open_store(),
        workers=workers or min(8, os.cpu_count() or 1),
    )
    for one in opened:
        desk.shelf.offer(one)
    desk.warm()
    return desk


def _tasks_at(path: Path) -> list[OpenedTask]:
    if path.is_file() or (path / "task.toml").is_file():
        return [open_task(path)]
    if str(path) in suite_names() or path.is_dir():
        return [OpenedTask(task=found.task) for found in open_suite(str(path)).tasks]
    raise ConfigError(
        f"there is no {path}: give a task folder, a source file, a folder of tasks, or a suite ({', '.join(suite_names())})"
    )
