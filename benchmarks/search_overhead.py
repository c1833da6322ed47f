"""What a search costs by itself: time a proposal and memory a node, on a made-up world. Prints one JSON line.

python benchmarks/search_overhead.py [--search mcgs] [--candidates 1000] [--techniques 48]
"""

import argparse
import json
import platform
import time
import tracemalloc

from regrapht.records.proposal import Proposal
from regrapht.records.run import Budget
from regrapht.records.verdict import Level
from regrapht.search import SEARCHES
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_task,
)


def search_seconds(name: str, *, candidates: int, techniques: int) -> tuple[int, float]:
    """Proposals asked for and seconds spent inside `ask` and `tell`, over a run of so many judged candidates."""
    world = SyntheticWorld.draw(1, techniques=techniques)
    task, proposer, evaluator = synthetic_task(), SyntheticProposer(world=world), SyntheticEvaluator(world=world)
    context = synthetic_context(world, synthetic_graph(world, seed=1), budget=Budget(candidates=candidates))
    search = SEARCHES.load(name)(context)
    proposals, inside = 0, 0.0
    while True:
        start = time.perf_counter()
        proposal = search.ask()
        inside += time.perf_counter() - start
        if not isinstance(proposal, Proposal):
            return proposals, inside
        candidate = proposer.propose(task, proposal)
        verdict = evaluator.evaluate(task, candidate, level=Level.SCREEN)
        start = time.perf_counter()
        search.tell(proposal, candidate, verdict)
        inside += time.perf_counter() - start
        proposals += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", default="mcgs")
    parser.add_argument("--candidates", type=int, default=1000)
    parser.add_argument("--techniques", type=int, default=48)
    options = parser.parse_args()
    size = {"candidates": options.candidates, "techniques": options.techniques}
    proposals, seconds = search_seconds(options.search, **size)
    tracemalloc.start()
    search_seconds(options.search, **size)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    result = {
        "benchmark": "search_overhead",
        "search": options.search,
        **size,
        "proposals": proposals,
        "ms_per_proposal": round(1000 * seconds / proposals, 4),
        "peak_kib_per_candidate_records_included": round(peak_bytes / 1024 / options.candidates, 2),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
