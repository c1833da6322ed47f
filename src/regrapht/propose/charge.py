"""What a call of a model is charged with: the tokens that its server tells, where they can be true, else an estimate by bytes.

A limit of tokens or money has to bind whatever a server says of itself, or does not say.
"""

import math

from regrapht.llm.prices import Prices
from regrapht.prompts.render import BYTES_PER_TOKEN, estimate_tokens
from regrapht.records.candidate import TokenUsage
from regrapht.records.prompt import Completion, Prompt, Sampling

TOLD, ESTIMATED, NOT_BELIEVED = "told", "estimated", "not believed"
_OF_A_TEMPLATE = 4096
"""Tokens that a server may add to a prompt: a chat template, instructions of its own."""


def charged(
    prompt: Prompt, completion: Completion, sampling: Sampling, prices: Prices | None
) -> tuple[TokenUsage, str]:
    """The call's tokens, with their cost where prices are known; and whether the server told them: `told`, `estimated` because it told
    none, or `not believed` because what it told cannot be."""
    usage, told = completion.usage, TOLD
    if usage is None or not _can_be(usage, prompt, completion, sampling):
        told = ESTIMATED if usage is None else NOT_BELIEVED
        usage = TokenUsage(
            prompt_tokens=estimate_tokens(prompt) + _tokens(prompt.begin or ""),
            completion_tokens=_tokens(completion.text),
        )
    if prices is None:
        return usage, told
    cost = prices.cost_usd(usage)
    return TokenUsage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=usage.cached_tokens,
        cost_usd=cost,
    ), told


def _can_be(usage: TokenUsage, prompt: Prompt, completion: Completion, sampling: Sampling) -> bool:
    """Whether a server can have counted so: a token is a byte at least and a word of thirty-two letters at most."""
    asked = sum(len(message.text.encode("utf-8", "replace")) for message in prompt.messages)
    asked += len((prompt.begin or "").encode("utf-8", "replace"))
    written = len(completion.text.encode("utf-8", "replace"))
    if completion.begun:
        written = max(0, written - len((prompt.begin or "").encode("utf-8", "replace")))
    limit = sampling.max_tokens or math.inf
    return (
        asked // 32 <= usage.prompt_tokens <= asked + _OF_A_TEMPLATE
        and written // 32 <= usage.completion_tokens <= limit
        and (written == 0 or usage.completion_tokens > 0)
    )


def _tokens(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def request_record(
    model: str, prompt: Prompt, sampling: Sampling, completion: Completion, told: str
) -> dict[str, object]:
    """What is kept of one call, beside prompt and reply."""
    return {
        "model": model,
        "served_model": completion.served_model,
        "request_hash": completion.request_hash,
        "template_hash": prompt.template_hash,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "finish": completion.finish.value,
        "begun": completion.begun,
        "attempts": completion.attempts,
        "seconds": completion.seconds,
        "dropped": prompt.dropped,
        "usage": told,
    }
