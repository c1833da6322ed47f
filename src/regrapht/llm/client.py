"""The language model's interface: a prompt in, a completion out.

Implementations: `openai:` (any OpenAI-compatible endpoint), `scripted:` (replies from a file) and `recorded:` (an earlier model's replies).
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


class LanguageModel(Protocol):
    """Answers prompts. `complete` may be called from several threads at once."""

    name: str
    """As the user named it; goes into every request hash."""

    def availability(self) -> ModelAvailability:
        """Whether the model can be asked; cheap: no tokens are generated."""
        ...

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply. `deadline_s` bounds the whole call, retries and waits between them included.

        Raises:
            ModelUnavailable: No reply after all retries, or none before the deadline. May work later.
            ModelRefused: The provider declined for good: quota, authorisation, unknown model, a request that it does not accept.
        """
        ...


def request_hash(model: str, prompt: Prompt, sampling: Sampling) -> str:
    """SHA-256 of what is asked of whom: model name, messages and sampling parameters. Two samples of one request share it."""
    request = {"model": model, "messages": to_plain(prompt.messages), "sampling": to_plain(sampling)}
    return hashlib.sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
