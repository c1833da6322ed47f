"""Which techniques pay at a program, by trying all: are they among those that `graph.next_technique` names first?

    python benchmarks/next_that_pays.py [--landscapes benchmarks/landscapes/measured]

A recorded landscape has every technique that the transform engine can apply at a program, with the time of what comes out. A technique
*pays* where its first setting makes the program faster by 3 % or more, as in the tiers of a suite. Asked are programs where one does. The
task and its near-duplicates teach nothing. *Of the offered* ranks what the engine can apply there; *of all* names five techniques of the
whole vocabulary, of which the engine knows a part. *At random* draws among the offered. Figures are means over landscapes, with 95 %
intervals by drawing landscapes. Prints one JSON line a row.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from math import comb
from pathlib import Path

import numpy as np
from study.landscape.table import RecordedTable

from regrapht.assemble import open_graph
from regrapht.bench.landscape.files import load_landscape
from regrapht.graph.next_technique import Exponents, NextTechnique
from regrapht.graph.query import Viewer, near_duplicates

ROOT = Path(__file__).resolve().parents[1]
PAYS = float(np.log2(1.03))
"""In doublings."""
PLACES = (1, 3, 5)


def applied_to(table: RecordedTable) -> dict[str, tuple[str, ...]]:
    """The techniques of each program, by the shortest way to it."""
    first = table.first(0)
    assert first is not None, "a landscape has a first program"
    found, todo = {first.program: first.techniques}, [first.program]
    for program in todo:
        for technique in table.techniques(program):
            attempt = 0
            while (way := table.way(program, technique, attempt)) is not None:
                if way.program not in found:
                    found[way.program] = (*found[program], *way.techniques)
                    todo.append(way.program)
                attempt += 1
    return found


def gains_at(table: RecordedTable, program: str) -> dict[str, float]:
    """For each technique that was tried there, what its first setting gained, in doublings."""
    here, found = table.gain(program), {}
    for technique in table.techniques(program):
        way = table.way(program, technique, 0)
        there = None if way is None else table.gain(way.program)
        if here is not None and there is not None:
            found[technique] = there - here
    return found


def answers(table: RecordedTable, model: NextTechnique) -> Iterator[dict[str, float]]:
    """Figures of each program at which a technique pays."""
    for program, applied in applied_to(table).items():
        gains = gains_at(table, program)
        paying = {technique for technique, gain in gains.items() if gain >= PAYS}
        if not paying:
            continue
        ranked = list(model.shares(table.source(program), table.task.reference.source.text, applied))
        offered = [technique for technique in ranked if technique in gains]
        best = max(gains.values())
        row = {"offered": float(len(gains)), "paying": float(len(paying))}
        for n in PLACES:
            row[f"one pays at {n}"] = float(bool(paying & set(offered[:n])))
            row[f"one pays at {n}, at random"] = 1 - comb(len(gains) - len(paying), n) / comb(
                len(gains), min(n, len(gains))
            )
            row[f"share of the best gain at {n}"] = max(0.0, *(gains[technique] for technique in offered[:n])) / best
        row["one pays at 5, of all"] = float(bool(paying & set(ranked[:5])))
        yield row


def told(values: list[float]) -> list[object]:
    """Mean and interval."""
    chance, all_of = np.random.default_rng(1), np.array(values)
    means = all_of[chance.integers(len(all_of), size=(2000, len(all_of)))].mean(axis=1)
    return [round(float(all_of.mean()), 3), [round(float(edge), 3) for edge in np.percentile(means, [2.5, 97.5])]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--landscapes", type=Path, default=ROOT / "benchmarks/landscapes/measured")
    chosen = parser.parse_args()
    graph = open_graph(None)
    forms = {"as shipped": Exponents(), "as a search asks it, without the regression": Exponents(regression=0.0)}
    means: dict[str, list[dict[str, float]]] = {name: [] for name in forms}
    programs = 0
    for file in sorted(chosen.landscapes.glob("*.json.gz")):
        table = RecordedTable(load_landscape(file), graph)
        hidden = near_duplicates(graph, table.task.reference.source.text) | {table.task.id}
        viewer = Viewer(family=table.task.family, hide_tasks=hidden)
        for name, exponents in forms.items():
            rows = list(answers(table, NextTechnique(graph, viewer, exponents=exponents)))
            if rows:
                means[name].append({key: float(np.mean([row[key] for row in rows])) for key in rows[0]})
        programs += len(rows)
    for name, of_tasks in means.items():
        figures = {key: told([one[key] for one in of_tasks]) for key in of_tasks[0]}
        print(json.dumps({"ranker": name, "landscapes": len(of_tasks), "programs": programs, **figures}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
