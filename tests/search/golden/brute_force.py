"""What `mcgs` must count and value on small graphs, by the definitions alone. Imports nothing of the project.

    python tests/search/golden/brute_force.py > tests/search/golden/small_graphs.json

Nothing is kept but the list of visits: before every step each count and each value is worked out anew from all of them, by recursion. One
visit at a time, a uniform prior, no recoveries, no second ask of an edge that led to a program.
"""

import json
import math
import sys

EXPLORATION, FAILURE, NARROWEST, DEAD_AFTER = 0.5, 0.1, 0.25, 2

GRAPHS = {
    "transposition": {
        "rewards": {"plain": 0.0, "a": 1.07, "b": 0.83, "c": -0.41, "ab": 2.59, "abc": 2.31, "ac": 1.43, "bc": 0.97},
        "steps": {
            "plain": {"a": "a", "b": "b", "c": "c"},
            "a": {"b": "ab", "c": "ac"},
            "b": {"a": "ab", "c": "bc"},
            "c": {"a": "ac", "b": "bc"},
            "ab": {"c": "abc"},
            "ac": {"b": "abc"},
            "bc": {"a": "abc"},
        },
        "visits": 18,
    },
    "cycle": {
        "rewards": {"plain": 0.0, "tiled": 1.31, "unrolled": 0.57, "both": 1.93, "both, twice": 2.29},
        "steps": {
            "plain": {"tile": "tiled", "unroll": "unrolled", "idle": "plain"},
            "tiled": {"unroll": "both", "tile": "plain", "idle": "tiled"},
            "unrolled": {"tile": "both", "unroll": "plain"},
            "both": {"tile": "both, twice", "unroll": "tiled"},
            "both, twice": {"unroll": "both", "tile": "tiled"},
        },
        "visits": 22,
    },
    "failures": {
        "rewards": {"plain": 0.0, "x": 0.71, "xy": 0.29, "xyz": 3.13, "z": -1.37},
        "steps": {
            "plain": {"x": "x", "y": None, "z": "z"},
            "x": {"y": "xy", "z": None},
            "xy": {"z": "xyz"},
            "z": {"x": None},
        },
        "visits": 15,
    },
}
"""Programs with their rewards in doublings; `steps`: program, technique, the program that it gives, None where it fails."""


class Walk:
    """A graph and the visits so far, each a list of (program, technique) from the first program on."""

    def __init__(self, graph):
        self.rewards, self.steps = graph["rewards"], graph["steps"]
        self.paths = []
        self.known = {}
        """Children worked out since the latest visit."""

    def n(self, program, technique):
        return sum((program, technique) in path for path in self.paths)

    def ended(self, program, technique):
        """The visits that ended on this edge, as their places in time."""
        return [i for i, path in enumerate(self.paths) if path[-1] == (program, technique)]

    def child(self, program, technique):
        """The program that the edge led to; None before it was asked, and where it failed or came back to an ancestor."""
        if (program, technique) not in self.known:
            target, asked = self.steps[program][technique], self.ended(program, technique)
            is_child = bool(asked) and target is not None and not self.above(target, program, asked[0])
            self.known[program, technique] = target if is_child else None
        return self.known[program, technique]

    def above(self, program, other, time):
        """Whether `program` was `other` or above it when visit number `time` came back."""
        return program == other or any(
            self.above(program, parent, time)
            for parent, technique in {path[-1] for path in self.paths[:time]}
            if self.child(parent, technique) == other
        )

    def failures(self, program, technique):
        return 0 if self.child(program, technique) else len(self.ended(program, technique))

    def value(self, program):
        children = [self.child(program, technique) for technique in self.steps.get(program, {})]
        return max([self.rewards[program], *(self.value(child) for child in children if child)])

    def seen(self):
        return {"plain"} | {self.steps[p][t] for path in self.paths for p, t in path if self.steps[p][t]}

    def factor(self, technique):
        """(3 + successes) / (3 + tries) over the judged programs that were new."""
        known, tries, successes = {"plain"}, 0, 0
        for path in self.paths:
            program, last = path[-1]
            target = self.steps[program][last]
            if last == technique and target not in known:
                tries, successes = tries + 1, successes + (target is not None)
            known |= {target} - {None}
        return (3 + successes) / (3 + tries)

    def order(self, program):
        """The techniques at a program, best first, without those that are dead; ties: asked before, then by name."""
        rewards = [self.rewards[p] for p in self.seen()]
        low, width = min(rewards), max(max(rewards) - min(rewards), NARROWEST)
        here = [t for t in sorted(self.steps.get(program, {})) if self.failures(program, t) < DEAD_AFTER]
        total = sum(self.factor(t) for t in here)
        visits = 1 + sum(self.n(program, t) for t in self.steps.get(program, {}))

        def score(t):
            child = self.child(program, t)
            q = self.value(child) if child else self.rewards[program] - FAILURE * self.failures(program, t)
            share = self.factor(t) / total
            return (q - low) / width + EXPLORATION * share * math.sqrt(visits) / (1 + self.n(program, t))

        return sorted(here, key=lambda t: (-score(t), not self.ended(program, t), self.ended(program, t)[:1], t))

    def descend(self, program, path, seen):
        seen.add(program)
        for technique in self.order(program):
            child = self.child(program, technique)
            if child is None:
                return [*path, (program, technique)]
            if child not in seen:
                found = self.descend(child, [*path, (program, technique)], seen)
                if found:
                    return found
        return None

    def step(self):
        path = self.descend("plain", [], set())
        if path is None:
            return False
        self.paths.append(path)
        self.known = {}
        return True


def table(graph):
    walk = Walk(graph)
    for _ in range(graph["visits"]):
        if not walk.step():
            break
    edges = {f"{p} / {t}": walk.n(p, t) for p in walk.seen() for t in walk.steps.get(p, {}) if walk.n(p, t)}
    return {
        **graph,
        "visits": len(walk.paths),
        "asked": [f"{path[-1][0]} / {path[-1][1]}" for path in walk.paths],
        "edge_visits": dict(sorted(edges.items())),
        "values": {p: walk.value(p) for p in sorted(walk.seen())},
    }


if __name__ == "__main__":
    json.dump({name: table(graph) for name, graph in GRAPHS.items()}, sys.stdout, indent=1)
    print()
