"""Choosing: what to ask a proposer for next. Every search is built as `SearchClass(context, settings=None)` and obeys `search.Search`."""

from regrapht.registry import Registry

SEARCHES = Registry(
    "search",
    {
        "mcgs": "regrapht.search.mcgs:GraphSearch",
        "fsr": "regrapht.search.fsr:FeatureSearch",
        "direct": "regrapht.search.direct:DirectSearch",
        "best-of-n": "regrapht.search.direct:BestOfN",
        "random-walk": "regrapht.search.random_walk:RandomWalk",
        "greedy-chain": "regrapht.search.greedy_chain:GreedyChain",
        "mcgs-paper": "regrapht.search.mcgs_paper:PaperSearch",
        "cot": "regrapht.search.direct:ChainOfThought",
        "rag": "regrapht.search.rag:RetrievalAugmented",
        "rethink-mcts": "regrapht.search.rethink_mcts:RethinkSearch",
        "mcts-rag": "regrapht.search.mcts_rag:MctsRag",
        "shuffled-graph": "regrapht.search.controls:ShuffledGraph",
        "method-only": "regrapht.search.controls:MethodOnly",
        "no-prior": "regrapht.search.controls:NoPrior",
        "no-repair": "regrapht.search.controls:NoRepair",
        "no-graph": "regrapht.search.controls:NoGraph",
        "no-hardware": "regrapht.search.controls:NoHardware",
    },
    methods=("ask", "tell", "abandon", "best"),
)
