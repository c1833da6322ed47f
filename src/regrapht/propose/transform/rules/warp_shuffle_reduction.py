"""Partial results combined by warp shuffles."""

from regrapht.propose.transform.rules.block_reduction import BlockReduction
from regrapht.propose.transform.rules.rule import Parameter
from regrapht.propose.transform.schedule import Combine


class WarpShuffleReduction(BlockReduction):
    slug = "warp_shuffle_reduction"
    title = "partial results combined by warp shuffles"
    condition = "a reduction over a whole nest, or inside independent outer loops"
    explanation = (
        "The threads of a warp exchange their partial results by shuffles, register to register: no shared memory and no barriers but one "
        "value a warp."
    )
    parameters = (Parameter("threads", (256, 128, 32, 512)),)
    combine = Combine.SHUFFLE
    replaces = (Combine.NONE, Combine.TREE)
