"""Choose the tasks of an experiment on CUDAEval: so many a tier, of those that a GPU has timed and whose plain version is not slow.

    python benchmarks/choose_tasks.py --per-tier 20 --out benchmarks/cudaeval_60.txt

A task is left out as long as its tier is modelled: it may change, and with it the balance of the list. It is left out too when a plain
version is slow, for so is every candidate that changes little of it, and a search there would hold the device for minutes: when the first
step of its trajectory takes over 50 ms a call on a GPU, or when the emulator's model puts what the transform engine starts from at over 400
times the cost of moving the task's data, as of programs that run in one thread or hardly more. Of the others families take turns as in
`regrapht bench list --per-tier`, by names alone. Needs no GPU; some four minutes on two cores.
"""

import argparse
import sys
import tempfile
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from regrapht.assemble import open_evaluator, plain_version
from regrapht.bench.admit.solutions import read_solution
from regrapht.bench.suite import SuiteTask, balanced, open_suite
from regrapht.construct.verdict_file import StepVerdict, read_verdicts
from regrapht.records.measurement import Scale

SOLUTIONS = Path(__file__).parent.parent / "trajectories" / "cudaeval"
MOST_US = 5e4
MOST_TIMES_FLOOR = 400.0


def timed_steps(task: SuiteTask) -> list[StepVerdict]:
    """What a GPU said of each step of a task's trajectory; empty unless it has timed all of them as they are now."""
    steps = read_solution(SOLUTIONS, task.task.id)
    verdicts = [v for v in read_verdicts(SOLUTIONS / task.task.id) if v.evaluator == "local_gpu" and v.timing]
    timed = [v for s in steps for v in verdicts if v.file == s.file.name and v.is_of(s.source, task.task.content_hash)]
    return timed if len(timed) == len(steps) else []


def first_step_us(steps: list[StepVerdict]) -> float:
    """The longest that the first step took, at any bench shape."""
    return max(shape.candidate.median_us for shape in steps[0].timing or ())


def as_good_as_sequential(task: SuiteTask, evaluator_folder: Path) -> bool:
    """Whether the plain version's modelled cost is over `MOST_TIMES_FLOOR`; False where the engine takes no part of the task."""
    plain = plain_version(task.task)
    if plain is None:
        return False
    yardstick = open_evaluator("emulated", cache_folder=evaluator_folder).prepare(task.task, plain)
    if yardstick.scale is not Scale.MODELLED:
        raise SystemExit(f"{task.task.id}: a cost that is not modelled")
    return yardstick.start > MOST_TIMES_FLOOR * yardstick.floor


def listed(why: str, tasks: list[SuiteTask]) -> list[str]:
    """Comment lines with the tasks that were left out, where there are any."""
    if not tasks:
        return []
    names = textwrap.wrap(", ".join(task.task.id for task in tasks), 130, initial_indent="  ", subsequent_indent="  ")
    return [f"# {line}" for line in (f"Left out, because {why}:", *names)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--per-tier", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    suite = open_suite("cudaeval")
    steps = {task.task.id: timed_steps(task) for task in suite.tasks}
    untimed = [task for task in suite.tasks if not steps[task.task.id]]
    timed = [task for task in suite.tasks if steps[task.task.id]]
    slow = [task for task in timed if first_step_us(steps[task.task.id]) > MOST_US]
    quick = [task for task in timed if task not in slow]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        modelled = list(pool.map(lambda task: as_good_as_sequential(task, Path(folder)), quick))
    sequential = [task for task, is_sequential in zip(quick, modelled, strict=True) if is_sequential]
    taken = balanced([task for task in quick if task not in sequential], chosen.per_tier)
    lines = [
        f"# {len(taken)} tasks of CUDAEval, {chosen.per_tier} a tier, chosen by `python {' '.join(sys.argv)}`",
        "# before any result on them; its limits are from what slow programs cost the device in trials.",
        *listed("not all of their trajectory has been timed on a GPU, so that their tier may change", untimed),
        *listed("the first step of their trajectory takes over 50 ms a call on an H200", slow),
        *listed("what the transform engine starts from is as good as sequential, by the emulator's model", sequential),
        *(f"{task.task.id:24}# {task.tier}, {task.family}" for task in taken),
    ]
    chosen.out.write_text("\n".join(lines) + "\n")
    print(f"{len(suite.tasks) - len(quick) + len(sequential)} of {len(suite.tasks)} left out;", end=" ")
    print(dict(Counter(task.tier for task in taken)))


if __name__ == "__main__":
    main()
