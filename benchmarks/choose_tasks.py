"""Choose the tasks of an experiment on CUDAEval: so many a tier, of those that a GPU has timed and whose plain version is not slow.

    python benchmarks/choose_tasks.py --per-tier 20 --out benchmarks/cudaeval_60.txt

What decides lies beside the reference trajectories. A task is left out as long as its tier is modelled: it may still change, and with it
the balance of the list. It is left out too when its plain version takes over 50 ms a call: so does every candidate that changes little of
it, and a search there would hold the device for minutes. Of the others families take turns as in `regrapht bench list --per-tier`, by names
alone.
"""

import argparse
import sys
import textwrap
from collections import Counter
from pathlib import Path

from regrapht.bench.balanced import balanced
from regrapht.bench.suite import SuiteTask, open_suite
from regrapht.construct.verdict_file import read_verdicts

SOLUTIONS = Path(__file__).parent.parent / "bench" / "solutions"
PLAIN = "naive"
MOST_US = 5e4


def plain_us(task: SuiteTask) -> float | None:
    """The longest that a GPU took for the task's plain version, at any bench shape; None when a step of its trajectory is not timed yet."""
    steps = [verdict for verdict in read_verdicts(SOLUTIONS / task.task.id) if verdict.evaluator == "local_gpu"]
    files = {verdict.file for verdict in steps if verdict.task_hash == task.task.content_hash and verdict.timing}
    if files != {file.name for file in (SOLUTIONS / task.task.id).glob("*.cu")}:
        return None
    return max(shape.baselines[PLAIN].median_us for step in steps for shape in step.timing or ())


def listed(why: str, tasks: list[SuiteTask]) -> list[str]:
    """Comment lines with the tasks that were left out."""
    names = textwrap.wrap(", ".join(task.task.id for task in tasks), 130, initial_indent="  ", subsequent_indent="  ")
    return [f"# {line}" for line in (f"Left out, because {why}:", *names)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--per-tier", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    suite = open_suite("cudaeval")
    times = {task.task.id: plain_us(task) for task in suite.tasks}
    untimed = [task for task in suite.tasks if times[task.task.id] is None]
    slow = [task for task in suite.tasks if (times[task.task.id] or 0.0) > MOST_US]
    taken = balanced([task for task in suite.tasks if task not in untimed and task not in slow], chosen.per_tier)
    lines = [
        f"# {len(taken)} tasks of CUDAEval, {chosen.per_tier} a tier, chosen by `python {' '.join(sys.argv)}`",
        "# before any search ran on them.",
        *listed("their plain version takes over 50 ms a call on an H200", slow),
        *listed("not all of their trajectory has been timed, so that their tier may change", untimed),
        *(f"{task.task.id:24}# {task.tier}, {task.family}" for task in taken),
    ]
    chosen.out.write_text("\n".join(lines) + "\n")
    print(f"{len(untimed) + len(slow)} of {len(suite.tasks)} left out; {dict(Counter(task.tier for task in taken))}")


if __name__ == "__main__":
    main()
