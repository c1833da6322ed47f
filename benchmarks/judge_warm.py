"""What a judge that stays takes for one more edit of a program: the part `warm` of `judge.py`."""

import itertools
import json
import re
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict

KINDS = (("wrong screened", Level.SCREEN), ("right screened", Level.SCREEN), ("right in full", Level.FULL))
_KERNEL_BODY = re.compile(r"__global__\b[^;{}]*\{")


def edited(source: str, number: int) -> str:
    """The program with one more line in its first kernel, so that nothing that was built or judged before serves for it."""
    return _KERNEL_BODY.sub(
        lambda found: f"{found[0]} const int edit_{number} = {number}; (void)edit_{number};", source, 1
    )


def spoilt(source: str) -> str:
    """The program with its blocks one place too far."""
    return source.replace("blockIdx.x", "(blockIdx.x + 1)", 1)


def warm(
    evaluator: Evaluator,
    programs: Iterable[tuple[Task, str]],
    candidate: Callable[[str], Candidate],
    *,
    turns: int,
    deadline: float,
) -> dict[str, Any]:
    """Medians over `turns` edits of each program: whole judgements, and every stage of them. Getting a task ready, and its first judgement,
    which makes what is kept between judgements, are told apart."""
    rows: list[dict[str, Any]] = []
    first: list[dict[str, Any]] = []
    numbers = itertools.count(1)
    for task, source in programs:
        if time.monotonic() > deadline:
            break
        begun = time.monotonic()
        evaluator.prepare(task, None)
        ready = time.monotonic()
        evaluator.evaluate(task, candidate(source), level=Level.FULL)
        first.append({"task": task.id, "ready_s": ready - begun, "first_s": time.monotonic() - ready})
        for _ in range(turns):
            for kind, level in KINDS:
                if time.monotonic() > deadline:
                    break
                text = edited(spoilt(source) if "wrong" in kind else source, next(numbers))
                begun = time.monotonic()
                verdict = evaluator.evaluate(task, candidate(text), level=level)
                rows.append({"task": task.id, "kind": kind, "seconds": time.monotonic() - begun, **_told(verdict)})
        print(task.id, json.dumps({kind: _of(rows, kind, task.id) for kind, _ in KINDS}), flush=True)
    return {"raw_first": first, "raw": rows, **{kind: _of(rows, kind) for kind, _ in KINDS}}


def _told(verdict: Verdict) -> dict[str, Any]:
    return {
        "status": verdict.status.value,
        "reason": verdict.reason,
        "stages": {stage.name.value: stage.seconds for stage in verdict.stages},
    }


def _of(rows: Sequence[Mapping[str, Any]], kind: str, task: str | None = None) -> dict[str, Any]:
    """Of the judgements that ended as they should; how many did not stands beside."""
    asked = [row for row in rows if row["kind"] == kind and task in (None, row["task"])]
    wanted = [row for row in asked if (row["status"] == "PASSED") == ("right" in kind)]
    if not wanted:
        return {"judged": len(asked), "as_wanted": 0}
    stages = {name for row in wanted for name in row["stages"]}
    return {
        "judged": len(asked),
        "as_wanted": len(wanted),
        "median_s": round(statistics.median(row["seconds"] for row in wanted), 3),
        "slowest_s": round(max(row["seconds"] for row in wanted), 3),
        "stages_median_s": {
            name: round(statistics.median(row["stages"][name] for row in wanted if name in row["stages"]), 3)
            for name in sorted(stages)
        },
    }
