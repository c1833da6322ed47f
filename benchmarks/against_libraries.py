"""What methods deliver on cuda-llm-20 over the plain CUDA version, the vendor's library and the speed of light, beside the reference
trajectories and the speed-ups that CUDA-LLM published.

    python benchmarks/against_libraries.py RESULTS.jsonl
    python benchmarks/against_libraries.py RESULTS.jsonl --sizes --solutions trajectories/cudaeval --suite cuda-llm-20

RESULTS is what `regrapht bench run` or `bench merge` wrote. Every figure is a geometric mean over the task's bench sizes; `--sizes` adds
the trajectories size by size. A figure that is missing is a dash, and why is counted below the table. Prints Markdown; needs no GPU.
"""

import argparse
import statistics
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.bench.admit.solutions import fastest_step
from regrapht.bench.experiment.cell import floor_fraction_of, speedups_of
from regrapht.bench.experiment.results import CellResult, Experiment, by_task, read_results
from regrapht.bench.suite import SuiteTask, open_suite
from regrapht.construct.verdict_file import ShapeSummary, StepVerdict
from regrapht.evaluate.judgement.feedback import shape_text
from regrapht.records.measurement import Scale
from regrapht.report.experiment import shown

HERE = Path(__file__).parent
SOLUTIONS = HERE.parent / "trajectories" / "cudaeval"
PUBLISHED = HERE / "data" / "cuda_llm_published.toml"
PLAIN, LIBRARY = "naive", "library"
TRAJECTORY = "trajectory"
Numbers = list[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A program that a GPU has timed, its ratios within one verdict."""

    time_us: float
    speedups: Mapping[str, float]
    of_light: float | None
    technique: str = ""
    verdict: StepVerdict | None = None
    """Of a step of a trajectory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A task with each method's program and the trajectory's best step, or why there is none."""

    task: SuiteTask
    found: Mapping[str, Timed | str]

    @property
    def has_library(self) -> bool:
        return any(baseline.name == LIBRARY for baseline in self.task.task.baselines)

    @property
    def baselines(self) -> Numbers:
        """The plain version's time, and the library's over it, as timed beside the fastest of the methods' programs."""
        timed = [each for name, each in self.found.items() if name != TRAJECTORY and isinstance(each, Timed)]
        timed = [each for each in timed if PLAIN in each.speedups]
        if not timed:
            return [None, None]
        best = min(timed, key=lambda each: each.time_us)
        plain = best.speedups[PLAIN]
        return [best.time_us * plain, best.speedups[LIBRARY] / plain if LIBRARY in best.speedups else None]

    def ratios(self, name: str) -> Numbers:
        """Over plain, over the library, of the speed of light."""
        each = self.found[name]
        if isinstance(each, str):
            return [None, None, None]
        return [each.speedups.get(PLAIN), each.speedups.get(LIBRARY), each.of_light]

    def missing(self, name: str) -> list[str]:
        """Why there are dashes at `name`, but for libraries that the task does not have."""
        each = self.found[name]
        if isinstance(each, str):
            return [each]
        names = [PLAIN, LIBRARY] if self.has_library else [PLAIN]
        why = [f"no time of `{baseline}` at every size" for baseline in names if baseline not in each.speedups]
        return why if each.of_light is not None else [*why, "the speed of light is not known"]


def delivered(cells: Sequence[CellResult]) -> Timed | str:
    """The fastest program that a task's seeds deliver, or why there is none."""
    if not cells:
        return "not in the results"
    passed = [cell for cell in cells if cell.passed]
    timed = [(cell.figure, cell) for cell in passed if cell.figure is not None and cell.scale is Scale.MEASURED_US]
    if not timed:
        return "passed and not timed" if passed else "nothing passed"
    time, cell = min(timed, key=lambda each: each[0])
    return Timed(time_us=time, speedups=cell.speedups, of_light=cell.floor_fraction)


def best_step(solutions: Path, task: SuiteTask, task_hash: str) -> Timed | str:
    """The step of the task's reference trajectory that takes the least time on a GPU, over all bench sizes, or why there is none."""
    fastest = fastest_step(solutions, task.task, task_hash)
    if fastest is None:
        return "no step passed on a GPU and was timed at every size, as steps and task are"
    return Timed(
        time_us=fastest.time_us,
        speedups=speedups_of(fastest.verdict),
        of_light=floor_fraction_of(fastest.verdict),
        technique=fastest.step.technique,
        verdict=fastest.verdict,
    )


def rows_of(experiment: Experiment, cells: Sequence[CellResult], solutions: Path) -> list[Row]:
    """A row a task of the suite; steps count as judged on the text of the task that the results are of."""
    methods = {method: by_task([cell for cell in cells if cell.method == method]) for method in experiment.methods}
    hashes = {ref.id: ref.content_hash for ref in experiment.tasks}
    rows = []
    for task in open_suite(experiment.suite).tasks:
        id = task.task.id
        found = {method: delivered(tasks.get(id, [])) for method, tasks in methods.items()}
        step = best_step(solutions, task, hashes.get(id, task.task.content_hash))
        rows.append(Row(task=task, found={**found, TRAJECTORY: step}))
    return rows


def markdown(header: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *lines)]


def means(numbers: Sequence[Numbers]) -> list[str]:
    """The geometric mean of each column, with the number of tasks where not all have a value."""
    cells = []
    for column in zip(*numbers, strict=True):
        known = [value for value in column if value is not None]
        count = f" ({len(known)})" if len(known) < len(column) else ""
        cells.append(f"{shown(statistics.geometric_mean(known))}{count}" if known else "-")
    return cells


def by_tasks(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The first table: a row a task, then geometric means over what each column has, and over the tasks where every program was timed."""
    ratios = [f"{name} {over}" for name in names for over in ("over plain", "over library", "of light")]
    header = ["task", "plain CUDA, µs", "library's time over plain's", *ratios, "technique of that step"]
    numbers = [[*row.baselines, *(value for name in names for value in row.ratios(name))] for row in rows]
    lines = []
    for row, values in zip(rows, numbers, strict=True):
        step = row.found[TRAJECTORY]
        lines.append([row.task.task.id, *map(shown, values), "-" if isinstance(step, str) else step.technique])
    lines.append([f"geometric mean of {len(rows)}", *means(numbers), ""])
    timed = [name for name in names if any(isinstance(row.found[name], Timed) for row in rows)]
    common = [n for n, row in zip(numbers, rows, strict=True) if all(isinstance(row.found[t], Timed) for t in timed)]
    if 0 < len(common) < len(rows):
        lines.append([f"of the {len(common)} that all of {', '.join(timed)} have", *means(common), ""])
    return markdown(header, lines)


def dashes(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Why figures are missing, each reason with its tasks."""
    why: dict[str, list[str]] = {}
    for row in rows:
        if not row.has_library:
            why.setdefault("library: the task has none", []).append(row.task.task.id)
        if row.baselines[0] is None:
            why.setdefault("plain CUDA: no method's program was timed beside it", []).append(row.task.task.id)
        for name in names:
            for reason in row.missing(name):
                why.setdefault(f"{name}: {reason}", []).append(row.task.task.id)
    return [f"* {reason}: {len(tasks)} of {len(rows)} ({', '.join(tasks)})" for reason, tasks in why.items()]


def step_verdicts(rows: Sequence[Row]) -> list[StepVerdict]:
    """Of the trajectories' best steps."""
    steps = [row.found[TRAJECTORY] for row in rows]
    return [step.verdict for step in steps if isinstance(step, Timed) and step.verdict is not None]


def devices(rows: Sequence[Row]) -> list[str]:
    """What the trajectories' best steps were timed on."""
    environments = [verdict.environment for verdict in step_verdicts(rows)]
    return sorted({environment.device if environment else "an unknown device" for environment in environments})


def differences(rows: Sequence[Row], experiment: Experiment) -> list[str]:
    """What keeps times of the results and of the trajectories apart."""
    lines = []
    if others := [device for device in devices(rows) if device != experiment.environment.device]:
        lines.append(
            f"* Different devices: the results are of {experiment.environment.device}, steps of the trajectories of {', '.join(others)}. "
            "Their times are not compared; each ratio is within one verdict."
        )
    if others := sorted({verdict.protocol for verdict in step_verdicts(rows)} - {experiment.protocol}):
        lines.append(
            f"* Different rules of the judge: {experiment.protocol} in the results, {', '.join(others)} in trajectories."
        )
    now = {row.task.task.id: row.task.task.content_hash for row in rows}
    if changed := [ref.id for ref in experiment.tasks if now.get(ref.id) != ref.content_hash]:
        lines.append(f"* Tasks that have changed since the results: {len(changed)} ({', '.join(changed)})")
    return lines


def beside_published(rows: Sequence[Row], names: Sequence[str], published: Mapping, device: str) -> list[str]:
    """The second table: the published speed-ups, and ours over our own plain version."""
    header = ["task", *(f"published, {gpu}" for gpu in published["gpus"]), *(f"{name} over plain" for name in names)]
    lines = []
    for row in rows:
        id = row.task.task.id
        theirs = [f"{value:.4f}" for value in published["speedups"][id]]
        lines.append([id, *theirs, *(shown(row.ratios(n)[0]) for n in names), published["remarks"].get(id, "")])
    return [
        "## Speed-ups that CUDA-LLM published: other baselines and other GPUs, not to be divided by ours",
        "",
        f"Published ({published['paper']}; {published['source']}): over the authors' own plain CUDA, written by hand, on "
        f"{' and '.join(published['gpus'])}. Ours: over this suite's plain CUDA version, on {device} or, of a trajectory, on the "
        "device of its verdict.",
        "",
        *markdown([*header, "remark"], lines),
    ]


def by_sizes(rows: Sequence[Row]) -> list[str]:
    """The third table: the trajectory's best step, a row a bench size; small sizes are bound by launches."""
    lines = []
    for row in rows:
        step = row.found[TRAJECTORY]
        if isinstance(step, str):
            lines.append([row.task.task.id, *"------"])
            continue
        for shape in step.verdict.timing:
            sizes = {name: shape.sizes[name] for name in row.task.task.size_names}
            values = [shape.candidate.median_us, over(shape, PLAIN), over(shape, LIBRARY), shape.floor_fraction]
            lines.append([row.task.task.id, step.technique, shape_text(sizes), *map(shown, values)])
    header = ["task", "technique", "size", "time, µs", "over plain", "over library", "of light"]
    return [
        "## The best step of each trajectory by bench size",
        "",
        f"On {' and '.join(devices(rows)) or 'no device'}.",
        "",
        *markdown(header, lines),
    ]


def over(shape: ShapeSummary, baseline: str) -> float | None:
    ratio = shape.ratio(baseline)
    return None if ratio is None else ratio.value


def report(experiment: Experiment, cells: Sequence[CellResult], solutions: Path, *, sizes: bool) -> list[str]:
    rows, names = rows_of(experiment, cells, solutions), [*experiment.methods, TRAJECTORY]
    seeds = f", the fastest of {experiment.seeds} seeds" if experiment.seeds > 1 else ""
    lines = [
        f"## {experiment.suite}: over plain CUDA, the vendor's library and the speed of light",
        "",
        f"On {experiment.environment.device}. A method's program is the one it delivers{seeds}; a trajectory's is its step that takes the "
        "least time. Geometric means over bench sizes; in the last rows over tasks, (k) where k of them have a value.",
        "",
        *by_tasks(rows, names),
        "",
        *differences(rows, experiment),
        *dashes(rows, names),
    ]
    published = tomllib.loads(PUBLISHED.read_text())
    if experiment.suite == published["suite"]:
        lines += ["", *beside_published(rows, names, published, experiment.environment.device)]
    return [*lines, "", *by_sizes(rows)] if sizes else lines


def main() -> int:
    parser = argparse.ArgumentParser(description=" ".join(__doc__.split("\n\n")[0].split()))
    parser.add_argument("results", type=Path, help="an experiment on the suite: its folder or its file of results")
    parser.add_argument("--solutions", type=Path, default=SOLUTIONS, help="folder of the reference trajectories")
    parser.add_argument("--suite", default="cuda-llm-20", help="the suite that the results have to be of")
    parser.add_argument("--sizes", action="store_true", help="the trajectories' best steps size by size too")
    chosen = parser.parse_args()
    experiment, cells = read_results(chosen.results)
    if experiment.suite != chosen.suite or experiment.evaluator != "local_gpu":
        parser.error(
            f"this takes an experiment on {chosen.suite} that a GPU judged; {chosen.results} is on "
            f"{experiment.suite} by {experiment.evaluator}"
        )
    print("\n".join(report(experiment, cells, chosen.solutions, sizes=chosen.sizes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
