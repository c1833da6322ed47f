"""Chain of thought: standard prompting, but the model is asked to reason before it writes.

The requests are those of `direct`; a language model's prompt for a first program is worded for it (template `cot_first`): what computes
independently, what limits the speed, which techniques follow, then the code. For other proposers this is `direct`. As many samples as the
budget holds, because every method is compared at equal budgets; ReGraphT's table does not say how many its baseline had.
"""

from regrapht.search.best_of_n import BestOfN


class ChainOfThought(BestOfN):
    """`BestOfN` under the name by which prompts are worded for reasoning."""

    name = "cot"
