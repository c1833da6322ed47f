"""What is sent to a language model and what comes back."""

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum

from regrapht.records.candidate import TokenUsage


class Speaker(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Parameters of one request. None leaves the server's default."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Messages in order, and the hash of the templates that made them."""

    messages: tuple[Message, ...]
    template_hash: str
    begin: str | None = None
    """How the reply begins, where the model's server goes on with a begun reply; else it is as if it were not there."""
    dropped: tuple[str, ...] = ()
    """What was left out to fit the model's context, in the order it was dropped."""

    @property
    def content_hash(self) -> str:
        """SHA-256 of the messages, and of the reply's beginning where one is given."""
        said = [(m.speaker, m.text) for m in self.messages]
        begun = [] if self.begin is None else [(Speaker.ASSISTANT, self.begin)]
        return hashlib.sha256(json.dumps([*said, *begun]).encode()).hexdigest()

    @property
    def text(self) -> str:
        """All of it for a reader, each message behind a line `=== SPEAKER ===`."""
        said = [(message.speaker.value, message.text) for message in self.messages]
        begun = [] if self.begin is None else [("the reply begins", self.begin)]
        return "\n".join(f"=== {speaker} ===\n{text}" for speaker, text in (*said, *begun))


class Finish(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One reply of a model."""

    text: str
    finish: Finish
    served_model: str
    request_hash: str
    usage: TokenUsage | None
    seconds: float
    attempts: int = 1
    """Requests that it took, retries included."""
    begun: bool = False
    """Whether the server went on with the beginning that the prompt gave; `text` holds it then."""
