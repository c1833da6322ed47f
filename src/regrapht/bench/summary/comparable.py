"""The cells of an experiment that can be compared: those of a task and seed that every method has finished."""

from collections import Counter
from collections.abc import Sequence

from regrapht.bench.experiment.results import CellResult, Experiment, by_task
from regrapht.bench.metrics import anytime
from regrapht.records.measurement import Scale

OF_EVERY_TASK = ("sequential", "naive")
"""Baselines that are there for every task. Others, such as `library`, are known from the times of the programs beside them alone."""


class Comparable:
    """The cells that all methods have, sorted out once."""

    def __init__(self, experiment: Experiment, cells: Sequence[CellResult]) -> None:
        self.experiment = experiment
        self.tasks = {task.id: task for task in experiment.tasks}
        having = Counter((cell.task_id, cell.seed) for cell in cells)
        self.cells = [cell for cell in cells if having[cell.task_id, cell.seed] == len(experiment.methods)]
        self.left_out = len(cells) - len(self.cells)
        self.is_measured = {cell.scale for cell in self.cells} == {Scale.MEASURED_US}
        self.reward_name = "measured reward" if self.is_measured else "modelled reward"
        self.baselines = sorted({name for cell in self.cells for name in cell.speedups})
        """What speed-ups are over; empty where nothing was measured."""
        self.of = {
            method: by_task([cell for cell in self.cells if cell.method == method]) for method in experiment.methods
        }
        """By method and task, the cells in the order of seeds."""

    def tasks_with(self, baseline: str) -> set[str]:
        """The tasks that have this baseline: a program was timed over it, or every task has it and no program was timed at all."""
        over = {id: {name for cell in self.cells if cell.task_id == id for name in cell.speedups} for id in self.tasks}
        every = baseline in OF_EVERY_TASK
        return {id for id, names in over.items() if baseline in names or (every and not names)}

    def rewards(self, method: str, ids: set[str] | None = None) -> dict[str, float]:
        """By task, the mean over seeds of the reward of what a run delivers: judged in full, 0 where that did not pass."""
        return {
            id: sum(cell.reward for cell in cells) / len(cells)
            for id, cells in self.of[method].items()
            if ids is None or id in ids
        }

    @property
    def budget(self) -> int:
        """Judged candidates of a cell: what it may ask for, or where that is not limited the most that any asked for; at least 1."""
        return self.experiment.budget.candidates or max((cell.judged for cell in self.cells), default=1) or 1

    def anytime_rewards(self, method: str) -> dict[str, float]:
        """By task, the mean over seeds of the anytime reward while searching."""
        return {
            id: sum(anytime([(step.judged, step.reward) for step in cell.improvements], self.budget) for cell in cells)
            / len(cells)
            for id, cells in self.of[method].items()
        }

    def rewards_at(self, method: str, budget: int) -> list[float]:
        """A number a task: the mean over seeds of the best reward while searching, within `budget` judged candidates."""
        return [sum(cell.reward_at(budget) for cell in cells) / len(cells) for cells in self.of[method].values()]


def why_not_solved(cells: Sequence[CellResult]) -> str:
    """What stood in the way where cells did not pass; empty where all did.

    First what the judgement in full said, by seeds; then, of seeds in which nothing came that far, what judgements while searching said, by
    candidates; then, where nothing was judged at all, how the search ended.
    """
    failed = [cell for cell in cells if not cell.passed]
    refused = Counter(f"{cell.status} in full" for cell in failed if cell.status is not None)
    searching = sum((Counter(cell.statuses) for cell in failed if cell.status is None), Counter[str]())
    ended = Counter(cell.reason for cell in failed if cell.status is None and not cell.statuses)
    return ", ".join(filter(None, map(_counted, (refused, searching, ended))))


def _counted(what: "Counter[str]") -> str:
    """The three most frequent, each with its count where it is more than one."""
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in what.most_common(3))
