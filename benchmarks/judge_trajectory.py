"""Judge the reference trajectory of one task of a suite and keep the verdicts beside its steps; called by verify_corpus.py.

python benchmarks/judge_trajectory.py SUITE_OF_ONE_TASK bench/solutions --evaluator local_gpu --level screen
python benchmarks/judge_trajectory.py SUITE_OF_ONE_TASK bench/solutions --evaluator local_gpu --level full --best
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from regrapht.assemble import open_evaluator
from regrapht.bench.admission import judge_trajectory
from regrapht.bench.metrics import geometric_mean
from regrapht.bench.solutions import SolutionStep, known_verdict, read_solution
from regrapht.bench.suite import open_suite
from regrapht.evaluate.draft import PROTOCOL
from regrapht.records.verdict import Level


def best_step(steps: Sequence[SolutionStep], task_hash: str, evaluator: str) -> SolutionStep | None:
    """The quickest step, by the geometric mean of its times on file at all bench shapes; None where no step has times."""
    times: dict[SolutionStep, float] = {}
    for step in steps:
        known = known_verdict(step, task_hash, evaluator=evaluator, protocol=PROTOCOL, level=Level.SCREEN)
        if known is not None and known.passed and known.timing:
            mean = geometric_mean([shape.candidate.median_us for shape in known.timing])
            if mean is not None:
                times[step] = mean
    return min(times, key=times.__getitem__, default=None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", help="folder with one task, in the folder of its family")
    parser.add_argument("solutions", type=Path)
    parser.add_argument("--evaluator", required=True)
    parser.add_argument("--level", choices=[level.value for level in Level], required=True)
    parser.add_argument("--best", action="store_true", help="judge the quickest step alone, by times that are on file")
    chosen = parser.parse_args()
    [task] = open_suite(chosen.suite).tasks
    steps = read_solution(chosen.solutions, task.task.id)
    if chosen.best:
        best = best_step(steps, task.task.content_hash, chosen.evaluator)
        steps = () if best is None else (best,)
    tier, objections, unchecked = judge_trajectory(
        task, steps, open_evaluator(chosen.evaluator), level=Level(chosen.level)
    )
    for line in (*objections, *(f"not judged: {what}" for what in unchecked)):
        print(line)
    said = "no tier" if tier is None or chosen.best else f"{tier.tier}, {tier.counted} of {tier.steps} steps pay"
    print(f"{said}{f'; {len(objections)} objections' if objections else ''}")


if __name__ == "__main__":
    main()
