"""Choose the tasks of an experiment on CUDAEval: so many a tier, without those whose plain version is as good as sequential.

    python benchmarks/choose_tasks.py --per-tier 20 --out benchmarks/cudaeval_60.txt

A task is left out when the emulator's model puts its plain version, as the transform engine writes it, at over 450 times the cost of moving
the task's data. Such a program runs in one thread or hardly more, takes up to seconds a call on a GPU, and so does every candidate that
changes little of it: a search there would hold the device for minutes. Of the others families take turns as in `regrapht bench list
--per-tier`, by names alone, so that tiers are all that the choice hangs on. Needs no GPU; some four minutes on two cores.
"""

import argparse
import sys
import tempfile
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from regrapht.assemble import open_evaluator, plain_version
from regrapht.bench.balanced import balanced
from regrapht.bench.suite import SuiteTask, open_suite
from regrapht.records.measurement import Scale

MOST = 450.0


def as_good_as_sequential(task: SuiteTask, evaluator_folder: Path) -> bool:
    """Whether the plain version's modelled cost is over `MOST` times the floor; False where the engine takes no part of the task."""
    plain = plain_version(task.task)
    if plain is None:
        return False
    yardstick = open_evaluator("emulated", cache_folder=evaluator_folder).prepare(task.task, plain)
    if yardstick.scale is not Scale.MODELLED:
        raise SystemExit(f"{task.task.id}: a cost that is not modelled")
    return yardstick.start > MOST * yardstick.floor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--per-tier", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    suite = open_suite("cudaeval")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        slow = list(pool.map(lambda task: as_good_as_sequential(task, Path(folder)), suite.tasks))
    left_out = [task.task.id for task, is_slow in zip(suite.tasks, slow, strict=True) if is_slow]
    taken = balanced([task for task in suite.tasks if task.task.id not in left_out], chosen.per_tier)
    head = [
        f"{len(taken)} tasks of CUDAEval, {chosen.per_tier} a tier, chosen by `python {' '.join(sys.argv)}`",
        "before any search ran on them. Left out, because their plain version is as good as sequential:",
        *textwrap.wrap(", ".join(left_out), 130, initial_indent="  ", subsequent_indent="  "),
    ]
    lines = [*(f"# {line}" for line in head), *(f"{t.task.id:24}# {t.tier}, {t.task.family}" for t in taken)]
    chosen.out.write_text("\n".join(lines) + "\n")
    print(f"{len(left_out)} of {len(suite.tasks)} left out; {dict(Counter(task.tier for task in taken))}")


if __name__ == "__main__":
    main()
