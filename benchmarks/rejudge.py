"""Judge the programs of every corpus again, by the judge as it is now, and count what fell: no verdict that is on file is taken or changed.

    python benchmarks/rejudge.py --out FILE.jsonl [--evaluator local_gpu] [--level screen] [--steps last|all] [--workers 8]
                                 [--gpus 0,1] [--stop-after 240] [--corpus written hopper cudaeval cuda-llm-20] [--bench]
    python benchmarks/rejudge.py --out FILE.jsonl --report

A line a program is appended to FILE.jsonl, and a program that it has already is left out, so that a job cut short goes on where it
stopped. Tasks come in an order that is drawn once for all, so that what was judged when time ran out is a fair sample. Bench shapes, whose
references take most of the time, are left out unless `--bench` is given: what falls there falls in timing or in large data alone.
`--report` prints the counts, and each refusal with its reason.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from in_turn import tasks_in

from regrapht.assemble import open_evaluator
from regrapht.construct.verdict_file import read_verdicts
from regrapht.errors import RegraphtError
from regrapht.evaluate.cached import CachedEvaluator, judge_code
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

ROOT = Path(__file__).resolve().parents[1]
TRAJECTORIES = ROOT / "trajectories"
SUITES = ROOT / "src" / "regrapht" / "bench" / "suites"
CORPORA = ("written", "hopper", "cudaeval", "cuda-llm-20")


@dataclass(frozen=True, kw_only=True)
class Job:
    """One task with the programs to judge on it."""

    corpus: str
    task: Path
    steps: tuple[Path, ...]


def trajectories_of(corpus: str) -> Iterator[tuple[Path, list[Path]]]:
    """Each task with the folders of its trajectories."""
    if corpus in ("written", "hopper"):
        for task in tasks_in(TRAJECTORIES / corpus):
            yield task, sorted(path for path in task.iterdir() if path.is_dir())
    else:
        for task in tasks_in(SUITES / corpus):
            folder = TRAJECTORIES / "cudaeval" / task.name
            yield task, [folder] if folder.is_dir() else []


def jobs_of(corpora: Sequence[str], steps: str, done: set[str]) -> list[Job]:
    """In an order that is drawn, the same each time."""
    jobs = []
    for corpus in corpora:
        for task, folders in trajectories_of(corpus):
            files = [sorted(folder.glob("[0-9][0-9]_*.cu")) for folder in folders]
            wanted = [file for each in files for file in (each[-1:] if steps == "last" else each)]
            left = tuple(file for file in wanted if name_of(file) not in done)
            if left:
                jobs.append(Job(corpus=corpus, task=task, steps=left))
    random.Random(1).shuffle(jobs)
    return jobs


def name_of(step: Path) -> str:
    return str(step.relative_to(TRAJECTORIES))


_judge: Evaluator


def start_worker(evaluator: str, gpus: "Queue[str]") -> None:
    """Give the process its GPU, and its own judge without memory of verdicts."""
    global _judge
    if name := gpus.get():
        os.environ["CUDA_VISIBLE_DEVICES"] = name
    opened = open_evaluator(evaluator, allow_root=False)
    _judge = opened.inner if isinstance(opened, CachedEvaluator) else opened


def judge_job(job: Job, level: str, bench: bool, deadline: float) -> list[dict[str, Any]]:
    """A row a program that was judged before the deadline, which is on `time.time`."""
    task, rows = load_task(job.task), []
    if not bench:
        task = replace(task, bench_sizes=())
    for step in job.steps:
        if time.time() > deadline:
            break
        source = step.read_text(encoding="utf-8")
        candidate = Candidate(
            source=source, program_hash=program_hash(source), origin=Origin(proposer="file", seconds=0.0)
        )
        row = {"corpus": job.corpus, "step": name_of(step), "before": before(step)}
        begun = time.monotonic()
        try:
            verdict = _judge.evaluate(task, candidate, level=Level(level))
            row |= {"status": verdict.status.value, "reason": verdict.reason, "labels": list(verdict.labels)}
        except RegraphtError as error:
            row |= {"status": "NO_VERDICT", "reason": str(error), "labels": []}
        rows.append(row | {"seconds": round(time.monotonic() - begun, 2)})
    return rows


def before(step: Path) -> list[str]:
    """The statuses on file of this program's name, by judge."""
    kept = [verdict for verdict in read_verdicts(step.parent) if verdict.file == step.name]
    return sorted({f"{verdict.evaluator} {verdict.status.value}" for verdict in kept})


def report(rows: Sequence[dict[str, Any]]) -> None:
    """Counts by corpus, then each program that is not accepted."""
    for corpus in CORPORA:
        statuses = Counter(row["status"] for row in rows if row["corpus"] == corpus)
        if statuses:
            print(
                f"{corpus}: {statuses.total()} judged, {', '.join(f'{n} {name}' for name, n in statuses.most_common())}"
            )
    labels = Counter(label.split()[0] for row in rows for label in row["labels"])
    print("labels:", ", ".join(f"{n} {name}" for name, n in labels.most_common()) or "none")
    for row in rows:
        if row["status"] != "PASSED":
            print(
                f"{row['step']}: {row['status']} (before: {', '.join(row['before']) or 'not judged'}): {row['reason']}"
            )


def read_rows(file: Path) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The head, and a row a program."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    return (lines[0], lines[1:]) if lines else (None, [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--report", action="store_true", help="judge nothing, say what the file holds")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, default=list(CORPORA))
    parser.add_argument("--evaluator", default="local_gpu")
    parser.add_argument("--level", choices=[level.value for level in Level], default="screen")
    parser.add_argument("--steps", choices=["last", "all"], default="last", help="of each trajectory")
    parser.add_argument("--bench", action="store_true", help="bench shapes too")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--stop-after", type=float, default=240.0, help="seconds after which no program is begun")
    chosen = parser.parse_args()
    asked = {"judge": judge_code(), "evaluator": chosen.evaluator, "level": chosen.level, "bench": chosen.bench}
    head, rows = read_rows(chosen.out)
    if chosen.report:
        print(head)
        report(rows)
        return 0
    if head is not None and {key: head[key] for key in asked} != asked:
        parser.error(f"{chosen.out} is another judge's, level's or kind's: {head}")
    if head is None:
        environment = open_evaluator(chosen.evaluator, allow_root=False).environment()
        head = {
            **asked,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "device": environment.device,
            "cpu": environment.cpu,
            "tools": dict(environment.tools),
        }
        chosen.out.write_text(json.dumps(head) + "\n", encoding="utf-8")
    rows += judge_all(chosen, {row["step"] for row in rows})
    report(rows)
    return 0


def judge_all(chosen: argparse.Namespace, done: set[str]) -> list[dict[str, Any]]:
    """Judge what is left, and append it to the file as it comes."""
    os.environ.setdefault("REGRAPHT_BENCH_SETS", "1")
    context, deadline, rows = get_context("spawn"), time.time() + chosen.stop_after, []
    gpus: Queue[str] = context.Queue()
    for number in range(chosen.workers):
        names = chosen.gpus.split(",") if chosen.gpus else [""]
        gpus.put(names[number % len(names)])
    with (
        ProcessPoolExecutor(
            chosen.workers, mp_context=context, initializer=start_worker, initargs=(chosen.evaluator, gpus)
        ) as pool,
        chosen.out.open("a", encoding="utf-8") as file,
    ):
        jobs = jobs_of(chosen.corpus, chosen.steps, done)
        asked = [pool.submit(judge_job, job, chosen.level, chosen.bench, deadline) for job in jobs]
        for future in as_completed(asked):
            for row in future.result():
                rows.append(row)
                file.write(json.dumps(row) + "\n")
            file.flush()
    return rows


if __name__ == "__main__":
    sys.exit(main())
