"""What a model's tokens cost, as its user wrote it down."""

from dataclasses import dataclass

from regrapht.records.candidate import TokenUsage

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """USD for a million tokens."""

    input: float
    output: float
    cached: float | None = None
    """Of a prompt that the server had from before; None is as `input`."""

    def cost_usd(self, usage: TokenUsage) -> float:
        """What these tokens cost."""
        cached = self.input if self.cached is None else self.cached
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (fresh * self.input + usage.cached_tokens * cached + usage.completion_tokens * self.output) / _MILLION
