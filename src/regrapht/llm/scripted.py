"""A model whose replies are written in a file: for demonstrations and tests without any model."""

import json
import threading
from pathlib import Path

from regrapht.errors import ConfigError, ModelRefused
from regrapht.llm.client import ModelAvailability, ModelOptions, request_hash
from regrapht.records.prompt import Completion, Finish, Prompt, Sampling

SEPARATOR = "=== reply ==="


class ScriptedModel:
    """Gives the replies in order, whatever is asked; refuses when they are used up."""

    def __init__(self, replies: tuple[str, ...], *, name: str = "scripted") -> None:
        self.name = name
        self._replies = replies
        self._given = 0
        self._lock = threading.Lock()

    def availability(self) -> ModelAvailability:
        return ModelAvailability(available=True)

    def can_begin_replies(self) -> bool | None:
        return False

    def close(self) -> None:
        """Nothing is held."""

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """The next reply; takes no time and counts no tokens."""
        with self._lock:
            number = self._given
            self._given += 1
        if number >= len(self._replies):
            raise ModelRefused(f"{self.name} holds {len(self._replies)} replies and this is request {number + 1}")
        return Completion(
            text=self._replies[number],
            finish=Finish.STOP,
            served_model=self.name,
            request_hash=request_hash(self.name, prompt, sampling),
            usage=None,
            seconds=0.0,
        )


def open_script(rest: str, _options: ModelOptions) -> ScriptedModel:
    """The model that `scripted:FILE` names.

    A `.json` file holds a list of texts; any other file holds replies separated by lines that read `=== reply ===`.

    Raises:
        ConfigError: The file cannot be read, or holds no replies.
    """
    try:
        text = Path(rest).read_text(encoding="utf-8")
        replies = json.loads(text) if rest.endswith(".json") else _split(text)
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"scripted: cannot read replies from {rest!r}: {error}") from error
    if not isinstance(replies, list) or not replies or not all(isinstance(reply, str) for reply in replies):
        raise ConfigError(f"scripted: {rest!r} must hold a JSON list of at least one text")
    return ScriptedModel(tuple(replies), name=f"scripted:{Path(rest).name}")


def _split(text: str) -> list[str]:
    replies: list[list[str]] = [[]]
    for line in text.splitlines(keepends=True):
        if line.strip() == SEPARATOR:
            replies.append([])
        else:
            replies[-1].append(line)
    return [reply for lines in replies if (reply := "".join(lines)).strip()]
