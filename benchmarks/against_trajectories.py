"""The best program of each method against the best step of the task's reference trajectory, both timed on a GPU of the same kind.

    python benchmarks/against_trajectories.py benchmarks/results/cudaeval_60_h200_2026-11-23.jsonl

A reference trajectory is written by hand, step by step, and no search sees it, so this says what a method leaves on the table: the method's
time over the trajectory's, 1 where they are as fast. Only tasks that the method solved, and whose steps a GPU has timed as they are now.
The two were not timed beside each other, and differences of a few per cent mean nothing. Prints Markdown; needs no GPU.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path

from regrapht.bench.admit.solutions import fastest_step
from regrapht.bench.experiment.results import CellResult, by_task, read_results
from regrapht.bench.suite import open_suite

SOLUTIONS = Path(__file__).parent.parent / "trajectories" / "cudaeval"


def best_us(cells: list[CellResult]) -> float | None:
    """The least time of a task's seeds; None where none passed."""
    return min((cell.figure for cell in cells if cell.passed and cell.figure is not None), default=None)


def table(methods: Mapping[str, Mapping[str, list[CellResult]]]) -> list[str]:
    """A row a task, the method that is furthest from the trajectory last."""
    rows: dict[str, tuple[str, float, dict[str, float]]] = {}
    for task in open_suite("cudaeval").tasks:
        reference = fastest_step(SOLUTIONS, task.task)
        found = {m: best_us(tasks.get(task.task.id, [])) for m, tasks in methods.items()}
        times = {method: time for method, time in found.items() if time is not None}
        if reference is not None and times:
            over = {method: time / reference.time_us for method, time in times.items()}
            rows[task.task.id] = (reference.step.technique, reference.time_us, over)
    lines = [
        f"| task | trajectory's best, µs | technique of that step | {' | '.join(methods)} |",
        "|---|---|---|" + "---|" * len(methods),
    ]
    for name, (technique, time, over) in sorted(rows.items(), key=lambda row: min(row[1][2].values())):
        cells = " | ".join(f"{over[m]:.2f}" if m in over else "-" for m in methods)
        lines.append(f"| {name} | {time:.1f} | {technique} | {cells} |")
    every = [over for _, _, over in rows.values() if len(over) == len(methods)]
    means = (math.exp(statistics.fmean(math.log(over[m]) for over in every)) for m in methods)
    lines.append(f"| geometric mean of {len(every)} | | | {' | '.join(f'{mean:.2f}' for mean in means)} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="an experiment on cudaeval: its folder or its file of results")
    experiment, cells = read_results(parser.parse_args().results)
    if experiment.suite != "cudaeval" or experiment.evaluator != "local_gpu":
        print(
            f"this takes an experiment on cudaeval that a GPU judged, not {experiment.suite} by {experiment.evaluator}"
        )
        return 2
    methods = {method: by_task([cell for cell in cells if cell.method == method]) for method in experiment.methods}
    print("\n".join(table(methods)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
