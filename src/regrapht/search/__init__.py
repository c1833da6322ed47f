"""Choosing: what to ask a proposer for next. Every search is built as `SearchClass(context, settings=None)` and obeys `search.Search`."""

from regrapht.registry import Registry

SEARCHES = Registry(
    "search",
    {
        "mcgs": "regrapht.search.mcgs:GraphSearch",
        "fsr": "regrapht.search.fsr:FeatureSearch",
        "direct": "regrapht.search.direct:DirectSearch",
        "best-of-n": "regrapht.search.best_of_n:BestOfN",
        "random-walk": "regrapht.search.random_walk:RandomWalk",
        "greedy-chain": "regrapht.search.greedy_chain:GreedyChain",
    },
)
