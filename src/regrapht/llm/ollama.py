"""`ollama:NAME[@URL]`: a model of Ollama's, by Ollama's own protocol.

Its OpenAI endpoint has no word for the context's length, and Ollama's default cuts long prompts without a word; here it is set with each
request. A name may be the beginning of one that Ollama lists.
"""

from typing import TYPE_CHECKING, Any

from regrapht.errors import ModelUnavailable
from regrapht.llm import begun
from regrapht.llm.client import ModelAvailability, ModelOptions, request_hash
from regrapht.llm.endpoint import Endpoint, parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits, EndpointCalls
from regrapht.llm.reply import Reply, read_lines
from regrapht.llm.retry import Clock, Transient
from regrapht.records.prompt import Completion, Prompt, Sampling

if TYPE_CHECKING:
    import httpx2

URL = "http://127.0.0.1:11434"
CONTEXT = 16384
"""Tokens of context that are asked for, where the model takes as many."""
_LIMITS = CallLimits(read_s=900.0, total_s=3600.0)
"""Ollama loads a model at its first request, which takes minutes from a slow disk."""


class OllamaModel:
    """One model of one Ollama."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        context_tokens: int | None = None,
        limits: CallLimits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.name = endpoint.model
        self.endpoint = endpoint
        self._context = context_tokens
        self._calls = EndpointCalls(endpoint, limits=limits or _LIMITS, clock=clock)

    def availability(self) -> ModelAvailability:
        """Whether Ollama answers and has the model, which is found by the beginning of its name."""
        url = self.endpoint.url
        try:
            names = self.listed()
        except (Transient, ModelUnavailable) as error:
            reason = f"Ollama does not answer at {url} ({error})"
            return ModelAvailability(available=False, reason=reason, fix="start it with: ollama serve")
        wanted = self.name
        found = [one for one in (wanted, f"{wanted}:latest") if one in names]
        found = found[:1] or [one for one in names if one.startswith(wanted)]
        if len(found) != 1:
            there = ", ".join(found or names)[:300] or "no model"
            says = f"has several that begin with {wanted}: {there}" if found else f"at {url} has {there}, not {wanted}"
            fix = "give more of the name" if found else f"get it with: ollama pull {wanted}"
            return ModelAvailability(available=False, reason=f"Ollama {says}", fix=fix)
        self.endpoint = Endpoint(model=found[0], url=url, host=self.endpoint.host)
        self._calls.endpoint = self.endpoint
        trained = self._trained_context()
        if self._context is None:
            self._context = min(CONTEXT, trained or CONTEXT)
        return ModelAvailability(available=True, context_tokens=self._context)

    def listed(self) -> list[str]:
        """The names of the models that Ollama has.

        Raises:
            Transient: There is no Ollama at that address.
        """
        answer = self._asked("api/tags", None)
        try:
            return [str(one["name"]) for one in answer["models"]]
        except (TypeError, KeyError) as error:
            raise Transient("what answers there lists no models as Ollama does") from error

    def can_begin_replies(self) -> bool | None:
        return begun.known(self.endpoint.url, self.endpoint.model)

    def doing(self) -> str:
        """What the call that is out is at, in words; empty where none is."""
        return self._calls.doing()

    def close(self) -> None:
        self._calls.close()

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply, as `LanguageModel.complete` promises."""
        started = self._calls.clock.now()

        def ask(begin: str | None) -> tuple[Reply, int]:
            return self._calls.answered("api/chat", self._body(prompt, sampling, begin), _read, deadline_s=deadline_s)

        reply, attempts, is_begun = begun.answered(self.endpoint, prompt.begin, ask)
        return Completion(
            text=self._calls.without_key(reply.text),
            finish=reply.finish,
            served_model=reply.served_model or self.endpoint.model,
            request_hash=request_hash(self.name, prompt, sampling),
            usage=reply.usage,
            seconds=self._calls.clock.now() - started,
            attempts=attempts,
            begun=is_begun,
        )

    def _body(self, prompt: Prompt, sampling: Sampling, begin: str | None) -> dict[str, Any]:
        options = {
            "num_ctx": self._context,
            "num_predict": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
        }
        messages = [{"role": message.speaker.value, "content": message.text} for message in prompt.messages]
        messages += [{"role": "assistant", "content": begin}] if begin is not None else []
        return {
            "model": self.endpoint.model,
            "messages": messages,
            "stream": True,
            "options": {name: value for name, value in options.items() if value is not None},
        }

    def _trained_context(self) -> int | None:
        """What the model was trained for, where Ollama says."""
        try:
            shown = self._asked("api/show", {"model": self.endpoint.model})
        except Transient:
            return None
        info = shown.get("model_info")
        lengths = (
            [value for name, value in info.items() if name.endswith(".context_length")]
            if isinstance(info, dict)
            else []
        )
        return lengths[0] if lengths and type(lengths[0]) is int and lengths[0] > 0 else None

    def _asked(self, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        calls = self._calls
        try:
            answer = calls.send(path, body=body, seconds=calls.limits.connect_s * 2).json()
        except calls.openai.APIStatusError as error:
            raise Transient(f"HTTP {error.status_code}") from error
        except (ValueError, RecursionError) as error:
            raise Transient("the answer is not JSON") from error
        if not isinstance(answer, dict):
            raise Transient("the answer is no JSON object")
        return answer


def open_ollama(rest: str, options: ModelOptions) -> OllamaModel:
    """The model that `ollama:NAME[@URL]` names.

    Raises:
        ConfigError: The URL makes no sense, or is of another machine and that was not allowed.
    """
    text = rest if "@http://" in rest or "@https://" in rest else f"{rest}@{URL}"
    return OllamaModel(parse_endpoint(text, allow_remote=options.allow_remote), context_tokens=options.context_tokens)


def _read(response: "httpx2.Response") -> Reply:
    return read_lines(response.content)
