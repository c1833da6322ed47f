"""The tables of an experiment: what each method solved, how fast, at what cost, by tier and family, and how sure that is.

Every table says what its numbers are. Modelled figures carry the word, and where nothing was measured there is no column of speed-ups.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from regrapht.bench.experiment.results import CellResult, Experiment, TaskRef
from regrapht.bench.intervals import Interval, bootstrap_mean
from regrapht.bench.metrics import (
    Failures,
    Sample,
    best_of_solved,
    build_at_k,
    build_rate,
    fast_p,
    geometric_mean_of,
    mean,
    mean_over_solved,
    mean_over_tasks,
    median_of,
    pass_at_k,
    speedup_at_k,
)
from regrapht.bench.suite import TIERS
from regrapht.bench.summary.comparable import Comparable, why_not_solved
from regrapht.bench.summary.conclusions import Comparison, compare_all, conclude
from regrapht.bench.summary.parts import parts
from regrapht.bench.summary.table import Cell, Curve, Table
from regrapht.records.candidate import Writer
from regrapht.records.reach import Reached
from regrapht.records.verdict import Status
from regrapht.wording import counted

CURVE = (1, 2, 5, 10, 20, 50, 100, 200)
KS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Everything a report shows of an experiment."""

    experiment: Experiment
    finished: int
    expected: int
    conclusion: tuple[str, ...]
    """Sentences."""
    tables: tuple[Table, ...]
    """All of them, also those without rows."""
    curves: tuple[Curve, ...]
    reward_name: str

    @property
    def with_rows(self) -> tuple[Table, ...]:
        """The tables that people are shown."""
        return tuple(table for table in self.tables if table.rows)


def tabulate(experiment: Experiment, cells: Sequence[CellResult]) -> Tables:
    """All tables of the finished cells. Methods are compared on the tasks and seeds that all of them have finished."""
    view = Comparable(experiment, cells)
    comparisons = compare_all({method: view.rewards(method) for method in experiment.methods})
    on_the_way = compare_all({method: view.anytime_rewards(method) for method in experiment.methods})
    tables = (
        methods(view),
        speed(view),
        paired(comparisons, name="paired", of=view.reward_name),
        parts(view),
        tiers(view),
        labels(view),
        families(view),
        budgets(view),
        paired(on_the_way if view.budget > 1 else (), name="paired_anytime", of="anytime reward"),
        cost(view),
        writers(view),
        replies(view),
        task_table(view),
        unsolved(view),
    )
    return Tables(
        experiment=experiment,
        finished=len(cells),
        expected=experiment.cell_count,
        conclusion=conclude(view, comparisons, on_the_way),
        tables=tables,
        curves=curves(view),
        reward_name=view.reward_name,
    )


def methods(view: Comparable) -> Table:
    """The papers' Table 1: one row a method."""
    ks = [k for k in KS if k <= view.experiment.seeds]
    columns = (
        "method",
        "tasks",
        *(f"pass@{k}" for k in ks),
        "95 % of pass@1",
        "build rate",
        *(f"build@{k}" for k in ks[1:]),
        "solved inside engine",
        "solved outside",
        view.reward_name,
        "95 % of reward",
    )
    rows = []
    for method, tasks in view.of.items():
        samples = {id: [cell.sample("") for cell in cells] for id, cells in tasks.items()}
        rewards = list(view.rewards(method).values())
        rows.append(
            (
                method,
                len(tasks),
                *(mean_over_tasks([pass_at_k(task, k) for task in samples.values()]) for k in ks),
                _span_of([pass_at_k(task, 1) for task in samples.values()]),
                build_rate(list(samples.values())),
                *(mean_over_tasks([build_at_k(task, k) for task in samples.values()]) for k in ks[1:]),
                *(_solved(view, samples, inside) for inside in (True, False)),
                mean(rewards),
                bootstrap_mean(rewards),
            )
        )
    note = ""
    if view.left_out:
        left_out = f"{counted(view.left_out, 'cell')} {'is' if view.left_out == 1 else 'are'}"
        note = f"{left_out} left out until every method has finished the same task and seed."
    return Table(name="methods", title="Methods", columns=columns, rows=tuple(rows), note=note)


def speed(view: Comparable) -> Table:
    """Speed-ups by baseline, never mixed, each over the tasks that have it; no row where nothing was measured."""
    most = view.experiment.seeds
    columns = (
        *("method", "against", "tasks with it", "speedup@1, failed = 0", "speedup@1, failed = 1", "95 % of failed = 1"),
        *((f"speedup@{most}, failed = 1",) if most > 1 else ()),
        *("geometric mean of solved", "95 % of geometric mean", "of speed of light", "median of solved"),
        *("solved only (the papers')", "fast_1"),
    )
    baselines = view.baselines if view.is_measured else ()
    rows = tuple(_speed_row(view, method, baseline) for method in view.of for baseline in baselines)
    return Table(name="speed", title="Speed-ups", columns=columns, rows=rows)


def _speed_row(view: Comparable, method: str, baseline: str) -> tuple[Cell, ...]:
    having, most = view.tasks_with(baseline), view.experiment.seeds
    tasks = {id: cells for id, cells in view.of[method].items() if id in having}
    samples = [[cell.sample(baseline) for cell in cells] for cells in tasks.values()]
    best = [best_of_solved(task) for task in samples if any(sample.passed for sample in task)]
    fractions = [cell.floor_fraction for cells in tasks.values() for cell in cells if cell.passed]
    falling_back = [speedup_at_k(task, 1, failures=Failures.AS_ONE) for task in samples]
    return (
        method,
        baseline,
        f"{len(tasks)} of {len(view.of[method])}",
        mean_over_tasks([speedup_at_k(task, 1, failures=Failures.AS_ZERO) for task in samples]),
        mean_over_tasks(falling_back),
        _span_of(falling_back),
        *((mean_over_tasks([speedup_at_k(t, most, failures=Failures.AS_ONE) for t in samples]),) if most > 1 else ()),
        geometric_mean_of(best),
        _span_of([math.log(value) if value is not None else None for value in best], of=math.exp),
        geometric_mean_of(fractions),
        median_of(best),
        mean_over_solved(samples),
        fast_p(samples, 1.0),
    )


def paired(comparisons: Sequence[Comparison], *, name: str, of: str) -> Table:
    """Every two methods on the same tasks by their mean `of`."""
    rows = tuple(
        (
            found.higher,
            found.lower,
            found.paired.difference.value,
            found.paired.difference,
            found.paired.p_value,
            found.p_corrected,
            found.paired.wins,
            found.paired.losses,
            found.paired.ties,
        )
        for found in comparisons
    )
    columns = ("higher", "lower", "higher by", "95 %", "p", "p, corrected", "won", "lost", "equal")
    title = f"Methods against each other, by mean {of}"
    return Table(name=name, title=title, columns=columns, rows=rows)


def tiers(view: Comparable) -> Table:
    """The papers' Table 2: pass rate and reward a tier."""
    tiers = {tier: {id for id, task in view.tasks.items() if task.tier == tier} for tier in TIERS}
    tiers = {tier: ids for tier, ids in tiers.items() if ids}
    columns = ["method"]
    for tier, ids in tiers.items():
        columns += [f"{tier} ({len(ids)}) pass@1", f"{tier} {view.reward_name}"]
    rows = tuple(
        (method, *(cell for ids in tiers.values() for cell in _group(view, method, ids))) for method in view.of if tiers
    )
    return Table(name="tiers", title="By tier", columns=tuple(columns), rows=rows)


def labels(view: Comparable) -> Table:
    """One row a way in which the transform engine takes tasks; none for files from before that was asked."""
    columns = ("engine", "tasks", *(f"{method} solved" for method in view.of))
    rows = []
    for how in Reached:
        ids = {id for id, task in view.tasks.items() if task.reached == how}
        counts = (sum(any(cell.passed for cell in tasks.get(id, ())) for id in ids) for tasks in view.of.values())
        if ids:
            rows.append((how.value, len(ids), *counts))
    return Table(name="labels", title="By how the transform engine takes tasks", columns=columns, rows=tuple(rows))


def families(view: Comparable) -> Table:
    """One row a family, because there are many."""
    columns = ["family", "tasks"]
    for method in view.of:
        columns += [f"{method} pass@1", f"{method} {view.reward_name}"]
    rows = []
    for family in sorted({task.family for task in view.tasks.values()}):
        ids = {id for id, task in view.tasks.items() if task.family == family}
        rows.append((family, len(ids), *(cell for method in view.of for cell in _group(view, method, ids))))
    return Table(name="families", title="By family", columns=tuple(columns), rows=tuple(rows))


def budgets(view: Comparable) -> Table:
    """The budget curve in numbers."""
    points = _points(view)
    rows = []
    for method in view.of:
        over_all = list(view.anytime_rewards(method).values())
        reached = (mean(view.rewards_at(method, budget)) for budget in points)
        rows.append((method, *reached, mean(over_all), bootstrap_mean(over_all)))
    return Table(
        name="budgets",
        title=f"Mean best {view.reward_name} by judged candidates",
        columns=("method", *(f"after {budget}" for budget in points), "anytime reward", "95 % of anytime reward"),
        rows=tuple(rows),
        note="As the search judged them. The other tables have the reward of the delivered program, judged in full.",
    )


def curves(view: Comparable) -> tuple[Curve, ...]:
    """The same as lines with intervals."""
    found = []
    for method in view.of:
        points = [(budget, bootstrap_mean(view.rewards_at(method, budget), least=1)) for budget in _points(view)]
        found.append(Curve(method=method, points=tuple((b, interval) for b, interval in points if interval)))
    return tuple(found)


def cost(view: Comparable) -> Table:
    """What a cell cost on average."""
    rows = []
    for method, tasks in view.of.items():
        cells = [cell for cells in tasks.values() for cell in cells]
        figures = [
            mean([float(getattr(cell, name)) for cell in cells])
            for name in ("judged", "proposals", "tokens", "usd", "judge_seconds", "seconds")
        ]
        rows.append((method, *figures))
    columns = ("method", "judged", "proposals", "tokens", "USD", "judging, s", "wall, s")
    note = "Per task and seed. Judging counts a verdict from the cache at what it cost when it was made."
    return Table(name="cost", title="Cost", columns=columns, rows=tuple(rows), note=note)


def writers(view: Comparable) -> Table:
    """Who wrote what, where a model was asked: the engine's own programs stand apart from the model's."""
    rows = []
    for method, tasks in view.of.items() if view.experiment.asks_models else ():
        cells = [cell for cells in tasks.values() for cell in cells]
        judged = sum((Counter(cell.judged_by) for cell in cells), Counter[str]())
        passed = sum((Counter(cell.passed_by) for cell in cells), Counter[str]())
        for writer in (writer.value for writer in Writer if judged[writer.value]):
            delivered = sum(cell.written_by[-1:] == (writer,) for cell in cells)
            part = sum(writer in cell.written_by for cell in cells)
            rows.append((method, writer, judged[writer], passed[writer] / judged[writer], delivered, part))
    columns = ("method", "writer", "candidates", "right", "delivered", "took part")
    return Table(name="writers", title="Who wrote what", columns=columns, rows=tuple(rows))


def replies(view: Comparable) -> Table:
    """What became of a model's replies: how many were mended in their form, and how many had no program or did not build."""
    rows = []
    shown = (Status.PASSED, Status.UNPARSABLE, Status.BUILD_FAILED, Status.SKIPPED)
    for method, tasks in view.of.items() if view.experiment.asks_models else ():
        cells = [cell for cells in tasks.values() for cell in cells]
        told = [cell.statuses if cell.replies is None else cell.replies for cell in cells]
        statuses = sum((Counter(one) for one in told), Counter[str]())
        mended = sum((Counter(cell.mended) for cell in cells), Counter[str]())
        count = statuses.total()
        often = ", ".join(f"{name} {times}" for name, times in mended.most_common() if name != "any")
        shares = [statuses[status.value] / count if count else None for status in shown]
        rows.append((method, count, mended["any"] / count if count else None, *shares, often))
    columns = ("method", "replies", "mended", "passed", "no program", "not built", "skipped", "mends")
    note = "Shares of all replies. A reply with several mends counts once as mended; behind `mends`, each is counted."
    return Table(name="replies", title="The model's replies", columns=columns, rows=tuple(rows), note=note)


def task_table(view: Comparable) -> Table:
    """One row a task and method, tasks in the order of their ids, methods as they were named."""
    best = (
        [f"best x {name}" for name in view.baselines] + ["of speed of light"]
        if view.is_measured
        else ["best modelled gain", "reference on one core, us"]
    )
    columns = (
        "task",
        "tier",
        "family",
        "engine",
        "method",
        "solved",
        *best,
        view.reward_name,
        "judged",
        "why not solved",
    )
    rows = [
        _task_row(view, task, method, view.of[method][id])
        for id, task in sorted(view.tasks.items())
        for method in view.of
        if id in view.of[method]
    ]
    return Table(
        name="tasks",
        title="Task by task",
        columns=columns,
        rows=tuple(rows),
        note="Judged counts all seeds of the row.",
    )


def unsolved(view: Comparable) -> Table:
    """Tasks that no method solved, with what happened most."""
    rows = []
    for id, task in view.tasks.items():
        cells = [cell for cell in view.cells if cell.task_id == id]
        if cells and not any(cell.passed for cell in cells):
            rows.append((id, task.family, task.tier, why_not_solved(cells)))
    columns = ("task", "family", "tier", "what happened")
    return Table(name="unsolved", title="Solved by none", columns=columns, rows=tuple(rows))


def _task_row(view: Comparable, task: TaskRef, method: str, cells: Sequence[CellResult]) -> tuple[Cell, ...]:
    passed = sum(cell.passed for cell in cells)
    best = _best_measured(view, cells) if view.is_measured else [_best_gain(cells), _one_core_us(cells)]
    return (
        task.id,
        task.tier,
        task.family,
        task.reached.value if task.reached else ("inside" if task.inside_engine else "outside"),
        method,
        f"{passed} of {len(cells)}",
        *best,
        view.rewards(method, ids={task.id})[task.id],
        sum(cell.judged for cell in cells),
        why_not_solved(cells) or None,
    )


def _best_measured(view: Comparable, cells: Sequence[CellResult]) -> list[float | None]:
    """The best speed-up over each baseline, and the best fraction of the speed of light."""
    best = [best_of_solved([cell.sample(name) for cell in cells]) for name in view.baselines]
    fractions = [cell.floor_fraction for cell in cells if cell.passed and cell.floor_fraction is not None]
    return [*best, max(fractions, default=None)]


def _best_gain(cells: Sequence[CellResult]) -> float | None:
    """The yardstick's start over the least modelled cost of the seeds that passed."""
    return max((cell.start / cell.figure for cell in cells if cell.passed and cell.figure), default=None)


def _one_core_us(cells: Sequence[CellResult]) -> float | None:
    """The least that was measured of the reference, on the machine that judged."""
    return min((cell.one_core_us for cell in cells if cell.one_core_us is not None), default=None)


def _group(view: Comparable, method: str, ids: set[str]) -> tuple[float | None, float | None]:
    """Pass rate and mean reward of a method on some tasks."""
    tasks = {id: cells for id, cells in view.of[method].items() if id in ids}
    passed = mean_over_tasks([pass_at_k([cell.sample("") for cell in tasks[id]], 1) for id in sorted(tasks)])
    return passed, mean(list(view.rewards(method, ids=ids).values()))


def _solved(view: Comparable, samples: Mapping[str, Sequence[Sample]], inside: bool) -> str | None:
    """How many tasks were solved of those that the transform engine takes, or of the others; None where there are none of these."""
    ids = [id for id in samples if view.tasks[id].inside_engine is inside]
    solved = sum(any(sample.passed for sample in samples[id]) for id in ids)
    return f"{solved} of {len(ids)}" if ids else None


def _points(view: Comparable) -> list[int]:
    return sorted({point for point in CURVE if point < view.budget} | {view.budget})


def _span_of(values: Sequence[float | None], of: Callable[[float], float] = float) -> Interval | None:
    """The interval of the mean of one value a task, its ends as `of` makes them; None as soon as one value is missing."""
    known = [value for value in values if value is not None]
    found = bootstrap_mean(known) if len(known) == len(values) else None
    return found and Interval(value=of(found.value), low=of(found.low), high=of(found.high))
