"""Many commands, so many at a time, each on a GPU of its own turn, until a deadline: what the scripts for GPU machines share."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_ENDS_WITHIN_S = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One command, and what to do when it has ended, in whatever way."""

    name: str
    command: Sequence[str]
    afterwards: Callable[[], None] = lambda: None


def in_turn(jobs: Sequence[Job], *, workers: int, gpus: str | None, deadline: float) -> Iterator[tuple[str, str]]:
    """Run `jobs` in their order; their names with the last line that each said.

    Args:
        gpus: Names of GPUs that jobs get in turn, as in "0,1"; None leaves that to the environment.
        deadline: On `time.monotonic`. What still runs then is interrupted, and what has not begun is left out.
    """
    names = gpus.split(",") if gpus else [None]
    with ThreadPoolExecutor(workers) as pool:
        running = [(job.name, pool.submit(run_job, job, names[i % len(names)], deadline)) for i, job in enumerate(jobs)]
        for name, said in running:
            yield name, said.result()


def run_job(job: Job, gpu: str | None, deadline: float) -> str:
    """Run one job, on the GPU of that name, until it ends or `deadline` comes; the last line that it said."""
    left_s = deadline - time.monotonic()
    if left_s < 5:
        return "no time left"
    environment = os.environ if gpu is None else {**os.environ, "CUDA_VISIBLE_DEVICES": gpu}
    try:
        with subprocess.Popen(
            job.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        ) as process:
            said = _said(process, left_s)
    finally:
        job.afterwards()
    return said.strip().splitlines()[-1] if said.strip() else f"exit code {process.returncode}"


def _said(process: "subprocess.Popen[str]", left_s: float) -> str:
    """All that a process printed; at the limit it is asked to end, and then made to."""
    for signal_number, patience_s in ((signal.SIGINT, left_s), (signal.SIGKILL, _ENDS_WITHIN_S)):
        try:
            return process.communicate(timeout=patience_s)[0]
        except subprocess.TimeoutExpired:
            process.send_signal(signal_number)
    return process.communicate()[0]


def tasks_in(root: Path) -> list[Path]:
    """The task folders of a corpus or a suite, `root/FAMILY/TASK/` or `root/TASK/`."""
    return sorted(path.parent for depth in ("*", "*/*") for path in root.glob(f"{depth}/task.toml"))
