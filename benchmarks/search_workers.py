"""What answering several proposals at once costs a search: the same budget of judged candidates with 1, 2, 4 and 8 workers, made-up worlds.

    python benchmarks/search_workers.py --save after.json
    python benchmarks/search_workers.py --report after.json --against before.json

An answer takes between half and one and a half units of time, drawn from the seed, so answers come back out of order. All worker counts
meet the same failures under one seed. `--against` is a file of the same worlds and seeds, from another version of the search. Gains are in
doublings over the plain program; intervals resample worlds and then seeds. No model, no compiler and no GPU is needed.
"""

import argparse
import heapq
import json
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from regrapht.bench.landscape.replay import TableJudge, TableProposer
from regrapht.bench.landscape.spoil import Spoil
from regrapht.bench.landscape.world_table import world_families
from regrapht.bench.study.campaign import Place, open_table, world_places
from regrapht.bench.study.methods import METHODS
from regrapht.bench.study.run import context_for
from regrapht.bench.study.statistics import nested_interval
from regrapht.records.proposal import Proposal
from regrapht.search.budget import Spending

BUDGETS = (50, 100, 200)
WORKERS = (1, 2, 4, 8)
Runs = dict[str, list[list[list[float]]]]
"""Workers to world to seed to gain by budget."""


def gains(place: Place, name: str, seed: int, spoil: float, workers: int) -> list[float]:
    """What the search would hand over after each budget, in doublings, with so many proposals out at a time."""
    table = open_table(place)
    proposer = TableProposer(
        table, seed=seed, spoil=Spoil(share=spoil, seed=seed, task=table.name, families=world_families())
    )
    judge = TableJudge(table, proposer)
    method = next(method for method in METHODS if method.name == name)
    search = method.open(context_for(table, proposer, budget=max(BUDGETS), seed=seed))
    spent, curve, out, now = Spending(), [0.0], list[tuple[float, int, Proposal]](), 0.0
    durations = random.Random(f"durations/{seed}")
    while True:
        while len(out) < workers and isinstance(proposal := search.ask(), Proposal):
            heapq.heappush(out, (now + durations.uniform(0.5, 1.5), proposal.id, proposal))
        if not out:
            return [curve[min(budget, len(curve) - 1)] for budget in BUDGETS]
        now, _, proposal = heapq.heappop(out)
        candidate = proposer.propose(table.task, proposal)
        verdict = judge.evaluate(table.task, candidate)
        search.tell(proposal, candidate, verdict)
        if spent.add(candidate, verdict):
            curve.append(curve[-1])
        found = search.best()
        if found is not None:
            curve[-1] = max(0.0, table.gain(proposer.program_of(found.candidate)) or 0.0)


def run(chosen: argparse.Namespace) -> Runs:
    """Every world and seed with every number of workers."""
    places = world_places(range(chosen.first_world, chosen.first_world + chosen.worlds), tasks=1)
    cells = [
        (place, chosen.search, seed, chosen.spoil, workers)
        for place in places
        for workers in chosen.workers
        for seed in range(chosen.seeds)
    ]
    with ProcessPoolExecutor(chosen.processes) as pool:
        found = np.array(list(pool.map(gains, *zip(*cells, strict=True), chunksize=2)))
    by = found.reshape(len(places), len(chosen.workers), chosen.seeds, len(BUDGETS))
    return {str(workers): by[:, i].tolist() for i, workers in enumerate(chosen.workers)}


def table_of(runs: Runs, before: Runs | None) -> str:
    """A row for each number of workers: gain, and the paired difference from one worker, of each version."""
    head = ["workers", "version", *(f"B={budget}" for budget in BUDGETS)]
    head += [f"minus one worker, B={budget}" for budget in BUDGETS]
    lines = [head, ["--"] * len(head)]
    for workers in runs:
        versions = {"before": before, "now": runs} if before else {"now": runs}
        for version, of in versions.items():
            values = np.array((of or runs)[workers])
            row = [workers, version, *(f"{mean:.3f}" for mean in values.mean(axis=(0, 1)))]
            row += [_difference(values, np.array((of or runs)["1"]), i) for i in range(len(BUDGETS)) if workers != "1"]
            lines.append([*row, *["-"] * (len(head) - len(row))])
        if before:
            row = [workers, "now minus before", *["-"] * len(BUDGETS)]
            row[2:] = [_difference(np.array(runs[workers]), np.array(before[workers]), i) for i in range(len(BUDGETS))]
            lines.append([*row, *["-"] * (len(head) - len(row))])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _difference(values: np.ndarray, other: np.ndarray, budget: int) -> str:
    found = nested_interval(values[:, :, budget] - other[:, :, budget])
    text = f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
    return f"**{text}**" if found.excludes_zero else text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", default="mcgs", choices=[method.name for method in METHODS])
    parser.add_argument("--first-world", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--spoil", type=float, default=0.3)
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--save", type=Path, help="where the gains of all runs go")
    parser.add_argument("--report", type=Path, nargs="+", help="run nothing: read these files, of different worlds")
    parser.add_argument("--against", type=Path, nargs="+", help="the same worlds and seeds with another version")
    chosen = parser.parse_args()
    runs = _joined(chosen.report) if chosen.report else run(chosen)
    if chosen.save:
        chosen.save.write_text(json.dumps(runs) + "\n")
    if "1" in runs:
        print(table_of(runs, _joined(chosen.against) if chosen.against else None))
    return 0


def _joined(files: list[Path]) -> Runs:
    """Runs of several files: their worlds one after the other, for the numbers of workers that they have."""
    runs: Runs = {}
    for file in files:
        for workers, worlds in json.loads(file.read_text()).items():
            runs.setdefault(workers, []).extend(worlds)
    return dict(sorted(runs.items(), key=lambda item: int(item[0])))


if __name__ == "__main__":
    raise SystemExit(main())
