"""Whether a training fits a GPU, by a formula over the model's shape, before anything is loaded."""

from dataclasses import dataclass

from regrapht.distil.training.model_source import ModelSource, Shape
from regrapht.errors import ConfigError

GIB = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How large a pass is, and whether activations are kept or made again."""

    batch_tokens: int
    checkpointing: bool
    bytes: int
    """About what it takes."""


def needed_bytes(shape: Shape, *, rank: int, tokens: int, checkpointing: bool) -> int:
    """About what a training takes: weights in bf16, adapters and optimizer in fp32, activations of one pass, scores of its replies."""
    weights = 2 * shape.parameters
    adapters = 16 * shape.layers * rank * (9 * shape.hidden + 3 * shape.inner)
    layer = 2 * (12 * shape.hidden + 5 * shape.inner) + 4 * (6 * shape.hidden + shape.inner)
    activations = tokens * (2 * shape.hidden * shape.layers + layer if checkpointing else layer * shape.layers)
    scores = 3 * 4 * shape.vocabulary * tokens // 2
    return weights + adapters + activations + scores + GIB


def plan(source: ModelSource, *, rank: int, tokens: int, longest: int, free_bytes: int) -> Plan:
    """The largest pass up to `tokens` that fits, keeping activations if that is possible.

    Raises:
        ConfigError: Not even one example fits; says how much it takes and how much there is.
    """
    sizes = [tokens // 2**halved for halved in range(8) if tokens // 2**halved >= longest] or [longest]
    for checkpointing in (False, True):
        for size in sizes:
            wanted = needed_bytes(source.shape, rank=rank, tokens=size, checkpointing=checkpointing)
            if wanted <= free_bytes:
                return Plan(batch_tokens=size, checkpointing=checkpointing, bytes=wanted)
    least = needed_bytes(source.shape, rank=rank, tokens=longest, checkpointing=True)
    raise ConfigError(
        f"the GPU is too small: tuning {source.name} takes about {least / GIB:.1f} GiB with one example of {longest} tokens, and "
        f"{free_bytes / GIB:.1f} GiB are free; take a smaller model, or leave longer pairs out with --longest"
    )
