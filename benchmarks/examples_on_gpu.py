"""Optimise every example on this machine's GPU and write what was measured, one JSON line an example, as it goes.

    python benchmarks/examples_on_gpu.py --out benchmarks/results/FILE.jsonl [--budget 12] [--seed 1] [--stop-after 500] [NAME ...]

An example that is in the file already is not run again, so a job cut short goes on where it stopped. Needs a GPU and nvcc.
"""

import argparse
import datetime
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

from regrapht.records.encoding import to_plain
from regrapht.records.run import Budget, RunOptions
from regrapht.session.finish import finish
from regrapht.session.launch import launch

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def inputs() -> list[Path]:
    """The examples: task folders and bare files."""
    return sorted([path.parent for path in EXAMPLES.glob("*/task.toml")] + list(EXAMPLES.glob("*.cpp")))


def run(path: Path, *, budget: int, seed: int) -> dict[str, object]:
    """One example, from launch to its result; everything a table needs, raw samples included."""
    started = time.monotonic()
    options = RunOptions(budget=Budget(candidates=budget), seed=seed, evaluator="local_gpu")
    with tempfile.TemporaryDirectory() as folder:
        result = finish(launch(path, options), out=Path(folder), observer=lambda event: None, stop=threading.Event())
    best = result.outcome.best
    row: dict[str, object] = {
        "example": path.stem,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "budget": budget,
        "seed": seed,
        "seconds": round(time.monotonic() - started, 1),
        "headline": result.headline,
        "passed": result.passed,
        "judged": result.outcome.judged,
    }
    if best is not None and best.verdict.timing is not None:
        row |= {
            "techniques": list(best.candidate.techniques),
            "labels": list(best.verdict.labels),
            "stages": [[stage.name.value, round(stage.seconds, 2)] for stage in best.verdict.stages],
            "environment": to_plain(best.verdict.environment),
            "shapes": [
                {
                    **to_plain(shape),
                    "median_us": shape.candidate.median_us,
                    "fraction_of_speed_of_light": shape.floor_fraction,
                }
                for shape in best.verdict.timing
            ],
            "source": best.candidate.source,
        }
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--stop-after", type=float, default=float("inf"), help="seconds after which no new example starts"
    )
    chosen = parser.parse_args()
    started = time.monotonic()
    done = (
        {json.loads(line)["example"] for line in chosen.out.read_text().splitlines()} if chosen.out.exists() else set()
    )
    for path in inputs():
        if path.stem in done or (chosen.names and path.stem not in chosen.names):
            continue
        if time.monotonic() - started > chosen.stop_after:
            print(f"out of time before {path.stem}", file=sys.stderr)
            return 0
        row = run(path, budget=chosen.budget, seed=chosen.seed)
        print(row["headline"], f"({row['seconds']} s)", flush=True)
        with chosen.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
