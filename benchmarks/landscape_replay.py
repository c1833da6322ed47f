"""How many simulations a minute one core replays over a landscape, the search's own work included. Prints one JSON line a search.

    python benchmarks/landscape_replay.py [--landscape FILE] [--search mcgs ...] [--seeds 20]

A simulation is one proposal asked for, answered, judged and told. The goal is 50 000 a minute. Without `--landscape` a made-up task is
used, whose programs are computed and not looked up.
"""

import argparse
import json
import platform
import time
from pathlib import Path

from study.landscape.spoil import Spoil
from study.landscape.table import RecordedTable, Table
from study.landscape.world_table import WorldTable
from study.landscape.worlds import World
from study.methods import METHODS
from study.run import run_cell

from regrapht.bench.landscape.files import load_landscape
from regrapht.graph.shipped import shipped_graph

GOAL = 50_000


def simulations_a_minute(table: Table, name: str, *, seeds: int, share: float) -> tuple[int, float]:
    """Simulations and how many go into a minute of one core's time."""
    method = next(method for method in METHODS if method.name == name)
    simulations, started = 0, time.process_time()
    for seed in range(seeds):
        cell = run_cell(table, method, seed=seed, spoil=Spoil(share=share, seed=seed, task=table.name))
        simulations += cell.proposals
    return simulations, 60 * simulations / (time.process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--landscape", type=Path)
    parser.add_argument("--search", nargs="*", default=["mcgs", "greedy-chain", "fsr", "random-walk"])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--spoil", type=float, default=0.3)
    chosen = parser.parse_args()
    table: Table = WorldTable(World.draw(0).task(0, 0))
    if chosen.landscape is not None:
        table = RecordedTable(load_landscape(chosen.landscape), shipped_graph())
    for name in chosen.search:
        simulations_a_minute(table, name, seeds=1, share=chosen.spoil)  # graph and optimum are made once a process
        simulations, rate = simulations_a_minute(table, name, seeds=chosen.seeds, share=chosen.spoil)
        result = {
            "benchmark": "landscape_replay",
            "landscape": table.name,
            "values": table.values.value,
            "search": name,
            "spoil": chosen.spoil,
            "simulations": simulations,
            "simulations_per_minute_of_one_core": round(rate),
            "goal": GOAL,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
