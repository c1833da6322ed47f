"""An experiment with a process a task, over several GPUs, in slices; its parts joined into one set of results.

    python benchmarks/experiment_on_gpus.py --suite cudaeval --tasks TASKS.txt --parts parts --out exp --gpus 0,1 --workers 8 \\
        --seeds 3 --stop-after 540 -- --method mcgs --method fsr --budget 20

What follows `--` goes to `regrapht bench run` as it stands. The transform engine works on one thread, so tasks side by side need processes.
All tasks get their first seed before any gets its second, so that an experiment cut short has whole seeds of as many tasks as possible:
`regrapht bench merge parts/* --seeds 1 --out exp1` joins those. What is complete is not run again and an interrupted part goes on, so the
same command is given until it exits with 0; the parts can be carried to another machine of the same kind in between. Each part is a set of
results of its own.
"""

import argparse
import itertools
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from regrapht.bench.experiment.merging import merge_results
from regrapht.bench.experiment.results import RESULTS, read_results
from regrapht.bench.suite import open_suite

sys.path.insert(0, str(Path(__file__).parent))
from in_turn import Job, run_job


def seeds_done(part: Path) -> int:
    """How many seeds of a part are complete, in their order."""
    if not (part / RESULTS).is_file():
        return 0
    experiment, cells = read_results(part)
    for seed in range(experiment.seeds):
        if sum(cell.seed == seed for cell in cells) < len(experiment.tasks) * len(experiment.methods):
            return seed
    return experiment.seeds


def job(task: str, seeds: int, chosen: argparse.Namespace) -> Job:
    """The experiment on one task, with so many seeds."""
    part = chosen.parts / task
    part.mkdir(parents=True, exist_ok=True)
    (part / "task.txt").write_text(f"{task}\n")
    run = [sys.executable, "-m", "regrapht", "bench", "run", chosen.suite, "--tasks", str(part / "task.txt")]
    return Job(name=task, command=[*run, "--out", str(part), "--seeds", str(seeds), *chosen.options])


def rounds(tasks: Sequence[str], chosen: argparse.Namespace, deadline: float) -> Iterator[tuple[str, int, str]]:
    """Run every task seed by seed; each task with the number of its seeds that are complete, and what its process said last.

    Whoever has the fewest seeds is next. A task whose process did not complete its seed is not tried again.
    """
    gpus = itertools.cycle(chosen.gpus.split(",") if chosen.gpus else [None])
    ready = [
        (done, place) for place, task in enumerate(tasks) if (done := seeds_done(chosen.parts / task)) < chosen.seeds
    ]
    running: dict[Future[str], tuple[int, int]] = {}
    with ThreadPoolExecutor(chosen.workers) as pool:
        while ready or running:
            ready.sort()
            while ready and len(running) < chosen.workers:
                done, place = ready.pop(0)
                following = job(tasks[place], done + 1, chosen)
                running[pool.submit(run_job, following, next(gpus), deadline)] = done, place
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                before, place = running.pop(ended)
                now = seeds_done(chosen.parts / tasks[place])
                if before < now < chosen.seeds:
                    ready.append((now, place))
                yield tasks[place], now, ended.result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="cudaeval")
    parser.add_argument(
        "--tasks", type=Path, help="ids, one a line; # begins a comment; default: all tasks of the suite"
    )
    parser.add_argument("--parts", type=Path, required=True, help="folder with a folder a task")
    parser.add_argument("--out", type=Path, required=True, help="folder for the joined results, once all are there")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--stop-after", type=float, default=3600.0, help="seconds")
    parser.add_argument("options", nargs="*", help="of `regrapht bench run`, after --")
    chosen = parser.parse_args()
    deadline = time.monotonic() + chosen.stop_after
    if chosen.tasks is None:
        tasks = [task.task.id for task in open_suite(chosen.suite).tasks]
    else:
        tasks = [name for line in chosen.tasks.read_text().splitlines() if (name := line.partition("#")[0].strip())]
    for task, seeds, said in rounds(tasks, chosen, deadline):
        print(f"{task:20} {seeds} seeds; {said}", flush=True)
    done = [seeds_done(chosen.parts / task) for task in tasks]
    for seeds in range(1, chosen.seeds + 1):
        print(f"{seeds} seeds or more: {sum(one >= seeds for one in done)} of {len(tasks)} tasks")
    if min(done) < chosen.seeds:
        return 1
    (chosen.out / RESULTS).unlink(missing_ok=True)  # the parts say all that it said, and may say more
    print(merge_results([chosen.parts / task for task in tasks], chosen.out, command=shlex.join(["python", *sys.argv])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
