"""How far the transform engine reaches on a suite: how each task is taken, and what the judge says of its first program.

    python benchmarks/engine_reach.py cudaeval --out benchmarks/results/FILE.jsonl [--level screen] [--only observed] [--stop-after 1500]
    CUDA_VISIBLE_DEVICES=0 python benchmarks/engine_reach.py cudaeval --evaluator local_gpu --slice 1/4 --out PART.jsonl
    python benchmarks/engine_reach.py --table FILE.jsonl [FILE.jsonl ...]

One JSON line a task, as it goes; a task that the file has is not judged again, so that a job cut short goes on where it stopped. A judge
that times says how the program compares with the reference on one CPU core; the emulated one times nothing. `--slice K/N` takes every Nth
of the shuffled tasks, the same shuffle in every process, so that one process a GPU shares out a suite. `--table` prints the counts over its
files, a task that several have as the last of them has it, and of each task that did not pass why.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from regrapht.assemble import open_evaluator, open_observer
from regrapht.bench.suite import open_suite
from regrapht.evaluate.evaluator import Evaluator
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.encoding import to_plain
from regrapht.records.reach import Reached
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.transform import Engine, reach

Row = dict[str, Any]
Dealt = TypeVar("Dealt")
SHUFFLE = 1  # neighbours in a suite are alike, and slow ones together would make one slice the last to end


def part(text: str) -> tuple[int, int]:
    """K and N of `K/N`."""
    k, _, n = text.partition("/")
    if not (k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise argparse.ArgumentTypeError(f"{text}: it is K/N with K from 1 to N, such as 3/8")
    return int(k), int(n)


def dealt(tasks: Iterable[Dealt], k: int, n: int) -> list[Dealt]:
    """The tasks of part `k` of `n`: shuffled by a fixed seed and dealt out, so that the parts together are all, each once."""
    shuffled = list(tasks)
    random.Random(SHUFFLE).shuffle(shuffled)
    return shuffled[k - 1 :: n]


def rows_of(files: Iterable[Path]) -> list[Row]:
    """The files' rows, a task that several have as the last of them has it."""
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return list({row["task"]: row for row in rows}.values())


def judged(task: Task, evaluator: Evaluator, level: Level) -> Row:
    """One task's line."""
    began, observer = time.perf_counter(), open_observer()
    found = reach(Engine(observer), task)
    row: Row = {"task": task.id, "family": task.family, "reached": found.how.value, "reason": found.reason}
    row["made_s"] = round(time.perf_counter() - began, 2)
    if found.how is Reached.REFUSED:
        return row
    engine = Engine(observer)
    decisions = engine.with_threads(task, engine.plain(task))
    candidate = TransformProposer(observer=observer).rebuild(task, decisions)
    verdict = evaluator.evaluate(task, candidate, level=level)
    timed = {shape.ratio("sequential") for shape in verdict.timing or ()} - {None}
    return row | {
        "level": level.value,
        "status": verdict.status.value,
        "said": verdict.reason.splitlines()[0] if verdict.reason else None,
        "times_one_core": [ratio.value for ratio in timed if ratio is not None],
        "judged_s": round(verdict.seconds, 1),
        "evaluator": evaluator.name,
        "protocol": evaluator.protocol,
        "device": to_plain(evaluator.environment())["device"],
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def table(rows: list[Row]) -> str:
    """Counts by how tasks are taken, and what stood in the way."""
    lines = ["| taken | tasks | judged | passed | slower than one core |", "|---|---|---|---|---|"]
    for how in Reached:
        of = [row for row in rows if row["reached"] == how]
        passed = [row for row in of if row.get("status") == "PASSED"]
        slower = sum(any(ratio < 1 for ratio in row["times_one_core"]) for row in passed)
        timed = slower if any(row["times_one_core"] for row in passed) else "-"
        if of:
            lines.append(
                f"| {how.value} | {len(of)} | {sum('status' in row for row in of)} | {len(passed)} | {timed} |"
            )
    lines.append("")
    for row in rows:
        if row.get("status") != "PASSED" or not Reached(row["reached"]).has_threads:
            lines.append(
                f"{row['task']}: {row['reached']}, {row.get('status', 'not judged')}: {row.get('said') or row['reason']}"
            )
    counts = Counter(row.get("status", "not judged") for row in rows if Reached(row["reached"]).has_threads)
    return "\n".join([*lines, "", f"with threads: {dict(counts)}"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", nargs="?")
    parser.add_argument("--table", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--evaluator", default="emulated", choices=("emulated", "local_gpu"))
    parser.add_argument("--level", default="full", choices=("screen", "full"))
    parser.add_argument(
        "--only", action="append", choices=[how.value for how in Reached], help="only tasks that are taken so"
    )
    parser.add_argument("--slice", type=part, metavar="K/N", help="only part K of N, from 1/N to N/N")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="begin no task after so many seconds")
    given = parser.parse_args()
    if given.table is not None:
        print(table(rows_of(given.table)))
        return 0
    if given.suite is None or given.out is None:
        parser.error("give a suite and --out FILE, or --table FILE")
    began, evaluator, engine = time.monotonic(), open_evaluator(given.evaluator), Engine(open_observer())
    done = {json.loads(line)["task"] for line in given.out.read_text().splitlines()} if given.out.is_file() else set()
    tasks = open_suite(given.suite).tasks
    for one in dealt(tasks, *given.slice) if given.slice else tasks:
        if one.task.id in done or time.monotonic() - began > given.stop_after:
            continue
        if given.only and reach(engine, one.task).how not in given.only:
            continue
        row = judged(one.task, evaluator, Level(given.level))
        with given.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(row["task"], row["reached"], row.get("status"), row.get("said") or "", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
