"""What answering several proposals at once costs a search: the same budget of judged candidates with 1, 2, 4 and 8 workers, made-up worlds.

    python benchmarks/search_workers.py --save waiting.json
    python benchmarks/search_workers.py --patience 0 --save busy.json
    python benchmarks/search_workers.py --report waiting.json --against busy.json

An answer takes between half and one and a half units of time, drawn from the seed, so answers come back out of order. All worker counts
meet the same failures under one seed, and every budget is a run of its own. `--against` is a file of the same worlds and seeds, with other
dials or another version of the search. Gains are in doublings over the plain program; intervals resample worlds and then seeds. `time` is
that of a run, in units of an answer, and `busy` the share of it that a worker has something to do. No model, no compiler and no GPU is
needed.
"""

import argparse
import heapq
import json
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from study.campaign import Place, open_table, world_places
from study.landscape.replay import TableJudge, TableProposer
from study.landscape.spoil import Spoil
from study.landscape.world_table import world_families
from study.methods import METHODS, Dials
from study.run import context_for
from study.statistics import RESAMPLES

from regrapht.bench.intervals import bootstrap_mean
from regrapht.records.proposal import Proposal

BUDGETS = (50, 100, 200)
WORKERS = (1, 2, 4, 8)
Runs = dict[str, list[list[list[list[float]]]]]
"""Workers to world to seed to budget to gain, time and busy share."""


def gains(place: Place, name: str, dials: Dials, seed: int, spoil: float, workers: int) -> list[list[float]]:
    """For each budget what the search hands over with so many workers, in doublings, the time it took and the share that they were busy."""
    return [_run(place, name, dials, seed, spoil, workers, budget) for budget in BUDGETS]


def _run(place: Place, name: str, dials: Dials, seed: int, spoil: float, workers: int, budget: int) -> list[float]:
    table = open_table(place)
    proposer = TableProposer(
        table, seed=seed, spoil=Spoil(share=spoil, seed=seed, task=table.name, families=world_families())
    )
    judge = TableJudge(table, proposer)
    method = next(method for method in METHODS if method.name == name).with_values(dials)
    search = method.open(context_for(table, proposer, budget=budget, seed=seed))
    out, now, worked = list[tuple[float, int, Proposal]](), 0.0, 0.0
    durations = random.Random(f"durations/{seed}")
    while True:
        while len(out) < workers and isinstance(proposal := search.ask(), Proposal):
            takes = durations.uniform(0.5, 1.5)
            worked += takes
            heapq.heappush(out, (now + takes, proposal.id, proposal))
        if not out:
            break
        now, _, proposal = heapq.heappop(out)
        candidate = proposer.propose(table.task, proposal)
        search.tell(proposal, candidate, judge.evaluate(table.task, candidate))
    found = search.best()
    gain = 0.0 if found is None else max(0.0, table.gain(proposer.program_of(found.candidate)) or 0.0)
    return [gain, now, worked / (now * workers)]


def run(chosen: argparse.Namespace) -> Runs:
    """Every world and seed with every number of workers."""
    places = world_places(range(chosen.first_world, chosen.first_world + chosen.worlds), tasks=1)
    dials = {} if chosen.patience is None else {"patience": chosen.patience}
    cells = [
        (place, chosen.search, dials, seed, chosen.spoil, workers)
        for place in places
        for workers in chosen.workers
        for seed in range(chosen.seeds)
    ]
    if chosen.processes == 1:
        found = np.array([gains(*cell) for cell in cells])
    else:
        with ProcessPoolExecutor(chosen.processes) as pool:
            found = np.array(list(pool.map(gains, *zip(*cells, strict=True), chunksize=2)))
    by = found.reshape(len(places), len(chosen.workers), chosen.seeds, len(BUDGETS), -1)
    return {str(workers): by[:, i].tolist() for i, workers in enumerate(chosen.workers)}


def table_of(runs: Runs, against: Runs | None) -> str:
    """A row for each number of workers: gain, time, busy share, and the paired difference from one worker, of each version."""
    head = ["workers", "version", *(f"B={budget}" for budget in BUDGETS)]
    head += [f"{what}, B={budget}" for what in ("time", "busy", "minus one worker") for budget in BUDGETS]
    lines = [head, ["--"] * len(head)]
    for workers in runs:
        versions = {"other": against, "this": runs} if against else {"this": runs}
        for version, of in versions.items():
            values, one = np.array((of or runs)[workers]), np.array((of or runs)["1"])
            means = values.mean(axis=(0, 1))
            row = [workers, version, *(f"{mean:.3f}" for mean in means[:, 0])]
            row += [f"{mean:.1f}" for mean in means[:, 1]] + [f"{mean:.2f}" for mean in means[:, 2]]
            row += [_difference(values, one, i) for i in range(len(BUDGETS)) if workers != "1"]
            lines.append([*row, *["-"] * (len(head) - len(row))])
        if against:
            values, others = np.array(runs[workers]), np.array(against[workers])
            row = [workers, "this minus other", *(_difference(values, others, i) for i in range(len(BUDGETS)))]
            lines.append([*row, *["-"] * (len(head) - len(row))])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _difference(values: np.ndarray, other: np.ndarray, budget: int) -> str:
    found = bootstrap_mean(values[:, :, budget, 0] - other[:, :, budget, 0], resamples=RESAMPLES)
    text = f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
    return f"**{text}**" if found.excludes_zero else text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", default="mcgs", choices=[method.name for method in METHODS])
    parser.add_argument("--first-world", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--spoil", type=float, default=0.3)
    parser.add_argument("--patience", type=float, help="the dial of `mcgs`; 0 keeps every worker busy")
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
