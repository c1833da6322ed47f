"""What a search costs by itself: time a proposal and memory a node, on a made-up world. Prints one JSON line a size.

    python benchmarks/search_overhead.py [--search mcgs] [--nodes 1000 100000] [--techniques 73]

Every answer is a new correct program, so that nodes grow as fast as they can; a share of them fails. `ms_per_proposal` is processor time,
the mean over the last tenth of the run, when the graph is largest. Memory is what the search holds beside the records that it was told
(candidates and verdicts), which belong to the run's journal anyway; it is traced, which takes several times as long, and `--no-memory`
leaves it out. With `--transpositions`, a program is the set of its techniques, so that many ways lead to one.
"""

import argparse
import gc
import json
import platform
import random
import time
import tracemalloc

from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Proposal
from regrapht.records.run import Budget
from regrapht.records.verdict import Status, Verdict
from regrapht.search import SEARCHES
from regrapht.search.mcgs import GraphSearchSettings
from regrapht.search.search import Search
from regrapht.testing.synthetic import SyntheticWorld, synthetic_context, synthetic_graph, synthetic_verdict

ORIGIN = Origin(proposer="benchmark", seconds=0.0)
FAILURE = 0.2
COSTS = 64
"""Different speeds of programs."""


class Answers:
    """Answers to proposals, made in microseconds: verdicts are shared, candidates hold no text of their own."""

    def __init__(self, seed: int, *, transpositions: bool) -> None:
        self.seed, self.transpositions = seed, transpositions
        self._right = [synthetic_verdict(Status.PASSED, cost=1000.0 / (1 + i / 8)) for i in range(COSTS)]
        self._wrong = synthetic_verdict(Status.WRONG_VALUE)

    def to(self, proposal: Proposal) -> tuple[Candidate, Verdict]:
        chance = random.Random(f"{self.seed}:{proposal.id}")
        before = proposal.parent.candidate.techniques if proposal.parent is not None else ()
        applied = (*before, proposal.transition.target) if proposal.transition is not None else before
        fails = chance.random() < FAILURE and proposal.parent is not None
        name = "+".join(sorted(set(applied))) if self.transpositions and not fails else f"program {proposal.id}"
        candidate = Candidate(source=name, program_hash=name, origin=ORIGIN, techniques=applied)
        speed = len(set(applied)) * 3 + chance.randrange(6)
        return candidate, self._wrong if fails else self._right[min(speed, COSTS - 1)]


def fresh(name: str, *, nodes: int, techniques: int) -> Search:
    world = SyntheticWorld.draw(1, techniques=techniques)
    graph = synthetic_graph(world, seed=1, paths=60)
    given = synthetic_context(world, graph, budget=Budget(candidates=nodes))
    kind = SEARCHES.load(name)
    endless = name in ("mcgs", "greedy-chain")
    search: Search = kind(given, GraphSearchSettings(enough=None)) if endless else kind(given)
    return search


def timed(name: str, *, nodes: int, techniques: int, transpositions: bool) -> tuple[int, float, float]:
    """Proposals, and milliseconds a proposal inside `ask` and `tell`: over the whole run, over its last tenth."""
    search, answers = fresh(name, nodes=nodes, techniques=techniques), Answers(1, transpositions=transpositions)
    spent = []
    while True:
        start = time.process_time()
        proposal = search.ask()
        inside = time.process_time() - start
        if not isinstance(proposal, Proposal):
            break
        answer = answers.to(proposal)
        start = time.process_time()
        search.tell(proposal, *answer)
        spent.append(inside + time.process_time() - start)
    late = spent[-max(1, len(spent) // 10) :]
    return len(spent), 1000 * sum(spent) / len(spent), 1000 * sum(late) / len(late)


def memory_kib(name: str, *, nodes: int, techniques: int, transpositions: bool) -> float:
    """KiB a judged candidate that the search holds in the end, without the records that it was told."""
    answers, kept = Answers(1, transpositions=transpositions), []
    search = fresh(name, nodes=nodes, techniques=techniques)
    while isinstance(proposal := search.ask(), Proposal):
        kept.append(answers.to(proposal))
        search.tell(proposal, *kept[-1])
    again = fresh(name, nodes=nodes, techniques=techniques)
    gc.collect()
    tracemalloc.start()
    for answer in kept:
        proposal = again.ask()
        assert isinstance(proposal, Proposal), "the same tells give the same asks"
        again.tell(proposal, *answer)
    del proposal
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / 1024 / nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", default="mcgs")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1000, 100_000])
    parser.add_argument("--techniques", type=int, default=73)
    parser.add_argument("--transpositions", action="store_true")
    parser.add_argument("--no-memory", action="store_true")
    options = parser.parse_args()
    for nodes in options.nodes:
        size = {"nodes": nodes, "techniques": options.techniques, "transpositions": options.transpositions}
        proposals, mean, late = timed(options.search, **size)
        result = {
            "benchmark": "search_overhead",
            "search": options.search,
            **size,
            "proposals": proposals,
            "ms_per_proposal": round(late, 3),
            "ms_per_proposal_over_the_run": round(mean, 3),
            "kib_per_node": None if options.no_memory else round(memory_kib(options.search, **size), 2),
            "python": platform.python_version(),
            "machine": platform.machine(),
        }
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
