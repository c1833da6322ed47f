"""An experiment with a process a task, over several GPUs, in slices; its parts joined into one set of results.

    python benchmarks/experiment_on_gpus.py --suite cudaeval --tasks TASKS.txt --parts parts --out exp --gpus 0,1 --workers 8 \\
        --stop-after 540 -- --method mcgs --method fsr --budget 20 --seeds 3

What follows `--` goes to `regrapht bench run` as it stands. The transform engine works on one thread, so tasks side by side need processes.
A task that is complete is not run again and an interrupted one goes on, so the same command is given until it exits with 0; the parts can
be carried to another machine of the same kind in between. Each part is a set of results of its own.
"""

import argparse
import shlex
import sys
import time
from pathlib import Path

from regrapht.bench.merging import merge_results
from regrapht.bench.results import RESULTS, read_results

sys.path.insert(0, str(Path(__file__).parent))
from in_turn import Job, in_turn


def is_complete(part: Path) -> bool:
    """Whether every cell of a part is there."""
    if not (part / RESULTS).is_file():
        return False
    experiment, cells = read_results(part)
    return len(cells) == len(experiment.tasks) * len(experiment.methods) * experiment.seeds


def job(task: str, chosen: argparse.Namespace, options: list[str]) -> Job:
    """The experiment on one task."""
    part = chosen.parts / task
    part.mkdir(parents=True, exist_ok=True)
    (part / "task.txt").write_text(f"{task}\n")
    run = [sys.executable, "-m", "regrapht", "bench", "run", chosen.suite, "--tasks", str(part / "task.txt")]
    return Job(name=task, command=[*run, "--out", str(part), *options])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", default="cudaeval")
    parser.add_argument("--tasks", type=Path, required=True, help="ids, one a line; # begins a comment")
    parser.add_argument("--parts", type=Path, required=True, help="folder with a folder a task")
    parser.add_argument("--out", type=Path, required=True, help="folder for the joined results, once all are there")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--stop-after", type=float, default=3600.0, help="seconds")
    parser.add_argument("options", nargs="*", help="of `regrapht bench run`, after --")
    chosen = parser.parse_args()
    deadline = time.monotonic() + chosen.stop_after
    lines = chosen.tasks.read_text().splitlines()
    tasks = [name for line in lines if (name := line.partition("#")[0].strip())]
    jobs = [job(task, chosen, chosen.options) for task in tasks if not is_complete(chosen.parts / task)]
    for name, said in in_turn(jobs, workers=chosen.workers, gpus=chosen.gpus, deadline=deadline):
        print(f"{name:20} {said}", flush=True)
    complete = [task for task in tasks if is_complete(chosen.parts / task)]
    print(f"complete: {len(complete)} of {len(tasks)}")
    if len(complete) < len(tasks):
        return 1
    print(merge_results([chosen.parts / task for task in tasks], chosen.out, command=shlex.join(["python", *sys.argv])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
