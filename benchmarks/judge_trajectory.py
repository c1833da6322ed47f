"""Judge the reference trajectory of one task of a suite and keep the verdicts beside its steps; called by verify_corpus.py.

python benchmarks/judge_trajectory.py SUITE_OF_ONE_TASK trajectories/cudaeval --evaluator local_gpu --level screen
python benchmarks/judge_trajectory.py SUITE_OF_ONE_TASK trajectories/cudaeval --evaluator local_gpu --level full --best
"""

import argparse
from pathlib import Path

from regrapht.assemble import open_evaluator
from regrapht.bench.admit.admission import judge_trajectory
from regrapht.bench.admit.solutions import fastest_step, read_solution
from regrapht.bench.suite import open_suite
from regrapht.records.verdict import Level


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
        best = fastest_step(chosen.solutions, task.task)
        steps = () if best is None else (best.step,)
    tier, objections, unchecked = judge_trajectory(
        task, steps, open_evaluator(chosen.evaluator), level=Level(chosen.level)
    )
    for line in (*objections, *(f"not judged: {what}" for what in unchecked)):
        print(line)
    said = "no tier" if tier is None or chosen.best else f"{tier.tier}, {tier.counted} of {tier.steps} steps pay"
    print(f"{said}{f'; {len(objections)} objections' if objections else ''}")


if __name__ == "__main__":
    main()
