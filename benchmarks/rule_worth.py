"""What each rule of the transform engine is worth: programs with it and without, timed in turn for several rounds.

    python benchmarks/rule_worth.py --out benchmarks/results/FILE.jsonl --seconds 500 [--rules warp_per_row,memory_coalescing] [--tasks ...]
    python benchmarks/rule_worth.py --table FILE.jsonl
    python benchmarks/rule_worth.py --list

One JSON line a round of a case, as it goes, raw samples included; rounds that the file has are not run again, so that a job cut short goes
on where it stopped. No judgement begins after `--seconds`. A case is a task, the steps before the rule, and the rule behind them, as
`data/rule_worth.toml` names them; `instead` compares with another rule in its place. Programs are judged as a search screens them, so that
a wrong one has no time; `REGRAPHT_BENCH_SETS=1` saves time in short slices. Of each task the quickest step of its reference trajectory is
timed once beside them. With `--evaluator emulated` nothing is measured: the figures are ratios of modelled costs, and the table says so.
"""

import argparse
import json
import math
import statistics
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from regrapht.assemble import open_evaluator, open_task
from regrapht.bench.admit.solutions import fastest_step, read_solution
from regrapht.bench.suite import open_suite
from regrapht.errors import CannotTransform, RegraphtError
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.encoding import to_plain
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict
from regrapht.source.program_hash import program_hash
from regrapht.transform import BY_SLUG, DoesNotApply, Engine, read_steps

HERE = Path(__file__).parent
ROOT = HERE.parent
SOLUTIONS = ROOT / "trajectories" / "cudaeval"
SECRET = 20261127
"""All programs of a case are given the same data, and no verdict comes from a cache."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A rule at one task."""

    rule: str
    task: str
    before: str
    """Steps that both programs have."""
    last: str
    """The step that one of them has besides: the rule, perhaps with values."""
    instead: str = ""
    """What the other has in its place."""

    @property
    def key(self) -> tuple[str, ...]:
        """What tells rows of cases apart."""
        return self.rule, self.task, self.before, self.last, self.instead

    @property
    def steps(self) -> dict[str, str]:
        """The two programs, `without` and `with`, as steps."""
        return {"without": _joined(self.before, self.instead), "with": _joined(self.before, self.last)}


def _joined(*steps: str) -> str:
    return ",".join(step for step in steps if step)


def cases(rules: Sequence[str] = (), tasks: Sequence[str] = ()) -> list[Case]:
    """The cases of some rules and tasks, of all by default, the rules in the order of the file."""
    found = []
    for rule, entries in tomllib.loads((HERE / "data" / "rule_worth.toml").read_text()).items():
        for one in entries:
            case = Case(
                rule=rule,
                task=one["task"],
                before=one.get("before", "map"),
                last=one.get("last", rule),
                instead=one.get("instead", ""),
            )
            if (not rules or rule in rules) and (not tasks or case.task in tasks):
                found.append(case)
    return sorted(found, key=lambda case: rules.index(case.rule)) if rules else found


def tasks_named(names: Collection[str]) -> dict[str, Task]:
    """Tasks by name: of cudaeval, or a folder of this checkout where the name has a slash."""
    suite = {one.task.id: one.task for one in open_suite("cudaeval").tasks}
    return {name: open_task(ROOT / name).task if "/" in name else suite[name] for name in names}


def programs(engine: Engine, task: Task, case: Case) -> dict[str, Candidate]:
    """The programs of a case.

    Raises:
        CannotTransform, DoesNotApply: There is none.
    """
    texts = {name: engine.text(task, engine.follow(task, read_steps(steps))) for name, steps in case.steps.items()}
    if len(set(texts.values())) < len(texts):
        raise DoesNotApply(f"{case.last} changes nothing here")
    return {name: given(text) for name, text in texts.items()}


def given(text: str) -> Candidate:
    """A text as a candidate."""
    return Candidate(source=text, program_hash=program_hash(text), origin=Origin(proposer="given", seconds=0.0))


def told(verdict: Verdict) -> Row:
    """What a verdict says of speed, raw samples included."""
    shapes = [
        {"sizes": dict(one.sizes), "samples_us": [float(f"{us:.5g}") for us in one.candidate.samples_us]}
        for one in verdict.timing or ()
    ]
    row: Row = {"status": verdict.status.value, "us": verdict.time_us, "shapes": shapes}
    row["modelled"] = verdict.evidence.modelled_cost if verdict.evidence is not None else None
    return row if verdict.passed else row | {"reason": verdict.reason}


class Measurement:
    """Runs cases until the clock says stop, and writes each round when it is done. Safe to use from several threads."""

    def __init__(
        self, evaluator: Evaluator, chosen: Sequence[Case], out: Path, *, rounds: int, deadline: float
    ) -> None:
        self._evaluator, self._out, self._rounds, self._deadline = evaluator, out, rounds, deadline
        self._engine, self._lock = Engine(), threading.Lock()
        self._tasks = tasks_named({case.task for case in chosen})
        self._done = {_key(row) for row in read(out)}

    def run(self, case: Case) -> None:
        """All rounds of one case."""
        task = self._tasks[case.task]
        if all((*case.key, number) in self._done for number in range(self._rounds)):
            return
        try:
            found = programs(self._engine, task, case)
        except (CannotTransform, DoesNotApply) as error:
            print(f"{case.rule} at {case.task}: {error}", file=sys.stderr, flush=True)
            return
        for number in range(self._rounds):
            if (*case.key, number) in self._done:
                continue
            order = ("without", "with") if number % 2 == 0 else ("with", "without")
            row: Row = {}
            for name in order:
                if time.monotonic() > self._deadline:
                    return
                row[name] = told(self._evaluator.evaluate(task, found[name], level=Level.SCREEN))
            self._write(case, number, row)

    def hand(self, name: str) -> None:
        """The quickest step of a task's reference trajectory, once."""
        task = self._tasks[name]
        best, steps = fastest_step(SOLUTIONS, task), read_solution(SOLUTIONS, task.id)
        key = ("hand", name, "", "", "", 0)
        if key in self._done or time.monotonic() > self._deadline or not (best or steps):
            return
        step = best.step if best is not None else steps[-1]
        verdict = self._evaluator.evaluate(task, given(step.source), level=Level.SCREEN)
        case = Case(rule="hand", task=name, before="", last="")
        self._write(case, 0, {"with": told(verdict) | {"step": step.file.name}})

    def _write(self, case: Case, number: int, row: Row) -> None:
        line = {
            "rule": case.rule,
            "task": case.task,
            "before": case.before,
            "last": case.last,
            "instead": case.instead,
            "round": number,
            **row,
            "evaluator": self._evaluator.name,
            "protocol": self._evaluator.protocol,
            "device": to_plain(self._evaluator.environment())["device"],
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with self._lock, self._out.open("a") as file:
            file.write(json.dumps(line) + "\n")
        said = {name: row[name].get("us") or row[name]["status"] for name in ("without", "with") if name in row}
        print(case.rule, case.task, number, said, file=sys.stderr, flush=True)


def _key(row: Row) -> tuple[Any, ...]:
    return row["rule"], row["task"], row["before"], row["last"], row["instead"], row["round"]


def read(path: Path) -> list[Row]:
    """The rows of a file; none where there is none. A line that was cut off is left out."""
    rows = []
    for line in path.read_text().splitlines() if path.is_file() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            print(f"{path}: a line that was cut off is left out", file=sys.stderr)
    return rows


def table(rows: Sequence[Row]) -> str:
    """Each case with its ratio, above 1 where the program with the rule is quicker, and each rule with the geometric mean of its tasks."""
    kind = "us" if any((row.get("with") or {}).get("us") for row in rows) else "modelled"
    hands = {
        row["task"]: row["with"][kind] for row in rows if row["rule"] == "hand" and row["with"]["status"] == "PASSED"
    }
    unit = "µs" if kind == "us" else "modelled cost"
    lines = [
        f"| rule | task | beside | without, {unit} | with, {unit} | times as quick | rounds | hand, {unit} |",
        "|---|---|---|---|---|---|---|---|",
    ]
    by_case: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row["rule"] != "hand":
            by_case.setdefault(_key(row)[:-1], []).append(row)
    worth: dict[str, list[float]] = {}
    for (rule, task, before, last, instead), of in by_case.items():
        pairs = [(row["without"][kind], row["with"][kind]) for row in of if _both_passed(row, kind)]
        beside = f"{before}, {last}" + (f" for {instead}" if instead else "")
        if not pairs:
            found = {row[name]["status"] for row in of for name in ("without", "with")} - {"PASSED"}
            why = ", ".join(sorted(found)) or "has no figure"
            lines.append(f"| {rule} | {task} | {beside} | | | {why} | {len(of)} | |")
            continue
        ratios = [without / having for without, having in pairs]
        if not instead:
            worth.setdefault(rule, []).append(_mean(ratios))
        medians = " | ".join(f"{statistics.median(values):.4g}" for values in zip(*pairs, strict=True))
        spread = f"{_mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        hand = f"{hands[task]:.4g}" if hands.get(task) else ""
        lines.append(f"| {rule} | {task} | {beside} | {medians} | {spread} | {len(pairs)} | {hand} |")
    lines.append("")
    lines += [f"{rule}: {_mean(values):.2f} over {len(values)} tasks" for rule, values in worth.items()]
    return "\n".join(lines)


def _both_passed(row: Row, kind: str) -> bool:
    return all(row[name]["status"] == "PASSED" and row[name][kind] for name in ("without", "with"))


def _mean(values: Iterable[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def work(measurement: Measurement, chosen: Sequence[Case], workers: int) -> int:
    """All cases, some at a time; how many failed by a fault of the machine."""
    jobs: list[Callable[[], None]] = []
    timed: set[str] = set()
    for case in chosen:
        jobs.append(lambda case=case: measurement.run(case))  # type: ignore[misc]
        if case.task not in timed:
            timed.add(case.task)
            jobs.append(lambda name=case.task: measurement.hand(name))  # type: ignore[misc]
    failed = 0
    with ThreadPoolExecutor(workers) as pool:
        for job in [pool.submit(job) for job in jobs]:
            try:
                job.result()
            except RegraphtError as error:  # the others go on, and this one is tried again by the next call
                failed += 1
                print(f"failed: {error}", file=sys.stderr, flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true", help="print the cases, and whether their steps apply")
    parser.add_argument("--rules", default="", help="names, by commas; all by default")
    parser.add_argument("--tasks", default="", help="names, by commas; all by default")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no judgement after so many seconds")
    parser.add_argument("--workers", type=int, default=4, help="cases at a time; each is timed alone")
    parser.add_argument("--evaluator", default="local_gpu", choices=("local_gpu", "emulated"))
    asked = parser.parse_args()
    began = time.monotonic()
    if asked.table is not None:
        print(table(read(asked.table)))
        return 0
    rules = [name for name in asked.rules.split(",") if name]
    if unknown := [name for name in rules if name not in BY_SLUG]:
        parser.error(f"there is no rule {unknown[0]}")
    chosen = cases(rules, [name for name in asked.tasks.split(",") if name])
    if not chosen:
        parser.error("there is no such case; see --list")
    if asked.list:
        return listed(chosen)
    if asked.out is None:
        parser.error("--out FILE is needed")
    measurement = Measurement(
        open_evaluator(asked.evaluator, secret=SECRET),
        chosen,
        asked.out,
        rounds=asked.rounds,
        deadline=began + asked.seconds,
    )
    failed = work(measurement, chosen, asked.workers)
    print(table(read(asked.out)))
    return 1 if failed else 0


def listed(chosen: Sequence[Case]) -> int:
    """Print the cases; how many do not apply."""
    engine, broken, tasks = Engine(), 0, tasks_named({case.task for case in chosen})
    for case in chosen:
        try:
            programs(engine, tasks[case.task], case)
            said = "applies"
        except (CannotTransform, DoesNotApply) as error:
            broken, said = broken + 1, str(error).splitlines()[0]
        print(case.rule, case.task, case.steps["with"], said, sep="\t", flush=True)
    return broken


if __name__ == "__main__":
    sys.exit(main())
