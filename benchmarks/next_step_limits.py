"""How far the next technique can be foreseen at all: how many follow, and how much trajectories of one task have in common.

    python benchmarks/next_step_limits.py [--graph FILE] [--ours]

First steps, which are nearly certain, are left out. A line for all tasks of the graph and one for each half of `benchmarks/retrieval.py`.
*Seen in the family* is the share of steps whose technique some other task of the family applies at any place: no way of reading the family
alone can find more, however many it proposes. *Sibling* is the share of steps whose technique another trajectory of the same task applies
at any place, over the tasks with several: what knowing another solution of the very task would give. *Read* is the share of 40 steps of
the reporting half whose technique is among five that a language model named after reading the program (`data/read_proposals.tsv`); with
`--ours` the same steps are asked of `NextTechnique`, which takes a minute. Prints one JSON line a row.
"""

import argparse
import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from regrapht.assemble import open_graph
from regrapht.graph.next_technique import NextTechnique
from regrapht.graph.query import Viewer, near_duplicates
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath

PROPOSALS = Path(__file__).parent / "data" / "read_proposals.tsv"


def limits(paths: Sequence[TechniquePath], all_paths: Sequence[TechniquePath]) -> dict[str, object]:
    """The figures of some paths, seen against all."""
    later = Counter(slug for path in paths for slug in path.slugs[1:])
    steps = sum(later.values())
    in_family = sibling = of_siblings = proposed = 0
    for path in paths:
        others = [one for one in all_paths if one is not path and one.task_id == path.task_id]
        family = {
            slug for one in all_paths if one.family == path.family and one.task_id != path.task_id for slug in one.slugs
        }
        in_family += sum(slug in family for slug in path.slugs[1:])
        if others:
            theirs = {slug for one in others for slug in one.slugs[1:]}
            proposed += len(theirs) * len(path.slugs[1:])
            of_siblings += len(path.slugs[1:])
            sibling += sum(slug in theirs for slug in path.slugs[1:])
    return {
        "later steps": steps,
        "distinct techniques": len(later),
        "entropy in bits": round(-sum(n / steps * math.log2(n / steps) for n in later.values()), 2),
        "share of the 5 most applied": round(sum(n for _, n in later.most_common(5)) / steps, 3),
        "share of the 10 most applied": round(sum(n for _, n in later.most_common(10)) / steps, 3),
        "seen in the family": round(in_family / steps, 3),
        "steps with a sibling": of_siblings,
        "sibling": round(sibling / of_siblings, 3) if of_siblings else None,
        "techniques of the siblings, mean": round(proposed / of_siblings, 1) if of_siblings else None,
    }


def read_proposals() -> dict[str, list[str]]:
    """The techniques proposed by reading, by step."""
    lines = [line for line in PROPOSALS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {key: slugs.split() for key, slugs in (line.split("\t") for line in lines)}


def by_reading(graph: TechniqueGraph, *, ours: bool) -> dict[str, object]:
    """How many of the answers are among what was proposed by reading, and on request among the graph's own first five."""
    of_step = {f"{path.provenance}/{number}": path for path in graph.paths for number in range(1, len(path.slugs) + 1)}
    asked = {key: slugs for key, slugs in read_proposals().items() if key in of_step}
    answers = {key: of_step[key].slugs[int(key.rpartition("/")[2]) - 1] for key in asked}
    found = sum(answers[key] in slugs for key, slugs in asked.items())
    row: dict[str, object] = {"of": "read", "steps": len(asked), "found": found, "share": round(found / len(asked), 3)}
    row["interval"] = wilson(found, len(asked))
    if ours:
        hits = sum(answers[key] in first_five(graph, of_step[key], int(key.rpartition("/")[2])) for key in asked)
        row |= {"ours on the same steps": hits, "ours, interval": wilson(hits, len(asked))}
    return row


def first_five(graph: TechniqueGraph, path: TechniquePath, number: int) -> list[str]:
    """What `NextTechnique` proposes before step `number` of a path, without the path's task."""
    steps = {
        e.transition: e for edge in path.transitions for e in graph.exemplars(edge) if e.provenance == path.provenance
    }
    reference = graph.programs[steps[path.transitions[0]].before]
    program = graph.programs[steps[path.transitions[number - 1]].before]
    hidden = near_duplicates(graph, reference) | {path.task_id}
    model = NextTechnique(graph, Viewer(family=path.family, hide_tasks=hidden))
    return list(model.shares(program, reference, path.slugs[: number - 1]))[:5]


def wilson(found: int, number: int) -> list[float]:
    """The 95 % interval of a share."""
    z, share = 1.96, found / number
    middle, spread = share + z * z / (2 * number), z * math.sqrt(share * (1 - share) / number + (z / (2 * number)) ** 2)
    return [round((middle + sign * spread) / (1 + z * z / number), 3) for sign in (-1, 1)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=Path, help="default: the shipped graph")
    parser.add_argument("--ours", action="store_true", help="ask NextTechnique about the steps that were read, too")
    chosen = parser.parse_args()
    graph = open_graph(chosen.graph)
    paths = [path for path in graph.paths if path.by_expert]
    print(json.dumps({"of": "all tasks", "graph": graph.content_hash, **limits(paths, paths)}))
    for half in (0, 1):
        some = [path for path in paths if int(hashlib.sha256(path.task_id.encode()).hexdigest(), 16) % 2 == half]
        print(json.dumps({"of": "fitting half" if half == 0 else "reporting half", **limits(some, paths)}))
    print(json.dumps(by_reading(graph, ours=chosen.ours)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
