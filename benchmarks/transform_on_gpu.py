"""What the transform engine reaches on a GPU, on twenty inputs: the plain version, the best of a search, the best after tuning.

    python benchmarks/transform_on_gpu.py --out benchmarks/results/FILE.jsonl [--part 1/4] [--stop-after 1500] [NAME ...]
    python benchmarks/transform_on_gpu.py --merge FILE.jsonl ... [--out MERGED.jsonl]

One JSON line an input, as it goes, raw samples included; an input that the file has is not run again, so that a job cut short goes on where
it stopped. Each input is searched with `--budget` (40) candidates and then tuned with `--tune` (30) settings; the best of either is judged
in full, beside the plain version. `vendor:` lines are times of cuBLAS, CUB and a copy of device memory. `--merge` prints a table and the
goals. Needs a GPU, nvcc and, for tuning, optuna. With `--evaluator emulated` the script itself can be tried anywhere: nothing is measured.
"""

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from regrapht import settings
from regrapht.errors import RegraphtError
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.encoding import to_plain
from regrapht.records.proposal import Judged, ProposalKind
from regrapht.records.run import Asked, Budget, RunOptions
from regrapht.records.verdict import Level, Verdict
from regrapht.search.reward import rank
from regrapht.session.finish import finish
from regrapht.session.launch import Launched, launch

sys.path.insert(0, str(Path(__file__).parent))
from transform_inputs import INPUTS, VENDOR, Input

GOALS = {"plain": 1.5, "memory_bound": 0.8, "cublas_sgemm": 0.5, "cub_sum": 0.9, "copy": 0.85}
"""Speed-up over the plain version (geometric mean), fraction of the speed of light, fractions of the vendor's speed."""
Row = dict[str, Any]


def measured(verdict: Verdict) -> Row:
    """What a verdict says of speed, raw samples included."""
    shapes = [
        {**to_plain(shape), "median_us": shape.candidate.median_us, "fraction_of_speed_of_light": shape.floor_fraction}
        for shape in verdict.timing or ()
    ]
    return {
        "status": verdict.status.value,
        "reason": verdict.reason,
        "labels": list(verdict.labels),
        "no_timing": verdict.no_timing,
        "shapes": shapes,
        "environment": to_plain(verdict.environment),
    }


def best_of_search(launched: Launched) -> Judged | None:
    """The best program before tuning."""
    events = launched.store.events(launched.run.id)
    tuned = {e.proposal.id for e in events if isinstance(e, Asked) and e.proposal.kind is ProposalKind.TUNE}
    found = [e for e in events if isinstance(e, Judged) and e.proposal_id not in tuned and e.verdict.passed]
    return max(found, key=lambda judged: rank(judged, launched.yardstick), default=None)


def run(one: Input, *, budget: int, tune: int, seed: int, workers: int, evaluator: str) -> Row:
    """Search, tuning, and three programs judged in full."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="transform-") as place:
        path = one.write(Path(place))
        options = RunOptions(
            budget=Budget(candidates=budget),
            seed=seed,
            workers=workers,
            evaluator=evaluator,
            tune=tune or None,
        )
        launched = launch(path, options)
        result = finish(launched, out=Path(place) / "out", observer=lambda event: None, stop=threading.Event())
    row: Row = {
        "input": one.name,
        "memory_bound": one.memory_bound,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "evaluator": launched.evaluator.name,
        "budget": budget,
        "tune": tune,
        "seed": seed,
        "workers": workers,
        "judged": result.outcome.judged,
        "headline": result.headline,
    }
    searched = best_of_search(launched)
    programs = {
        "plain": TransformProposer().plain(launched.task),
        "searched": searched.candidate if searched else None,
        "tuned": result.outcome.best.candidate if result.outcome.best and tune else None,
    }
    for name, candidate in programs.items():
        if candidate is not None:
            verdict = launched.evaluator.evaluate(launched.task, candidate, level=Level.FULL)
            row[name] = measured(verdict) | {
                "techniques": list(candidate.techniques),
                "decisions": candidate.origin.decisions,
                "source": candidate.source,
            }
    row["seconds"] = round(time.monotonic() - started, 1)
    return row


def vendor(name: str) -> Row:
    """The library's times in microseconds."""
    source, flags = VENDOR[name]
    nvcc = settings.nvcc() or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    row: Row = {"input": f"vendor:{name}", "date": datetime.now(UTC).isoformat(timespec="seconds")}
    with tempfile.TemporaryDirectory(prefix="vendor-") as folder:
        (Path(folder) / "timed.cu").write_text(source)
        for command in ([nvcc, "-O3", "-std=c++17", "-arch=native", "timed.cu", "-o", "timed", *flags], ["./timed"]):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                return row | {"failed": f"{' '.join(command)}: {done.stderr[-500:]}"}
    samples = [float(line) for line in done.stdout.split()]
    return row | {"samples_us": samples, "median_us": statistics.median(samples)}


# ---- reading what was measured


def time_us(row: Row | None, program: str) -> float | None:
    """The time of one program of a row, the geometric mean over its shapes; None where none was measured."""
    shapes = ((row or {}).get(program) or {}).get("shapes") or []
    return math.exp(statistics.fmean(math.log(shape["median_us"]) for shape in shapes)) if shapes else None


def fraction(row: Row) -> float | None:
    """The fraction of the speed of light that the best program of a row reached."""
    shapes = (row.get("tuned") or row.get("searched") or {}).get("shapes") or []
    found = [shape["fraction_of_speed_of_light"] for shape in shapes if shape["fraction_of_speed_of_light"]]
    return math.exp(statistics.fmean(map(math.log, found))) if found else None


def summary(rows: Mapping[str, Row]) -> list[str]:
    """A table, and the goals with what was reached."""
    lines = [
        "| input | plain us | searched us | tuned us | x plain | of speed of light | of vendor |",
        "|---|---|---|---|---|---|---|",
    ]
    ratios: list[float] = []
    bound: list[float] = []
    against: dict[str, float] = {}
    for one in INPUTS:
        row = rows.get(one.name)
        if row is None:
            continue
        plain, searched, tuned = (time_us(row, name) for name in ("plain", "searched", "tuned"))
        best, light = tuned or searched, fraction(row)
        library = (rows.get(f"vendor:{one.vendor}") or {}).get("median_us") if one.vendor else None
        if plain and best:
            ratios.append(plain / best)
        if light and one.memory_bound:
            bound.append(light)
        if library and best and one.vendor:
            against[one.vendor] = library / best
        cells = [shown(value) for value in (plain, searched, tuned, plain / best if plain and best else None, light)]
        lines.append(f"| {one.name} | {' | '.join(cells)} | {shown(against.get(one.vendor or ''))} |")
    return [*lines, "", *goals(ratios, bound, against)]


def goals(ratios: Sequence[float], bound: Sequence[float], against: Mapping[str, float]) -> list[str]:
    mean = math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None
    lines = [f"over the plain version, geometric mean of {len(ratios)}: {shown(mean)} x (goal {GOALS['plain']})"]
    reached = sum(value >= GOALS["memory_bound"] for value in bound)
    lines.append(
        f"memory-bound inputs at {GOALS['memory_bound']} of the speed of light or more: {reached} of {len(bound)}"
    )
    for name in VENDOR:
        lines.append(f"of {name}'s speed: {shown(against.get(name))} (goal {GOALS[name]})")
    return lines


def shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def read(paths: Iterable[Path]) -> dict[str, Row]:
    """The rows of files by input; of two of one input the later."""
    rows = [json.loads(line) for path in paths if path.exists() for line in path.read_text().splitlines() if line]
    return {row["input"]: row for row in sorted(rows, key=lambda row: row["date"])}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="inputs, or vendor:NAME; all by default")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--merge", type=Path, nargs="+", metavar="FILE", help="print what these files say together")
    parser.add_argument("--budget", type=int, default=40)
    parser.add_argument("--tune", type=int, default=30, help="settings to judge after the search; 0 does not tune")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="candidates judged at a time, an input")
    parser.add_argument("--part", default="1/1", help="i/n: every n-th input from the i-th on")
    parser.add_argument("--stop-after", type=float, default=math.inf, help="seconds after which no new input starts")
    parser.add_argument("--evaluator", default="local_gpu")
    chosen = parser.parse_args()
    if chosen.merge:
        rows = read(chosen.merge)
        if chosen.out:
            chosen.out.write_text("".join(json.dumps(row) + "\n" for row in rows.values()))
        print("\n".join(summary(rows)))
        return 0
    if chosen.out is None:
        parser.error("--out FILE is needed")
    started, done = time.monotonic(), read([chosen.out])
    first, parts = map(int, chosen.part.split("/"))
    work: list[Input | str] = [*INPUTS, *(VENDOR if chosen.evaluator == "local_gpu" else ())]
    for one in work[first - 1 :: parts]:
        name = one.name if isinstance(one, Input) else f"vendor:{one}"
        if name in done or (chosen.names and name not in chosen.names):
            continue
        if time.monotonic() - started > chosen.stop_after:
            print(f"out of time before {name}", file=sys.stderr)
            return 0
        options = {
            "budget": chosen.budget,
            "tune": chosen.tune,
            "seed": chosen.seed,
            "workers": chosen.workers,
            "evaluator": chosen.evaluator,
        }
        try:
            row = run(one, **options) if isinstance(one, Input) else vendor(one)
        except RegraphtError as error:  # the others go on, and this one is tried again by the next call
            print(f"{name} failed: {error}", file=sys.stderr, flush=True)
            continue
        print(name, row.get("headline") or row.get("failed") or row.get("median_us"), flush=True)
        with chosen.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
