"""Whether a file of results holds together: its tasks are those of its pack, every line is as it was written down, its numbers agree.

What is looked for is a line that was edited or taken out, a task or a pack that is another one, and cells that no run could have.
A file that was made up whole and agrees with itself is not found here; `replaying` does a sample again.
"""

import hashlib
import json
import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from regrapht.bench.experiment.results import RESULTS, CellResult, Experiment, first_edited, read_results
from regrapht.bench.pack import pack_versions, read_pack
from regrapht.bench.suite import open_suite, suite_root
from regrapht.errors import ConfigError, SchemaError, UnknownName
from regrapht.records.measurement import Scale
from regrapht.search.reward import earned
from regrapht.wording import counted

PUBLISHED = "published.json"
"""In `regrapht.bench`: the project's own files of results by the hash of their first line. `make measured` writes it."""
_CLOSE = 0.05
"""Two ways to one number, by medians of different samples of one measurement."""
_APART = 4.0
"""How far two times of one baseline at one task may be apart: sequential ones were taken on shared processors."""


def verify_results(path: Path) -> tuple[Experiment, tuple[CellResult, ...], list[str]]:
    """The experiment of a file that holds together, its cells, and what could not be looked at.

    Raises:
        ConfigError: There is no such file, or something does not hold; the message says what.
        SchemaError: It is no file of results, or damaged.
    """
    experiment, cells = read_results(path)
    file = path / RESULTS if path.is_dir() else path
    _check_whole(file, experiment, cells)
    notes = _check_tasks(experiment)
    for cell in cells:
        if why := _of_no_run(experiment, cell) or _disagrees(experiment, cell):
            raise ConfigError(f"{file}: {cell.name}: {why}")
    if why := _apart(experiment, cells):
        raise ConfigError(f"{file}: {why}")
    if missing := experiment.cell_count - len(cells):
        notes.append(f"{missing} of {experiment.cell_count} cells are not in the file")
    return experiment, cells, notes


def published() -> Mapping[str, str]:
    """Hash of the first line of each of the project's own files of results -> hash of the file."""
    found: Mapping[str, str] = json.loads(files("regrapht.bench").joinpath(PUBLISHED).read_text(encoding="utf-8"))
    return found


def file_hashes(file: Path) -> tuple[str, str]:
    """The hash of the first line of a file of results, and of all of it."""
    data = file.read_bytes()
    return hashlib.sha256(data.partition(b"\n")[0]).hexdigest(), hashlib.sha256(data).hexdigest()


def _check_whole(file: Path, experiment: Experiment, cells: Sequence[CellResult]) -> None:
    """That every line is as it was written down, behind the line that it was written behind, and none is missing."""
    head, whole = file_hashes(file)
    if (known := published().get(head)) is not None:
        if known != whole:
            raise ConfigError(f"{file}: this is a file of the project's own results that was changed")
        return
    for cell in cells:
        if cell.seal is None:
            raise ConfigError(
                f"{file}: {cell.name} has no seal: run it again with `regrapht bench run`, which seals cells"
            )
    if (edited := first_edited(file, cells, alone=False)) is not None:
        raise ConfigError(
            f"{file}: {edited.name} is not as it was written down: a value of it, or of a line before it, was edited, or a line is gone"
        )
    if missing := experiment.cell_count - len(cells):
        raise ConfigError(
            f"{file}: {missing} of {counted(experiment.cell_count, 'cell')} missing: finish the experiment with the same command"
        )


def _check_tasks(experiment: Experiment) -> list[str]:
    base, at, version = experiment.suite.rpartition("@")
    if experiment.pack_hash is None:
        return _check_against_suite(experiment)
    if not at:
        raise ConfigError(f"the results name the hash of a pack, and their suite {experiment.suite!r} is none")
    pack = read_pack(suite_root(base), version)
    if pack.hash != experiment.pack_hash:
        raise ConfigError(
            f"these are results of another pack than the {pack.name} that is here: hash {experiment.pack_hash[:12]}, not {pack.hash[:12]}"
        )
    named = {task.id: (task.content_hash, task.family, task.tier) for task in pack.tasks}
    for task in experiment.tasks:
        if named.get(task.id) != (task.content_hash, task.family, task.tier):
            raise ConfigError(f"the task {task.id} of these results is not that of {pack.name}")
    return _in_newest(experiment, suite_root(base), version)


def _in_newest(experiment: Experiment, root: Path, version: str) -> list[str]:
    """Which tasks are others in the newest pack of the suite, where that is another one: only on the same tasks are figures compared."""
    newest = pack_versions(root)[-1]
    if newest == version:
        return []
    now = {task.id: task.content_hash for task in read_pack(root, newest).tasks}
    other = [task.id for task in experiment.tasks if now.get(task.id) != task.content_hash]
    told = f"all but {', '.join(other)} are" if other else "all are"
    return [
        f"the newest pack is {root.name}@{newest}: of the {counted(len(experiment.tasks), 'task')} of these results {told} the same there"
    ]


def _check_against_suite(experiment: Experiment) -> list[str]:
    """Without a pack: the tasks as they are here, as far as they are here."""
    try:
        here = {task.task.id: task.task.content_hash for task in open_suite(experiment.suite).tasks}
    except (UnknownName, ConfigError, SchemaError):
        return [f"the suite {experiment.suite} is not here: tasks are not compared"]
    if other := [task.id for task in experiment.tasks if here.get(task.id) != task.content_hash]:
        raise ConfigError(f"the task {other[0]} of these results is not that of {experiment.suite}; it names no pack")
    return [f"the results name no pack: tasks are compared with {experiment.suite} as it is here"]


def _of_no_run(experiment: Experiment, cell: CellResult) -> str | None:
    """Why no run of the experiment has such a cell."""
    if cell.method not in experiment.methods:
        return "the experiment has no such method"
    if cell.task_id not in {task.id for task in experiment.tasks}:
        return "the experiment has no such task"
    if not 0 <= cell.seed < experiment.seeds:
        return f"the experiment has the seeds 0 to {experiment.seeds - 1}"
    if (cell.scale is Scale.MODELLED) != (experiment.evaluator == "emulated") and experiment.evaluator in (
        "emulated",
        "local_gpu",
    ):
        return f"a figure of the {experiment.evaluator} judge is not {cell.scale.value}"
    if experiment.budget.candidates is not None and cell.judged > experiment.budget.candidates:
        return f"{cell.judged} judged candidates, and the budget is {experiment.budget.candidates}"
    return None


def _disagrees(experiment: Experiment, cell: CellResult) -> str | None:
    """Which of a cell's numbers contradict each other."""
    if cell.judged_by and sum(cell.judged_by.values()) != cell.judged:
        return f"{cell.judged} judged, and {sum(cell.judged_by.values())} by who wrote them"
    if sum(cell.statuses.values()) + cell.choices != cell.proposals:
        return f"{cell.proposals} proposals, and statuses of {sum(cell.statuses.values())} with {cell.choices} choices"
    if cell.passed and (
        not cell.built or cell.status != "PASSED" or not cell.improvements or not cell.statuses.get("PASSED")
    ):
        return "it passed, and what was judged says otherwise"
    if not cell.passed and cell.speedups:
        return "nothing passed, and speed-ups are told"
    numbers = (cell.start, cell.floor, *(cell.speedups.values()), *([] if cell.figure is None else [cell.figure]))
    if any(not math.isfinite(number) or number <= 0 for number in numbers):
        return "a time, a cost or a ratio that is not above 0"
    return _improvements_disagree(cell) or _figures_disagree(cell)


def _improvements_disagree(cell: CellResult) -> str | None:
    before = (0, -math.inf, -math.inf)
    for step in cell.improvements:
        now = (step.judged, step.seconds, step.reward)
        if now[0] < before[0] or now[1] < before[1] or now[2] <= before[2] or step.judged > cell.judged:
            return f"the improvements after {step.judged} judged candidates are not in order"
        if not math.isclose(
            earned(step.figure, start=cell.start, floor=cell.floor), step.reward, rel_tol=1e-9, abs_tol=1e-12
        ):
            return f"a reward of {step.reward:.6g} after {step.judged} judged candidates, and its figure earns another"
        before = now
    return None


def _figures_disagree(cell: CellResult) -> str | None:
    if cell.scale is not Scale.MODELLED:
        return None
    if cell.speedups or cell.floor_fraction is not None:
        return "speed-ups where nothing was measured"
    if cell.passed and cell.figure not in {step.figure for step in cell.improvements}:
        return "its figure is none of its improvements'"
    return None


def _apart(experiment: Experiment, cells: Sequence[CellResult]) -> str | None:
    """Which measured ratio says another time of its baseline, or another floor, than the cells beside it."""
    baselines: dict[tuple[str, str], list[tuple[CellResult, float]]] = defaultdict(list)
    for cell in cells:
        if cell.figure is None or cell.scale is not Scale.MEASURED_US:
            continue
        for name, ratio in cell.speedups.items():
            baselines[cell.task_id, name].append((cell, ratio * cell.figure))
        if cell.floor_fraction:
            baselines[cell.task_id, ""].append((cell, cell.floor_fraction * cell.figure))
    for (_, name), found in baselines.items():
        middle = statistics.median(value for _, value in found)
        bar = _APART if name else 1 + _CLOSE
        for cell, value in found:
            if not middle / bar <= value <= middle * bar:
                what = f"its speed-up over {name}" if name else "its fraction of the speed of light"
                return f"{cell.name}: {what} contradicts those of other cells of the task"
    return None
