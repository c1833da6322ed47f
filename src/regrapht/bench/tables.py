"""The tables of an experiment: what each method solved, how fast, at what cost, by tier and family, and how sure that is.

Every table says what its numbers are. Modelled figures carry the word, and where nothing was measured there is no column of speed-ups.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from regrapht.bench.intervals import Interval, bootstrap_mean, compare_paired
from regrapht.bench.metrics import (
    Failures,
    best_of_solved,
    build_rate,
    fast_p,
    geometric_mean_of,
    mean,
    mean_over_solved,
    mean_over_tasks,
    pass_at_k,
    speedup_at_k,
)
from regrapht.bench.results import CellResult, Experiment, by_task
from regrapht.bench.suite import TIERS
from regrapht.records.measurement import Scale

Cell = str | float | int | None
CURVE = (1, 2, 5, 10, 20, 50, 100, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under columns; the first column names the row. None is a dash: not defined."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The mean best reward of one method as its budget grows, with 95 % intervals over tasks."""

    method: str
    points: tuple[tuple[int, Interval], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Everything a report shows of an experiment."""

    experiment: Experiment
    finished: int
    expected: int
    tables: tuple[Table, ...]
    curves: tuple[Curve, ...] = field(default=())
    reward_name: str = ""


def tabulate(experiment: Experiment, cells: Sequence[CellResult]) -> Tables:
    """All tables of the finished cells. Methods are compared on the tasks and seeds that all of them have finished."""
    view = _View(experiment, cells)
    tables = [
        view.methods(),
        view.speed(),
        view.tiers(),
        view.families(),
        view.budgets(),
        view.paired(),
        view.cost(),
        view.unsolved(),
    ]
    return Tables(
        experiment=experiment,
        finished=len(cells),
        expected=len(experiment.tasks) * len(experiment.methods) * experiment.seeds,
        tables=tuple(table for table in tables if table is not None),
        curves=view.curves(),
        reward_name=view.reward_name,
    )


class _View:
    """The cells that can be compared, sorted out once."""

    def __init__(self, experiment: Experiment, cells: Sequence[CellResult]) -> None:
        self.experiment = experiment
        self.tasks = {task.id: task for task in experiment.tasks}
        having = Counter((cell.task_id, cell.seed) for cell in cells)
        self.cells = [cell for cell in cells if having[cell.task_id, cell.seed] == len(experiment.methods)]
        self.left_out = len(cells) - len(self.cells)
        measured = {cell.scale for cell in self.cells} == {Scale.MEASURED_US}
        self.reward_name = "reward (measured)" if measured else "reward (modelled, no speed-up)"
        self.is_measured = measured
        self.of = {
            method: by_task([cell for cell in self.cells if cell.method == method]) for method in experiment.methods
        }

    def rewards(self, method: str, ids: set[str] | None = None) -> dict[str, float]:
        """By task, the mean over seeds of the reward of what a run delivers: judged in full, 0 where that did not pass."""
        return {
            id: sum(cell.reward for cell in cells) / len(cells)
            for id, cells in self.of[method].items()
            if ids is None or id in ids
        }

    def rewards_at(self, method: str, budget: int) -> list[float]:
        """A number a task: the mean over seeds of the best reward while searching, within `budget` judged candidates."""
        return [sum(cell.reward_at(budget) for cell in cells) / len(cells) for cells in self.of[method].values()]

    def methods(self) -> Table:
        """The papers' Table 1: one row a method."""
        ks = [k for k in (1, 3, 5, 10) if k <= self.experiment.seeds]
        columns = (
            "method",
            "tasks",
            *(f"pass@{k}" for k in ks),
            "solved inside engine",
            "outside",
            "build rate",
            self.reward_name,
            "95 %",
        )
        rows = []
        for method, tasks in self.of.items():
            samples = {id: [cell.sample("") for cell in cells] for id, cells in tasks.items()}
            rewards = list(self.rewards(method).values())
            rows.append(
                (
                    method,
                    len(tasks),
                    *(mean_over_tasks([pass_at_k(task, k) for task in samples.values()]) for k in ks),
                    *(self._solved(samples, inside) for inside in (True, False)),
                    build_rate(list(samples.values())),
                    mean(rewards),
                    _span(bootstrap_mean(rewards)),
                )
            )
        note = "Passed: the run's best program passed the judgement in full. Inside: tasks that the transform engine takes."
        if self.left_out:
            note += f" {self.left_out} cells are left out until every method has finished the same task and seed."
        return Table(name="methods", title="Methods", columns=columns, rows=tuple(rows), note=note)

    def speed(self) -> Table | None:
        """Speed-ups by baseline, never mixed; None where nothing was measured."""
        baselines = sorted({name for cell in self.cells for name in cell.speedups})
        rows = []
        for method, tasks in self.of.items():
            for baseline in baselines:
                samples = [[cell.sample(baseline) for cell in cells] for cells in tasks.values()]
                best = [best_of_solved(task) for task in samples if any(sample.passed for sample in task)]
                fractions = [cell.floor_fraction for cells in tasks.values() for cell in cells if cell.passed]
                row = [
                    method,
                    baseline,
                    *(mean_over_tasks([speedup_at_k(task, 1, failures=how) for task in samples]) for how in Failures),
                    mean_over_tasks(
                        [speedup_at_k(task, self.experiment.seeds, failures=Failures.AS_ONE) for task in samples]
                    ),
                    mean_over_solved(samples),
                    geometric_mean_of(best),
                    fast_p(samples, 1.0),
                    geometric_mean_of(fractions),
                ]
                rows.append(tuple(row))
        if not baselines or not self.is_measured:
            return None
        columns = (
            *(
                "method",
                "against",
                "speedup@1, failed = 0",
                "speedup@1, failed = 1",
                f"speedup@{self.experiment.seeds}, failed = 1",
            ),
            *("solved only (the papers')", "geometric mean of solved", "fast_1", "of speed of light"),
        )
        note = "speedup@k: the expected best of k. Solved only: the arithmetic mean over solved tasks, which solving fewer can raise."
        return Table(name="speed", title="Speed-ups", columns=columns, rows=tuple(rows), note=note)

    def tiers(self) -> Table | None:
        """The papers' Table 2: pass rate and reward a tier."""
        tiers = {tier: {id for id, task in self.tasks.items() if task.tier == tier} for tier in TIERS}
        tiers = {tier: ids for tier, ids in tiers.items() if ids}
        columns = ["method"]
        for tier, ids in tiers.items():
            columns += [f"{tier} ({len(ids)}) pass@1", f"{tier} {self.reward_name}"]
        rows = tuple(
            (method, *(cell for ids in tiers.values() for cell in self._group(method, ids))) for method in self.of
        )
        return Table(name="tiers", title="By tier", columns=tuple(columns), rows=rows) if tiers else None

    def families(self) -> Table:
        """One row a family, because there are many."""
        columns = ["family", "tasks"]
        for method in self.of:
            columns += [f"{method} pass@1", f"{method} {self.reward_name}"]
        rows = []
        for family in sorted({task.family for task in self.tasks.values()}):
            ids = {id for id, task in self.tasks.items() if task.family == family}
            rows.append((family, len(ids), *(cell for method in self.of for cell in self._group(method, ids))))
        return Table(name="families", title="By family", columns=tuple(columns), rows=tuple(rows))

    def budgets(self) -> Table:
        """The budget curve in numbers."""
        points = self._points()
        rows = [(method, *(mean(self.rewards_at(method, budget)) for budget in points)) for method in self.of]
        columns = ("method", *(f"after {budget}" for budget in points))
        return Table(
            name="budgets",
            title=f"Mean best {self.reward_name} by judged candidates",
            columns=columns,
            rows=tuple(rows),
            note="As the search judged them. The other tables have the reward of the delivered program, judged in full.",
        )

    def curves(self) -> tuple[Curve, ...]:
        found = []
        for method in self.of:
            points = [(budget, bootstrap_mean(self.rewards_at(method, budget), least=1)) for budget in self._points()]
            found.append(Curve(method=method, points=tuple((b, interval) for b, interval in points if interval)))
        return tuple(found)

    def paired(self) -> Table | None:
        """Each method against the first one, on the same tasks."""
        first, *others = self.experiment.methods
        base = self.rewards(first)
        rows = []
        for method in others:
            mine = self.rewards(method)
            found = compare_paired([base[id] for id in base], [mine[id] for id in base])
            if found is not None:
                difference = found.difference
                rows.append(
                    (method, difference.value, _span(difference), found.p_value, found.wins, found.losses, found.ties)
                )
        columns = (f"{first} minus", f"mean {self.reward_name}", "95 %", "p", "tasks won", "lost", "equal")
        note = "Tasks are resampled; the p-value is of a sign-flip test over tasks, two-sided and not corrected for the number of methods."
        return (
            Table(name="paired", title=f"{first} against the others", columns=columns, rows=tuple(rows), note=note)
            if rows
            else None
        )

    def cost(self) -> Table:
        """What a cell cost on average."""
        rows = []
        for method, tasks in self.of.items():
            cells = [cell for cells in tasks.values() for cell in cells]
            figures = [
                mean([float(getattr(cell, name)) for cell in cells])
                for name in ("judged", "proposals", "tokens", "usd", "judge_seconds", "seconds")
            ]
            rows.append((method, *figures))
        columns = ("method", "judged", "proposals", "tokens", "USD", "judging, s", "wall, s")
        note = "Per task and seed. Judging counts a verdict from the cache at what it cost when it was made."
        return Table(name="cost", title="Cost", columns=columns, rows=tuple(rows), note=note)

    def unsolved(self) -> Table | None:
        """Tasks that no method solved, with what happened most."""
        rows = []
        for id, task in self.tasks.items():
            cells = [cell for cell in self.cells if cell.task_id == id]
            if cells and not any(cell.passed for cell in cells):
                statuses = sum((Counter(cell.statuses) for cell in cells), Counter())
                reasons = Counter(cell.reason for cell in cells)
                why = (
                    ", ".join(f"{name} {count}" for name, count in statuses.most_common(3))
                    or reasons.most_common(1)[0][0]
                )
                rows.append((id, task.family, task.tier, why))
        columns = ("task", "family", "tier", "what happened")
        return Table(name="unsolved", title="Solved by none", columns=columns, rows=tuple(rows)) if rows else None

    def _group(self, method: str, ids: set[str]) -> tuple[float | None, float | None]:
        """Pass rate and mean reward of a method on some tasks."""
        tasks = {id: cells for id, cells in self.of[method].items() if id in ids}
        passed = mean_over_tasks([pass_at_k([cell.sample("") for cell in tasks[id]], 1) for id in sorted(tasks)])
        return passed, mean(list(self.rewards(method, ids=ids).values()))

    def _solved(self, samples: dict[str, list], inside: bool) -> str:
        ids = [id for id in samples if self.tasks[id].inside_engine is inside]
        return f"{sum(any(sample.passed for sample in samples[id]) for id in ids)} of {len(ids)}"

    def _points(self) -> list[int]:
        limit = self.experiment.budget.candidates or max((cell.judged for cell in self.cells), default=1) or 1
        return sorted({point for point in CURVE if point < limit} | {limit})


def _span(interval: Interval | None) -> str | None:
    return None if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
