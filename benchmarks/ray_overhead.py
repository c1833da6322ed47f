"""What Ray costs: judgements by a made-up judge of known time, asked through `--cluster local:N` and asked in this process. Prints one JSON
line a time of the judge.

    python benchmarks/ray_overhead.py [--judges 2] [--seconds 0.1 0.3 1.0] [--judgements 60] [--out FILE]

The judge sleeps for its time and takes no core, so that what is left is the travel: records to text, Ray's queue, and back. Both ways have
as many threads that ask as there are judges, and the same candidates, with sources of real length. Starting the cluster is told apart.
Nothing here is said of a GPU: a judge there holds its device for about the third time, or longer.
"""

import argparse
import json
import os
import platform
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from regrapht.evaluate.evaluator import Availability, Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.run import Budget
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_task,
    synthetic_verdict,
)

WORLD = SyntheticWorld.draw(3)
TASK = synthetic_task()
SOURCE_BYTES = 8000


class SleepingJudge:
    """An evaluator that takes its time, and no core; actors of Ray make it by its name. Its seconds are in the environment."""

    name, protocol = "sleeping", "1"

    def __init__(self, sandbox: object = None) -> None:
        self.seconds = float(os.environ["RAY_OVERHEAD_SECONDS"])

    def availability(self) -> Availability:
        return Availability(available=True)

    def environment(self) -> Environment:
        return SyntheticEvaluator(world=WORLD).environment()

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick | None:
        return synthetic_context(WORLD, synthetic_graph(WORLD, seed=1), budget=Budget(candidates=1)).yardstick

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        time.sleep(self.seconds)
        return synthetic_verdict(
            Status.PASSED, cost=len(candidate.source or ""), level=level, candidate_id=candidate.id
        )


def candidates(count: int) -> list[Candidate]:
    """Different programs of real length."""
    padding = "int padding;\n"
    texts = (f"// {number}\n" + padding * (SOURCE_BYTES // len(padding)) for number in range(count))
    return [
        Candidate(source=text, program_hash=text[:20], origin=Origin(proposer="benchmark", seconds=0.0))
        for text in texts
    ]


def seconds_of(judge: Evaluator, asked: list[Candidate], threads: int) -> float:
    """How long all of them take, every verdict looked at."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        verdicts = list(pool.map(lambda one: judge.evaluate(TASK, one, level=Level.SCREEN), asked))
    took = time.perf_counter() - begun
    assert [verdict.candidate_id for verdict in verdicts] == [one.id for one in asked], (
        "a verdict is missing or another one's"
    )
    return took


def measure(seconds: float, judges: int, judgements: int) -> dict[str, object]:
    """One time of the judge, both ways in turn: here, there, there, here."""
    from regrapht.evaluate.ray_cluster import RayEvaluator

    os.environ["RAY_OVERHEAD_SECONDS"] = str(seconds)
    begun = time.perf_counter()
    there = RayEvaluator(f"local:{judges}", "ray_overhead:SleepingJudge")
    there.prepare(TASK, None)
    started = time.perf_counter() - begun
    here = SleepingJudge()
    asked = candidates(judgements)
    seconds_of(there, asked[: 2 * judges], judges)
    taken: dict[str, list[float]] = {"here": [], "ray": []}
    for way, judge in (("here", here), ("ray", there), ("ray", there), ("here", here)):
        taken[way].append(seconds_of(judge, asked, judges))
    there.close()
    ideal = seconds * -(-judgements // judges)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "judge_seconds": seconds,
        "judges": judges,
        "judgements": judgements,
        "ideal_s": ideal,
        **{f"{way}_s": [round(one, 3) for one in all_] for way, all_ in taken.items()},
        "overhead": round(min(taken["ray"]) / min(taken["here"]) - 1, 4),
        "ms_per_judgement": round((min(taken["ray"]) - min(taken["here"])) * judges / judgements * 1e3, 2),
        "start_s": round(started, 1),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "ray": sys.modules["ray"].__version__,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judges", type=int, default=2)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1, 0.3, 1.0])
    parser.add_argument("--judgements", type=int, default=60)
    parser.add_argument("--out", type=Path, help="append the lines to this file")
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(__file__).parent), os.environ.get("PYTHONPATH")]))
    for seconds in options.seconds:
        line = json.dumps(measure(seconds, options.judges, options.judgements))
        print(line, flush=True)
        if options.out is not None:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


if __name__ == "__main__":
    main()
