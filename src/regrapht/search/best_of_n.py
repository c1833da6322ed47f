"""Best of n: the same request sampled until the budget is spent, and the best answer kept.

The control for every search that spends more than one judgement: what a proposer reaches by luck alone at the same budget.
"""

from regrapht.search.context import SearchContext
from regrapht.search.direct import DirectSearch, DirectSettings


class BestOfN(DirectSearch):
    """`DirectSearch` with as many samples as the budget holds."""

    name = "best-of-n"

    def __init__(self, context: SearchContext, settings: DirectSettings | None = None) -> None:
        super().__init__(context, settings or DirectSettings(samples=None))
