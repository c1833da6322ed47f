"""How long the transform engine takes to its first program, with and without observation: seconds by the clock and of its own CPU.

    python benchmarks/first_programs.py --out benchmarks/results/FILE.jsonl [--suite cudaeval --every 8] [--stop-after 900]
    python benchmarks/first_programs.py --table FILE.jsonl

The inputs of `transform_inputs.py`, and of a suite every so many tasks. One JSON line a task, as it goes; what the file has is not measured
again. Each task is made twice, by a new engine each time and with nothing kept of earlier runs; the quicker time counts. What a program
costs once (imports, isl, the judge's harness, the observer's hooks) is paid before the first. CPU seconds are of the engine's own process:
what the sandbox runs, the build and the watched run of the reference, shows by the clock alone. `load` says how busy the machine was.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from transform_inputs import INPUTS

from regrapht.bench.suite import open_suite
from regrapht.errors import CannotTransform
from regrapht.evaluate.observation.kept import KeptRuns
from regrapht.records.task import Task
from regrapht.tasks.load import load_task
from regrapht.transform import Engine, is_verbatim

Row = dict[str, Any]


def first_program(task: Task, engine: Engine) -> str:
    """How the first program is made: by the `reader`, `verbatim`, or not at all (`refused`)."""
    try:
        decisions = engine.with_threads(task, engine.plain(task))
        engine.text(task, decisions)
    except CannotTransform:
        return "refused"
    return "verbatim" if is_verbatim(decisions) else "reader"


def measured(make: Callable[[], str]) -> tuple[str, float, float]:
    """What `make` says, and its seconds by the clock and of CPU; of two times the quicker."""
    found = []
    for _ in range(2):
        began, before = time.perf_counter(), os.times()
        said = make()
        after = os.times()
        found.append((said, time.perf_counter() - began, sum(after[:4]) - sum(before[:4])))
    return min(found, key=lambda one: one[1])


def row_of(task: Task) -> Row:
    """One task's line."""
    alone, alone_s, alone_cpu = measured(lambda: first_program(task, Engine()))

    def observed() -> str:
        with tempfile.TemporaryDirectory() as folder:
            return first_program(task, Engine(KeptRuns(folder=Path(folder))))

    how, s, cpu = measured(observed)
    return {
        "task": task.id,
        "alone": alone,
        "alone_s": round(alone_s, 3),
        "alone_cpu_s": round(alone_cpu, 3),
        "observed": how,
        "observed_s": round(s, 3),
        "observed_cpu_s": round(cpu, 3),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def tasks(suite: str | None, every: int) -> Iterator[Task]:
    with tempfile.TemporaryDirectory() as folder:
        for one in INPUTS:
            yield load_task(one.write(Path(folder)))
    if suite is not None:
        for one in open_suite(suite).tasks[::every]:
            yield one.task


def table(rows: list[Row]) -> str:
    """Medians and the slowest of both ways."""
    lines = [
        "| first program | tasks | median s | median CPU s | slowest s | over the goal |",
        "|---|---|---|---|---|---|",
    ]
    for name, key, goal, of in (
        ("without observation", "alone", 1.0, rows),
        ("with observation, all", "observed", 10.0, rows),
        ("with observation, bodies kept", "observed", 10.0, [row for row in rows if row["observed"] == "verbatim"]),
    ):
        if of:
            s, cpu = ([row[f"{key}_{unit}"] for row in of] for unit in ("s", "cpu_s"))
            cells = (
                f"{statistics.median(s):.2f} | {statistics.median(cpu):.2f} | {max(s):.1f} | {sum(x > goal for x in s)}"
            )
            lines.append(f"| {name} | {len(of)} | {cells} |")
    slow = sorted(rows, key=lambda row: -row["alone_cpu_s"])[:8]
    return "\n".join([*lines, "", *(f"{r['task']}: alone {r['alone_s']} s ({r['alone_cpu_s']} CPU)" for r in slow)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--suite")
    parser.add_argument("--every", type=int, default=1, help="of a suite's tasks, every so many")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="begin no task after so many seconds")
    given = parser.parse_args()
    if given.table is not None:
        print(table([json.loads(line) for line in given.table.read_text().splitlines()]))
        return 0
    if given.out is None:
        parser.error("give --out FILE, or --table FILE")
    done = {json.loads(line)["task"] for line in given.out.read_text().splitlines()} if given.out.is_file() else set()
    began, is_warm = time.monotonic(), False
    for task in tasks(given.suite, given.every):
        if task.id in done or time.monotonic() - began > given.stop_after:
            continue
        if not is_warm:
            row_of(task)
            is_warm = True
        row = row_of(task)
        with given.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(row["task"], row["alone_s"], row["observed"], row["observed_s"], file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
