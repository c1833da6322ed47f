"""How one server wants the chat protocol: what it complained about is said otherwise from then on.

Servers differ in the name of a reply's limit, in the role of instructions (some models' templates have none), and in parameters that they
refuse.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from regrapht.records.prompt import Message, Prompt, Sampling, Speaker

_ROLES = ("system", "developer", "user")
"""Who speaks instructions: tried in this order; as the user's they stand before the first question."""
_OPTIONAL = ("temperature", "top_p", "seed", "stream_options", "reasoning_effort")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a request looks like."""

    role: str = _ROLES[0]
    limit: str = "max_tokens"
    left_out: frozenset[str] = frozenset()

    def after(self, complaint: str) -> "Dialect | None":
        """The dialect for a server that refused a request so; None where the complaint is about something else."""
        said = complaint.lower()
        if self.limit == "max_tokens" and "max_completion_tokens" in said:
            return replace(self, limit="max_completion_tokens")
        for name in _OPTIONAL:
            if re.search(rf"\b{name}\b", said) and name not in self.left_out:
                return replace(self, left_out=self.left_out | {name})
        if self.role != _ROLES[-1] and re.search(rf"\b{self.role}\b", said) and "role" in said:
            return replace(self, role=_ROLES[_ROLES.index(self.role) + 1])
        return None

    def body(self, model: str, prompt: Prompt, sampling: Sampling, *, reasoning_effort: str | None) -> dict[str, Any]:
        """The request's JSON, without the reply's beginning."""
        parameters = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            self.limit: sampling.max_tokens,
            "seed": sampling.seed,
            "reasoning_effort": reasoning_effort,
            "stream_options": {"include_usage": True},
        }
        return {
            "model": model,
            "messages": self._messages(prompt.messages),
            "stream": True,
            **{name: value for name, value in parameters.items() if value is not None and name not in self.left_out},
        }

    def _messages(self, messages: tuple[Message, ...]) -> list[dict[str, str]]:
        said = [{"role": message.speaker.value, "content": message.text} for message in messages]
        instructions = [one for one in said if one["role"] == Speaker.SYSTEM]
        if self.role != _ROLES[-1]:
            for one in instructions:
                one["role"] = self.role
            return said
        rest = [one for one in said if one["role"] != Speaker.SYSTEM]
        first = next((one for one in rest if one["role"] == Speaker.USER), None)
        if first is not None:
            first["content"] = "\n\n".join([*(one["content"] for one in instructions), first["content"]])
        return rest
