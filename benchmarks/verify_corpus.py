"""Judge a corpus, or a suite's reference trajectories, in full with several processes, a task each, and keep the verdicts beside the steps.

    python benchmarks/verify_corpus.py trajectories/written --workers 8 --gpus 0,1 --evaluator local_gpu --stop-after 540
    python benchmarks/verify_corpus.py src/regrapht/bench/suites/cudaeval --solutions trajectories/cudaeval --workers 8

A step whose verdict is on file is not judged again, so a job cut short goes on where it stopped. Processes share the GPU: each holds it
alone while it times. With several GPUs, processes use them in turn. Most of a first judgement is the reference's runs at bench shapes, on
the CPU: `REGRAPHT_BENCH_SETS=1` asks for one data set instead of four, `REGRAPHT_POOL_GIB=60` gives them room.
"""

import argparse
import shutil
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from in_turn import Job, in_turn, tasks_in

from regrapht.bench.admit.solutions import fastest_step, known_verdict, read_solution
from regrapht.evaluate.judgement.draft import PROTOCOL
from regrapht.records.verdict import Level
from regrapht.tasks.load import load_task

REGRAPHT = [sys.executable, "-m", "regrapht"]


def corpus_job(task: Path, place: Path, evaluator: str) -> Job:
    """Judge one task's trajectories in a corpus of its own, then copy the verdicts back."""
    alone = place / task.name
    shutil.copytree(task, alone / task.parent.name / task.name)

    def copy_back() -> None:
        for file in alone.glob("*/*/*/verdicts.json"):
            shutil.copyfile(file, task / file.parent.name / "verdicts.json")

    command = [*REGRAPHT, "graph", "verify", str(alone), "--evaluator", evaluator, "--level", "full"]
    return Job(name=task.name, command=command, afterwards=copy_back)


def suite_job(task: Path, place: Path, evaluator: str, *, solutions: Path, level: str, best: bool) -> Job:
    """Judge the reference trajectory of one task of a suite, beside which the verdicts are kept; the task itself is not examined."""
    alone = place / task.name
    shutil.copytree(task, alone / task.parent.name / task.name)
    script = Path(__file__).parent / "judge_trajectory.py"
    command = [sys.executable, str(script), str(alone), str(solutions), "--evaluator", evaluator, "--level", level]
    return Job(name=task.name, command=[*command, "--best"] if best else command)


def is_judged(task: Path, solutions: Path, evaluator: str, level: str, *, best: bool) -> bool:
    """Whether a verdict of every step of a suite's task is on file, right or wrong; with `best`, of the quickest."""
    loaded = load_task(task)
    steps = read_solution(solutions, task.name)
    if best:
        fastest = fastest_step(solutions, loaded)
        steps = () if fastest is None else (fastest.step,)
    known = (
        known_verdict(step, loaded.content_hash, evaluator=evaluator, protocol=PROTOCOL, level=Level(level))
        for step in steps
    )
    return bool(steps) and all(known)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="folder of families of tasks")
    parser.add_argument("--solutions", type=Path, help="it is a suite, and this folder has its reference trajectories")
    parser.add_argument(
        "--level", choices=["screen", "full"], default="full", help="of a suite's steps; a corpus is judged in full"
    )
    parser.add_argument(
        "--best", action="store_true", help="of a suite's steps judge the quickest alone, by times that are on file"
    )
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--evaluator", default="local_gpu")
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--stop-after", type=float, default=3600.0, help="seconds")
    chosen = parser.parse_args()
    deadline = time.monotonic() + chosen.stop_after
    make = corpus_job
    if chosen.solutions is not None:
        make = partial(suite_job, solutions=chosen.solutions, level=chosen.level, best=chosen.best)
    with tempfile.TemporaryDirectory() as place:
        tasks = tasks_in(chosen.corpus)
        if chosen.solutions is not None:
            tasks = [
                task
                for task in tasks
                if not is_judged(task, chosen.solutions, chosen.evaluator, chosen.level, best=chosen.best)
            ]
        jobs = [make(task, Path(place), chosen.evaluator) for task in tasks]
        for name, said in in_turn(jobs, workers=chosen.workers, gpus=chosen.gpus, deadline=deadline):
            print(f"{name:20} {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
