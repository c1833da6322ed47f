"""The body of a chat completion, as one JSON object or as a stream of events, to text, reason of stopping and usage.

Nothing that a server sends is trusted to have the promised form: what has not is `Transient`, because a restarting server, an overloaded
proxy and a cut connection all look like that.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from regrapht.llm.retry import Transient
from regrapht.records.candidate import TokenUsage
from regrapht.records.prompt import Finish

_FINISH = {
    "stop": Finish.STOP,
    "eos_token": Finish.STOP,  # Text Generation Inference
    "end_turn": Finish.STOP,
    "tool_calls": Finish.STOP,
    "function_call": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one answer of an endpoint says. `text` may be empty: that is the model's answer, not a fault of the wire."""

    text: str
    finish: Finish
    served_model: str | None
    usage: TokenUsage | None


def read_reply(body: bytes, *, content_type: str) -> Reply:
    """The reply in an answer with status 200.

    Raises:
        Transient: The body is no chat completion, holds no choice, is an error in disguise, or breaks off.
    """
    if body.lstrip()[:5] == b"data:" or (content_type.startswith("text/event-stream") and body.lstrip()[:1] != b"{"):
        return _from_events(body)  # some servers name the one and send the other
    answer = _object(body, f"answered {content_type.partition(';')[0] or 'something'}, not a chat completion")
    choice = _first_choice(answer)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Transient("the answer's choice holds no message")
    said, refusal = _Said(), message.get("refusal")
    said.take(message)
    if message.get("content") is not None and said.is_strange:
        raise Transient(f"the answer's content is a {type(message['content']).__name__}, not text")
    finish = _FINISH.get(str(choice.get("finish_reason")), Finish.UNKNOWN)
    if not said.content and isinstance(refusal, str) and refusal:
        return _reply(refusal, Finish.FILTERED, answer)
    return _reply(said.text(), finish, answer)


class _Said:
    """What a model said, taken from a message or from the pieces of a stream."""

    def __init__(self) -> None:
        self.content: list[str] = []
        self._thought: list[str] = []
        self._arguments: list[str] = []
        self.is_strange = False
        """Whether some content was no text."""

    def take(self, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        parts = content if isinstance(content, list) else [content]
        for part in parts:
            text = part.get("text") if isinstance(part, dict) and part.get("type") == "text" else part
            if isinstance(text, str):
                self.content += [text] if text else []
            else:
                self.is_strange |= text is not None
        thought = message.get("reasoning_content") or message.get("reasoning")
        self._thought += [thought] if isinstance(thought, str) else []
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            function = call.get("function") if isinstance(call, dict) else None
            arguments = function.get("arguments") if isinstance(function, dict) else None
            self._arguments += [arguments] if isinstance(arguments, str) else []

    def text(self) -> str:
        """The answer; what was given to a tool where there is none, or the thought, in tags, where that is all."""
        if self.content or self._arguments:
            return "".join(self.content or self._arguments)
        return f"<think>\n{''.join(self._thought)}\n</think>\n" if any(self._thought) else ""


def _from_events(body: bytes) -> Reply:
    """A reply put together from server-sent events; complete only with a reason of stopping or the final `[DONE]`."""
    said = _Said()
    reason: object = None
    known: dict[str, Any] = {}
    done = False
    for line in body.splitlines():
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            done = True
            break
        event = _object(data, "streamed an event that is not JSON")
        known.update({key: event[key] for key in ("model", "usage") if event.get(key) is not None})
        if event.get("choices") == []:  # the last event of a stream may hold the usage alone
            continue
        choice = _first_choice(event)
        delta = choice.get("delta")
        said.take(delta if isinstance(delta, dict) else {})
        reason = choice.get("finish_reason") or reason
    if reason is None and not done:
        raise Transient("the stream ended before the reply did")
    return _reply(said.text(), _FINISH.get(str(reason), Finish.UNKNOWN), known)


def read_lines(body: bytes) -> Reply:
    """The reply in Ollama's stream: a JSON object a line, the last of which says that it is done.

    Raises:
        Transient: A line is no such object or an error, or the stream breaks off.
    """
    parts: list[str] = []
    for line in filter(None, body.split(b"\n")):
        event = _object(line, "streamed a line that is not JSON")
        if event.get("error"):
            raise Transient(f"answered with an error: {error_message(event)}")
        message = event.get("message")
        piece = message.get("content") if isinstance(message, dict) else None
        parts += [piece] if isinstance(piece, str) else []
        if event.get("done") is True:
            counts = {"prompt_tokens": event.get("prompt_eval_count"), "completion_tokens": event.get("eval_count")}
            finish = _FINISH.get(str(event.get("done_reason", "stop")), Finish.UNKNOWN)
            return _reply("".join(parts), finish, {"model": event.get("model"), "usage": counts})
    raise Transient("the stream ended before the reply did")


def _reply(text: str, finish: Finish, answer: Mapping[str, Any]) -> Reply:
    served = answer.get("model")
    return Reply(
        text=text.encode("utf-8", "replace").decode(),  # JSON can hold lone surrogates, files cannot
        finish=finish,
        served_model=served if isinstance(served, str) and served else None,
        usage=_usage(answer.get("usage")),
    )


def _usage(usage: object) -> TokenUsage | None:
    if not isinstance(usage, dict):
        return None
    sent, received = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(sent) is not int or type(received) is not int or sent < 0 or received < 0:
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    known = cached if type(cached) is int and 0 <= cached <= sent else 0
    return TokenUsage(prompt_tokens=sent, completion_tokens=received, cached_tokens=known)


def _first_choice(answer: Mapping[str, Any]) -> dict[str, Any]:
    if answer.get("error"):
        raise Transient(f"answered with an error: {error_message(answer)}")
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Transient("the answer holds no choice")
    return choices[0]


def error_message(answer: object) -> str:
    """The message in an error body such as `{"error": {"message": ...}}`, printable and short; the body itself where there is none."""
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    message = error.get("message", error) if isinstance(error, dict) else error
    text = " ".join("".join(c if c.isprintable() else " " for c in str(message)).split())
    return text[:300]


def _object(data: bytes, complaint: str) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Transient(complaint) from error
    if not isinstance(answer, dict):
        raise Transient(complaint)
    return answer
