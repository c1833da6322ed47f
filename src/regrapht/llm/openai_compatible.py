"""Any endpoint that speaks the OpenAI chat protocol: vLLM, SGLang, llama.cpp's server, LM Studio, a provider."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from regrapht.llm import begun
from regrapht.llm.client import ModelAvailability, ModelOptions, request_hash
from regrapht.llm.dialect import Dialect
from regrapht.llm.endpoint import Endpoint, parse_endpoint
from regrapht.llm.endpoint_calls import CallLimits, EndpointCalls, RequestNotAccepted
from regrapht.llm.hearing import Speed
from regrapht.llm.reply import Reply, read_reply
from regrapht.llm.retry import Clock, Transient
from regrapht.records.prompt import Completion, Prompt, Sampling

if TYPE_CHECKING:
    import httpx2


class OpenAICompatibleModel:
    """One model behind one endpoint.

    Args:
        endpoint: The model's name, and where it is served.
        name: What the user calls it; the endpoint's name unless told.
        reasoning_effort: How long a reasoning model is to think, in the server's words.
        limits: Deadlines of one call.
        clock: Time and chance.
        key: The server's key; None is that of the settings.
        extra: What this server takes in a request beyond the protocol.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        name: str | None = None,
        reasoning_effort: str | None = None,
        limits: CallLimits | None = None,
        clock: Clock | None = None,
        key: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name or endpoint.model
        self.endpoint = endpoint
        self._effort = reasoning_effort
        self._extra = dict(extra or {})
        self._calls = EndpointCalls(endpoint, limits=limits, clock=clock, key=key)
        self._dialect = Dialect()

    def availability(self) -> ModelAvailability:
        """Whether the server answers, and offers this model where it lists what it offers."""
        calls = self._calls
        try:
            response = calls.send("models", body=None, seconds=calls.limits.connect_s * 2)
            offered = {str(entry["id"]): entry.get("owned_by") for entry in response.json()["data"]}
        except Transient as error:
            return ModelAvailability(available=False, reason=str(error), fix=f"start the server of {self.endpoint.url}")
        except calls.openai.APIStatusError as error:
            if error.status_code not in (401, 403):
                return ModelAvailability(available=True, reason="the server does not list its models")
            reason = f"{self.endpoint.url}: HTTP {error.status_code}"
            return ModelAvailability(available=False, reason=reason, fix="set REGRAPHT_API_KEY to a valid key")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return ModelAvailability(available=True, reason="the server does not list its models")
        if self.endpoint.model in offered:
            if begun.is_server_that_continues(offered[self.endpoint.model]):
                begun.remember(self.endpoint.url, self.endpoint.model, True)
            return ModelAvailability(available=True)
        names = ", ".join(list(offered)[:8])[:300] or "no model"
        return ModelAvailability(
            available=False,
            reason=f"{self.endpoint.url} offers {names}, not {self.endpoint.model}",
            fix="name one of these in --model",
        )

    def can_begin_replies(self) -> bool | None:
        return begun.known(self.endpoint.url, self.endpoint.model)

    def doing(self) -> str:
        """What the call that is out is at, in words; empty where none is."""
        return self._calls.doing()

    @property
    def speed(self) -> Speed | None:
        """How fast the server says that it read and wrote last; None where it says nothing of the kind."""
        return self._calls.speed

    def close(self) -> None:
        self._calls.close()

    def complete(self, prompt: Prompt, sampling: Sampling, *, deadline_s: float | None = None) -> Completion:
        """One reply, as `LanguageModel.complete` promises."""
        started = self._calls.clock.now()
        reply, attempts, is_begun = begun.answered(
            self.endpoint, prompt.begin, lambda begin: self._asked(prompt, sampling, begin, deadline_s)
        )
        return Completion(
            text=self._calls.without_key(reply.text),
            finish=reply.finish,
            served_model=self._calls.without_key(reply.served_model or self.endpoint.model),
            request_hash=request_hash(self.name, prompt, sampling),
            usage=reply.usage,
            seconds=self._calls.clock.now() - started,
            attempts=attempts,
            begun=is_begun,
        )

    def _asked(
        self, prompt: Prompt, sampling: Sampling, begin: str | None, deadline_s: float | None
    ) -> tuple[Reply, int]:
        """The answer to one request, sent again otherwise as long as the server says what it wants otherwise."""
        requests = 0
        while True:
            dialect = self._dialect
            body = dialect.body(self.endpoint.model, prompt, sampling, reasoning_effort=self._effort)
            body |= self._extra
            if begin is not None:
                body["messages"].append({"role": "assistant", "content": begin})
                body |= begun.CONTINUE
            try:
                reply, attempts = self._calls.answered(
                    "chat/completions", body, _read_completion, deadline_s=deadline_s
                )
            except RequestNotAccepted as error:
                requests += 1
                wanted = dialect.after(error.said)
                if wanted is None:
                    raise
                self._dialect = wanted
                continue
            return reply, requests + attempts


def open_endpoint(rest: str, options: ModelOptions) -> OpenAICompatibleModel:
    """The model that `openai:NAME@URL` names; `rest` is what follows the colon."""
    endpoint = parse_endpoint(rest, allow_remote=options.allow_remote)
    return OpenAICompatibleModel(endpoint, reasoning_effort=options.reasoning_effort)


def _read_completion(response: "httpx2.Response") -> Reply:
    return read_reply(response.content, content_type=response.headers.get("content-type", ""))
