"""Judge the corpus in full with several processes, a family each, and keep the verdicts beside the steps.

    python benchmarks/verify_corpus.py corpus --workers 8 --gpus 0,1 --evaluator local_gpu --stop-after 540

A step whose verdict is on file is not judged again, so a job cut short goes on where it stopped. Processes share the GPU: each holds it
alone while it times. With several GPUs, processes use them in turn. Most of a first judgement is the reference's runs at bench shapes, on
the CPU: `REGRAPHT_BENCH_SETS=1` asks for one data set instead of four, `REGRAPHT_POOL_GIB=60` gives them room.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def verify(task: Path, place: Path, *, evaluator: str, deadline: float, gpu: str | None) -> str:
    """Judge one task's trajectories in a corpus of its own, then copy the verdicts back; the last line that was said."""
    alone = place / task.name
    shutil.copytree(task, alone / task.parent.name / task.name)
    left_s = deadline - time.monotonic()
    if left_s < 5:
        return "no time left"
    command = [
        sys.executable,
        "-m",
        "regrapht",
        "graph",
        "verify",
        str(alone),
        "--evaluator",
        evaluator,
        "--level",
        "full",
    ]
    environment = os.environ if gpu is None else {**os.environ, "CUDA_VISIBLE_DEVICES": gpu}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        try:
            said, _ = process.communicate(timeout=left_s)
        except subprocess.TimeoutExpired:
            process.terminate()
            said, _ = process.communicate()
    for file in alone.glob("*/*/*/verdicts.json"):
        shutil.copyfile(file, task / file.parent.name / "verdicts.json")
    return said.strip().splitlines()[-1] if said.strip() else f"exit code {process.returncode}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--evaluator", default="local_gpu")
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--stop-after", type=float, default=3600.0, help="seconds")
    chosen = parser.parse_args()
    deadline = time.monotonic() + chosen.stop_after
    gpus = chosen.gpus.split(",") if chosen.gpus else [None]
    tasks = sorted(path.parent for path in chosen.corpus.glob("*/*/task.toml"))
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(chosen.workers) as pool:
        jobs = {
            task: pool.submit(
                verify,
                task,
                Path(place),
                evaluator=chosen.evaluator,
                deadline=deadline,
                gpu=gpus[i % len(gpus)],
            )
            for i, task in enumerate(tasks)
        }
        for task, job in jobs.items():
            print(f"{task.name:20} {job.result()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
