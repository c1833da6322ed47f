"""What each family of checks adds to a judgement in full on the emulator: ratios of judgements with all of them to ones without it.

    python benchmarks/judge_families.py [--tasks 10] [--rounds 3] [--stop-after SECONDS] [--out FILE]

Ways to judge follow each other in each round, so that other work of the machine slows all of them; bench shapes are left out, so that
shares are the largest that they come to. One JSON line a task, medians over the rounds.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))
from judge import candidate, right_candidates

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox

_CHOSEN, _ORACLE = "regrapht.evaluate.cases.chosen_cases", "regrapht.evaluate.cases.oracle"
_WITHOUT: dict[str, dict[str, Any]] = {
    "all": {},
    "never_taken, never_equal_to, locals, own arrays": {
        "regrapht.evaluate.emulated.look_at_own_arrays": lambda *_, **__: None
    },
    "met": {f"{_CHOSEN}.met_scalars": lambda *_: ()},
    "beyond": {f"{_CHOSEN}.beyond_own_numbers": lambda *_, **__: None},
    "scalars": {f"{_CHOSEN}.scalar_changes": lambda *_: []},
    "alike sizes": {f"{_ORACLE}.alike_sizes": lambda *_, **__: []},
    "lone and block sizes": {f"{_ORACLE}.{name}": lambda *_, **__: [] for name in ("lone_sizes", "block_sizes")},
}
"""Family -> what stands in the place of its parts in a judgement without it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="seconds: no further task is begun")
    parser.add_argument("--out", type=Path, help="append the lines to this file")
    options = parser.parse_args()
    begun, ratios = time.monotonic(), {}
    for number, (task, source) in enumerate(right_candidates()):
        if number == options.tasks or time.monotonic() - begun > options.stop_after:
            break
        line = {"task": task.id, "rounds": options.rounds, "with_to_without": measured(task, source, options.rounds)}
        for family, ratio in line["with_to_without"].items():
            ratios.setdefault(family, []).append(ratio)
        _tell(line, options.out)
    _tell(
        {"tasks": number, "medians": {name: round(statistics.median(all_), 3) for name, all_ in ratios.items()}},
        options.out,
    )
    return 0


def measured(task: Task, source: str, rounds: int) -> dict[str, float]:
    """Family -> the median ratio of a judgement with all families to one without it."""
    judge, task = EmulatedEvaluator(choose_sandbox()), replace(task, bench_sizes=())
    seconds: dict[str, list[float]] = {name: [] for name in _WITHOUT}
    for turn in range(rounds + 1):
        for name in _WITHOUT:
            with _without(name):
                start = time.monotonic()
                verdict = judge.evaluate(task, candidate(source), level=Level.FULL)
                if turn:  # what is made once a task is ready then
                    seconds[name].append(time.monotonic() - start)
            if not verdict.passed:
                raise SystemExit(f"{task.id}: {verdict.status}: {verdict.reason}")
    pairs = {name: zip(seconds["all"], times, strict=True) for name, times in seconds.items() if name != "all"}
    return {name: round(statistics.median(whole / less for whole, less in both), 3) for name, both in pairs.items()}


@contextmanager
def _without(family: str) -> Iterator[None]:
    with ExitStack() as patched:
        for place, stand_in in _WITHOUT[family].items():
            patched.enter_context(mock.patch(place, stand_in))
        yield


def _tell(line: dict[str, Any], out: Path | None) -> None:
    print(json.dumps(line), flush=True)
    if out is not None:
        with out.open("a") as file:
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    sys.exit(main())
