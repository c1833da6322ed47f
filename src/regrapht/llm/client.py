"""The language model's interface: a prompt in, a completion out.

Implementations: `openai:` (any OpenAI-compatible endpoint), `ollama:` (Ollama's own protocol), `gguf:` (a file, run by llama.cpp in a
process of ours), `hf:` (a folder, run by transformers), `scripted:` (replies from a file) and `recorded:` (an earlier model's replies).
A reply without usable code is a completion like any other; only an endpoint that gave no reply is an exception.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

from regrapht.records.encoding import to_plain
from regrapht.records.prompt import Completion, Prompt, Sampling


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAvailability:
    """Whether a model can be asked now, and if not, why and what would mend it."""

    available: bool
    reason: str = ""
    fix: str = ""
    context_tokens: int | None = None
    """The model's context, prompt and reply together, where it tells."""
    reply_tokens: int | None = None
    """The longest reply that is worth waiting for, where no other is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """How a model is opened, besides what its spec says. Kinds ignore what has no meaning for them."""

    allow_remote: bool = False
    """Whether its host may be another machine."""
    context_tokens: int | None = None
    """Its context, where that is chosen here; None for what model and machine have."""
    reasoning_effort: str | None = None
    """How long a reasoning model is to think, in its server's words."""


class LanguageModel(Protocol):
    """Answers prompts. `complete` may be called from several threads at once.

    Two more things are used where a model has them: `doing()`, what the call that is out is at, in words; and `speed`
    (`llm.hearing.Speed`), how fast it reads and writes here, which keeps prompts and replies short where that is slow (`propose.pace`).
    """

    name: str
    """As the user named it; goes into every request hash."""

    def availability(self) -> ModelAvailability:
        """Whether the model can be asked; cheap: no tokens are generated."""
        ...

    def can_begin_replies(self) -> bool | None:
        """Whether a reply goes on from `Prompt.begin`; None as long as nothing was asked that would tell."""
        ...

    def close(self) -> None:
        """Give up what is being waited for (those calls raise `ModelUnavailable`) and what the model holds. May be called twice."""
        ...

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply. `deadline_s` bounds the whole call, retries and waits between them included.

        Where the prompt begins the reply and the server goes on with it, the text returned has that beginning.

        Raises:
            ModelUnavailable: No reply after all retries, or none before the deadline. May work later.
            ModelRefused: The provider declined for good: quota, authorisation, unknown model, a request that it does not accept.
        """
        ...


def request_hash(model: str, prompt: Prompt, sampling: Sampling) -> str:
    """SHA-256 of what is asked of whom: model name, messages and sampling parameters. Two samples of one request share it."""
    request = {"model": model, "messages": to_plain(prompt.messages), "sampling": to_plain(sampling)}
    if prompt.begin is not None:
        request["begin"] = prompt.begin
    return hashlib.sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
