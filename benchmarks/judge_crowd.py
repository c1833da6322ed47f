"""Where the time goes when many judges work on one machine: processes that judge different programs of one task side by side.

    python benchmarks/judge_crowd.py --processes 8 --gpus 0,1 --level full --seconds 60 [--out FILE]

Each process has an evaluator of its own and judges until the time is over. Printed are judgements a second, and what the parts of all of
them take together, in seconds of a judgement: waiting to share a device, to have it alone and to start a process on it (a context each),
having it, processes getting ready, the stages. Needs a GPU and nvcc; `--emulated-device` tries the script itself anywhere.
"""

import argparse
import contextlib
import itertools
import json
import os
import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from judge import WAYS, affine, candidate, program

from regrapht.evaluate.device import call_process, machine, sharing
from regrapht.evaluate.device.harness_process import HarnessChild
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.timing import gpu_timer
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.testing.emulated_device import emulated_machine

Spent = dict[str, list[float]]


def watch(spent: Spent) -> None:
    """Note how long each lease is waited for and had, and each process takes to be ready."""
    lock = threading.Lock()

    def note(name: str, seconds: float) -> None:
        with lock:
            spent[name].append(seconds)

    def timed(how: Any, name: str) -> Any:
        @contextlib.contextmanager
        def leased(uuid: str) -> Iterator[None]:
            asked = time.monotonic()
            with how(uuid):
                got = time.monotonic()
                note(f"waiting {name}", got - asked)
                try:
                    yield
                finally:
                    note(f"having {name}", time.monotonic() - got)

        return leased

    for module in (call_process, machine, gpu_timer):
        for name, how in (("shared", sharing.shared), ("exclusive", sharing.exclusive), ("starting", sharing.starting)):
            if hasattr(module, name):
                setattr(module, name, timed(how, name))
    ready = HarnessChild.wait_ready

    def wait_ready(child: HarnessChild) -> None:
        begun = time.monotonic()
        ready(child)
        note("a process gets ready", time.monotonic() - begun)

    HarnessChild.wait_ready = wait_ready  # type: ignore[method-assign]


def work(number: int, gpu: str | None, level: Level, seconds: float, emulated: bool) -> tuple[Spent, list[str]]:
    """One process: what was spent on what, and how each judgement ended."""
    if gpu is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    spent: Spent = defaultdict(list)
    evaluator = LocalGpuEvaluator(choose_sandbox())
    if emulated:
        evaluator._found = gpu_timer.GpuTimer(emulated_machine(choose_sandbox()))
    task = affine(bench=2**14 if emulated else 2**22)
    evaluator.prepare(task, None)
    watch(spent)
    ended, deadline = [], time.monotonic() + seconds
    for turn in itertools.count():
        begun = time.monotonic()
        if begun > deadline:
            return dict(spent), ended
        way = list(WAYS)[(number + turn) % len(WAYS)]
        verdict = evaluator.evaluate(task, candidate(program(way, 1000 * number + turn)), level=level)
        ended.append(verdict.status.value)
        spent["whole judgement"].append(time.monotonic() - begun)
        for stage in verdict.stages:
            spent[f"stage {stage.name.value}"].append(stage.seconds)
    raise AssertionError("the count never ends")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--level", choices=[level.value for level in Level], default="full")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--emulated-device", action="store_true")
    parser.add_argument("--out", type=Path, help="append the result to this file")
    chosen = parser.parse_args()
    gpus = chosen.gpus.split(",") if chosen.gpus else [None]
    spent: Spent = defaultdict(list)
    ended: list[str] = []
    with ProcessPoolExecutor(chosen.processes, mp_context=get_context("spawn")) as pool:
        level = Level(chosen.level)
        parts = [
            pool.submit(work, number, gpus[number % len(gpus)], level, chosen.seconds, chosen.emulated_device)
            for number in range(chosen.processes)
        ]
        for part in parts:
            found, statuses = part.result()
            ended += statuses
            for name, seconds in found.items():
                spent[name] += seconds
    judgements = len(spent["whole judgement"])
    result = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "device": "emulated" if chosen.emulated_device else LocalGpuEvaluator(choose_sandbox()).environment().device,
        "processes": chosen.processes,
        "gpus": len(gpus),
        "level": chosen.level,
        "a second": round(judgements / chosen.seconds, 3),
        "judgements": judgements,
        "passed": ended.count("PASSED"),
        "seconds of a judgement": {name: round(sum(values) / judgements, 3) for name, values in sorted(spent.items())},
        "medians": {name: round(statistics.median(values), 4) for name, values in sorted(spent.items())},
        "counts of a judgement": {name: round(len(values) / judgements, 2) for name, values in sorted(spent.items())},
    }
    print(json.dumps(result, indent=1))
    if chosen.out:
        with chosen.out.open("a") as file:
            file.write(json.dumps(result) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
